// root_long_test.c: roots of tens of millions of bits against GMP, on one and three threads. A
// minute or two; tagged long.
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// try_root: the k-th root of x and its remainder.
static void try_root(bigint_ctx *ctx, const mpz_t x, unsigned long k) {
    mpz_t want, rem;
    mpz_inits(want, rem, NULL);
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    SCOPED_TRACE("root %lu of %zu bits", k, mpz_sizeinbase(x, 2));
    fixture_set(ctx, &a, x);
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, k), BIGINT_OK);
    k == 2 ? mpz_sqrtrem(want, rem, x) : mpz_rootrem(want, rem, x, k);
    EXPECT_BIGINT(ctx, &s, want);
    EXPECT_BIGINT(ctx, &r, rem);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, k), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, want);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    mpz_clears(want, rem, NULL);
}

// Mutation: a length or an exponent that 32 bits do not hold; what no short number reaches.
TEST(RootLong, TensOfMillionsOfBits) {
    gen g = gen_seed(1);
    mpz_t x;
    mpz_init(x);
    const size_t limbs[] = {200003, 524288, 1 << 20};
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        const bigint_ctx_options options = {.threads = threads};
        bigint_ctx *ctx = fixture_ctx(&options);
        for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
            fixture_limbs(&g, x, limbs[i]);
            try_root(ctx, x, 2);
            fixture_shape(&g, GEN_RUNS, x, limbs[i] / 2);
            mpz_mul(x, x, x);
            try_root(ctx, x, 2);
            mpz_sub_ui(x, x, 1);
            try_root(ctx, x, 2);
        }
        fixture_limbs(&g, x, 100000);
        try_root(ctx, x, 3), try_root(ctx, x, 12345);
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(x);
}
