// root_test.c: square roots of integers on a device, or under the kernel emulation, against GMP.
#include <gmp.h>
#include <stdio.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// check: root and remainder of z, together, alone, and in place of z.
static void check(bigint_ctx *ctx, const mpz_t z) {
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT, more = BIGINT_INIT;
    mpz_t root, rest;
    SCOPED_TRACE("%zu bits", mpz_sizeinbase(z, 2));
    mpz_inits(root, rest, NULL);
    mpz_sqrtrem(root, rest, z);
    fixture_set(ctx, &a, z);
    EXPECT_EQ(bigint_sqrt(ctx, &s, &r, &a), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_BIGINT(ctx, &r, rest);
    EXPECT_EQ(bigint_set_u64(ctx, &more, 1), BIGINT_OK);  // an announced length that is too large
    EXPECT_EQ(bigint_mul_2exp(ctx, &more, &more, mpz_sizeinbase(z, 2) + 200), BIGINT_OK);
    EXPECT_EQ(bigint_add(ctx, &a, &a, &more), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, &a, &a, &more), BIGINT_OK);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, 2), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_EQ(bigint_sqrt(ctx, NULL, &a, &a), BIGINT_OK);
    EXPECT_BIGINT(ctx, &a, rest);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s);
    bigint_clear(ctx, &r), bigint_clear(ctx, &more);
    mpz_clears(root, rest, NULL);
}

// Small numbers, and squares with both neighbours, whose roots are all ones, powers or random.
// Mutations: a root that is not corrected, or always; a shift that is odd; a remainder with the
// sign of the difference; a base that is one too large.
TEST(DeviceRoot, SquaresAndTheirNeighbours) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t z, s;
    mpz_inits(z, s, NULL);
    for (unsigned i = 0; i < 10; i += device_emulated() ? 3 : 1) {
        mpz_set_ui(z, i);
        check(ctx, z);
    }
    gen g = gen_seed(81);
    static const size_t lengths[] = {1, 2, 3, 4, 5, 8, 17, 40, 100};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (unsigned shape = GEN_UNIFORM; shape < GEN_SHAPES; shape += device_emulated() ? 3 : 1) {
            fixture_shape(&g, (gen_shape)shape, s, lengths[i]);
            mpz_mul(z, s, s);
            check(ctx, z);
            mpz_sub_ui(z, z, 1);
            check(ctx, z);
            mpz_addmul_ui(z, s, 2), mpz_add_ui(z, z, 1);  // s^2 + 2 s
            check(ctx, z);
        }
    }
    mpz_clears(z, s, NULL);
    bigint_ctx_destroy(ctx);
}

// Random numbers of lengths around those where a step more is needed, and long ones, by rings too.
// Mutation: a radicand whose top bits are 01 taken for one with 1 on top.
TEST(DeviceRoot, AgreesWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t bits[] = {127,  128,  129,  255,       500,       1000,      64 * 130,
                                  8193, 9001, 8190, 64 * 9000, 64 * 8191, 64 * 40000};
    gen g = gen_seed(82);
    mpz_t z;
    mpz_init(z);
    for (size_t i = 0; i < sizeof bits / sizeof *bits - (device_emulated() ? 2 : 0); i++) {
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.checks = i % 2, .engine = i >= 10 ? "modular-fft" : NULL});
        ctx->queue.cluster = bits[i] > 64 * 1000 ? 0 : ctx->queue.cluster;
        fixture_shape(&g, GEN_UNIFORM, z, bits[i] / 64 + 1);
        mpz_tdiv_r_2exp(z, z, bits[i]);
        mpz_setbit(z, bits[i] - 1);
        check(ctx, z);
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(z);
}

// Mutations: the sign not looked at; a degree other than 2 taken for it; outputs written before.
TEST(DeviceRoot, Refusals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, s = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -7);
    fixture_set(ctx, &a, z), fixture_set(ctx, &s, z);
    EXPECT_EQ(bigint_sqrt(ctx, &s, NULL, &a), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "negative");
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, 3), BIGINT_ENOBACKEND);
    EXPECT_EQ(bigint_root(ctx, &s, &s, &a, 2), BIGINT_EINVAL);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, 0), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &s, z);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
