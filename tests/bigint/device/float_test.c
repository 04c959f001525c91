// float_test.c: products on a device, or under the kernel emulation, by the floating-point
// engines: against GMP, at the lengths where widths change, with worst-case digits; what they
// announce and what they refuse.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/device/float.h"
#include "bigint/device/plan.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// An engine and the longest operands in limbs: what is proved, and what the emulation does in
// seconds; 2^24 bits on a device.
typedef struct {
    const char *name;
    engine_kind engine;
    size_t proved;
} engine_case;

static const engine_case engines[] = {
    {"real-fft", ENGINE_REAL_FFT, SIZE_MAX},
    {"complex-fft", ENGINE_COMPLEX_FFT, SIZE_MAX},
    {"real-fft-f32", ENGINE_REAL_FFT_F32, 250},
    {"complex-fft-f32", ENGINE_COMPLEX_FFT_F32, 250},
};

static void label(char *buf, size_t cap, const engine_case *p) {
    snprintf(buf, cap, "%s", p->name);
    for (char *c = buf; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
}

static size_t longest(const engine_case *p) {
    const size_t most = device_emulated() ? 4500 : (size_t)1 << 18;
    return most < p->proved ? most : p->proved;
}

static bigint_ctx *ctx_of(const engine_case *p, uint64_t cap, uint32_t checks) {
    return fixture_ctx(
        &(bigint_ctx_options){.max_workspace_bytes = cap, .engine = p->name, .checks = checks});
}

// Log-uniform lengths, every shape, either sign; checked too, in place as well. Mutations: no digit
// of b, digits of a where b's should be, a twist that is its conjugate, the halves of a right
// angle exchanged, the real part for the imaginary one, no factor 1/2, a coefficient rounded down,
// no sign, limbs of the result before the last factor is read.
TEST_EACH(DeviceFloat, RandomAgainstGmp, engine_case, engines, label) {
    bigint_ctx *ctx = ctx_of(p, 0, 1);
    fixture_random_products(ctx, 31, device_emulated() ? 14 : 60, longest(p));
    bigint_ctx_destroy(ctx);
}

// width_of: of the digits for a square of n limbs; 0 where none is proved.
static unsigned width_of(const engine_case *p, uint64_t n) {
    device_plan plan = {.an = n, .bn = n, .engine = p->engine};
    return device_float_plan(&plan, false) == NULL ? plan.floats.width : 0;
}

// observed_over_proved: of the round-off that kernels have kept of squares of n limbs; clears it.
static double observed_over_proved(const engine_case *p, uint64_t n, double *roundoff) {
    device_plan plan = {.an = n, .bn = n, .engine = p->engine};
    EXPECT_TRUE(device_float_plan(&plan, false) == NULL);
    const double bound = device_float_bound(&plan.floats);
    double observed = NAN;
    EXPECT_TRUE(device_download(&observed, roundoff, sizeof observed));
    EXPECT_TRUE(device_fill(roundoff, 0, sizeof observed));
    EXPECT_TRUE(observed < bound && bound < 0.5);
    return observed / bound;
}

// The longest operands of each width, and those a limb longer, with largest digits of both signs,
// and all ones, whose last carry ripples through all of the product; what coefficients are off is
// below the bound, and comes within a factor that shows that it is kept at all. Mutations: a width
// or a length that is not proved, the top digit balanced away, a spill or a carry that is lost; a
// bound in other units, a round-off that is kept by some engines only.
TEST_EACH(DeviceFloat, LimitsOfEveryWidth, engine_case, engines, label) {
    bigint_ctx *ctx = ctx_of(p, 0, 0);
    double *const roundoff = device_alloc(sizeof *roundoff);
    double most = 0;
    ASSERT_TRUE(roundoff != NULL && device_fill(roundoff, 0, sizeof *roundoff));
    ctx->queue.roundoff = roundoff;
    gen g = gen_seed(8);
    mpz_t zx, zy, half;
    mpz_inits(zx, zy, half, NULL);
    for (size_t n = 1; n < longest(p); n += 1 + n / 16) {
        const unsigned width = width_of(p, n);
        if (width == 0 || width == width_of(p, n + 1 + n / 16)) {
            continue;
        }
        size_t last = n;
        while (width_of(p, last + 1) == width) {
            last++;
        }
        for (size_t limbs = last; limbs <= last + 1 && limbs <= longest(p); limbs++) {
            SCOPED_TRACE("%zu limbs, %u bits", limbs, width_of(p, limbs));
            fixture_shape(&g, GEN_ONES, zx, limbs);
            fixture_check_product(ctx, zx, zx);
            // 2^(w - 1) in every digit, or one less: as far from zero as balanced ones are
            mpz_set_ui(half, 1);
            mpz_mul_2exp(half, half, width_of(p, limbs));
            mpz_sub_ui(half, half, 1);
            mpz_tdiv_q(zy, zx, half);
            mpz_mul_2exp(zy, zy, width_of(p, limbs) - 1);
            mpz_tdiv_r_2exp(zy, zy, 64 * limbs - 1);
            fixture_check_product(ctx, zy, zx);
            mpz_sub_ui(zy, zy, 1);
            fixture_check_product(ctx, zy, zy);
            most = fmax(most, observed_over_proved(p, limbs, roundoff));
        }
    }
    EXPECT_TRUE(most > 1e-3);
    ct_record("observed_over_proved_ppm", (long)(most * 1e6));
    mpz_clears(zx, zy, half, NULL);
    bigint_ctx_destroy(ctx);
    device_free(roundoff);
}

// Mutation: a product of announced lengths that writes a limb too many.
TEST_EACH(DeviceFloat, ZerosAndLooseLengths, engine_case, engines, label) {
    bigint_ctx *ctx = ctx_of(p, 0, 0);
    fixture_check_loose_lengths(ctx);
    bigint_ctx_destroy(ctx);
}

// What is announced is enough under every cap; below that a product is refused with numbers, not
// cut in parts, and the result keeps its value. The third product of a size allocates nothing.
// Mutations: tables or a plane left out of the sum, a plan in parts, another engine in its place.
TEST_EACH(DeviceFloat, AnnouncesItsMemory, engine_case, engines, label) {
    const size_t n = 230;
    gen g = gen_seed(3);
    mpz_t zx, seven;
    mpz_init(zx);
    mpz_init_set_ui(seven, 7);
    fixture_shape(&g, GEN_UNIFORM, zx, n);
    bool refused = false;
    for (uint64_t cap = 0, needed = 0; !refused; cap = (cap == 0 ? needed : cap) / 8 * 7) {
        bigint_ctx *ctx = ctx_of(p, cap, 0);
        bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
        fixture_set(ctx, &x, zx), fixture_set(ctx, &y, zx), fixture_set(ctx, &r, seven);
        refused = bigint_workspace_bytes(ctx, &needed, n, n) == BIGINT_ENOMEM;
        if (refused) {
            EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_ENOMEM);
            EXPECT_TEXT(ctx, "bytes of workspace on device 0; the cap is");
            EXPECT_BIGINT(ctx, &r, seven);
        }
        bigint_counters before, after;
        for (int i = 0; i < 4 && !refused; i++) {
            bigint_ctx_counters(ctx, &before);
            EXPECT_EQ(bigint_mul(ctx, &r, &x, &y), BIGINT_OK);
            bigint_ctx_counters(ctx, &after);
            EXPECT_TRUE(i < 2 || after.allocations == before.allocations);
            EXPECT_TRUE(after.workspace_peak <= needed && (cap == 0 || needed <= cap));
        }
        bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(zx, seven, NULL);
}

// The plan is told; where none is proved the result keeps its value. Mutations: the name of another
// engine, the modular one in silence.
TEST_EACH(DeviceFloat, ExplainsAndRefuses, engine_case, engines, label) {
    bigint_ctx *ctx = ctx_of(p, 0, 0);
    char line[300] = "", head[100];
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, 200, 100), BIGINT_OK);
    snprintf(head, sizeof head, "cuda %s, 200 x 100 limbs, ", p->name);
    EXPECT_TRUE(strncmp(line, head, strlen(head)) == 0);
    EXPECT_TRUE(strstr(line, p->proved == SIZE_MAX ? "in double, " : "in float, ") != NULL);
    EXPECT_TRUE(strstr(line, "complex points in 1 pass, error below 0.") != NULL);
    uint64_t bytes = 1;
    const uint64_t many = p->proved == SIZE_MAX ? (uint64_t)1 << 27 : 5000;
    EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, many, many), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "has no exact plan for");
    EXPECT_EQ(bytes, 1u);
    if (p->proved != SIZE_MAX) {
        bigint r = BIGINT_INIT;
        mpz_t seven;
        mpz_init_set_ui(seven, 7);
        EXPECT_EQ(bigint_set_u64(ctx, &r, 7), BIGINT_OK);
        EXPECT_EQ(bigint_mul_2exp(ctx, &r, &r, 64 * many), BIGINT_OK);
        EXPECT_EQ(bigint_mul(ctx, &r, &r, &r), BIGINT_ERANGE);
        EXPECT_EQ(bigint_tdiv_2exp(ctx, &r, &r, 64 * many), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, seven);
        bigint_clear(ctx, &r);
        mpz_clear(seven);
    }
    bigint_ctx_destroy(ctx);
}

// Batches of several lengths, each by a plan of its own, and prepared operands, which have no
// transform here. Mutations: tables of one length for another, planes of primes for points.
TEST_EACH(DeviceFloat, BatchesAndPreparedOperands, engine_case, engines, label) {
    bigint_ctx *ctx = ctx_of(p, 0, 1);
    gen g = gen_seed(12);
    mpz_t zx, zy;
    mpz_inits(zx, zy, NULL);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r = BIGINT_INIT;
    fixture_shape(&g, GEN_RUNS, zx, 60);
    fixture_set(ctx, &x, zx);
    bigint_prep *prep = NULL;
    EXPECT_EQ(bigint_prep_create(ctx, &prep, &x, 200), BIGINT_OK);
    for (size_t n = 1; n <= 200; n = 3 * n + 1) {
        fixture_shape(&g, GEN_UNIFORM, zy, n);
        fixture_set(ctx, &y, zy);
        EXPECT_EQ(bigint_mul_prep(ctx, &r, prep, &y), BIGINT_OK);
        mpz_mul(zy, zy, zx);
        EXPECT_BIGINT(ctx, &r, zy);
    }
    bigint_prep_destroy(ctx, prep);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &r);
    enum { COUNT = 6, MOST = 200 };
    static const uint64_t lengths[COUNT] = {1, 200, 7, 100, 200, 0};
    uint64_t a[COUNT * MOST], want[2 * MOST], *got = malloc(COUNT * 2 * MOST * sizeof *got);
    gen_limbs(&g, GEN_UNIFORM, a, COUNT * MOST);
    uint64_t *d_a = device_alloc(sizeof a), *d_r = device_alloc(2 * sizeof a);
    EXPECT_TRUE(device_upload(d_a, a, sizeof a));
    const bigint_span in = {
        .p = d_a, .n = MOST, .stride = MOST, .count = COUNT, .lengths = lengths};
    const bigint_span out = {.p = d_r, .n = 2 * MOST, .stride = 2 * MOST, .count = COUNT};
    EXPECT_EQ(bigint_mul_batch(ctx, &out, &in, &in), BIGINT_OK);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(got, d_r, 2 * sizeof a));
    for (size_t i = 0; i < COUNT; i++) {
        memset(want, 0, sizeof want);
        mpz_import(zx, lengths[i], -1, 8, 0, 0, a + i * MOST);
        mpz_mul(zx, zx, zx);
        mpz_export(want, NULL, -1, 8, 0, 0, zx);
        EXPECT_LIMBS_EQ(got + i * 2 * MOST, want, 2 * MOST);
    }
    device_free(d_a), device_free(d_r);
    free(got);
    mpz_clears(zx, zy, NULL);
    bigint_ctx_destroy(ctx);
}
