// series_test.c: quotients on a device by a series from a short reciprocal
// (bigint/device/divide/series.h), of every number of levels, against GMP.
#include <gmp.h>
#include <stdio.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "bigint/device/divide/series.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// numbers: operands and what is expected.
typedef struct {
    bigint_ctx *ctx;
    mpz_t a, d, q, r;
} numbers;

// shape: of dividend and divisor in limbs, levels, and limbs of a reciprocal that one launch finds
// (0: the library's).
typedef struct {
    size_t an, dn;
    unsigned levels, first;
} shape;

// Divisors shorter than what counts, as long and longer; the shortest; all levels; a reciprocal by
// several steps.
static const shape shapes[] = {{80, 40, 1, 0}, {80, 40, 4, 0}, {81, 41, 3, 0}, {90, 60, 5, 0},
                               {67, 60, 2, 0}, {81, 43, 2, 4}, {5, 4, 1, 0},   {4, 3, 1, 0}};

static void label(char *buf, size_t cap, const shape *p) {
    snprintf(buf, cap, "%zu_by_%zu_levels_%u_from_%u", p->an, p->dn, p->levels, p->first);
}

static void numbers_open(numbers *s, const shape *p) {
    s->ctx = fixture_ctx(NULL);
    mpz_inits(s->a, s->d, s->q, s->r, NULL);
    s->ctx->queue.forced.quotient_limbs = 1 << 10;  // more than any quotient here has
    s->ctx->queue.forced.quotient_levels = p->levels;
    s->ctx->queue.forced.reciprocal_limbs = p->first;
    EXPECT_EQ(device_series_plan(s->ctx, p->dn, p->an - p->dn + 1).levels, p->levels);
}

static void numbers_close(numbers *s) {
    mpz_clears(s->a, s->d, s->q, s->r, NULL);
    bigint_ctx_destroy(s->ctx);
}

// check: a / d, both results and each alone; a quotient alone waits or not.
static void check(numbers *s) {
    bigint a = BIGINT_INIT, d = BIGINT_INIT, q = BIGINT_INIT, r = BIGINT_INIT;
    mpz_tdiv_qr(s->q, s->r, s->a, s->d);
    fixture_set(s->ctx, &a, s->a), fixture_set(s->ctx, &d, s->d);
    EXPECT_EQ(bigint_divrem(s->ctx, &q, &r, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &q, s->q);
    EXPECT_BIGINT(s->ctx, &r, s->r);
    s->ctx->queue.forced.quotient_waits = 1;
    EXPECT_EQ(bigint_divrem(s->ctx, &q, NULL, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &q, s->q);
    s->ctx->queue.forced.quotient_waits = 0;
    EXPECT_EQ(bigint_divrem(s->ctx, NULL, &a, &a, &d), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &a, s->r);
    bigint_clear(s->ctx, &a), bigint_clear(s->ctx, &d);
    bigint_clear(s->ctx, &q), bigint_clear(s->ctx, &r);
}

// check_multiples: a and the multiple of d below it with its neighbours, where an estimate is one
// too large or its fraction is next to 0.
static void check_multiples(numbers *s) {
    check(s);
    mpz_tdiv_q(s->a, s->a, s->d);
    mpz_mul(s->a, s->a, s->d);
    check(s);
    mpz_sub_ui(s->a, s->a, 1);
    mpz_neg(s->d, s->d);
    check(s);
}

// Later calls of a shape run a graph, with other values and other zeros on top of the divisor.
// Mutations: e squared once more or less; a or e cut at a wrong limb; a level's a not added, or at
// a wrong limb; limbs above a divisor that are not 0; a divisor's shift forgotten; an estimate that
// is not corrected, or taken though its fraction is 0; a fraction read from another level.
TEST_EACH(DeviceSeries, AgreesWithGmp, shape, shapes, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, p);
    gen g = gen_seed(51);
    const unsigned apart = device_emulated() ? 4 : 1;
    for (unsigned i = 0; i < GEN_SHAPES; i += apart) {
        SCOPED_TRACE("shape %u", i);
        fixture_shape(&g, (gen_shape)i, s.d, p->dn);
        fixture_shape(&g, (gen_shape)((i + 1) % GEN_SHAPES), s.a, p->an);
        mpz_setbit(s.d, 64 * p->dn - 1 - 20 * (i % 3));
        check_multiples(&s);
    }
    numbers_close(&s);
}

// The extremes of a normalised divisor and their neighbours; dividends of all ones, and next to a
// power. Mutations: e negative, because X is as large as what it approximates; a limb too few for
// X, or for an estimate of B^b.
TEST_EACH(DeviceSeries, PowersAndTheirNeighbours, shape, shapes, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    numbers s;
    numbers_open(&s, p);
    for (int down = 0; down < 2; down++) {
        for (int e = -1; e <= 1; e++) {
            SCOPED_TRACE("down %d, %d", down, e);
            mpz_set_ui(s.d, 0), mpz_setbit(s.d, 64 * p->dn - (down == 0 ? 1 : 0));
            mpz_add_ui(s.d, s.d, 1), mpz_sub_ui(s.d, s.d, (unsigned)(1 - e + down));
            mpz_set_ui(s.a, 0), mpz_setbit(s.a, 64 * p->an);
            mpz_sub_ui(s.a, s.a, (unsigned)(1 + e));
            check_multiples(&s);
        }
    }
    numbers_close(&s);
}

// The library's own choice. Mutation: a series with a cap, with checks, or for several blocks.
TEST(DeviceSeries, Plans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL),
                      *const capped =
                          fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 30}),
                      *const checked = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    EXPECT_TRUE(device_series_plan(ctx, 1 << 14, (1 << 14) + 1).levels > 0);
    EXPECT_EQ(device_series_plan(capped, 1 << 14, (1 << 14) + 1).levels, 0u);
    EXPECT_EQ(device_series_plan(checked, 1 << 14, (1 << 14) + 1).levels, 0u);
    EXPECT_EQ(device_series_plan(ctx, 1 << 8, 1 << 14).levels, 0u);
    EXPECT_EQ(device_series_plan(ctx, 64, 65).levels, 0u);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(capped), bigint_ctx_destroy(checked);
}
