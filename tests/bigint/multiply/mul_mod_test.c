// mul_mod_test.c: products modulo 2^bits - 1 and 2^bits + 1 against GMP, by transforms that wrap
// around and by products that are folded; on a device too, where only the first tests run.
#include <stdbool.h>
#include <stdio.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

typedef bigint_status (*mul_mod)(bigint_ctx *, bigint *, const bigint *, const bigint *, uint64_t);
static const mul_mod calls[] = {bigint_mul_mod_2exp_minus1, bigint_mul_mod_2exp_plus1};

// modulus: m = 2^bits -+ 1.
static void modulus(mpz_t m, uint64_t bits, int plus) {
    mpz_set_ui(m, 1);
    mpz_mul_2exp(m, m, bits);
    plus ? mpz_add_ui(m, m, 1) : mpz_sub_ui(m, m, 1);
}

// try_both: x y, into a fresh integer and into either operand, and x x, by both moduli.
static void try_both(bigint_ctx *ctx, const mpz_t x, const mpz_t y, uint64_t bits) {
    mpz_t m, xy, xx;
    mpz_inits(m, xy, xx, NULL);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    for (int plus = 0; plus < 2; plus++) {
        SCOPED_TRACE("modulo 2^%llu %c 1", (unsigned long long)bits, plus ? '+' : '-');
        modulus(m, bits, plus);
        mpz_mul(xy, x, y), mpz_fdiv_r(xy, xy, m);
        mpz_mul(xx, x, x), mpz_fdiv_r(xx, xx, m);
        fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
        EXPECT_EQ(calls[plus](ctx, &r, &a, &b, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, xy);
        EXPECT_EQ(calls[plus](ctx, &r, &a, &a, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, xx);
        EXPECT_EQ(calls[plus](ctx, &b, &a, &b, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &b, xy);
        fixture_set(ctx, &b, y);
        EXPECT_EQ(calls[plus](ctx, &a, &a, &b, bits), BIGINT_OK);
        EXPECT_BIGINT(ctx, &a, xy);
        EXPECT_EQ(calls[plus](ctx, &b, &b, &b, bits), BIGINT_OK);
        fixture_set(ctx, &a, y);
        EXPECT_EQ(calls[plus](ctx, &a, &a, &a, bits), BIGINT_OK);
        int order = 1;
        EXPECT_EQ(bigint_cmp(ctx, &order, &a, &b), BIGINT_OK);
        EXPECT_EQ(order, 0);
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
    mpz_clears(m, xy, xx, NULL);
}

// draw: any shape and sign, zero too, of up to about `most` limbs.
static void draw(gen *g, mpz_t z, size_t most) {
    fixture_limbs(g, z, gen_size(g, 1, most));
    if (gen_below(g, 20) == 0) {
        mpz_set_ui(z, 0);
    }
    if (gen_below(g, 3) == 0) {
        mpz_neg(z, z);
    }
}

// Every count of bits up to 200, and around multiples of 64. Mutations: the mask of a piece that
// ends within a limb, or with one; 2^bits - 1 left as it is; 2^bits taken for out of range modulo
// 2^bits + 1; pieces of one sign modulo 2^bits + 1; the sign of a negative operand.
TEST(MulMod, EveryBitCount) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(1);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (uint64_t bits = 1; bits < 700; bits += bits < 200 ? 1 : 31) {
        for (int i = (int)bits % fixture_thinning(); i < 12; i += fixture_thinning()) {
            draw(&g, x, 40), draw(&g, y, 40);
            try_both(ctx, x, y, bits);
        }
    }
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}

// Residues at the ends of the range: 0, +-1, +-2, 2^(bits - 1), and those plus multiples of the
// modulus. Mutations: the residue -1 = 2^bits modulo 2^bits + 1 loses its only bit in a transform,
// 2^bits - 1 is not made 0.
TEST(MulMod, EndsOfTheRange) {
    const bigint_ctx_options options = {.engine = "modular-fft"};
    bigint_ctx *plain = fixture_ctx(NULL), *transforms = fixture_ctx(&options);
    const uint64_t sizes[] = {1, 2, 63, 64, 65, 128, 4096, 4095, 8192, 64 * 48};
    mpz_t x, y, m;
    mpz_inits(x, y, m, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int k = 0; k < 6 * 6 * 4; k += fixture_thinning() / 2 * 2 + 1) {
            const int ends[] = {0, 1, -1, 2, -2, 0};
            modulus(m, sizes[i], k & 1);
            mpz_set_si(x, ends[k / 4 % 6]), mpz_set_si(y, ends[k / 24]);
            if (k / 4 % 6 == 5) {
                mpz_setbit(x, sizes[i] - 1);
            }
            if ((k & 2) != 0) {
                mpz_add(x, x, m), mpz_addmul_ui(y, m, 5);
            }
            try_both(k & 1 ? plain : transforms, x, y, sizes[i]);
        }
    }
    mpz_clears(x, y, m, NULL);
    bigint_ctx_destroy(plain), bigint_ctx_destroy(transforms);
}

// Transforms of every variant, on one and three threads: digits of 64 bits down to 33, operands
// that fill them with ones, short ones and ones that are folded first. Mutations: node 1 taken for
// node 0 in columns, rows or leaves; the bias, or what it leaves modulo 2^bits + 1, forgotten;
// tables that reach no further than the points.
TEST(MulMod, Transforms) {
    if (fixture_place() != BIGINT_HOST) {
        SKIP("of the host");
    }
    gen g = gen_seed(2);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    const char *const *variants = bigint_variants();
    for (int v = 0; variants[v] != NULL; v++) {
        const bigint_ctx_options options = {
            .engine = "modular-fft", .variant = variants[v], .threads = v % 2 == 0 ? 1 : 3};
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &options) == BIGINT_OK) {
            for (int i = 0; i < 60; i++) {
                const uint64_t width = i % 3 == 0 ? 64 : 33 + gen_below(&g, 32);
                const uint64_t bits = width << (6 + gen_below(&g, 7)), n = bits / 64;
                SCOPED_TRACE("%s, digits of %d bits", variants[v], (int)width);
                fixture_shape(&g, i % 4 == 0 ? GEN_ONES : GEN_UNIFORM, x, n);
                fixture_shape(&g, i % 8 == 0 ? GEN_ONES : GEN_RUNS, y, n - gen_below(&g, n / 8));
                if (i % 5 == 0) {
                    draw(&g, x, 3 * n), draw(&g, y, 3 * n);
                }
                try_both(ctx, x, y, bits);
            }
        }
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(x, y, NULL);
}

// The best choice at sizes from the first transforms to long rows. Mutation: a ring's plan is taken
// where its digits are not proved.
TEST(MulMod, BestChoice) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(3);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    const uint64_t sizes[] = {64 << 10, 64 << 12, 48 << 12, 64 << 15, 40 << 15, 100003, 3 << 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += (size_t)fixture_thinning() / 3 + 1) {
        const size_t n = sizes[i] / 64;
        draw(&g, x, n), draw(&g, y, 2 * n);
        try_both(ctx, x, y, sizes[i]);
        fixture_shape(&g, GEN_ONES, x, n), fixture_shape(&g, GEN_POWER_MINUS, y, n);
        try_both(ctx, x, y, sizes[i]);
    }
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}

// peak: the workspace of one call on numbers of n limbs.
static uint64_t peak(mul_mod call, size_t n, uint64_t bits, unsigned checks) {
    const bigint_ctx_options options = {.engine = "modular-fft", .checks = checks};
    bigint_ctx *ctx = fixture_ctx(&options);
    gen g = gen_seed(4);
    bigint a = BIGINT_INIT, b = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    fixture_limbs(&g, z, n), fixture_set(ctx, &a, z);
    fixture_limbs(&g, z, n), fixture_set(ctx, &b, z);
    EXPECT_EQ(call(ctx, &a, &a, &b, bits), BIGINT_OK);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.products, 1u);
    EXPECT_EQ(counters.checks, checks);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
    return counters.workspace_peak;
}

// A transform that wraps around is half as long, which its memory shows; checks need the whole
// product. Mutation: everything is folded.
TEST(MulMod, HalfTheTransform) {
    if (fixture_place() != BIGINT_HOST) {
        SKIP("of the host");
    }
    const size_t n = 1 << 14;
    for (int plus = 0; plus < 2; plus++) {
        const uint64_t wraps = peak(calls[plus], n, 64 * n, 0);
        const uint64_t folds = peak(calls[plus], n, 64 * n, 1);
        EXPECT_TRUE(10 * wraps < 8 * folds);
    }
}

// Mutations: the modulus 2^0 - 1 = 0 let through, a refused call that changes its result, bits
// whose limbs overflow, a small product that allocates the modulus.
TEST(MulMod, Refusals) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t seven, wanted;
    mpz_init_set_si(seven, -7), mpz_init_set_ui(wanted, 49);
    fixture_set(ctx, &a, seven), fixture_set(ctx, &r, seven);
    for (int plus = 0; plus < 2; plus++) {
        fixture_set(ctx, &r, seven);
        EXPECT_EQ(calls[plus](ctx, &r, &a, &a, 0), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, "0 bits");
        EXPECT_BIGINT(ctx, &r, seven);
        if (fixture_place() == BIGINT_HOST) {  // a device does not know the sign
            EXPECT_EQ(calls[plus](ctx, &r, &a, &a, UINT64_MAX), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, wanted);
        }
        fixture_set(ctx, &r, wanted);
        EXPECT_EQ(calls[plus](ctx, &r, &r, &a, UINT64_MAX), BIGINT_ERANGE);
        EXPECT_BIGINT(ctx, &r, wanted);
        r.place_ = 7;
        EXPECT_EQ(calls[plus](ctx, &r, &a, &a, 64), BIGINT_EPLACE);
        r.place_ = a.place_;
    }
    mpz_clears(seven, wanted, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// With a cap below the ring's workspace the product is cut and folded, and that is within the cap.
// Mutations: the ring's failure is the call's; the cut plan does not count what the residues take.
TEST(MulMod, KeepsToTheCap) {
    if (fixture_place() != BIGINT_HOST) {
        SKIP("of the host");
    }
    const uint64_t n = 1 << 14;
    const bigint_ctx_options options = {.engine = "modular-fft", .max_workspace_bytes = 1200000};
    bigint_ctx *ctx = fixture_ctx(&options);
    gen g = gen_seed(5);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    fixture_limbs(&g, x, n), fixture_limbs(&g, y, n);
    try_both(ctx, x, y, 64 * n);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= options.max_workspace_bytes);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}
