// modular_plan_test.c: plans of modular convolutions on a device, without one.
#include "fft/device/modular/convolution.h"
#include "tests/ctest/ctest.h"

// sum_fits: coefficients of a plan for sums are within 2^148, whatever the terms' signs.
static void sum_fits(uint64_t n, uint64_t terms) {
    fft_modular_plan plan;
    if (!fft_modular_plan_sum(&plan, n, n, terms, 3, true)) {
        EXPECT_TRUE(terms > 1 << 20 || n > 1 << 30);
        return;
    }
    const uint64_t digits = (n * 64 + plan.digit_bits - 1) / plan.digit_bits;
    EXPECT_EQ(plan.a_digits, digits);
    EXPECT_TRUE(2 * digits - 1 <= fft_modular_points(&plan));
    const unsigned bits = 2 * (plan.digit_bits - (plan.balanced ? 1 : 0));
    EXPECT_TRUE(bits <= 148 &&
                (terms * (digits + (plan.balanced ? 2 : 0)) - 1) >> (148 - bits) == 0);
}

// Mutations: digits as wide as for one product, the last digit's two left out of the count.
TEST(ModularPlan, Sums) {
    for (uint64_t terms = 2; terms <= 1 << 24; terms *= 3) {
        for (uint64_t n = 1; n <= 1 << 24; n *= 2) {
            SCOPED_TRACE("%llu terms of %llu limbs", (unsigned long long)terms,
                         (unsigned long long)n);
            sum_fits(n, terms);
            sum_fits(n + 1, terms);
        }
    }
    fft_modular_plan plan;
    EXPECT_TRUE(fft_modular_plan_sum(&plan, 1 << 18, 1 << 18, 4, 3, true) && !plan.balanced);
    EXPECT_EQ(plan.digit_bits, 64);
    EXPECT_TRUE(fft_modular_plan_sum(&plan, 1 << 18, 1 << 18, 5, 3, true) && plan.balanced);
    EXPECT_FALSE(fft_modular_plan_sum(&plan, 1, 1, ((uint64_t)1 << 31) + 1, 0, true));
}

// Mutation: fewer parts or shorter parts of an outer pass, which leave the longest operands none.
TEST(ModularPlan, LongOperands) {
    for (uint64_t n = 1 << 24; n <= 1 << 30; n += n / 4) {
        fft_modular_plan plan, high;
        ASSERT_TRUE(fft_modular_plan_limbs(&plan, &high, n, n, 0, true));
        const uint64_t points = fft_modular_points(&plan) + plan.wrapped;
        EXPECT_TRUE(plan.a_digits + plan.b_digits - 1 <= points);
        EXPECT_TRUE(fft_modular_plan_shape(&plan, &high));
    }
}

// A device without clusters has no shapes with spread tiles, and others for all lengths. Mutation:
// plans that do not ask for clusters.
TEST(ModularPlan, WithoutClusters) {
    enum { LG_ROWS_ALONE = 9 };
    for (uint64_t n = 1 << 20; n <= 1 << 30; n += n / 4) {
        fft_modular_plan plan, high;
        ASSERT_TRUE(fft_modular_plan_limbs(&plan, &high, n, n, 0, false));
        EXPECT_TRUE(plan.lg_rows <= LG_ROWS_ALONE);
        EXPECT_TRUE(plan.wrapped == 0 || high.lg_rows <= LG_ROWS_ALONE);
    }
}
