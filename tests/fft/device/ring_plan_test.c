// ring_plan_test.c: plans of convolutions modulo B^n - 1 and B^n + 1, without a device.
#include "fft/device/modular/ring_plan.h"

#include "tests/ctest/ctest.h"

// fits: the plan's coefficients are within the primes' product, its shape has kernels, and its
// length is one that was asked for.
static void fits(const fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t least,
                 uint64_t most) {
    static const unsigned lg_most[] = {[3] = 148, [4] = 197, [5] = 247, [6] = 296};
    const uint64_t points = fft_modular_points(plan), n = fft_modular_ring_limbs(plan);
    EXPECT_TRUE(n >= least && n <= most);
    EXPECT_TRUE(n * 64 == points * plan->digit_bits && plan->wrapped == 0);
    EXPECT_TRUE(plan->pieces == 1 || plan->pieces == 2 || plan->pieces == 4);
    const uint64_t a = plan->a_digits, b = plan->b_digits;
    EXPECT_TRUE(a * plan->digit_bits >= 64 * an && b * plan->digit_bits >= 64 * bn);
    uint64_t pairs = a < b ? a : b;  // in one coefficient: at most
    pairs += (a > points ? a - points : 0) + (b > points ? b - points : 0);
    const unsigned bits = 2 * (plan->digit_bits - (plan->balanced ? 1 : 0));
    ASSERT_TRUE(bits <= lg_most[plan->primes]);
    const unsigned room = lg_most[plan->primes] - bits;
    // What the last digits of balanced operands exceed, the primes have room for.
    EXPECT_TRUE(room >= 64 || (pairs - 1) >> room == 0);
    fft_modular_plan shape = *plan, high;
    shape.a_digits = shape.b_digits = points / 2;
    EXPECT_TRUE(fft_modular_plan_shape(&shape, &high));
}

// Rings of a power of two of limbs take as many bits a digit as fill the points. Mutations: a digit
// more than the points have; digits of 64 bits where their sums are too long; three primes for all.
TEST(RingPlan, PowersOfTwo) {
    for (unsigned lg = 12; lg <= 28; lg++) {
        SCOPED_TRACE("2^%u limbs", lg);
        const uint64_t n = UINT64_C(1) << lg;
        fft_modular_plan plan;
        ASSERT_TRUE(fft_modular_plan_ring(&plan, n, n, n, n, false, 0, true));
        fits(&plan, n, n, n, n);
        EXPECT_EQ(plan.primes, lg <= 22 ? 3u : 6u);
        ASSERT_TRUE(fft_modular_plan_ring(&plan, n, n, n, n, false, 0, false));
        fits(&plan, n, n, n, n);
        // A limb more has no ring of this length, and one that is longer.
        EXPECT_FALSE(fft_modular_plan_ring(&plan, n, n, n + 1, n + 1, false, 0, true));
        ASSERT_TRUE(fft_modular_plan_ring(&plan, n, n, n + 1, UINT64_MAX, false, 0, true));
        fits(&plan, n, n, n + 1, UINT64_MAX);
    }
}

// Lengths between, factors that are shorter and a little longer. Mutation: digits beyond the ring
// left out of the count.
TEST(RingPlan, Between) {
    for (uint64_t n = 4000; n <= UINT64_C(1) << 27; n += n / 3) {
        SCOPED_TRACE("%llu limbs", (unsigned long long)n);
        fft_modular_plan plan;
        ASSERT_TRUE(fft_modular_plan_ring(&plan, n + 7, n / 2, n, UINT64_MAX, false, 0, true));
        fits(&plan, n + 7, n / 2, n, UINT64_MAX);
        for (unsigned primes = 3; primes <= 6; primes++) {
            if (fft_modular_plan_ring(&plan, n, n + 7, n, 4 * n, false, primes, true)) {
                EXPECT_EQ(plan.primes, primes);
                fits(&plan, n, n + 7, n, 4 * n);
            }
        }
    }
}

// Modulo B^n + 1: one piece, as many points, and room for operands that are residues, one bit
// longer than n limbs. Mutations: the cyclic shapes; a digit of 0 or 1 counted as another pair.
TEST(RingPlan, Negacyclic) {
    for (unsigned lg = 12; lg <= 24; lg++) {
        SCOPED_TRACE("2^%u limbs", lg);
        const uint64_t n = UINT64_C(1) << lg;
        fft_modular_plan plan, minus;
        ASSERT_TRUE(fft_modular_plan_ring(&plan, n, n, n, n, true, 0, true));
        fits(&plan, n, n, n, n);
        ASSERT_TRUE(fft_modular_plan_ring(&minus, n, n, n, n, false, 0, true));
        EXPECT_TRUE(plan.negacyclic && !minus.negacyclic);
        EXPECT_FALSE(fft_modular_same_shape(&plan, &minus));
        EXPECT_EQ(plan.pieces, 1u);
        EXPECT_EQ(plan.lg_outer, 0u);
        EXPECT_EQ(plan.digit_bits, minus.digit_bits);
        fft_modular_plan longer;
        ASSERT_TRUE(fft_modular_plan_ring(&longer, n + 1, n + 1, n, n, true, 0, true));
        EXPECT_TRUE(fft_modular_same_shape(&plan, &longer));
        EXPECT_EQ(longer.digit_bits, plan.digit_bits);
        EXPECT_TRUE(longer.a_digits > plan.a_digits);
    }
}
