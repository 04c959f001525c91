// root_series_test.c: square roots and their reciprocals on a device by a series from a short
// reciprocal root (bigint/device/divide/root_series.h), of every number of levels, against GMP.
#include <gmp.h>
#include <stdio.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "bigint/device/divide/both_roots.h"
#include "bigint/device/divide/root_series.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// shape: limbs of the roots, at most `start` of which the host finds, levels, and limbs of half the
// radicand.
typedef struct {
    size_t h, start;
    unsigned levels;
    size_t n;
} shape;

// Radicands shorter than the roots, as long and longer; odd and even roots; the shortest start; all
// levels.
static const shape shapes[] = {{40, 30, 1, 40}, {41, 22, 1, 40},  {44, 12, 2, 60}, {45, 12, 2, 20},
                               {60, 8, 3, 60},  {61, 10, 3, 100}, {46, 4, 4, 46},  {93, 3, 5, 93},
                               {92, 3, 5, 1},   {94, 4, 5, 200}};

static void label(char *buf, size_t cap, const shape *p) {
    snprintf(buf, cap, "%zu_from_%zu_of_%zu", p->h, p->start, p->n);
}

// expect_below: {p, n} is below the square root of `square` by `least` or more, and `most` at most.
static void expect_below(bigint_ctx *ctx, uint64_t *p, size_t n, const mpz_t square, int least,
                         int most) {
    mpz_t found, exact;
    mpz_inits(found, exact, NULL);
    const bigint x = {p, n, n, 0, ctx->device.place + 1};
    EXPECT_EQ(bigint_get_mpz(ctx, found, &x), BIGINT_OK);
    mpz_abs(found, found);  // what lies below the limbs is no sign
    mpz_sqrt(exact, square);
    mpz_sub(exact, exact, found);  // 1 below the exact difference at most
    EXPECT_TRUE(mpz_cmp_si(exact, least) >= 0 && mpz_cmp_si(exact, most) <= 0);
    mpz_clears(found, exact, NULL);
}

// check: both roots of z, a number of 2 n limbs of which the top two bits are not both 0.
static void check(bigint_ctx *ctx, const shape *p, const mpz_t z) {
    bigint a = BIGINT_INIT;
    device_both_roots both;
    const device_both_room room = {.h = p->h, .m = p->h};
    mpz_t square;
    mpz_init(square);
    fixture_set(ctx, &a, z);
    EXPECT_EQ(device_both_open(ctx, "test", &both, &a, mpz_sizeinbase(z, 2), &room), BIGINT_OK);
    EXPECT_EQ(device_both_find(&both), BIGINT_OK);
    mpz_mul_2exp(square, z, 128 * p->h), mpz_tdiv_q_2exp(square, square, 128 * p->n);
    expect_below(ctx, both.u, p->h + 1, square, 0, 1);
    const uint64_t more = device_root_series_plan(ctx, p->h).f - p->h;  // limbs of its fraction
    mpz_mul_2exp(square, z, 128 * (p->h + more)), mpz_tdiv_q_2exp(square, square, 128 * p->n);
    expect_below(ctx, both.found.u - more, p->h + more + 1, square, 10, 85);
    mpz_set_ui(square, 0), mpz_setbit(square, 128 * (p->n + p->h));
    mpz_tdiv_q(square, square, z);
    expect_below(ctx, both.y, p->h + 1, square, -2, 2);
    device_both_close(&both);
    bigint_clear(ctx, &a);
    mpz_clear(square);
}

// The least radicand and the largest, with neighbours, squares of numbers with long zeros or ones,
// and random numbers. Mutations: a level more or less; g or h cut at a wrong limb, or without its
// lowest limbs; r with the limb that is one half; a start that is too large, so that r is negative;
// a root that is not surely too small; roots of a limb more or less behind the point; 2 h for h.
TEST_EACH(DeviceRootSeries, BothRootsAreWithinTwo, shape, shapes, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    ctx->queue.forced.root_limbs = p->start;
    ctx->queue.forced.root_series = 1 << 10;
    EXPECT_EQ(device_root_series_plan(ctx, p->h).levels, p->levels);
    gen g = gen_seed(87);
    mpz_t z, most;
    mpz_inits(z, most, NULL);
    mpz_setbit(most, 128 * p->n);
    for (unsigned e = 0; e < 3; e++) {
        SCOPED_TRACE("%u from the ends", e);
        mpz_set_ui(z, 0), mpz_setbit(z, 128 * p->n - 2), mpz_add_ui(z, z, e);
        check(ctx, p, z);
        mpz_sub_ui(z, most, e + 1);
        check(ctx, p, z);
    }
    for (unsigned i = 0; i < GEN_SHAPES; i += device_emulated() ? 3 : 1) {
        SCOPED_TRACE("shape %u", i);
        fixture_shape(&g, (gen_shape)i, z, p->n);
        mpz_abs(z, z), mpz_setbit(z, 64 * p->n - 1);
        mpz_mul(z, z, z);
        check(ctx, p, z);
        fixture_shape(&g, (gen_shape)i, z, 2 * p->n);
        mpz_abs(z, z), mpz_setbit(z, 128 * p->n - 1 - i % 2);
        check(ctx, p, z);
    }
    mpz_clears(z, most, NULL);
    bigint_ctx_destroy(ctx);
}

// Squares and their neighbours, whose roots are random, all ones and powers, by the step that
// follows a series. Mutations: limbs of the difference that count left out; half of the reciprocal
// root a limb off; rows that are not free.
TEST(DeviceRootSeries, SquaresAndTheirNeighbours) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t lengths[] = {20, 21, 61, 120, 121};
    bigint_ctx *ctx = fixture_ctx(NULL);
    ctx->queue.forced.root_limbs = 4;
    ctx->queue.forced.root_series = 1 << 10;
    gen g = gen_seed(89);
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z, root, rest;
    mpz_inits(z, root, rest, NULL);
    for (unsigned i = 0; i < 5 * (device_emulated() ? 3 : GEN_SHAPES); i++) {
        SCOPED_TRACE("number %u", i);
        const size_t bits = 64 * lengths[i % 5] - 13 * (i % 3);
        fixture_shape(&g, device_emulated() ? GEN_ONES : (gen_shape)(i / 5), root, lengths[i % 5]);
        mpz_abs(root, root), mpz_tdiv_r_2exp(root, root, bits);
        if (i % 3 != 0) {
            fixture_shape(&g, i % 3 == 1 ? GEN_UNIFORM : GEN_ZERO, root, lengths[i % 5]);
            mpz_abs(root, root), mpz_tdiv_r_2exp(root, root, bits);
        }
        mpz_setbit(root, bits - 1);
        mpz_mul(z, root, root);
        for (int near = -1; near <= 1; near++) {
            near < 0 ? mpz_sub_ui(z, z, 1) : mpz_add_ui(z, z, 1);
            mpz_sqrtrem(root, rest, z);
            fixture_set(ctx, &a, z);
            EXPECT_EQ(bigint_sqrt(ctx, &s, &r, &a), BIGINT_OK);
            EXPECT_BIGINT(ctx, &s, root);
            EXPECT_BIGINT(ctx, &r, rest);
            EXPECT_EQ(bigint_sqrt(ctx, &s, NULL, &a), BIGINT_OK);
            EXPECT_BIGINT(ctx, &s, root);
        }
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    mpz_clears(z, root, rest, NULL);
    bigint_ctx_destroy(ctx);
}

// The library's own choice. Mutation: a series with a cap, with checks, or for long roots.
TEST(DeviceRootSeries, Plans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL),
                      *const capped =
                          fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 30}),
                      *const checked = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    EXPECT_TRUE(device_root_series_plan(ctx, 8194).levels > 0);
    EXPECT_EQ(device_root_series_plan(capped, 8194).levels, 0u);
    EXPECT_EQ(device_root_series_plan(checked, 8194).levels, 0u);
    EXPECT_EQ(device_root_series_plan(ctx, 1 << 18).levels, 0u);
    EXPECT_EQ(device_root_series_plan(ctx, 100).levels, 0u);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(capped), bigint_ctx_destroy(checked);
}
