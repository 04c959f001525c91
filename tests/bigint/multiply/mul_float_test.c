// Engines real-fft and complex-fft, in double and in float: what they accept, what they refuse and
// with which words, decimal digits, threads, batches, memory. Their products against GMP at random
// sizes, carry chains and aliasing are in mul_test.c, by prepared operands in mul_prep_test.c.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

typedef struct {
    const char *name;
    uint64_t most;     // limbs that are still accepted
    uint64_t refused;  // limbs that are not; 0: none in reach
} engine;

static const engine engines[] = {
    {"real-fft", 5000, 0},
    {"complex-fft", 5000, 0},
    {"real-fft-f32", 256, 2000},
    {"complex-fft-f32", 256, 2000},
};
enum { ENGINES = sizeof engines / sizeof *engines };

// expect_product: a b of exactly these lengths against GMP; a a for bn = 0.
static void expect_product(bigint_ctx *ctx, gen *g, gen_shape shape, size_t an, size_t bn) {
    SCOPED_TRACE("%zu by %zu limbs, %s", an, bn, gen_shape_name(shape));
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t az, bz;
    mpz_inits(az, bz, NULL);
    gen_limbs(g, shape, mpz_limbs_write(az, (mp_size_t)an), an);
    mpz_limbs_finish(az, (mp_size_t)an);
    fixture_set(ctx, &a, az);
    if (bn > 0) {
        gen_limbs(g, shape, mpz_limbs_write(bz, (mp_size_t)bn), bn);
        mpz_limbs_finish(bz, (mp_size_t)bn);
        fixture_set(ctx, &b, bz);
        mpz_mul(bz, az, bz);
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
    } else {
        mpz_mul(bz, az, az);
        EXPECT_EQ(bigint_sqr(ctx, &r, &a), BIGINT_OK);
    }
    EXPECT_BIGINT(ctx, &r, bz);
    mpz_clears(az, bz, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &r);
}

// Every length up to some digits' worth, and where digits or points change. Mutations: the top
// digit, the last coefficient, the room of the last limb.
TEST(MulFloat, EveryLength) {
    gen g = gen_seed(1);
    for (int e = 0; e < ENGINES; e++) {
        SCOPED_TRACE("%s", engines[e].name);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = engines[e].name});
        for (size_t n = 1; n <= 140; n++) {
            expect_product(ctx, &g, n % 3 ? GEN_ONES : GEN_UNIFORM, n, n);
            expect_product(ctx, &g, n % 3 ? GEN_UNIFORM : GEN_ONES, n, (n + 3) / 4);
            expect_product(ctx, &g, GEN_ONES, n, 0);
        }
        bigint_ctx_destroy(ctx);
    }
}

// The plan's line names engine, width, element and bound; a size beyond the proof is refused with
// the reason, in the product as in explain. Mutations: a refused size runs on another engine; the
// bound of the wrong element.
TEST(MulFloat, SaysWhatIsProved) {
    for (int e = 0; e < ENGINES; e++) {
        SCOPED_TRACE("%s", engines[e].name);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = engines[e].name});
        char line[300];
        ASSERT_EQ(bigint_explain(ctx, line, sizeof line, NULL, engines[e].most, engines[e].most),
                  BIGINT_OK);
        EXPECT_TRUE(strstr(line, engines[e].name) && strstr(line, "-bit"));
        EXPECT_TRUE(strstr(line, strstr(engines[e].name, "f32") ? " float," : " double,") != NULL);
        EXPECT_TRUE(strstr(line, "error below 0.") != NULL);
        if (engines[e].refused > 0) {
            const uint64_t n = engines[e].refused;
            EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, n, n), BIGINT_ERANGE);
            EXPECT_TEXT(ctx, "half a unit");
            bigint a = BIGINT_INIT, r = BIGINT_INIT;
            mpz_t z;
            mpz_init(z);
            mpz_setbit(z, 64 * n - 1);
            fixture_set(ctx, &a, z);
            EXPECT_EQ(bigint_mul(ctx, &r, &a, &a), BIGINT_ERANGE);
            EXPECT_TEXT(ctx, engines[e].name);
            mpz_set_ui(z, 0);
            EXPECT_BIGINT(ctx, &r, z);
            mpz_clear(z);
            bigint_clear(ctx, &a);
            bigint_clear(ctx, &r);
        }
        bigint_ctx_destroy(ctx);
    }
}

// expect_text: the decimal product of two strings of `an` and `bn` digits.
static void expect_text(bigint_ctx *ctx, gen *g, size_t an, size_t bn, bool nines) {
    SCOPED_TRACE("%zu by %zu digits", an, bn);
    char *const a = malloc(2 * (an + bn) + 4), *const b = a + an + 1, *const r = b + bn + 1;
    for (size_t i = 0; i < an + bn + 1; i++) {
        a[i] = i == an ? '\0' : nines ? '9' : (char)('1' + gen_below(g, 9));
    }
    b[bn] = '\0';
    mpz_t x, y;
    mpz_init_set_str(x, a, 10);
    mpz_init_set_str(y, b, 10);
    mpz_mul(x, x, y);
    char *const expected = mpz_get_str(NULL, 10, x);
    EXPECT_EQ(bigint_mul_decimal(ctx, r, an + bn + 2, NULL, a, an, b, bn, NULL), BIGINT_OK);
    EXPECT_EQ(r, expected);
    free(expected);
    free(a);
    mpz_clears(x, y, NULL);
}

// Mutations: words of another k than the plan's, the modular engine in place of the forced one, the
// carry that the bias leaves behind the last digit.
TEST(MulFloat, DecimalDigits) {
    gen g = gen_seed(2);
    for (int e = 0; e < ENGINES; e++) {
        SCOPED_TRACE("%s", engines[e].name);
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.engine = engines[e].name, .checks = 1});
        const size_t most = strstr(engines[e].name, "f32") ? 500 : 20000;
        for (size_t n = 1; n <= most; n += 1 + n / 3) {
            expect_text(ctx, &g, n, n, n % 2);
            expect_text(ctx, &g, n, 1 + n / 5, n % 2 == 0);
            expect_text(ctx, &g, 1 + n / 7, n, true);
        }
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(counters.checks > 0 && counters.mismatches == 0);
        bigint_ctx_destroy(ctx);
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft-f32"});
    char *const long_text = malloc(100000);
    memset(long_text, '7', 100000);
    char *const room = malloc(200001);
    EXPECT_EQ(
        bigint_mul_decimal(ctx, room, 200001, NULL, long_text, 100000, long_text, 99999, NULL),
        BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "100000 by 99999 digits");
    free(room);
    free(long_text);
    bigint_ctx_destroy(ctx);
}

// Mutations: blocks of a split that overlap, a team inside a team.
TEST(MulFloat, Threads) {
    gen g = gen_seed(3);
    for (int e = 0; e < 2; e++) {
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.engine = engines[e].name, .threads = 3});
        for (size_t n = 1500; n < 9000; n += 1777) {
            expect_product(ctx, &g, GEN_UNIFORM, n, n - 100);
            expect_product(ctx, &g, GEN_ONES, n, 0);
        }
        bigint_ctx_destroy(ctx);
    }
}

// Squares of 2^(64 (n - 1)): whatever the ranges of coefficients, the last one holds next to
// nothing, less than the bias of its coefficients. Mutation: the last one loses the surplus before
// the others' carries join it.
TEST(MulFloat, PowersOnThreads) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .threads = 3});
    bigint a = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    for (size_t n = 2000; n < 2400; n++) {
        SCOPED_TRACE("%zu limbs", n);
        mpz_set_ui(z, 0);
        mpz_setbit(z, 64 * (n - 1));
        fixture_set(ctx, &a, z);
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
        mpz_mul(z, z, z);
        EXPECT_BIGINT(ctx, &a, z);
    }
    mpz_clear(z);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
}

// Products of many different lengths in one batch: each needs tables of its own. Mutation: tables
// of the longest alone.
TEST(MulFloat, Batch) {
    enum { COUNT = 40, MOST = 400 };
    static uint64_t a[COUNT * MOST], r[COUNT * 2 * MOST], expected[2 * MOST];
    static uint64_t lengths[COUNT], offsets[COUNT], result_lengths[COUNT], result_offsets[COUNT];
    gen g = gen_seed(4);
    for (uint64_t i = 0; i < COUNT; i++) {
        lengths[i] = 1 + (i * 37) % MOST;
        offsets[i] = i * MOST;
        result_lengths[i] = 2 * lengths[i];
        result_offsets[i] = 2 * i * MOST;
        gen_limbs(&g, GEN_UNIFORM, a + offsets[i], lengths[i]);
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .threads = 2});
    const bigint_span sa = {
        .p = a, .n = MOST, .count = COUNT, .lengths = lengths, .offsets = offsets};
    const bigint_span sr = {.p = r,
                            .n = (uint64_t)2 * MOST,
                            .count = COUNT,
                            .lengths = result_lengths,
                            .offsets = result_offsets};
    ASSERT_EQ(bigint_mul_batch(ctx, &sr, &sa, &sa), BIGINT_OK);
    for (uint64_t i = 0; i < COUNT; i++) {
        SCOPED_TRACE("item %llu", (unsigned long long)i);
        mpn_sqr((mp_limb_t *)expected, (const mp_limb_t *)a + offsets[i], (mp_size_t)lengths[i]);
        EXPECT_EQ(memcmp(r + result_offsets[i], expected, 16 * lengths[i]), 0);
    }
    bigint_ctx_destroy(ctx);
}

// The workspace announced is held, tables are kept for the next product of the size, and a cap is
// respected or refused with numbers. Mutations: tables made anew by each product, tables that no
// trim frees, trimmed tables that go on counting, a cap without the tables.
TEST(MulFloat, Memory) {
    gen g = gen_seed(5);
    allocator_log log = {0};
    bigint_ctx *ctx = fixture_ctx(
        &(bigint_ctx_options){.engine = "real-fft", .allocator = fixture_allocator(&log)});
    uint64_t announced;
    ASSERT_EQ(bigint_workspace_bytes(ctx, &announced, 700, 600), BIGINT_OK);
    expect_product(ctx, &g, GEN_UNIFORM, 700, 600);
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= announced);
    const uint64_t workspace = counters.workspace_bytes;
    expect_product(ctx, &g, GEN_UNIFORM, 700, 600);
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.workspace_bytes, workspace);
    bigint_ctx_trim(ctx);
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.workspace_bytes, (uint64_t)0);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, (uint64_t)0);

    ctx =
        fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .max_workspace_bytes = announced});
    for (size_t n = 650; n > 0; n /= 2) {  // tables of other sizes make room for each other
        expect_product(ctx, &g, GEN_UNIFORM, n, n);
    }
    expect_product(ctx, &g, GEN_UNIFORM, 650, 650);
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= announced);
    const uint64_t made = counters.allocations;
    expect_product(ctx, &g, GEN_UNIFORM, 650, 650);  // three integers, and no tables
    bigint_ctx_counters(ctx, &counters);
    EXPECT_EQ(counters.allocations, made + 3);
    EXPECT_EQ(bigint_workspace_bytes(ctx, &announced, 1400, 1400), BIGINT_ENOMEM);
    EXPECT_TEXT(ctx, "1400 by 1400 limbs");
    bigint_ctx_destroy(ctx);
}

// Under lower and lower caps the modular transform takes over, and nothing has failed.
// Mutation: the real transform's refusal stays in the context's text.
TEST(MulFloat, GivesWayWithoutAnError) {
    enum { LIMBS = 1000 };  // where the real transform is the choice, but of portable code
    char line[300];
    bigint_ctx *ctx = fixture_ctx(NULL);
    ASSERT_EQ(bigint_explain(ctx, line, sizeof line, NULL, LIMBS, LIMBS), BIGINT_OK);
    bigint_ctx_destroy(ctx);
    if (strstr(line, " real-fft ") == NULL) {
        SKIP("the real transform is not the choice on this processor");
    }
    gen g = gen_seed(6);
    unsigned modular = 0;
    for (uint64_t cap = 1 << 20; cap >= 1 << 17 && modular < 2; cap -= 1 << 13) {
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        ASSERT_EQ(bigint_explain(ctx, line, sizeof line, NULL, LIMBS, LIMBS), BIGINT_OK);
        modular += strstr(line, " modular-fft ") != NULL;
        expect_product(ctx, &g, GEN_UNIFORM, LIMBS, LIMBS);
        EXPECT_EQ(bigint_ctx_error(ctx), "");
        bigint_ctx_destroy(ctx);
    }
    EXPECT_TRUE(modular > 0);
}
