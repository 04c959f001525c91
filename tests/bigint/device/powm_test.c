// powm_test.c: modular powers on a device, or under the kernel emulation, against GMP:
// batches strided, ragged and repeated, single powers with signs and aliasing, caps, refusals.
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

// --- Batches -------------------------------------------------------------------------------------

// Mutations: lengths or offsets of one span used for another or not at all, stride 0 advances, the
// longest length is that of the first, the padding is left, a list that is uploaded overlaps the
// next.
TEST(DevicePowm, RandomBatches) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(811);
    const bool emulated = device_emulated();
    for (int round = 0; round < (emulated ? 16 : 200); round++) {
        const uint64_t count = gen_below(&g, emulated ? 6 : 2000);
        numbers base = numbers_draw(&g, 0, 6, count), exponent = numbers_draw(&g, 0, 1, count);
        numbers modulus = numbers_draw_moduli(&g, round % 2 == 0 || !emulated ? 40 : 5, count);
        numbers r = numbers_draw_results(&g, &modulus);
        SCOPED_TRACE("round %d: %d powers", round, (int)count);
        EXPECT_EQ(bigint_powm_batch(ctx, &r.span, &base.span, &exponent.span, &modulus.span),
                  BIGINT_OK);
        numbers_expect_powers(ctx, &r, &base, &exponent, &modulus);
        numbers_close(&base), numbers_close(&exponent), numbers_close(&modulus), numbers_close(&r);
    }
    bigint_ctx_destroy(ctx);
}

// odd_numbers: strided, n limbs each.
static numbers odd_numbers(gen *g, uint64_t n, uint64_t count) {
    numbers s = numbers_open(n, n, count);
    for (uint64_t i = 0; i < count; i++) {
        gen_limbs(g, GEN_UNIFORM, numbers_at(&s, i), n);
        numbers_at(&s, i)[0] |= 1;
    }
    numbers_upload(&s);
    return s;
}

// Enqueued alone; without allocations from the third time on; under caps down to the one that is
// refused. Mutations: a call that waits, memory beyond the cap, a cap that does not lead to fewer
// powers at once, a refusal that has written something.
TEST(DevicePowm, CapsAndRepeats) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 3, COUNT = 200 };
    gen g = gen_seed(812);
    numbers base = odd_numbers(&g, N, COUNT), modulus = odd_numbers(&g, N, COUNT);
    numbers exponent = odd_numbers(&g, 1, 1);
    exponent.host[0] = 0x1235;
    numbers_upload(&exponent);
    exponent.span.count = COUNT, exponent.span.stride = 0;
    bool refused = false, fewer = false;
    uint64_t first = 0;
    for (uint64_t cap = 0; !refused;) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        numbers r = odd_numbers(&g, N, COUNT);
        uint64_t allocations = 0;
        bigint_counters counters;
        SCOPED_TRACE("cap %llu", (unsigned long long)cap);
        for (int round = 0; round < (cap == 0 ? 4 : 1); round++) {
            const bigint_status status =
                bigint_powm_batch(ctx, &r.span, &base.span, &exponent.span, &modulus.span);
            bool idle = false;
            EXPECT_EQ(cuda_stream_idle(ctx->queue.stream, &idle), RESULT_OK);
            refused = status == BIGINT_ENOMEM;
            EXPECT_TRUE(refused || status == BIGINT_OK);
            if (!refused) {
                EXPECT_FALSE(device_emulated() && idle);
                numbers_expect_powers(ctx, &r, &base, &exponent, &modulus);
            }
            bigint_ctx_counters(ctx, &counters);
            EXPECT_TRUE(round < 2 || counters.allocations == allocations);
            allocations = counters.allocations;
        }
        first = cap == 0 ? counters.workspace_peak : first;
        fewer |= !refused && cap != 0 && counters.workspace_peak < first;
        EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        cap = cap == 0 ? counters.workspace_peak - 1 : cap / 4 * 3;
        numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
    EXPECT_TRUE(fewer);
    numbers_close(&base), numbers_close(&modulus), numbers_close(&exponent);
}

// Mutations: each requirement that is not looked at on a device.
TEST(DevicePowm, RefusedBatches) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(813);
    enum { LONG = 600, COUNT = 2 };
    numbers a = odd_numbers(&g, 2, COUNT), m = odd_numbers(&g, LONG, COUNT),
            r = numbers_open(LONG, LONG, COUNT);
    const bigint_span two = {.p = m.span.p, .n = 2, .stride = 2, .count = COUNT};
    bigint_span none = two, tight = a.span;
    none.lengths = (const uint64_t[]){2, 0};
    tight.n = 1;
    EXPECT_EQ(bigint_powm_batch(ctx, &a.span, &two, &two, &none), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_powm_batch: modulus 1 is 0");
    EXPECT_EQ(bigint_powm_batch(ctx, &tight, &two, &two, &two), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "result 0 has 1 limbs, 2 are needed");
    EXPECT_EQ(bigint_powm_batch(ctx, &r.span, &a.span, &a.span, &m.span), BIGINT_ERANGE);
    EXPECT_TEXT(ctx, "moduli of 600 limbs with exponents of 2; on a device moduli have up to 519");
    numbers_close(&a), numbers_close(&m), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}

// --- One power -----------------------------------------------------------------------------------

// expect_powm: base^exponent mod modulus into a fresh integer, and into the operand of that number.
static void expect_powm(bigint_ctx *ctx, const mpz_t base, const mpz_t exponent,
                        const mpz_t modulus, int over) {
    bigint x[3] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT}, r = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    mpz_powm(want, base, exponent, modulus);
    fixture_set(ctx, &x[0], base), fixture_set(ctx, &x[1], exponent);
    fixture_set(ctx, &x[2], modulus);
    SCOPED_TRACE("%d bits to %d bits modulo %d bits", (int)mpz_sizeinbase(base, 2),
                 (int)mpz_sizeinbase(exponent, 2), (int)mpz_sizeinbase(modulus, 2));
    EXPECT_EQ(bigint_powm(ctx, &r, &x[0], &x[1], &x[2]), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    EXPECT_EQ(bigint_powm(ctx, &x[over], &x[0], &x[1], &x[2]), BIGINT_OK);
    EXPECT_BIGINT(ctx, &x[over], want);
    for (int k = 0; k < 3; k++) {
        bigint_clear(ctx, &x[k]);
    }
    bigint_clear(ctx, &r);
    mpz_clear(want);
}

// Values from -3 up, which meet all that is said of 0, 1 and signs. Mutations: 0^0, modulus 1, a
// zero with a minus, the sign of an even power, a residue 0 that becomes the modulus.
TEST(DevicePowm, SignsAndSmallValues) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (int bi = -3; bi <= 3; bi++) {
        for (unsigned ei = 0; ei <= 3; ei++) {
            for (int mi = -4; mi <= 4; mi++) {
                mpz_set_si(b, bi), mpz_set_ui(e, ei), mpz_set_si(m, mi);
                if (mi != 0) {
                    expect_powm(ctx, b, e, m, (bi + mi + 9) % 3);
                }
            }
        }
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Odd and even moduli of random lengths, either sign, and one beyond the kernel's. Mutations: an
// operand is read after the result that shares its limbs was written; lengths announced but not
// there count; the kernel for a modulus that does not fit.
TEST(DevicePowm, RandomPowers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(814);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (int i = 0; i < (device_emulated() ? 24 : 300); i++) {
        fixture_limbs(&g, b, gen_size(&g, 1, 20)), fixture_limbs(&g, e, 1);
        fixture_limbs(&g, m, i == 7 ? 520 : gen_size(&g, 1, device_emulated() ? 12 : 250));
        if (i % 3 != 0) {
            mpz_setbit(m, 0);
        }
        mpz_fdiv_q_2exp(e, e, gen_below(&g, 64));
        if (i % 4 == 1) {
            mpz_neg(b, b);
        }
        expect_powm(ctx, b, e, m, i % 3);
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Mutation: a refused call that touches its result, or one that is not refused.
TEST(DevicePowm, RefusedPowers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint minus = BIGINT_INIT, zero = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -42);
    fixture_set(ctx, &r, z), fixture_set(ctx, &minus, z);
    EXPECT_EQ(bigint_sub(ctx, &zero, &minus, &minus), BIGINT_OK);  // announced as a limb
    EXPECT_EQ(bigint_powm(ctx, &r, &minus, &zero, &zero), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "modulus");
    EXPECT_EQ(bigint_powm(ctx, &r, &minus, &minus, &minus), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "exponent");
    EXPECT_BIGINT(ctx, &r, z);
    bigint_clear(ctx, &minus), bigint_clear(ctx, &zero), bigint_clear(ctx, &r);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
