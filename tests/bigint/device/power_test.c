// power_test.c: modular powers by products on a device, or under the kernel emulation, against GMP:
// moduli that kernels do not serve, and short ones that are forced there.
#include <gmp.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// check: base^exponent mod modulus, into a fresh integer and over an operand.
static void check(bigint_ctx *ctx, const mpz_t base, const mpz_t exponent, const mpz_t modulus,
                  int over) {
    bigint x[3] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT}, r = BIGINT_INIT, more = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    mpz_powm(want, base, exponent, modulus);
    fixture_set(ctx, &x[0], base), fixture_set(ctx, &x[1], exponent);
    fixture_set(ctx, &x[2], modulus);
    SCOPED_TRACE("%d bits to %d bits modulo %d bits", (int)mpz_sizeinbase(base, 2),
                 (int)mpz_sizeinbase(exponent, 2), (int)mpz_sizeinbase(modulus, 2));
    EXPECT_EQ(bigint_powm(ctx, &r, &x[0], &x[1], &x[2]), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_set_u64(ctx, &more, 1), BIGINT_OK);  // an announced length that is too large
    EXPECT_EQ(bigint_mul_2exp(ctx, &more, &more, mpz_sizeinbase(modulus, 2) + 300), BIGINT_OK);
    for (int k = 0; k < 3; k++) {
        EXPECT_EQ(bigint_add(ctx, &x[k], &x[k], &more), BIGINT_OK);
        EXPECT_EQ(bigint_sub(ctx, &x[k], &x[k], &more), BIGINT_OK);
    }
    EXPECT_EQ(bigint_powm(ctx, &x[over], &x[0], &x[1], &x[2]), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x[over], want);
    for (int k = 0; k < 3; k++) {
        bigint_clear(ctx, &x[k]);
    }
    bigint_clear(ctx, &r), bigint_clear(ctx, &more);
    mpz_clear(want);
}

static bigint_ctx *products_alone(const bigint_ctx_options *options) {
    bigint_ctx *const ctx = fixture_ctx(options);
    ctx->queue.forced.long_powers = true;
    return ctx;
}

// power_of_two: z = 2^bits + more.
static void power_of_two(mpz_t z, unsigned bits, int more) {
    mpz_set_ui(z, 0), mpz_setbit(z, bits);
    more < 0 ? mpz_sub_ui(z, z, (unsigned)-more) : mpz_add_ui(z, z, (unsigned)more);
}

// Moduli 2^k - 1, 2^k, 2^k + 1 around limbs, bases around them and their negatives, exponents of
// ones, a one, or a one and zeros. Mutations: a residue M that does not become 0, a negative base
// with an even exponent, or -0 that becomes M; a reciprocal that is too large, so that a remainder
// is negative; a top bit of M that is not where the shift puts it; a window of zeros multiplied.
TEST(DevicePower, EdgesOfLimbs) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const unsigned modulus_bits[] = {1, 2, 63, 64, 127, 128, 191, 192, 256, 700};
    static const unsigned exponents[] = {1, 2, 3, 4, 31, 64, 65};
    bigint_ctx *ctx = products_alone(NULL);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    unsigned turn = 0;
    for (size_t i = 0; i < sizeof modulus_bits / sizeof *modulus_bits; i++) {
        for (int more = -1; more <= 1; more++) {
            power_of_two(m, modulus_bits[i], more);
            for (int near = -2; near <= 2; near++, turn++) {
                mpz_set_si(b, near);
                mpz_addmul_ui(b, m, turn % 4);
                turn % 2 != 0 ? mpz_neg(b, b) : (void)0;
                mpz_set_ui(e, exponents[turn % 7]);
                turn % 5 == 0 ? power_of_two(e, exponents[turn % 7], -1) : (void)0;
                turn % 11 == 0 ? power_of_two(e, 64, 0) : (void)0;
                check(ctx, b, e, m, (int)(turn % 3));
            }
        }
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Random lengths, either sign, odd and even; with checks, which need whole products, and under a
// cap, which keeps no transforms. Mutations: limbs lost before or behind the estimate one too many;
// the base's sign, which its limbs announce, used for the result; the square taken for a power.
TEST(DevicePower, RandomPowers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(861);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (int i = 0; i < (device_emulated() ? 16 : 200); i++) {
        bigint_ctx *ctx = products_alone(&(bigint_ctx_options){
            .checks = i % 4 == 1, .max_workspace_bytes = i % 4 == 2 ? UINT64_C(1) << 26 : 0});
        fixture_limbs(&g, b, gen_size(&g, 1, 40)), fixture_limbs(&g, e, 1 + gen_below(&g, 3));
        fixture_limbs(&g, m, gen_size(&g, 1, device_emulated() ? 40 : 600));
        mpz_fdiv_q_2exp(e, e, gen_below(&g, 64)), mpz_setbit(e, 0);
        i % 3 == 0 ? mpz_neg(b, b) : (void)0;
        check(ctx, b, e, m, i % 3);
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(b, e, m, NULL);
}

// Lengths at which remainders are found by a ring, with transforms kept: of a modulus that fills
// its limbs, and of one with zeros on top. Mutations: the ring's plan for the reciprocal; planes of
// one number used for the other; a quotient's limb beyond the plan's operand.
TEST(DevicePower, ByRings) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t limbs[] = {3400, 4090, 40000};
    gen g = gen_seed(862);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (size_t i = 0; i < 3 - (device_emulated() ? 1u : 0u); i++) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
        ctx->queue.cluster = 0;
        fixture_shape(&g, GEN_UNIFORM, b, limbs[i]), fixture_shape(&g, GEN_UNIFORM, m, limbs[i]);
        mpz_setbit(m, 64 * limbs[i] - 1);
        mpz_fdiv_q_2exp(m, m, i == 0 ? 0 : 37);
        mpz_set_ui(e, i == 0 ? 23 : 8);
        check(ctx, b, e, m, 2);
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(b, e, m, NULL);
}

// Mutations: an output written by a call that fails; memory that a failing call leaves behind;
// workspace beyond the cap.
TEST(DevicePower, Caps) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(863);
    mpz_t b, e, m, want;
    mpz_inits(b, e, m, want, NULL);
    fixture_limbs(&g, b, 20), fixture_limbs(&g, e, device_emulated() ? 1 : 4);
    fixture_limbs(&g, m, 20);
    mpz_powm(want, b, e, m);
    bool refused = false;
    for (uint64_t cap = UINT64_C(1) << 24; !refused; cap = cap / 4 * 3) {
        bigint_ctx *ctx = products_alone(&(bigint_ctx_options){.max_workspace_bytes = cap});
        bigint x = BIGINT_INIT, y = BIGINT_INIT, z = BIGINT_INIT;
        bigint_counters counters;
        fixture_set(ctx, &x, b), fixture_set(ctx, &y, e), fixture_set(ctx, &z, m);
        const bigint_status status = bigint_powm(ctx, &x, &x, &y, &z);
        refused = status == BIGINT_ENOMEM;
        EXPECT_TRUE(refused || status == BIGINT_OK);
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(counters.workspace_peak <= cap);
        EXPECT_BIGINT(ctx, &x, refused ? b : want);
        bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &z);
        bigint_ctx_destroy(ctx);
    }
    mpz_clears(b, e, m, want, NULL);
}

// power_use: workspace and integers that base^exponent mod modulus holds at once under a cap,
// without its result; 0 if it is refused.
static uint64_t power_use(const mpz_t base, const mpz_t exponent, const mpz_t modulus,
                          uint64_t cap) {
    bigint_ctx *ctx = products_alone(&(bigint_ctx_options){.max_workspace_bytes = cap});
    bigint x = BIGINT_INIT, y = BIGINT_INIT, z = BIGINT_INIT, r = BIGINT_INIT;
    device_lent integers = {0};
    bigint_counters counters;
    fixture_set(ctx, &x, base), fixture_set(ctx, &y, exponent), fixture_set(ctx, &z, modulus);
    ctx->queue.lent = &integers;  // which counts them
    const bigint_status status = bigint_powm(ctx, &r, &x, &y, &z);
    ctx->queue.lent = NULL;
    EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
    EXPECT_TRUE(integers.used < DEVICE_LENT_REFUSED);
    bigint_ctx_counters(ctx, &counters);
    const uint64_t use = counters.workspace_peak + integers.used - 8 * r.cap_;
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &z), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    return status == BIGINT_OK ? use : 0;
}

// The powers in the table count against the cap, and in the bound. Mutations: they are left out of
// either.
TEST(DevicePower, TableIsCounted) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { LIMBS = 260, BITS = 70, POWERS = 8 };
    bigint_ctx *ctx = products_alone(NULL);
    uint64_t one = 0, bound = 0;
    const bigint_call of_one = {BIGINT_CALL_POWM, LIMBS, LIMBS, 1, 0},
                      call = {BIGINT_CALL_POWM, LIMBS, LIMBS, BITS, 0};
    EXPECT_EQ(bigint_call_workspace_bytes(ctx, &one, &of_one), BIGINT_OK);
    EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bound, &call), BIGINT_OK);
    EXPECT_TRUE(bound - one >= (POWERS - 1) * 8 * LIMBS);
    bigint_ctx_destroy(ctx);

    gen g = gen_seed(864);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    fixture_limbs(&g, b, LIMBS), fixture_limbs(&g, m, LIMBS);
    power_of_two(e, BITS, -1);
    uint64_t refused = 0, cap = bound;  // of the caps between them one is the least that is enough
    while (cap - refused > 256) {
        const uint64_t middle = refused + (cap - refused) / 2, use = power_use(b, e, m, middle);
        EXPECT_TRUE(use <= middle);
        use == 0 ? (refused = middle) : (cap = middle);
    }
    mpz_clears(b, e, m, NULL);
}
