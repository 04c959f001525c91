// mul_halves_test.c: products by two rings, one after the other, against GMP.
#include <gmp.h>
#include <stdbool.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/multiply/halves.h"
#include "bigint/multiply/mul.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { MOST = 2100, GUARD = 0x5a };

// by_halves: {ap, an} {bp, bn}, an >= bn, zeros on top allowed; a square if both are the same.
static void by_halves(bigint_ctx *ctx, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                      uint64_t bn) {
    static uint64_t got[2 * MOST + 1], want[2 * MOST];
    mul_plan plan = {.an = an, .bn = bn};
    SCOPED_TRACE("%d by %d limbs", (int)an, (int)bn);
    ASSERT_TRUE(mul_halves_plan_make(ctx, &plan, ap == bp && an == bn));
    ASSERT_EQ(mul_ready(ctx, "test", &plan), BIGINT_OK);
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = arena_take(ctx, "test", plan.workspace_bytes);
    ASSERT_TRUE(ws != NULL);
    got[an + bn] = GUARD;
    EXPECT_TRUE(mul_execute(ctx, &plan, got, ap, an, bp, bn, ws));
    arena_release(ctx, mark);
    mpn_mul(want, ap, (mp_size_t)an, bp, (mp_size_t)bn);
    EXPECT_LIMBS_EQ(got, want, an + bn);
    EXPECT_EQ(got[an + bn], (uint64_t)GUARD);
}

// Lengths around those that suit transforms, and any values. Products that are 0, B^m, B^m - 1, or
// one less modulo either ring. Mutations: a carry of either residue is not put back; B^m is no
// residue modulo B^m + 1; the difference's borrow is lost, or the bit that halving shifts out; more
// limbs than the product has are written.
TEST(Halves, AnyLengthsAndValues) {
    static uint64_t a[MOST], b[MOST];
    gen g = gen_seed(41);
    for (const char *const *variant = bigint_variants(); *variant != NULL; variant++) {
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.variant = *variant}) !=
            BIGINT_OK) {
            bigint_ctx_destroy(ctx);
            continue;  // not on this processor
        }
        SCOPED_TRACE("%s", *variant);
        const uint64_t lengths[] = {64, 65, 100, 127, 128, 129, 192, 700, 1023, 1024, 1025, 2048};
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            const uint64_t n = lengths[i];
            for (int shape = 0; shape < GEN_SHAPES; shape++) {
                gen_limbs(&g, (gen_shape)shape, a, n);
                gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, n);
                by_halves(ctx, a, n, b, n);
                by_halves(ctx, a, n, a, n);
                by_halves(ctx, a, n, b, n - 1 - gen_below(&g, 8));
            }
            memset(a, 0, sizeof a), memset(b, 0, sizeof b);
            by_halves(ctx, a, n, b, n);
            const uint64_t h = n / 2;
            a[h] = b[n - h] = 1;  // B^n, which is m where that suits transforms
            by_halves(ctx, a, n, b, n);
            memset(a, 0xff, h * sizeof *a);  // B^h - 1 and B^h + 1
            a[h] = b[n - h] = 0;
            b[0] = b[h] = 1;
            by_halves(ctx, a, n, b, n);
            memset(a, 0xff, n * sizeof *a), memset(b, 0, sizeof b);
            b[0] = 1;  // B^n - 1, then twice that, and all ones squared
            by_halves(ctx, a, n, b, n);
            b[0] = 2;
            by_halves(ctx, a, n, b, n);
            by_halves(ctx, a, n, a, n);
            b[0] = 1;
            b[n - 1] = (uint64_t)1 << 63;  // 0 modulo B^n - 1, -1 modulo B^n + 1
            by_halves(ctx, a, n, b, n);
            a[0]--;  // a square that is 1 modulo B^n - 1, of digits that are nearly all ones
            by_halves(ctx, a, n, a, n);
        }
        bigint_ctx_destroy(ctx);
    }
}

// watched: what progress has said so far.
typedef struct {
    double last, total;
    bool sinks, moves;
} watched;

static int watch(void *user, double done, double total) {
    watched *const w = user;
    w->sinks = w->sinks || done < w->last;
    w->moves = w->moves || (w->total != 0 && total != w->total);
    w->last = done;
    w->total = total;
    return 0;
}

// cap_of: room for two rings of n limbs; with AVX-512 that is eight operands at most.
static uint64_t cap_of(uint64_t n) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mul_plan plan = {.an = n, .bn = n};
    EXPECT_TRUE(mul_halves_plan_make(ctx, &plan, false));
    const uint64_t bytes = arena_held_bytes(plan.workspace_bytes) + plan.tables_bytes;
    EXPECT_TRUE(bytes <= 8 * sizeof(uint64_t) * n || ctx->variant < VARIANT_AVX512);
    bigint_ctx_destroy(ctx);
    return bytes;
}

// Under such a cap the plan has rings, keeps to the cap, and the product may replace an operand.
// Mutations: rings are planned without a cap, or never; an operand is overwritten before the second
// ring reads it; each ring reports the whole progress.
TEST(Halves, UnderACap) {
    for (uint64_t n = 1024; n <= 4096; n *= 2) {
        watched seen = {0};
        const uint64_t cap = cap_of(n);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap,
                                                            .engine = "modular-fft",
                                                            .progress = watch,
                                                            .progress_user = &seen});
        gen g = gen_seed(42);
        mpz_t x, y, xy;
        mpz_inits(x, y, xy, NULL);
        bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
        mul_plan plan;
        SCOPED_TRACE("%d limbs", (int)n);
        ASSERT_EQ(mul_plan_make(ctx, "test", &plan, n, n, false), BIGINT_OK);
        EXPECT_TRUE(plan.ring_limbs == n && plan.engine == ENGINE_MODULAR_FFT);
        fixture_limbs(&g, x, n), fixture_limbs(&g, y, n);
        mpz_mul(xy, x, y);
        fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, xy);
        EXPECT_TRUE(!seen.sinks && !seen.moves && seen.total > 0 && seen.last == seen.total);
        bigint_counters counters;
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(counters.workspace_peak <= cap);
        EXPECT_EQ(bigint_mul(ctx, &a, &a, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &a, xy);
        bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
        mpz_clears(x, y, xy, NULL);
        bigint_ctx_destroy(ctx);
    }
}
