// The public products of two integers: signs, zero, every aliasing, room or no room in the result,
// prepared operands, and the self-check. The engines have their own tests; here the sizes are
// small.
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/multiply/mul.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { MAX_LIMBS = 80, ROUNDS = 2000 };

// grow gives x room for `limbs` limbs without changing its value.
static void grow(bigint_ctx *ctx, bigint *x, uint64_t limbs) {
    bigint big = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &big, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &big, &big, 64 * limbs), BIGINT_OK);
    EXPECT_EQ(bigint_set(ctx, &big, x), BIGINT_OK);
    bigint_swap(&big, x);
    bigint_clear(ctx, &big);
}

// Mutations: the operand in place is overwritten before it is read, only one of two aliased
// operands is copied, a square is not noticed, the sign comes from the overwritten operand, a zero
// operand leaves the old value, the top limb of a short product counts though it is 0, a long
// operand is copied to where a short one has room.
static void every_aliasing(bigint_ctx *ctx) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t az, bz, ab, aa;
    mpz_inits(az, bz, ab, aa, NULL);
    gen g = gen_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        const int room = (int)gen_below(&g, 2);
        SCOPED_TRACE("round %d, %s", round, room ? "with room" : "without room");
        fixture_draw(&g, ctx, &a, az, MAX_LIMBS);
        fixture_draw(&g, ctx, &b, bz, 3 * MAX_LIMBS);  // too long for a copy on the stack
        mpz_mul(ab, az, bz);
        mpz_mul(aa, az, az);
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, ab);
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &a), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, aa);
        EXPECT_EQ(bigint_sqr(ctx, &r, &a), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, aa);
        EXPECT_BIGINT(ctx, &a, az);
        EXPECT_BIGINT(ctx, &b, bz);
        bigint_clear(ctx, &r);
        EXPECT_EQ(bigint_set(ctx, &r, &a), BIGINT_OK);
        if (room) {
            grow(ctx, &r, 4 * MAX_LIMBS);
        }
        EXPECT_EQ(bigint_mul(ctx, &r, &r, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, ab);
        bigint_clear(ctx, &r);
        EXPECT_EQ(bigint_set(ctx, &r, &b), BIGINT_OK);
        if (room) {
            grow(ctx, &r, 4 * MAX_LIMBS);
        }
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &r), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, ab);
        EXPECT_EQ(bigint_set(ctx, &r, &a), BIGINT_OK);
        EXPECT_EQ(bigint_mul(ctx, &r, &r, &r), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, aa);
        EXPECT_EQ(bigint_set(ctx, &r, &a), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(ctx, &r, &r), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, aa);
        bigint_clear(ctx, &r);
    }
    mpz_clears(az, bz, ab, aa, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_ctx_destroy(ctx);
}

// Planned, and where no engine is forced short ones without a plan, checked or not.
TEST(Product, Aliasing) {
    every_aliasing(fixture_ctx(&(bigint_ctx_options){.engine = "schoolbook"}));
}
TEST(Product, AliasingOfShortOnes) { every_aliasing(fixture_ctx(NULL)); }
TEST(Product, AliasingOfCheckedOnes) {
    every_aliasing(fixture_ctx(&(bigint_ctx_options){.checks = 1}));
}

// alias_lengths: in-place products and squares of an by bn limbs, with room.
static void alias_lengths(bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t az, bz, ab, aa;
    mpz_inits(az, bz, ab, aa, NULL);
    gen g = gen_seed(an + bn);
    fixture_shape(&g, GEN_UNIFORM, az, an);
    fixture_shape(&g, GEN_UNIFORM, bz, bn);
    fixture_set(ctx, &a, az);
    fixture_set(ctx, &b, bz);
    mpz_mul(ab, az, bz);
    mpz_mul(aa, az, az);
    for (int turn = 0; turn < 4; turn++) {
        const bool second = turn % 2 != 0, square = turn >= 2;
        EXPECT_EQ(bigint_set(ctx, &r, second ? &b : &a), BIGINT_OK);
        grow(ctx, &r, an + (square ? an : bn));
        if (square) {
            EXPECT_EQ(bigint_set(ctx, &r, &a), BIGINT_OK);
            EXPECT_EQ(second ? bigint_mul(ctx, &r, &r, &r) : bigint_sqr(ctx, &r, &r), BIGINT_OK);
        } else {
            EXPECT_EQ(second ? bigint_mul(ctx, &r, &a, &r) : bigint_mul(ctx, &r, &r, &b),
                      BIGINT_OK);
        }
        EXPECT_BIGINT(ctx, &r, square ? aa : ab);
    }
    mpz_clears(az, bz, ab, aa, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &r);
}

// Products that are written over their operands, and the ones that must not be: cut into pieces,
// checked, or computed again. Mutations: one of these counts as reading its operands first; the
// first operand of a product without a copy is read after limbs of the result are written.
TEST(Product, AliasingOfTransforms) {
    static const char *const engines[] = {NULL, "modular-fft", "real-fft", "complex-fft"};
    static const uint64_t lengths[][2] = {{500, 500}, {1000, 400}, {3000, 200}, {9000, 8000}};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        for (int kind = 0; kind < 3; kind++) {
            bigint_ctx_options o = {.engine = engines[e], .checks = kind == 1};
            o.mode = kind == 2 ? "certified" : NULL;
            bigint_ctx *ctx = fixture_ctx(&o);
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
                SCOPED_TRACE("engine %d, kind %d, lengths %d", (int)e, kind, (int)i);
                alias_lengths(ctx, lengths[i][0], lengths[i][1]);
            }
            bigint_ctx_destroy(ctx);
        }
    }
}

// Mutation: a copy of an operand is announced, and taken, where none is needed; digits take memory.
// Two planes of doubles for each of at most ceil(128 / width) values a limb.
TEST(Product, WorkspaceIsTwoPlanes) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    for (uint64_t n = 1024; n <= 4096; n *= 2) {
        uint64_t bytes = 0;
        mul_plan plan;
        ASSERT_EQ(mul_plan_make(ctx, "test", &plan, n, n, false), BIGINT_OK);
        EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, n, n), BIGINT_OK);
        if (plan.engine == ENGINE_REAL_FFT) {
            const uint64_t planes = 2 * 16 * plan.floats.fft.transform.problem.length;
            EXPECT_TRUE(bytes <= planes + planes / 32 + 8192);
        }
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: the prepared operand refers to the integer it came from, its sign is lost, the
// announced length is not checked, r may not be the other operand.
TEST(Product, Prepared) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t az, bz, ab;
    mpz_inits(az, bz, ab, NULL);
    gen g = gen_seed(5);
    for (int round = 0; round < 300; round++) {
        SCOPED_TRACE("round %d", round);
        bigint_prep *prep = NULL;
        fixture_draw(&g, ctx, &a, az, MAX_LIMBS);
        EXPECT_EQ(bigint_prep_create(ctx, &prep, &a, MAX_LIMBS), BIGINT_OK);
        bigint_clear(ctx, &a);
        for (int i = 0; i < 4; i++) {
            fixture_draw(&g, ctx, &b, bz, MAX_LIMBS);
            mpz_mul(ab, az, bz);
            EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &b), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, ab);
            EXPECT_EQ(bigint_mul_prep(ctx, &b, prep, &b), BIGINT_OK);
            EXPECT_BIGINT(ctx, &b, ab);
        }
        EXPECT_EQ(bigint_set_u64(ctx, &b, 1), BIGINT_OK);
        EXPECT_EQ(bigint_mul_2exp(ctx, &b, &b, 64 * MAX_LIMBS), BIGINT_OK);
        EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &b), BIGINT_ERANGE);
        EXPECT_TEXT(ctx, "81 limbs");
        EXPECT_BIGINT(ctx, &r, ab);
        bigint_prep_destroy(ctx, prep);
    }
    mpz_clears(az, bz, ab, NULL);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Mutation: planes in one variant's order of points are read by another.
TEST(Product, PreparedByAnotherVariant) {
    enum { LIMBS = 4000 };
    bigint_ctx *maker = fixture_ctx(NULL);
    bigint_ctx *user = fixture_ctx(&(bigint_ctx_options){.variant = "portable"});
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t az, bz;
    mpz_inits(az, bz, NULL);
    bigint_prep *prep = NULL;
    mpz_ui_pow_ui(az, 3, 64 * LIMBS * 5 / 8);  // 3^5 < 2^8
    mpz_ui_pow_ui(bz, 7, 64 * LIMBS / 3);      // 7 < 2^3
    fixture_set(maker, &a, az);
    fixture_set(maker, &b, bz);
    ASSERT_EQ(bigint_prep_create(maker, &prep, &a, LIMBS), BIGINT_OK);
    bigint_ctx_destroy(maker);
    EXPECT_EQ(bigint_mul_prep(user, &r, prep, &b), BIGINT_OK);
    mpz_mul(az, az, bz);
    EXPECT_BIGINT(user, &r, az);
    bigint_prep_destroy(user, prep);
    mpz_clears(az, bz, NULL);
    bigint_clear(user, &a);
    bigint_clear(user, &b);
    bigint_clear(user, &r);
    bigint_ctx_destroy(user);
}

// A row operation that now and then flips one bit, as bad memory would.
static void wrong_mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    limbs_ops_portable.mul(rp, ap, an, bp, bn);
    rp[(an + bn) / 2] ^= (uint64_t)1 << 17;
}

// Mutations: the check's verdict is dropped, a failed product leaves r in a state that cannot be
// used again.
TEST(Product, WrongProductIsNoticed) {
    limbs_ops faulty = limbs_ops_portable;
    faulty.mul = wrong_mul;
    for (uint32_t checks = 0; checks < 2; checks++) {
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.checks = checks, .engine = "schoolbook"});
        const limbs_ops *right = ctx->limbs;
        bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
        mpz_t az, bz, ab;
        mpz_inits(az, bz, ab, NULL);
        gen g = gen_seed(6);
        uint64_t products = 0;
        for (int round = 0; round < 100; round++) {
            fixture_draw(&g, ctx, &a, az, MAX_LIMBS);
            fixture_draw(&g, ctx, &b, bz, MAX_LIMBS);
            if (mpz_sgn(az) == 0 || mpz_sgn(bz) == 0) {
                continue;
            }
            ctx->limbs = &faulty;
            grow(ctx, &r, 4 * MAX_LIMBS);
            EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), checks ? BIGINT_ECHECK : BIGINT_OK);
            const uint64_t limbs = mpz_size(az) + mpz_size(bz);
            EXPECT_TRUE(limbs - bigint_limbs_bound(&r) <= 1);
            EXPECT_EQ(strstr(bigint_ctx_error(ctx), "wrong modulo") != NULL, (int)checks);
            ctx->limbs = right;
            products++;
            mpz_mul(ab, az, bz);
            EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
            EXPECT_BIGINT(ctx, &r, ab);
        }
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_EQ(counters.products, 2 * products);
        EXPECT_EQ(counters.checks, checks * 2 * products);
        EXPECT_EQ(counters.mismatches, checks * products);
        mpz_clears(az, bz, ab, NULL);
        bigint_clear(ctx, &a);
        bigint_clear(ctx, &b);
        bigint_clear(ctx, &r);
        bigint_ctx_destroy(ctx);
    }
}

// Mutation: a batch counts its checks but not what they find.
TEST(Product, WrongProductInABatchIsNoticed) {
    limbs_ops faulty = limbs_ops_portable;
    faulty.mul = wrong_mul;
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.checks = 1, .engine = "schoolbook"});
    ctx->limbs = &faulty;
    uint64_t a[20], b[20], r[40];
    gen g = gen_seed(17);
    gen_limbs(&g, GEN_UNIFORM, a, 20);
    gen_limbs(&g, GEN_UNIFORM, b, 20);
    const bigint_span as = {.p = a, .n = 4, .stride = 4, .count = 5};
    const bigint_span bs = {.p = b, .n = 4, .stride = 4, .count = 5};
    const bigint_span rs = {.p = r, .n = 8, .stride = 8, .count = 5};
    EXPECT_EQ(bigint_mul_batch(ctx, &rs, &as, &bs), BIGINT_ECHECK);
    EXPECT_TEXT(ctx, "bigint_mul_batch: 5 of 5 products are wrong");
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.mismatches, 5u);
    bigint_ctx_destroy(ctx);
}
