// Mode certified on the host: plans, batches and threads, decimal products, and tables that faulty
// memory has changed. What a device does too is in certified_test.c.
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/complex/float_fixture.h"

static bigint_counters counted(const bigint_ctx *ctx) {
    bigint_counters counters;
    bigint_ctx_counters(ctx, &counters);
    return counters;
}

// A batch of uniform and of worst operands, shared out among threads and not: the worst ones are
// computed again, by their own workers. Mutations: tables of the longest product alone, a tally
// that is not counted.
TEST(CertifiedHost, Batches) {
    enum { COUNT = 24, MOST = 300 };
    static uint64_t a[COUNT * MOST], r[COUNT * 2 * MOST], want[2 * MOST];
    uint64_t lengths[COUNT];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.engine = "real-fft", .mode = "certified", .threads = threads});
        gen g = gen_seed(45);
        uint64_t worst = 0;
        for (uint64_t i = 0; i < COUNT; i++) {
            lengths[i] = MOST / 5 * (1 + i % 5);
            char line[300] = "";
            ASSERT_EQ(bigint_explain(ctx, line, sizeof line, NULL, lengths[i], lengths[i]),
                      BIGINT_OK);
            const unsigned width = (unsigned)atoi(strstr(line, " limbs, ") + strlen(" limbs, "));
            const float_digits digits = {(uint64_t)1 << width, width, true};
            const bool bad = i % 3 == 1;
            worst += bad;
            float_fill(&g, &digits, a + i * MOST, lengths[i], bad ? FLOAT_TOP_BITS : FLOAT_UNIFORM);
        }
        const bigint_span in = {
            .p = a, .n = MOST, .stride = MOST, .count = COUNT, .lengths = lengths};
        const bigint_span out = {.p = r, .n = 2 * MOST, .stride = 2 * MOST, .count = COUNT};
        ASSERT_EQ(bigint_mul_batch(ctx, &out, &in, &in), BIGINT_OK);
        for (uint64_t i = 0; i < COUNT; i++) {
            SCOPED_TRACE("item %llu on %u threads", (unsigned long long)i, threads);
            memset(want, 0, sizeof want);
            mpn_sqr((mp_limb_t *)want, (const mp_limb_t *)a + i * MOST, (mp_size_t)lengths[i]);
            EXPECT_EQ(memcmp(r + i * 2 * MOST, want, sizeof want), 0);
        }
        const bigint_counters c = counted(ctx);
        EXPECT_EQ(c.mismatches, worst);
        EXPECT_TRUE(c.products == COUNT + worst && c.checks == c.products);
        bigint_ctx_destroy(ctx);
    }
}

// The library's choice takes certified digits where they pay, on processors that have vectors, and
// gives way to the modular transform under lower and lower caps, without an error. Mutations: the
// range of mode exact; digits that are proved; the refusal in the context's text.
TEST(CertifiedHost, TheChoice) {
    enum { LIMBS = 1000 };
    static const char *const variants[] = {"avx2", "avx512", "ifma"};
    gen g = gen_seed(48);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    fixture_shape(&g, GEN_UNIFORM, x, LIMBS);
    fixture_shape(&g, GEN_UNIFORM, y, LIMBS);
    for (int v = 0; v < 3; v++) {
        unsigned modular = 0, real = 0;
        for (uint64_t cap = 1 << 20; cap >= 1 << 14 && modular < 2; cap = cap / 8 * 7) {
            SCOPED_TRACE("%s, cap %llu", variants[v], (unsigned long long)cap);
            bigint_ctx *ctx = NULL;
            if (bigint_ctx_create(&ctx, NULL,
                                  &(bigint_ctx_options){.max_workspace_bytes = cap,
                                                        .variant = variants[v],
                                                        .mode = "certified"}) == BIGINT_OK) {
                char line[300] = "";
                EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, LIMBS, LIMBS), BIGINT_OK);
                const bool floats = strstr(line, " real-fft ") != NULL;
                EXPECT_EQ(strstr(line, "expected, checked") != NULL, floats);
                real += floats;
                modular += strstr(line, " modular-fft ") != NULL;
                fixture_check_product(ctx, x, y);
                EXPECT_EQ(bigint_ctx_error(ctx), "");
                EXPECT_TRUE(counted(ctx).workspace_peak <= cap && counted(ctx).mismatches == 0);
                EXPECT_EQ(counted(ctx).checks, (uint64_t)5);
            }
            bigint_ctx_destroy(ctx);
        }
        EXPECT_EQ(real > 0, modular > 0);
    }
    mpz_clears(x, y, NULL);
}

// The range of sizes is one of its own, beyond that of mode exact. Mutation: the same range.
TEST(CertifiedHost, ItsRange) {
    bigint_ctx *ctx = NULL;
    if (bigint_ctx_create(&ctx, NULL,
                          &(bigint_ctx_options){.variant = "avx2", .mode = "certified"}) ==
        BIGINT_OK) {
        char line[300] = "";
        EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 185, 185), BIGINT_OK);
        EXPECT_TRUE(strstr(line, " real-fft ") != NULL);
        EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 15000, 15000), BIGINT_OK);
        EXPECT_TRUE(strstr(line, " real-fft ") != NULL);
        EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 40000, 40000), BIGINT_OK);
        EXPECT_TRUE(strstr(line, " modular-fft ") != NULL);
    }
    bigint_ctx_destroy(ctx);
}

// A plan has the memory of both computations, one after the other in the workspace. Mutations: that
// of one of them.
TEST(CertifiedHost, PlansHoldBoth) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .mode = "certified"});
    for (uint64_t n = 1; n < 100000; n = 3 * n + 1) {
        SCOPED_TRACE("%llu limbs", (unsigned long long)n);
        mul_plan plan;
        ASSERT_EQ(mul_plan_make(ctx, "test", &plan, n, n, false), BIGINT_OK);
        EXPECT_TRUE(plan.certified && plan.floats.fft.certified);
        EXPECT_TRUE(plan.workspace_bytes >= mul_float_workspace_bytes(ctx, &plan.floats));
        EXPECT_TRUE(plan.workspace_bytes >= mul_fft_workspace_bytes(ctx, &plan.fft, false));
        EXPECT_EQ(plan.tables_bytes,
                  mul_float_tables_bytes(&plan.floats) + mul_fft_tables_bytes(ctx, &plan.fft));
    }
    bigint_ctx_destroy(ctx);
}

// Long products on a team. Mutation: a second computation without the team that its plan is for.
TEST(CertifiedHost, Threads) {
    bigint_ctx *ctx =
        fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .mode = "certified", .threads = 3});
    gen g = gen_seed(46);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    fixture_shape(&g, GEN_UNIFORM, x, 5000);
    fixture_shape(&g, GEN_UNIFORM, y, 4000);
    fixture_check_product(ctx, x, y);
    EXPECT_EQ(counted(ctx).mismatches, (uint64_t)0);
    char line[300] = "";
    ASSERT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 5000, 5000), BIGINT_OK);
    EXPECT_TRUE(strstr(line, "3 threads") != NULL);
    const unsigned width = (unsigned)atoi(strstr(line, " limbs, ") + strlen(" limbs, "));
    const float_digits digits = {(uint64_t)1 << width, width, true};
    float_fill(&g, &digits, mpz_limbs_write(x, 5000), 5000, FLOAT_BELOW_TOP);
    mpz_limbs_finish(x, 5000);
    fixture_check_product(ctx, x, x);
    EXPECT_EQ(counted(ctx).mismatches, (uint64_t)5);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
}

// Decimal products are exact by proof, and checked. Mutation: words of digits that are not proved.
TEST(CertifiedHost, DecimalDigits) {
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .mode = "certified"});
    enum { DIGITS = 20000 };
    char *const a = malloc(DIGITS), *const r = malloc((size_t)2 * DIGITS + 1);
    memset(a, '4', DIGITS);
    ASSERT_EQ(bigint_mul_decimal(ctx, r, (size_t)2 * DIGITS + 1, NULL, a, DIGITS, a, DIGITS, NULL),
              BIGINT_OK);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    EXPECT_EQ(mpz_set_str(x, r, 10), 0);
    mpz_ui_pow_ui(y, 10, DIGITS);
    mpz_sub_ui(y, y, 1);
    mpz_divexact_ui(y, y, 9);
    mpz_mul_ui(y, y, 4);
    mpz_mul(y, y, y);
    EXPECT_EQ(mpz_cmp(x, y), 0);
    const bigint_counters c = counted(ctx);
    EXPECT_TRUE(c.products == 1 && c.checks == 1 && c.mismatches == 0);
    mpz_clears(x, y, NULL);
    free(a);
    free(r);
    bigint_ctx_destroy(ctx);
}

// A fault in the tables of the first transform is corrected. A fault in the tables of both is
// reported. Mutations: a second product that is not checked; ECHECK for the first one; success
// after both.
TEST(CertifiedHost, FaultyTables) {
    enum { LIMBS = 6000 };  // long enough for the context to own the tables
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft", .mode = "certified"});
    gen g = gen_seed(47);
    mpz_t z;
    mpz_init(z);
    fixture_shape(&g, GEN_UNIFORM, z, LIMBS);
    bigint x = BIGINT_INIT, r = BIGINT_INIT;
    fixture_set(ctx, &x, z);
    mpz_mul(z, z, z);
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &x), BIGINT_OK);
    EXPECT_EQ(counted(ctx).mismatches, (uint64_t)0);
    ASSERT_TRUE(ctx->float_tables != NULL);
    uint64_t *const twiddles = (uint64_t *)ctx->float_tables + 16;
    for (int i = 0; i < 64; i++) {
        twiddles[i] ^= UINT64_C(1) << 40;  // of a double's fraction
    }
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &x), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, z);
    EXPECT_EQ(counted(ctx).mismatches, (uint64_t)1);
#if defined(NDEBUG)  // assertions of what is proved would see the second one first
    uint64_t *const roots = (uint64_t *)ctx->tables[1];
    const size_t words = ctx->fft->tables_bytes(ctx->tables[1]->lg) / sizeof *roots;
    for (size_t i = words / 2; i < words; i++) {
        const uint64_t fraction = roots[i] & (UINT64_MAX >> 12);
        roots[i] ^= fraction == 0 ? 0 : UINT64_C(1) << 40;
    }
    EXPECT_EQ(bigint_mul(ctx, &r, &x, &x), BIGINT_ECHECK);
    EXPECT_TEXT(ctx, "the product of 6000 by 6000 words is wrong modulo ");
    EXPECT_EQ(counted(ctx).mismatches, (uint64_t)3);
    EXPECT_EQ(counted(ctx).products, (uint64_t)5);
#endif
    bigint_clear(ctx, &x), bigint_clear(ctx, &r);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
