// Products by every engine with every variant against GMP: random sizes, sizes around the
// thresholds, unbalanced shapes, carry chains, threads, memory caps, prepared operands. What does
// not depend on the engine (signs, zero, errors) is in product_test.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/tune.h"
#include "tests/bigint/fixture.h"
#include "tests/ctest/ctest.h"

// One forced engine with one forced variant, and the sizes up to which it is tried.
typedef struct {
    const char *engine;  // NULL: the library's choice
    const char *variant;
    size_t max_limbs;
    int rounds;
} combination;

static const combination combinations[] = {
    {"schoolbook", "portable", 300, 300},
    {"schoolbook", "avx2", 300, 300},
    {"schoolbook", "ifma", 300, 300},
    {"karatsuba", "portable", 900, 150},
    {"karatsuba", "avx2", 900, 150},
    {"karatsuba", "ifma", 900, 150},
    {"toom3", "portable", 2500, 100},
    {"toom3", "avx2", 2500, 100},
    {"toom3", "ifma", 2500, 100},
    {"modular-fft", "portable", 9000, 60},
    {"modular-fft", "avx2", 20000, 100},
    {"modular-fft", "avx512", 20000, 150},
    {"modular-fft", "ifma", 20000, 150},
    {"real-fft", "portable", 2000, 40},
    {"real-fft", "avx2", 4000, 60},
    {"real-fft", "avx512", 4000, 60},
    {"complex-fft", "portable", 2000, 40},
    {"complex-fft", "avx512", 4000, 60},
    {"real-fft-f32", "avx512", 300, 60},
    {"complex-fft-f32", "avx2", 300, 60},
    {"tiled", "portable", 120, 300},
    {"tiled", "avx2", 120, 100},
    {"tiled", "ifma", 120, 300},
    {NULL, "portable", 9000, 100},
    {NULL, "avx2", 20000, 100},
    {NULL, "avx512", 20000, 150},
    {NULL, "ifma", 20000, 150},
};

static void label(char *buf, size_t cap, const combination *c) {
    snprintf(buf, cap, "%s_%s", c->engine == NULL ? "auto" : c->engine, c->variant);
    for (char *s = buf; *s != 0; s++) {
        *s = *s == '-' ? '_' : *s;
    }
}

// A context and the numbers of one test; z are their twins in GMP.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r;
    mpz_t az, bz, rz;
} bench;

// start returns 0 if this machine lacks the variant.
static int start(bench *t, const bigint_ctx_options *options) {
    *t = (bench){0};
    const bigint_status status = bigint_ctx_create(&t->ctx, NULL, options);
    if (status == BIGINT_ENOBACKEND) {
        bigint_ctx_destroy(t->ctx);
        return 0;
    }
    EXPECT_EQ(status, BIGINT_OK);
    mpz_inits(t->az, t->bz, t->rz, NULL);
    return 1;
}

static void stop(bench *t) {
    mpz_clears(t->az, t->bz, t->rz, NULL);
    bigint_clear(t->ctx, &t->a);
    bigint_clear(t->ctx, &t->b);
    bigint_clear(t->ctx, &t->r);
    bigint_ctx_destroy(t->ctx);
}

#define REQUIRE(ok)                                                                    \
    do {                                                                               \
        if (!(ok)) {                                                                   \
            SKIP("this processor lacks the variant's instructions: it is not tested"); \
        }                                                                              \
    } while (0)

// set: x of exactly n limbs and the given shape.
static void set(bench *t, gen *g, bigint *x, mpz_t z, gen_shape shape, size_t n) {
    if (n == 0) {
        mpz_set_ui(z, 0);
    } else {
        gen_limbs(g, shape, mpz_limbs_write(z, (mp_size_t)n), n);
        mpz_limbs_finish(z, (mp_size_t)n);
    }
    fixture_set(t->ctx, x, z);
}

// expect_product: a b and b a; expect_square: a a.
static void expect_product(bench *t) {
    SCOPED_TRACE("%zu by %zu limbs", mpz_size(t->az), mpz_size(t->bz));
    mpz_mul(t->rz, t->az, t->bz);
    EXPECT_EQ(bigint_mul(t->ctx, &t->r, &t->a, &t->b), BIGINT_OK);
    EXPECT_BIGINT(t->ctx, &t->r, t->rz);
    EXPECT_EQ(bigint_mul(t->ctx, &t->r, &t->b, &t->a), BIGINT_OK);
    EXPECT_BIGINT(t->ctx, &t->r, t->rz);
}
static void expect_square(bench *t) {
    SCOPED_TRACE("the square of %zu limbs", mpz_size(t->az));
    mpz_mul(t->rz, t->az, t->az);
    EXPECT_EQ(bigint_sqr(t->ctx, &t->r, &t->a), BIGINT_OK);
    EXPECT_BIGINT(t->ctx, &t->r, t->rz);
}

// plan_says: whether the library's description of its plan holds the text.
static int plan_says(bench *t, size_t an, size_t bn, const char *text) {
    char plan[300];
    size_t need;
    EXPECT_EQ(bigint_explain(t->ctx, plan, sizeof plan, &need, an, bn), BIGINT_OK);
    return strstr(plan, text) != NULL;
}

// Every engine with every variant, operands of every shape and of log-uniform length, products
// checked by the library as well. Mutations: any wrong limb of any engine; an engine that is not
// the one asked for; a product that is not counted or not checked.
TEST_EACH(Mul, RandomSizes, combination, combinations, label) {
    bench t;
    REQUIRE(
        start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant, .checks = 1}));
    gen g = gen_seed(1);
    for (int round = 0; round < p->rounds; round++) {
        SCOPED_TRACE("round %d", round);
        fixture_draw(&g, t.ctx, &t.a, t.az, p->max_limbs);
        fixture_draw(&g, t.ctx, &t.b, t.bz, p->max_limbs);
        expect_product(&t);
        expect_square(&t);
    }
    EXPECT_TRUE(p->engine == NULL || plan_says(&t, 120, 80, p->engine));
    bigint_counters counters;
    bigint_ctx_counters(t.ctx, &counters);
    EXPECT_TRUE(counters.products > 0 && counters.checks == counters.products);
    EXPECT_EQ(counters.mismatches, (uint64_t)0);
    stop(&t);
}

// The longest carry chains and the largest digits: all ones by all ones, 2^k and its neighbours.
// Mutations: a carry that stops at a block, at a range of recombine.c, or at the top limb.
TEST_EACH(Mul, CarryChains, combination, combinations, label) {
    static const gen_shape shapes[] = {GEN_ONES, GEN_POWER, GEN_POWER_PLUS, GEN_POWER_MINUS};
    static const size_t lengths[] = {1, 2, 3, 31, 64, 257, 600, 1025, 2048, 4097, 8000};
    bench t;
    REQUIRE(start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant}));
    gen g = gen_seed(2);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= p->max_limbs; i++) {
        for (size_t k = 0; k < 16; k++) {
            SCOPED_TRACE("%s by %s", gen_shape_name(shapes[k / 4]), gen_shape_name(shapes[k % 4]));
            set(&t, &g, &t.a, t.az, shapes[k / 4], lengths[i]);
            set(&t, &g, &t.b, t.bz, shapes[k % 4], lengths[i] - lengths[i] / 5);
            expect_product(&t);
            if (k % 4 == 0) {
                expect_square(&t);
            }
        }
    }
    stop(&t);
}

// Mutations: a longer factor is taken, or one of 128 limbs refused; another engine takes over.
TEST(Mul, TiledRefusesLongFactors) {
    bench t;
    ASSERT_TRUE(start(&t, &(bigint_ctx_options){.engine = "tiled"}));
    gen g = gen_seed(6);
    set(&t, &g, &t.a, t.az, GEN_ONES, 128), set(&t, &g, &t.b, t.bz, GEN_ONES, 128);
    expect_product(&t);
    set(&t, &g, &t.a, t.az, GEN_ONES, 129);
    EXPECT_EQ(bigint_mul(t.ctx, &t.r, &t.a, &t.b), BIGINT_ERANGE);
    EXPECT_TEXT(t.ctx, "engine tiled takes factors of up to 128 limbs");
    stop(&t);
}

// Shorter operands of one limb less than a threshold, of as many, and of one more. Mutations:
// another engine than the thresholds say, > for >=, workspace counted for the engine below.
TEST(Mul, Thresholds) {
    static const struct {
        const char *variant;
        size_t mul, sqr;        // from which the modular transform is used
        size_t real, real_end;  // between which the real one is, for operands of equal length
    } variants[] = {
        {"portable", MUL_FFT_PORTABLE_THRESHOLD, SQR_FFT_PORTABLE_THRESHOLD, 0, 0},
        {"avx2", MUL_FFT_AVX2_THRESHOLD, SQR_FFT_AVX2_THRESHOLD, MUL_REAL_FFT_AVX2_THRESHOLD,
         MUL_REAL_FFT_AVX2_END},
        {"avx512", MUL_FFT_AVX512_THRESHOLD, SQR_FFT_AVX512_THRESHOLD,
         MUL_REAL_FFT_AVX512_THRESHOLD, MUL_REAL_FFT_AVX512_END},
        {"ifma", MUL_FFT_IFMA_THRESHOLD, SQR_FFT_IFMA_THRESHOLD, MUL_REAL_FFT_IFMA_THRESHOLD,
         MUL_REAL_FFT_IFMA_END},
    };
    enum { MOST = 6000 };  // limbs; beyond, the plan alone is looked at
    gen g = gen_seed(3);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        bench t;
        if (!start(&t, &(bigint_ctx_options){.variant = variants[v].variant})) {
            continue;  // RandomSizes says so
        }
        const size_t mul = variants[v].mul;
        EXPECT_FALSE(plan_says(&t, 4 * mul, mul - 1, "modular-fft"));
        EXPECT_TRUE(plan_says(&t, 4 * mul, mul, "modular-fft"));
        const size_t real = variants[v].real, end = variants[v].real_end;
        if (real < end) {
            EXPECT_FALSE(plan_says(&t, real - 1, real - 1, "real-fft"));
            EXPECT_TRUE(plan_says(&t, real, real, "real-fft"));
            EXPECT_TRUE(plan_says(&t, end - 1, end - 1, "real-fft"));
            EXPECT_FALSE(plan_says(&t, end, end, "real-fft"));
            EXPECT_FALSE(plan_says(&t, 4 * real, real, "real-fft"));
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
                    set(&t, &g, &t.a, t.az, GEN_RUNS, longer[k]);
                    set(&t, &g, &t.b, t.bz, k % 2 == 0 ? GEN_ONES : GEN_UNIFORM, n);
                    expect_product(&t);
                    if (k == 0) {
                        expect_square(&t);
                    }
                }
            }
        }
        stop(&t);
    }
}

// Shapes far from square: one limb by many, thirds, and longer operands in pieces whose last one
// is short. Mutations: the last piece's length, an overlap of pieces that is added twice or not
// at all, a carry from one piece into the next but one.
TEST_EACH(Mul, Unbalanced, combination, combinations, label) {
    bench t;
    REQUIRE(start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant}));
    gen g = gen_seed(4);
    const size_t n = p->max_limbs;
    const size_t shapes[][2] = {{n, 1},          {n, 2},         {n, n / 3},  {n, n / 4},
                                {n, n / 4 - 1},  {n, n / 6 + 1}, {n, n / 13}, {n - 1, n / 13},
                                {n + 1, n / 13}, {n, n / 50},    {n / 2, 3},  {n + 5, n / 100}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int ones = 0; ones < 2; ones++) {
            set(&t, &g, &t.a, t.az, ones ? GEN_ONES : GEN_UNIFORM, shapes[i][0]);
            set(&t, &g, &t.b, t.bz, ones ? GEN_ONES : GEN_RUNS, shapes[i][1]);
            expect_product(&t);
        }
    }
    stop(&t);
}

// Every length of the last piece modulo a few, above the smallest size that is cut. Mutation: the
// first limb after the last whole piece.
TEST(Mul, RaggedLastPiece) {
    bench t;
    ASSERT_TRUE(start(&t, &(bigint_ctx_options){.engine = "modular-fft"}));
    gen g = gen_seed(5);
    EXPECT_FALSE(plan_says(&t, 13000, 1000, " 1 x 1 pieces"));
    EXPECT_FALSE(plan_says(&t, 6400, 100, " 1 x 1 pieces"));
    EXPECT_TRUE(plan_says(&t, 3000, 1000, " 1 x 1 pieces"));
    for (size_t d = 0; d < 24; d++) {
        set(&t, &g, &t.a, t.az, d % 2 == 0 ? GEN_ONES : GEN_UNIFORM, 12990 + d);
        set(&t, &g, &t.b, t.bz, d % 3 == 0 ? GEN_ONES : GEN_RUNS, 1000);
        expect_product(&t);
        set(&t, &g, &t.a, t.az, GEN_ONES, 6390 + d);
        set(&t, &g, &t.b, t.bz, GEN_ONES, 90 + d);
        expect_product(&t);
    }
    stop(&t);
}

// Results in place of operands at the sizes of each engine. Mutation: an engine writes the result
// before it has read an operand.
TEST_EACH(Mul, Aliasing, combination, combinations, label) {
    bench t;
    REQUIRE(start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant}));
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
    stop(&t);
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
        bench t;
        ASSERT_TRUE(start(&t, &(bigint_ctx_options){.threads = threads}));
        for (int round = 0; round < rounds; round++) {
            SCOPED_TRACE("%u threads, round %d", threads, round);
            const size_t an = gen_size(&g, MUL_FFT_TEAM_THRESHOLD, 45000);
            const size_t bn = gen_size(&g, MUL_FFT_TEAM_THRESHOLD, 45000);
            const int ones = round % 3 == 0;
            set(&t, &g, &t.a, t.az, ones ? GEN_ONES : (gen_shape)(1 + round % (GEN_SHAPES - 1)),
                an);
            set(&t, &g, &t.b, t.bz, ones ? GEN_ONES : GEN_UNIFORM, bn);
            expect_product(&t);
            expect_square(&t);
        }
        set(&t, &g, &t.a, t.az, GEN_ONES, 90000);
        set(&t, &g, &t.b, t.bz, GEN_ONES, 5000);
        expect_product(&t);
        stop(&t);
    }
}

// --- Memory caps ---------------------------------------------------------------------------------

// Under every cap the product is right or refused; the least cap that works is far below what the
// product takes without one, and what was refused left the result alone. Mutations: a plan that
// takes more than it says, tables of the call before that count against the cap, a result written
// before the refusal.
TEST(Mul, MemoryCaps) {
    enum { AN = 30000, BN = 20000 };
    bench t;
    uint64_t free_bytes;
    gen g = gen_seed(8);
    ASSERT_TRUE(start(&t, &(bigint_ctx_options){.engine = "modular-fft"}));
    ASSERT_EQ(bigint_workspace_bytes(t.ctx, &free_bytes, AN, BN), BIGINT_OK);
    stop(&t);
    uint64_t least = UINT64_MAX;
    for (uint64_t cap = free_bytes + 1000; cap > free_bytes / 100; cap = cap * 4 / 5) {
        ASSERT_TRUE(
            start(&t, &(bigint_ctx_options){.engine = "modular-fft", .max_workspace_bytes = cap}));
        SCOPED_TRACE("cap %llu of %llu bytes", (unsigned long long)cap,
                     (unsigned long long)free_bytes);
        set(&t, &g, &t.a, t.az, GEN_RUNS, AN);
        set(&t, &g, &t.b, t.bz, GEN_ONES, BN);
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
            expect_square(&t);
            set(&t, &g, &t.a, t.az, GEN_UNIFORM, BN / 2);
            expect_product(&t);
            bigint_ctx_counters(t.ctx, &counters);
            EXPECT_TRUE(counters.workspace_peak <= cap);
        }
        stop(&t);
    }
    EXPECT_TRUE(least <= free_bytes / 3);
}

// A refused product in place leaves its operand. Mutation: the operand's limbs are moved first.
TEST(Mul, RefusalInPlace) {
    bench t;
    gen g = gen_seed(9);
    ASSERT_TRUE(start(&t, &(bigint_ctx_options){.max_workspace_bytes = 4096}));
    set(&t, &g, &t.a, t.az, GEN_UNIFORM, 9000);
    set(&t, &g, &t.b, t.bz, GEN_UNIFORM, 8000);
    EXPECT_EQ(bigint_mul(t.ctx, &t.a, &t.a, &t.b), BIGINT_ENOMEM);
    EXPECT_BIGINT(t.ctx, &t.a, t.az);
    EXPECT_EQ(bigint_sqr(t.ctx, &t.b, &t.b), BIGINT_ENOMEM);
    EXPECT_BIGINT(t.ctx, &t.b, t.bz);
    stop(&t);
}

// --- Prepared operands ---------------------------------------------------------------------------

// One prepared operand with others of many lengths: as long as announced, a little shorter, much
// shorter (where preparing does not pay), in pieces, by one limb. Mutations: the prepared transform
// is overwritten by the first product, a shorter operand leaves the longer one's digits behind.
TEST_EACH(Mul, Prepared, combination, combinations, label) {
    bench t;
    REQUIRE(
        start(&t, &(bigint_ctx_options){.engine = p->engine, .variant = p->variant, .checks = 1}));
    gen g = gen_seed(10);
    const size_t most = p->max_limbs;
    const size_t own[] = {1, most / 20 + 1, most / 3, most};
    const size_t others[] = {most, most - 1, most / 2, most / 2 - 1, most / 5, most / 40, 1, 0};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        bigint_prep *prep = NULL;
        set(&t, &g, &t.a, t.az, i % 2 == 0 ? GEN_UNIFORM : GEN_ONES, own[i]);
        ASSERT_EQ(bigint_prep_create(t.ctx, &prep, &t.a, most), BIGINT_OK);
        for (size_t k = 0; k < 2 * sizeof others / sizeof *others; k++) {
            const size_t n = others[k / 2];
            SCOPED_TRACE("prepared %zu limbs, times %zu", own[i], n);
            set(&t, &g, &t.b, t.bz, k % 2 == 0 ? GEN_ONES : GEN_RUNS, n);
            mpz_mul(t.rz, t.az, t.bz);
            EXPECT_EQ(bigint_mul_prep(t.ctx, &t.r, prep, &t.b), BIGINT_OK);
            EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        }
        set(&t, &g, &t.b, t.bz, GEN_ONES, most + 1);
        EXPECT_EQ(bigint_mul_prep(t.ctx, &t.r, prep, &t.b), BIGINT_ERANGE);
        bigint_prep_destroy(t.ctx, prep);
    }
    stop(&t);
}

// A prepared operand on several threads, and after larger tables have replaced its own. Mutation:
// the operand points to the context's tables.
TEST(Mul, PreparedAndThreads) {
    bench t;
    ASSERT_TRUE(start(&t, &(bigint_ctx_options){.threads = 2}));
    gen g = gen_seed(11);
    bigint_prep *prep = NULL;
    set(&t, &g, &t.a, t.az, GEN_UNIFORM, 4000);
    ASSERT_EQ(bigint_prep_create(t.ctx, &prep, &t.a, 5000), BIGINT_OK);
    for (int round = 0; round < 4; round++) {
        set(&t, &g, &t.b, t.bz, GEN_UNIFORM, 5000 - (size_t)round * 700);
        mpz_mul(t.rz, t.az, t.bz);
        EXPECT_EQ(bigint_mul_prep(t.ctx, &t.r, prep, &t.b), BIGINT_OK);
        EXPECT_BIGINT(t.ctx, &t.r, t.rz);
        if (round == 1) {
            set(&t, &g, &t.b, t.bz, GEN_UNIFORM, 60000);
            EXPECT_EQ(bigint_sqr(t.ctx, &t.r, &t.b), BIGINT_OK);
        }
        if (round == 2) {
            bigint_ctx_trim(t.ctx);
        }
    }
    bigint_prep_destroy(t.ctx, prep);
    stop(&t);
}
