// root_test.c: square roots, and roots of any degree, of integers on a device, or under the kernel
// emulation, against GMP.
#include <gmp.h>
#include <stdio.h>

#include "bigint/bigint_gmp.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/root_step.h"
#include "bigint/device/recording.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// check: k-th root and remainder of z, together, alone, and in place of z.
static void check(bigint_ctx *ctx, const mpz_t z, uint64_t k) {
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT, more = BIGINT_INIT;
    mpz_t root, rest;
    SCOPED_TRACE("root %llu of %zu bits", (unsigned long long)k, mpz_sizeinbase(z, 2));
    mpz_inits(root, rest, NULL);
    mpz_rootrem(root, rest, z, k);
    fixture_set(ctx, &a, z);
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, k), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_BIGINT(ctx, &r, rest);
    EXPECT_EQ(bigint_set_u64(ctx, &more, 1), BIGINT_OK);  // an announced length that is too large
    EXPECT_EQ(bigint_mul_2exp(ctx, &more, &more, mpz_sizeinbase(z, 2) + 200), BIGINT_OK);
    EXPECT_EQ(bigint_add(ctx, &a, &a, &more), BIGINT_OK);
    EXPECT_EQ(bigint_sub(ctx, &a, &a, &more), BIGINT_OK);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, k), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_EQ(k == 2 ? bigint_sqrt(ctx, NULL, &a, &a) : bigint_root(ctx, NULL, &a, &a, k),
              BIGINT_OK);
    EXPECT_BIGINT(ctx, &a, rest);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s);
    bigint_clear(ctx, &r), bigint_clear(ctx, &more);
    mpz_clears(root, rest, NULL);
}

// Small numbers, and squares with both neighbours, whose roots are all ones, powers or random.
// Mutations: a root that is not corrected, or always, or not where it waits for what tells; a shift
// that is odd; a remainder with the sign of the difference; a start that is one unit of its last
// limb too large.
TEST(DeviceRoot, SquaresAndTheirNeighbours) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    ctx->queue.forced.root_limbs = 2;
    mpz_t z, s;
    mpz_inits(z, s, NULL);
    for (unsigned i = 0; i < 10; i += device_emulated() ? 3 : 1) {
        mpz_set_ui(z, i);
        check(ctx, z, 2);
    }
    gen g = gen_seed(81);
    static const size_t lengths[] = {1, 2, 3, 4, 5, 8, 17, 40, 100};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (unsigned shape = GEN_UNIFORM; shape < GEN_SHAPES; shape += device_emulated() ? 3 : 1) {
            ctx->queue.forced.quotient_waits = shape % 2;  // from one limb on, or from many
            fixture_shape(&g, (gen_shape)shape, s, lengths[i]);
            mpz_mul(z, s, s);
            check(ctx, z, 2);
            mpz_sub_ui(z, z, 1);
            check(ctx, z, 2);
            mpz_addmul_ui(z, s, 2), mpz_add_ui(z, z, 1);  // s^2 + 2 s
            check(ctx, z, 2);
        }
    }
    mpz_clears(z, s, NULL);
    bigint_ctx_destroy(ctx);
}

// Random numbers of lengths around those where a step more is needed, and long ones, where 8191
// limbs take rings for all products of a step, and their roots' squares.
// Mutation: a radicand whose top bits are 01 taken for one with 1 on top.
TEST(DeviceRoot, AgreesWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t bits[] = {127,  128,  129,  255,       500,       1000,      64 * 130,
                                  8193, 9001, 8190, 64 * 8191, 64 * 9000, 64 * 40000};
    gen g = gen_seed(82);
    mpz_t z;
    mpz_init(z);
    for (size_t i = 0; i < sizeof bits / sizeof *bits - (device_emulated() ? 2 : 0); i++) {
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.checks = i % 2, .engine = i >= 10 ? "modular-fft" : NULL});
        ctx->queue.cluster = bits[i] > 64 * 1000 ? 0 : ctx->queue.cluster;
        ctx->queue.forced.root_limbs = i % 3 == 0 ? 0 : 2 + i;
        ctx->queue.forced.root_halves = i % 2;
        ctx->queue.forced.root_series = 1;
        fixture_shape(&g, GEN_UNIFORM, z, bits[i] / 64 + 1);
        mpz_tdiv_r_2exp(z, z, bits[i]);
        mpz_setbit(z, bits[i] - 1);
        check(ctx, z, 2);
        if (i >= 10) {
            mpz_sqrt(z, z), mpz_mul(z, z, z);
            check(ctx, z, 2);
        }
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(z);
}

// Roots whose last step is by halves, of squares and one less: random roots, and roots with zeros
// or ones below, for which nothing is left of the square, or -1; of 8190 limbs rings make all
// products. Mutations: half of a quotient left out, or cut one bit too short.
TEST(DeviceRoot, ByHalves) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t lengths[] = {25, 26, 27, 28, 60, 101, 8190};
    gen g = gen_seed(86);
    bigint a = BIGINT_INIT, s = BIGINT_INIT;
    mpz_t z, root;
    mpz_inits(z, root, NULL);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t n = lengths[i];
        bigint_ctx *ctx =
            fixture_ctx(&(bigint_ctx_options){.engine = n > 1000 ? "modular-fft" : NULL});
        ctx->queue.cluster = n > 1000 ? 0 : ctx->queue.cluster;
        ctx->queue.forced.root_limbs = 2 + i % 2;
        ctx->queue.forced.root_halves = 1;
        ctx->queue.forced.root_series = 1;
        for (unsigned turn = 0; turn < 6; turn++) {
            const size_t below = turn < 2 ? 0 : 64 * (n / 2 + 1);  // bits
            fixture_shape(&g, GEN_UNIFORM, root, n);
            mpz_abs(root, root), mpz_setbit(root, 64 * n - 1);
            mpz_tdiv_q_2exp(root, root, below), mpz_mul_2exp(root, root, below);
            mpz_sub_ui(root, root, turn / 4);
            mpz_mul(z, root, root);
            mpz_sub_ui(z, z, turn % 2), mpz_sub_ui(root, root, turn % 2);
            fixture_set(ctx, &a, z);
            EXPECT_EQ(bigint_sqrt(ctx, &s, NULL, &a), BIGINT_OK);
            EXPECT_BIGINT(ctx, &s, root);
        }
        bigint_clear(ctx, &a), bigint_clear(ctx, &s);
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(z, root, NULL);
}

// The last step by halves and rings from B^h / 2, its reciprocal 2 B^q, and B^(2 h) / 4, of which
// nothing is left, or 3 B^h less, where the root was too large. Mutation: a quotient added where it
// is to be subtracted.
TEST(DeviceRoot, FromRootsTooLargeByHalves) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { H = 4097, Q = 2050, M = 2 * H - 2, LIMBS = 1 << 17, ROOM = 1 << 16 };
    for (unsigned less = 0; less < 2; less++) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
        ctx->queue.cluster = 0;
        bigint memory = BIGINT_INIT;
        ASSERT_EQ(device_blank(ctx, "test", &memory, LIMBS), BIGINT_OK);
        uint64_t *const e = memory.d_, *const u = e + 2 * H + 14, *const y = u + H + 15,
                        *const to = y + Q + 30, *const t = to + M + 16, *const words = t + Q + 14,
                        *const parts = words + 16, *const product = e + ROOM;
        device_newton s = {.ctx = ctx, .who = "test", .product = product, .t = t};
        device_factor factor;
        ASSERT_EQ(device_enter(ctx, "test"), BIGINT_OK);
        const cuda_stream stream = ctx->queue.stream;
        EXPECT_EQ(cuda_set(e, 0, LIMBS * sizeof *e, stream), RESULT_OK);
        if (less != 0) {
            EXPECT_EQ(cuda_set(e + H, 0xff, H * sizeof *e, stream), RESULT_OK);
            EXPECT_EQ(cuda_set(e + H, 0xfd, 1, stream), RESULT_OK);
        }
        EXPECT_EQ(cuda_set((unsigned char *)(e + 2 * H) - 1, less != 0 ? 0x3f : 0x40, 1, stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_set((unsigned char *)(u + H) - 1, 0x80, 1, stream), RESULT_OK);
        EXPECT_EQ(cuda_set(y + Q, 2, 1, stream), RESULT_OK);
        device_leave(ctx);
        const limbs_device_number square = {e, 2 * H, NULL}, root = {u, H + 1, NULL},
                                  reciprocal = {y, Q + 1, NULL};
        ASSERT_TRUE(parts + device_root_halves_limbs(M, H) <= product);
        EXPECT_EQ(device_newton_words(&s, words, 0), BIGINT_OK);
        EXPECT_EQ(device_factor_open(&s, &factor, reciprocal, 0, 0), BIGINT_OK);
        EXPECT_TRUE(factor.kept.planes != NULL);
        EXPECT_EQ(device_root_by_halves(&s, to, M, square, root, &factor, parts), BIGINT_OK);
        device_factor_close(&s, &factor);
        mpz_t z;
        mpz_init(z);
        const bigint x = {to, M + 1, M + 1, 0, ctx->device.place + 1};
        EXPECT_EQ(bigint_get_mpz(ctx, z, &x), BIGINT_OK);
        mpz_t expected, error;
        mpz_inits(expected, error, NULL);
        mpz_setbit(expected, 64 * M - 1);
        mpz_set_ui(error, 3 * less), mpz_mul_2exp(error, error, 64 * (M - H));
        mpz_sub(expected, expected, error), mpz_sub(error, z, expected);
        EXPECT_TRUE(mpz_cmpabs_ui(error, 2) < 0);
        mpz_clears(z, expected, error, NULL);
        bigint_clear(ctx, &memory);
        bigint_ctx_destroy(ctx);
    }
}

// Powers of all ones, powers of two and random numbers, and their neighbours, of degrees up to one
// that leaves no root but 1; either sign for odd degrees. Mutations: a power that does not decide,
// or whose sign is not looked at; a root that is lowered always, or its remainder kept; the
// degree's odd part left out of a quotient; a size without its last bit; a sign dropped.
TEST(DeviceRoot, PowersAndTheirNeighbours) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t degrees[] = {1, 3, 4, 5, 6, 7, 64, 77, 200};
    gen g = gen_seed(83);
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t z, s;
    mpz_inits(z, s, NULL);
    unsigned turn = 0;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        const uint64_t k = degrees[i], most = 120 / k;
        for (unsigned shape = 0; shape < 4; shape++) {
            ctx->queue.forced.root_limbs = 2 + turn % 3;
            fixture_shape(&g, shape == 0 ? GEN_ONES : GEN_UNIFORM, s, 1 + gen_below(&g, most + 1));
            mpz_tdiv_q_2exp(s, s, shape == 1 ? gen_below(&g, 64) : 0);
            if (shape == 2) {
                mpz_set_ui(z, 0), mpz_setbit(z, mpz_sizeinbase(s, 2)), mpz_set(s, z);
            }
            mpz_pow_ui(s, s, k);
            for (int near = -1; near <= 1; near++, turn++) {
                near < 0 ? mpz_sub_ui(z, s, 1) : mpz_add_ui(z, s, (unsigned)near);
                turn % 2 != 0 && k % 2 != 0 ? mpz_neg(z, z) : (void)0;
                check(ctx, z, k);
            }
        }
    }
    for (int i = 0; i < 10; i++) {  // 0, and roots 1 and 2
        mpz_set_si(z, i - 5);
        check(ctx, z, 3), check(ctx, z, 5);
        mpz_abs(z, z);
        check(ctx, z, 4), check(ctx, z, UINT64_MAX - 1);
    }
    mpz_clears(z, s, NULL);
    bigint_ctx_destroy(ctx);
}

// Random numbers, with checks and under caps, and long ones whose differences are found by rings.
// Mutations: a step to twice the length; limbs of a power cut that count; a fraction's point a limb
// off; the inverse of the degree for one length used for a longer one.
TEST(DeviceRoot, AnyDegreeAgreesWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(84);
    mpz_t z;
    mpz_init(z);
    for (int i = 0; i < (device_emulated() ? 40 : 300); i++) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){
            .checks = i % 4 == 1, .max_workspace_bytes = i % 4 == 2 ? UINT64_C(1) << 27 : 0});
        ctx->queue.forced.root_limbs = (uint64_t)(i % 5) * 2;
        fixture_limbs(&g, z, gen_size(&g, 1, 150));
        mpz_tdiv_q_2exp(z, z, gen_below(&g, 64));
        check(ctx, z, 2 + gen_size(&g, 1, i % 2 == 0 ? 7 : 3001));
        bigint_ctx_destroy(ctx);
    }
    for (uint64_t k = 3; k < 6; k += 2) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
        ctx->queue.cluster = 0;
        fixture_shape(&g, GEN_UNIFORM, z, k * 2600);
        check(ctx, z, k);
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(z);
}

// fill: z of exactly `bits` bits, a k-th power for turn % 6 = 0, bits a multiple of k: its
// neighbours, the least, the largest and a random number for others.
static void fill(gen *g, mpz_t z, uint64_t k, size_t bits, unsigned turn) {
    const size_t root_bits = bits / k;
    fixture_shape(g, GEN_UNIFORM, z, root_bits / 64 + 1);
    mpz_tdiv_r_2exp(z, z, root_bits - 4), mpz_abs(z, z);
    for (size_t top = root_bits - 4; top < root_bits; top++) {
        mpz_setbit(z, top);  // so that its power has that many bits
    }
    mpz_pow_ui(z, z, k);
    if (turn % 6 == 1) {
        mpz_sub_ui(z, z, 1);
    } else if (turn % 6 == 2) {
        mpz_add_ui(z, z, 1);
    } else if (turn % 6 == 3) {
        mpz_set_ui(z, 0), mpz_setbit(z, bits - 1);
    } else if (turn % 6 == 4) {
        mpz_set_ui(z, 0), mpz_setbit(z, bits), mpz_sub_ui(z, z, 1);
    } else if (turn % 6 == 5) {
        fixture_shape(g, GEN_UNIFORM, z, bits / 64 + 1);
        mpz_tdiv_r_2exp(z, z, bits), mpz_abs(z, z), mpz_setbit(z, bits - 1);
    }
}

// Roots of numbers of one length in bits by the same graph, with and without the remainder.
// Mutations: launches that depend on values, which a graph repeats for others; the inverse or the
// start of another call; a remainder, or a doubt, of the operand before; a root's degree left out
// of the key.
TEST(DeviceRoot, GraphsForOtherValues) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(85);
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z, root, rest;
    mpz_inits(z, root, rest, NULL);
    ctx->queue.forced.root_limbs = 2;
    for (uint64_t k = 3; k <= 6; k += 3) {
        for (unsigned i = 0; i < 12; i++) {
            const bool both = i % 4 < 2;
            fill(&g, z, k, 897 * k, i);
            fixture_set(ctx, &a, z);
            mpz_rootrem(root, rest, z, k);
            EXPECT_EQ(bigint_root(ctx, &s, both ? &r : NULL, &a, k), BIGINT_OK);
            EXPECT_BIGINT(ctx, &s, root);
            if (both) {
                EXPECT_BIGINT(ctx, &r, rest);
            }
        }
    }
    unsigned graphs = 0;
    for (unsigned i = 0; i < RECORDINGS; i++) {
        const recording *const one = &ctx->queue.recordings[i];
        graphs += one->graph != NULL && one->key[0] == BODY_ROOT;
    }
    EXPECT_EQ(graphs, 4u);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    mpz_clears(z, root, rest, NULL);
    bigint_ctx_destroy(ctx);
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
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, 64), BIGINT_EINVAL);
    EXPECT_EQ(bigint_root(ctx, &s, &s, &a, 2), BIGINT_EINVAL);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, 0), BIGINT_EINVAL);
    EXPECT_BIGINT(ctx, &s, z);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
