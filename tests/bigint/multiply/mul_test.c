// Products by every engine with every variant against GMP: random sizes, sizes around the
// thresholds, unbalanced shapes, carry chains, threads, memory caps. Prepared operands are in
// mul_prep_test.c; what does not depend on the engine (signs, zero, errors) is in product_test.c.
#include <string.h>

#include "bigint/core/tune.h"
#include "tests/bigint/multiply/fixture.h"

// plan_says: whether the library's description of its plan holds the text.
static int plan_says(mul_fixture *t, size_t an, size_t bn, const char *text) {
    char plan[300];
    size_t need;
    EXPECT_EQ(bigint_explain(t->ctx, plan, sizeof plan, &need, an, bn), BIGINT_OK);
    return strstr(plan, text) != NULL;
}

// Every engine with every variant, operands of every shape and of log-uniform length, products
// checked by the library as well. Mutations: any wrong limb of any engine; an engine that is not
// the one asked for; a product that is not counted or not checked.
TEST_EACH(Mul, RandomSizes, mul_combination, mul_combinations, mul_label) {
    mul_fixture t;
    MUL_REQUIRE(mul_start(
        &t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant, .checks = 1}));
    gen g = gen_seed(1);
    for (int round = 0; round < p->rounds; round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, t.ctx, &t.a, t.az, p->max_limbs);
        fixture_draw(&g, t.ctx, &t.b, t.bz, p->max_limbs);
        mul_expect_product(&t);
        mul_expect_square(&t);
    }
    EXPECT_TRUE(p->engine == NULL || plan_says(&t, 120, 80, p->engine));
    bigint_counters counters;
    bigint_ctx_counters(t.ctx, &counters);
    EXPECT_TRUE(counters.products > 0 && counters.checks == counters.products);
    EXPECT_EQ(counters.mismatches, (uint64_t)0);
    mul_stop(&t);
}

// The longest carry chains and the largest digits: all ones by all ones, 2^k and its neighbours.
// Mutations: a carry that stops at a block, at a range of recombine.c, or at the top limb.
TEST_EACH(Mul, CarryChains, mul_combination, mul_combinations, mul_label) {
    static const gen_shape shapes[] = {GEN_ONES, GEN_POWER, GEN_POWER_PLUS, GEN_POWER_MINUS};
    static const size_t lengths[] = {1, 2, 3, 31, 64, 257, 600, 1025, 2048, 4097, 8000};
    mul_fixture t;
    MUL_REQUIRE(mul_start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant}));
    gen g = gen_seed(2);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= p->max_limbs; i++) {
        for (size_t k = 0; k < 16; k++) {
            SCOPED_TRACE("%s by %s", gen_shape_name(shapes[k / 4]), gen_shape_name(shapes[k % 4]));
            mul_set(&t, &g, &t.a, t.az, shapes[k / 4], lengths[i]);
            mul_set(&t, &g, &t.b, t.bz, shapes[k % 4], lengths[i] - lengths[i] / 5);
            mul_expect_product(&t);
            if (k % 4 == 0) {
                mul_expect_square(&t);
            }
        }
    }
    mul_stop(&t);
}

// Mutations: a longer factor is taken, or one of 128 limbs refused; another engine takes over.
TEST(Mul, TiledRefusesLongFactors) {
    mul_fixture t;
    ASSERT_TRUE(mul_start(&t, &(bigint_ctx_options){.engine = "tiled"}));
    gen g = gen_seed(6);
    mul_set(&t, &g, &t.a, t.az, GEN_ONES, 128), mul_set(&t, &g, &t.b, t.bz, GEN_ONES, 128);
    mul_expect_product(&t);
    mul_set(&t, &g, &t.a, t.az, GEN_ONES, 129);
    EXPECT_EQ(bigint_mul(t.ctx, &t.r, &t.a, &t.b), BIGINT_ERANGE);
    EXPECT_TEXT(t.ctx, "engine tiled takes factors of up to 128 limbs");
    mul_stop(&t);
}

// engines: where a variant's begin and end.
typedef struct {
    const char *variant;
    size_t mul, sqr;        // from which the modular transform is used
    size_t shorter;         // from which it is, beside long operands
    size_t real, real_end;  // between which the real one is, by the mean of both lengths
    // the least shorter operand for that; from which a longer one is not cut in pieces for it
    size_t least, cut_end;
} engines;

// expect_engines: which engine takes operands of equal and of different lengths.
static void expect_engines(mul_fixture *t, const engines *e) {
    const size_t mul = e->mul, real = e->real, end = e->real_end, least = e->least;
    if (real == end) {
        EXPECT_FALSE(plan_says(t, 2 * mul, e->shorter - 1, "modular-fft"));
        EXPECT_TRUE(plan_says(t, 2 * mul, e->shorter, "modular-fft"));
        EXPECT_FALSE(plan_says(t, mul - 1, mul - 1, "modular-fft"));
        EXPECT_TRUE(plan_says(t, mul, mul, "modular-fft"));
        return;
    }
    EXPECT_FALSE(plan_says(t, real - 1, real - 1, "real-fft"));
    EXPECT_TRUE(plan_says(t, real, real, "real-fft"));
    EXPECT_TRUE(plan_says(t, end - 1, end - 1, "real-fft"));
    EXPECT_FALSE(plan_says(t, end, end, "real-fft"));
    EXPECT_FALSE(plan_says(t, 2 * real - least - 1, least, "real-fft"));
    EXPECT_TRUE(plan_says(t, 2 * real - least, least, "real-fft"));
    EXPECT_FALSE(plan_says(t, 2 * real, least - 1, "real-fft"));
    EXPECT_FALSE(plan_says(t, 2 * real, least, "pieces"));
    EXPECT_TRUE(plan_says(t, 2 * end, least, "pieces"));
    EXPECT_TRUE(plan_says(t, 8 * end, e->cut_end - 1, "pieces"));
    EXPECT_TRUE(plan_says(t, 8 * end, e->cut_end, "modular-fft"));
}

static const engines variants[] = {
    {"portable", MUL_FFT_PORTABLE_THRESHOLD, SQR_FFT_PORTABLE_THRESHOLD, MUL_FFT_PORTABLE_SHORTER,
     0, 0, 0, 0},
    {"avx2", MUL_FFT_AVX2_THRESHOLD, SQR_FFT_AVX2_THRESHOLD, MUL_FFT_AVX2_SHORTER,
     MUL_REAL_FFT_AVX2_THRESHOLD, MUL_REAL_FFT_AVX2_END, MUL_REAL_FFT_AVX2_SHORTER,
     MUL_REAL_FFT_AVX2_CUT_END},
    {"avx512", MUL_FFT_AVX512_THRESHOLD, SQR_FFT_AVX512_THRESHOLD, MUL_FFT_AVX512_SHORTER,
     MUL_REAL_FFT_AVX512_THRESHOLD, MUL_REAL_FFT_AVX512_END, MUL_REAL_FFT_AVX512_SHORTER,
     MUL_REAL_FFT_AVX512_CUT_END},
    {"ifma", MUL_FFT_IFMA_THRESHOLD, SQR_FFT_IFMA_THRESHOLD, MUL_FFT_IFMA_SHORTER,
     MUL_REAL_FFT_IFMA_THRESHOLD, MUL_REAL_FFT_IFMA_END, MUL_REAL_FFT_IFMA_SHORTER,
     MUL_REAL_FFT_IFMA_CUT_END},
};

// Shorter operands of one limb less than a threshold, of as many, and of one more. Mutations:
// another engine than the thresholds say, > for >=, the shorter operand in place of the mean,
// workspace counted for the engine below.
TEST(Mul, Thresholds) {
    enum { MOST = 6000 };  // limbs; beyond, the plan alone is looked at
    gen g = gen_seed(3);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        mul_fixture t;
        if (!mul_start(&t, &(bigint_ctx_options){.variant = variants[v].variant})) {
            continue;  // RandomSizes says so
        }
        expect_engines(&t, &variants[v]);
        const size_t least = variants[v].least;
        if (least > 0) {
            mul_set(&t, &g, &t.a, t.az, GEN_ONES, 3 * variants[v].real);
            mul_set(&t, &g, &t.b, t.bz, GEN_ONES, least);
            mul_expect_product(&t);
            mul_set(&t, &g, &t.a, t.az, GEN_RUNS, 2 * variants[v].real_end);
            mul_set(&t, &g, &t.b, t.bz, GEN_ONES, variants[v].shorter);
            mul_expect_product(&t);
        }
        const size_t thresholds[] = {
            MUL_KARATSUBA_PORTABLE_THRESHOLD,
            SQR_KARATSUBA_PORTABLE_THRESHOLD,
            MUL_TOOM3_PORTABLE_THRESHOLD,
            SQR_TOOM3_PORTABLE_THRESHOLD,
            MUL_KARATSUBA_ADX_THRESHOLD,
            SQR_KARATSUBA_ADX_THRESHOLD,
            MUL_TOOM3_ADX_THRESHOLD,
            SQR_TOOM3_ADX_THRESHOLD,
            MUL_KARATSUBA_IFMA_THRESHOLD,
            2 * MUL_KARATSUBA_ADX_THRESHOLD,
            MUL_TOOM3_IFMA_THRESHOLD,
            MUL_FFT_TEAM_THRESHOLD,
            variants[v].mul,
            variants[v].sqr,
            variants[v].real,
        };
        for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
            for (size_t n = thresholds[i] - 1; n <= thresholds[i] + 1 && n <= MOST; n++) {
                SCOPED_TRACE("%s, threshold %zu", variants[v].variant, thresholds[i]);
                const size_t longer[] = {n, n + 1, 2 * n - 1, 3 * n + 1};
                for (size_t k = 0; k < 4; k++) {
                    mul_set(&t, &g, &t.a, t.az, GEN_RUNS, longer[k]);
                    mul_set(&t, &g, &t.b, t.bz, k % 2 == 0 ? GEN_ONES : GEN_UNIFORM, n);
                    mul_expect_product(&t);
                    if (k == 0) {
                        mul_expect_square(&t);
                    }
                }
            }
        }
        mul_stop(&t);
    }
}

// The longer operand in pieces: of many lengths, their last one full or shorter, in ranges of a
// thread each, carries through all of what two of them share. Mutations: what a piece or a range
// left behind added twice, not at all or a limb away, a last piece with the digits of a whole one,
// a range that begins a piece too early.
TEST(Mul, Pieces) {
    static const char *const names[] = {"portable", "avx2", "avx512", "ifma"};
    static const size_t shapes[][2] = {{2047, 1},   {2048, 500}, {2500, 128}, {3001, 300},
                                       {4096, 900}, {5003, 60},  {9000, 149}, {20011, 700}};
    static const gen_shape kinds[][2] = {
        {GEN_ONES, GEN_ONES}, {GEN_UNIFORM, GEN_RUNS}, {GEN_RUNS, GEN_ONES}};
    gen g = gen_seed(8);
    for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
        mul_fixture t;
        const bigint_ctx_options options = {
            .engine = "real-fft", .variant = names[v], .threads = 1 + (unsigned)v};
        if (!mul_start(&t, &options)) {
            continue;  // RandomSizes says so
        }
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            SCOPED_TRACE("%s, %zu x %zu limbs", names[v], shapes[i][0], shapes[i][1]);
            EXPECT_TRUE(plan_says(&t, shapes[i][0], shapes[i][1], "pieces"));
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
                mul_set(&t, &g, &t.a, t.az, kinds[k][0], shapes[i][0]);
                mul_set(&t, &g, &t.b, t.bz, kinds[k][1], shapes[i][1]);
                mul_expect_product(&t);
            }
        }
        mul_stop(&t);
    }
}

// Threads that have no memory for a range each. Mutation: a refusal, or memory for all of them.
TEST(Mul, PiecesUnderACap) {
    mul_fixture t;
    gen g = gen_seed(9);
    EXPECT_TRUE(mul_start(&t, &(bigint_ctx_options){.engine = "real-fft", .threads = 4}));
    mul_set(&t, &g, &t.a, t.az, GEN_UNIFORM, 20000), mul_set(&t, &g, &t.b, t.bz, GEN_ONES, 500);
    mul_expect_product(&t);
    bigint_counters all;
    bigint_ctx_counters(t.ctx, &all);
    mul_stop(&t);
    const bigint_ctx_options less = {
        .engine = "real-fft", .threads = 4, .max_workspace_bytes = all.workspace_peak / 2};
    EXPECT_TRUE(mul_start(&t, &less));
    mul_set(&t, &g, &t.a, t.az, GEN_UNIFORM, 20000), mul_set(&t, &g, &t.b, t.bz, GEN_ONES, 500);
    mul_expect_product(&t);
    mul_stop(&t);
}

// Shapes far from square: one limb by many, thirds, and longer operands in pieces whose last one
// is short. Mutations: the last piece's length, an overlap of pieces that is added twice or not
// at all, a carry from one piece into the next but one.
TEST_EACH(Mul, Unbalanced, mul_combination, mul_combinations, mul_label) {
    mul_fixture t;
    MUL_REQUIRE(mul_start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant}));
    gen g = gen_seed(4);
    const size_t n = p->max_limbs;
    const size_t shapes[][2] = {{n, 1},          {n, 2},         {n, n / 3},  {n, n / 4},
                                {n, n / 4 - 1},  {n, n / 6 + 1}, {n, n / 13}, {n - 1, n / 13},
                                {n + 1, n / 13}, {n, n / 50},    {n / 2, 3},  {n + 5, n / 100}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int ones = 0; ones < 2; ones++) {
            mul_set(&t, &g, &t.a, t.az, ones ? GEN_ONES : GEN_UNIFORM, shapes[i][0]);
            mul_set(&t, &g, &t.b, t.bz, ones ? GEN_ONES : GEN_RUNS, shapes[i][1]);
            mul_expect_product(&t);
        }
    }
    mul_stop(&t);
}

// Every length of the last piece modulo a few, above the smallest size that is cut. Mutation: the
// first limb after the last whole piece.
TEST(Mul, RaggedLastPiece) {
    mul_fixture t;
    ASSERT_TRUE(mul_start(&t, &(bigint_ctx_options){.engine = "modular-fft"}));
    gen g = gen_seed(5);
    EXPECT_FALSE(plan_says(&t, 13000, 1000, " 1 x 1 pieces"));
    EXPECT_FALSE(plan_says(&t, 6400, 100, " 1 x 1 pieces"));
    EXPECT_TRUE(plan_says(&t, 3000, 1000, " 1 x 1 pieces"));
    for (size_t d = 0; d < 24; d++) {
        mul_set(&t, &g, &t.a, t.az, d % 2 == 0 ? GEN_ONES : GEN_UNIFORM, 12990 + d);
        mul_set(&t, &g, &t.b, t.bz, d % 3 == 0 ? GEN_ONES : GEN_RUNS, 1000);
        mul_expect_product(&t);
        mul_set(&t, &g, &t.a, t.az, GEN_ONES, 6390 + d);
        mul_set(&t, &g, &t.b, t.bz, GEN_ONES, 90 + d);
        mul_expect_product(&t);
    }
    mul_stop(&t);
}

// Results in place of operands at the sizes of each engine. Mutation: an engine writes the result
// before it has read an operand.
TEST_EACH(Mul, Aliasing, mul_combination, mul_combinations, mul_label) {
    mul_fixture t;
    MUL_REQUIRE(mul_start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant}));
    gen g = gen_seed(6);
    for (int round = 0; round < 12; round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, t.ctx, &t.a, t.az, p->max_limbs);
        fixture_draw(&g, t.ctx, &t.b, t.bz, p->max_limbs);
        EXPECT_EQ(bigint_set(t.ctx, &t.r, &t.a), BIGINT_OK);
        EXPECT_EQ(bigint_mul(t.ctx, &t.r, &t.r, &t.b), BIGINT_OK);
        mpz_mul(t.rz, t.az, t.bz);
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        EXPECT_EQ(bigint_set(t.ctx, &t.r, &t.b), BIGINT_OK);
        EXPECT_EQ(bigint_mul(t.ctx, &t.r, &t.a, &t.r), BIGINT_OK);
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        EXPECT_EQ(bigint_set(t.ctx, &t.r, &t.a), BIGINT_OK);
        EXPECT_EQ(bigint_mul(t.ctx, &t.r, &t.r, &t.r), BIGINT_OK);
        mpz_mul(t.rz, t.az, t.az);
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        EXPECT_EQ(bigint_set(t.ctx, &t.r, &t.a), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(t.ctx, &t.r, &t.r), BIGINT_OK);
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
    }
    mul_stop(&t);
}

// Any number of threads gives the same limbs, at sizes that use them, whether they take a prime
// each or share every step: products, squares, pieces, and carries that run from one thread's range
// through all the others. Mutations: a range that begins with the wrong carry, a carry out of a
// range that is dropped, workers that share a buffer, primes that share a plane.
TEST(Mul, Threads) {
    static const uint32_t counts[] = {1, 2, 3, 4, MUL_REAL_FFT_TEAM_THREADS};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const uint32_t threads = counts[k];
        const int rounds = threads <= 3 ? 15 : 6;  // more seldom have a processor each
        gen g = gen_seed(7);
        mul_fixture t;
        ASSERT_TRUE(mul_start(&t, &(bigint_ctx_options){.threads = threads}));
        for (int round = 0; round < rounds; round++) {
            SCOPED_TRACE("%u threads, round %d", threads, round);
            const size_t an = gen_size(&g, MUL_FFT_TEAM_THRESHOLD, 45000);
            const size_t bn = gen_size(&g, MUL_FFT_TEAM_THRESHOLD, 45000);
            const int ones = round % 3 == 0;
            mul_set(&t, &g, &t.a, t.az, ones ? GEN_ONES : (gen_shape)(1 + round % (GEN_SHAPES - 1)),
                    an);
            mul_set(&t, &g, &t.b, t.bz, ones ? GEN_ONES : GEN_UNIFORM, bn);
            mul_expect_product(&t);
            mul_expect_square(&t);
        }
        mul_set(&t, &g, &t.a, t.az, GEN_ONES, 90000);
        mul_set(&t, &g, &t.b, t.bz, GEN_ONES, 5000);
        mul_expect_product(&t);
        mul_stop(&t);
    }
}

// --- Memory caps ---------------------------------------------------------------------------------

// Under every cap the product is right or refused; the least cap that works is far below what the
// product takes without one, and what was refused left the result alone. Mutations: a plan that
// takes more than it says, tables of the call before that count against the cap, a result written
// before the refusal.
TEST(Mul, MemoryCaps) {
    enum { AN = 30000, BN = 20000 };
    mul_fixture t;
    uint64_t free_bytes;
    gen g = gen_seed(8);
    ASSERT_TRUE(mul_start(&t, &(bigint_ctx_options){.engine = "modular-fft"}));
    ASSERT_EQ(bigint_workspace_bytes(t.ctx, &free_bytes, AN, BN), BIGINT_OK);
    mul_stop(&t);
    uint64_t least = UINT64_MAX;
    for (uint64_t cap = free_bytes + 1000; cap > free_bytes / 100; cap = cap * 4 / 5) {
        ASSERT_TRUE(mul_start(
            &t, &(bigint_ctx_options){.engine = "modular-fft", .max_workspace_bytes = cap}));
        SCOPED_TRACE("cap %llu of %llu bytes", (unsigned long long)cap,
                     (unsigned long long)free_bytes);
        mul_set(&t, &g, &t.a, t.az, GEN_RUNS, AN);
        mul_set(&t, &g, &t.b, t.bz, GEN_ONES, BN);
        EXPECT_EQ(bigint_set_i64(t.ctx, &t.r, -77), BIGINT_OK);
        const bigint_status status = bigint_mul(t.ctx, &t.r, &t.a, &t.b);
        if (status == BIGINT_OK) {
            least = cap;
            mpz_mul(t.rz, t.az, t.bz);
        } else {
            EXPECT_EQ(status, BIGINT_ENOMEM);
            EXPECT_TEXT(t.ctx, "max_workspace_bytes");
            mpz_set_si(t.rz, -77);
        }
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        bigint_counters counters;
        bigint_ctx_counters(t.ctx, &counters);
        EXPECT_TRUE(counters.workspace_peak <= cap);
        if (status == BIGINT_OK) {  // a square, then a smaller product, under the same cap
            mul_expect_square(&t);
            mul_set(&t, &g, &t.a, t.az, GEN_UNIFORM, BN / 2);
            mul_expect_product(&t);
            bigint_ctx_counters(t.ctx, &counters);
            EXPECT_TRUE(counters.workspace_peak <= cap);
        }
        mul_stop(&t);
    }
    EXPECT_TRUE(least <= free_bytes / 3);
}

// A refused product in place leaves its operand. Mutation: the operand's limbs are moved first.
TEST(Mul, RefusalInPlace) {
    mul_fixture t;
    gen g = gen_seed(9);
    ASSERT_TRUE(mul_start(&t, &(bigint_ctx_options){.max_workspace_bytes = 4096}));
    mul_set(&t, &g, &t.a, t.az, GEN_UNIFORM, 9000);
    mul_set(&t, &g, &t.b, t.bz, GEN_UNIFORM, 8000);
    EXPECT_EQ(bigint_mul(t.ctx, &t.a, &t.a, &t.b), BIGINT_ENOMEM);
    EXPECT_BIGINT(t.ctx, &t.a, t.az);
    EXPECT_EQ(bigint_sqr(t.ctx, &t.b, &t.b), BIGINT_ENOMEM);
    EXPECT_BIGINT(t.ctx, &t.b, t.bz);
    mul_stop(&t);
}
