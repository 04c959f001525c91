// cube_series_test.c: cube roots on a device by a series from a short reciprocal root
// (bigint/device/roots/cube_series.h), of every number of levels, against GMP.
#include <gmp.h>
#include <stdio.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "bigint/device/roots/cube_series.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// shape: limbs of the roots, at most `start` of which the host finds, and levels.
typedef struct {
    size_t n, start;
    unsigned levels;
} shape;

static const shape shapes[] = {{40, 30, 1}, {41, 12, 2}, {60, 9, 3},
                               {46, 4, 4},  {91, 3, 5},  {120, 4, 5}};

static void label(char *buf, size_t cap, const shape *p) {
    snprintf(buf, cap, "%zu_from_%zu", p->n, p->start);
}

// check: root and remainder of z, and the root alone.
static void check(bigint_ctx *ctx, const mpz_t z) {
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t root, rest;
    mpz_inits(root, rest, NULL);
    mpz_rootrem(root, rest, z, 3);
    fixture_set(ctx, &a, z);
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, 3), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_BIGINT(ctx, &r, rest);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, 3), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    mpz_clears(root, rest, NULL);
}

// Roots that are powers of two, all ones and random, of lengths with no zeros above the top bit, or
// some; their cubes with both neighbours, and random numbers. Mutations: a level more or less; x or
// h cut at a wrong limb; x multiplied once a level; a start that is too large, so that r is
// negative; a third that is rounded up; a shift by too few bits of three; a root a limb off.
TEST_EACH(DeviceCubeSeries, AgreesWithGmp, shape, shapes, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    ctx->queue.forced.root_limbs = p->start;
    ctx->queue.forced.root_series = 1 << 10;
    EXPECT_EQ(device_cube_series_plan(ctx, 3, p->n + 1).levels, p->levels);
    gen g = gen_seed(88);
    mpz_t z, s;
    mpz_inits(z, s, NULL);
    for (unsigned i = 0; i < (device_emulated() ? 4 : 24);
         i += device_emulated() && p->levels > 2 ? 2 : 1) {
        SCOPED_TRACE("number %u", i);
        const size_t bits = 64 * p->n - 21 * (i % 4);
        fixture_shape(&g, i % 4 == 1 ? GEN_ONES : GEN_UNIFORM, s, p->n);
        mpz_abs(s, s), mpz_tdiv_r_2exp(s, s, bits), mpz_setbit(s, bits - 1);
        if (i % 4 == 2) {
            mpz_set_ui(s, 0), mpz_setbit(s, bits - 1);
        }
        mpz_pow_ui(z, s, 3);
        check(ctx, z);
        mpz_sub_ui(z, z, 1);
        check(ctx, z);
        mpz_add_ui(z, z, 2);
        check(ctx, z);
        fixture_shape(&g, GEN_UNIFORM, s, 2 * p->n);
        mpz_abs(s, s), mpz_tdiv_r_2exp(s, s, 2 * bits - 2), mpz_add(z, z, s);
        check(ctx, z);
    }
    mpz_clears(z, s, NULL);
    bigint_ctx_destroy(ctx);
}

// The library's own choice. Mutation: a series with a cap, with checks, of other degrees, or for
// long roots.
TEST(DeviceCubeSeries, Plans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL),
                      *const capped =
                          fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = 1 << 30}),
                      *const checked = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    EXPECT_TRUE(device_cube_series_plan(ctx, 3, 8194).levels > 0);
    EXPECT_EQ(device_cube_series_plan(capped, 3, 8194).levels, 0u);
    EXPECT_EQ(device_cube_series_plan(checked, 3, 8194).levels, 0u);
    EXPECT_EQ(device_cube_series_plan(ctx, 5, 8194).levels, 0u);
    EXPECT_EQ(device_cube_series_plan(ctx, 3, 1 << 18).levels, 0u);
    EXPECT_EQ(device_cube_series_plan(ctx, 3, 100).levels, 0u);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(capped), bigint_ctx_destroy(checked);
}
