// bigint_gmp.h: integers from and to mpz_t.
#include "bigint/bigint_gmp.h"

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// expect_text: x written in hexadecimal is what GMP writes for z: an answer that does not pass
// through the conversions under test.
static void expect_text(bigint_ctx *ctx, const bigint *x, const mpz_t z) {
    static char mine[20000], right[20000];
    mpz_get_str(right, 16, z);
    EXPECT_EQ(bigint_get_hex(ctx, mine, sizeof mine, NULL, x), BIGINT_OK);
    EXPECT_EQ(mine, right);
}

// Mutations: sign lost, limbs reversed, the old value of z shows through, 0 keeps limbs.
TEST(Gmp, RoundTrip) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t z, back;
    mpz_inits(z, back, NULL);
    gen g = gen_seed(9);
    for (int round = 0; round < 1000; round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, ctx, &x, z, 1000);
        expect_text(ctx, &x, z);
        EXPECT_EQ(bigint_get_mpz(ctx, back, &x), BIGINT_OK);  // back holds the number before
        EXPECT_TRUE(mpz_cmp(back, z) == 0);
        EXPECT_EQ(bigint_neg(ctx, &x, &x), BIGINT_OK);
        EXPECT_EQ(bigint_get_mpz(ctx, back, &x), BIGINT_OK);
        mpz_neg(z, z);
        EXPECT_TRUE(mpz_cmp(back, z) == 0);
    }
    mpz_clears(z, back, NULL);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Mutations: z is emptied before the operand is looked at; r is touched when there is no memory.
TEST(Gmp, FailuresKeepTheOutput) {
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.allocator = fixture_allocator(&log)});
    bigint x = BIGINT_INIT;
    mpz_t z, five;
    mpz_init_set_ui(five, 5);
    mpz_init_set_ui(z, 1);
    mpz_mul_2exp(z, z, 10000);
    fixture_set(ctx, &x, five);
    log.fail_at = log.calls + 1;
    EXPECT_EQ(bigint_set_mpz(ctx, &x, z), BIGINT_ENOMEM);
    EXPECT_BIGINT(ctx, &x, five);
    mpz_set_ui(z, 77);
    x.place_ += 3;
    EXPECT_EQ(bigint_get_mpz(ctx, z, &x), BIGINT_EPLACE);
    EXPECT_TRUE(mpz_cmp_ui(z, 77) == 0);
    x.place_ -= 3;
    mpz_clears(z, five, NULL);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}
