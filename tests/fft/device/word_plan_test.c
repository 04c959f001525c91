// word_plan_test.c: plans for words in base 10^k: which are exact, and that their shapes hold every
// coefficient.
#include "fft/device/modular/word_plan.h"

#include "tests/ctest/ctest.h"

static const uint64_t radix = UINT64_C(1000000000000000000);  // 10^18
enum { PAIRS_MOST = 356811923 };                              // 2^148 / (10^18 - 1)^2, rounded down

// expect_room expects a plan for an by bn words to have a place for each coefficient, and its high
// convolution for all that wrap around.
static void expect_room(uint64_t an, uint64_t bn) {
    SCOPED_TRACE("%llu by %llu words", (unsigned long long)an, (unsigned long long)bn);
    fft_modular_plan plan, high;
    ASSERT_TRUE(fft_modular_plan_words(&plan, &high, an, bn, radix - 1, true));
    const uint64_t points = fft_modular_points(&plan), count = an + bn - 1;
    EXPECT_EQ(plan.a_digits, an);
    EXPECT_EQ(plan.b_digits, bn);
    EXPECT_EQ(plan.digit_bits, 64u);
    EXPECT_EQ(plan.primes, 3u);
    EXPECT_FALSE(plan.balanced);
    EXPECT_EQ(plan.wrapped, count > points ? count - points : 0);
    if (plan.wrapped > 0) {
        EXPECT_TRUE(fft_modular_points(&high) >= high.a_digits + high.b_digits - 1);
        EXPECT_TRUE(high.a_first + high.a_digits == an && high.b_first + high.b_digits == bn);
    }
}

// Mutations: digits of the plan for limbs are kept; a shape for fewer digits; the high convolution
// is that of the limbs.
TEST(WordPlan, HasRoom) {
    static const uint64_t lengths[] = {1,        2,        4095,     4096,    4097,    1000000,
                                       1 << 20,  1048577,  1 << 22,  4194305, 5555556, 1 << 24,
                                       16777217, 20000000, 55555556, 1 << 26};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        expect_room(lengths[i], lengths[i]);
        expect_room(lengths[i], 1);
        expect_room(3, lengths[i]);
        expect_room(lengths[i], lengths[i] - lengths[i] / 3);
    }
    for (uint64_t n = 1 << 21; n < 1 << 25; n += 777777) {
        expect_room(n, n);
    }
}

// Mutations: balanced or narrower digits cost another shape than words do.
TEST(WordPlan, HasTheShapeOfLimbs) {
    for (uint64_t n = 1000; n <= 1 << 20; n += n / 3) {
        fft_modular_plan words, limbs, high;
        ASSERT_TRUE(fft_modular_plan_words(&words, &high, n, n, radix - 1, true));
        ASSERT_TRUE(fft_modular_plan_limbs(&limbs, &high, n, n, 3, true));
        EXPECT_TRUE(fft_modular_same_shape(&words, &limbs));
    }
}

// Mutations: the bound takes 2^149, one pair more, or the longer factor; words of 19 digits pass.
TEST(WordPlan, RefusesWhatIsNotExact) {
    fft_modular_plan plan, high;
    EXPECT_TRUE(fft_modular_plan_words(&plan, &high, PAIRS_MOST, PAIRS_MOST, radix - 1, true));
    EXPECT_FALSE(
        fft_modular_plan_words(&plan, &high, PAIRS_MOST + 1, PAIRS_MOST + 1, radix - 1, true));
    EXPECT_TRUE(fft_modular_plan_words(&plan, &high, PAIRS_MOST + 1, 1000, radix - 1, true));
    EXPECT_TRUE(fft_modular_plan_words(&plan, &high, 3568025, 3568025, 10 * radix - 1, true));
    EXPECT_FALSE(fft_modular_plan_words(&plan, &high, 3600000, 3600000, 10 * radix - 1, true));
    EXPECT_FALSE(fft_modular_plan_words(&plan, &high, UINT64_C(1) << 31, 1, radix - 1, true));
    EXPECT_FALSE(fft_modular_plan_words(&plan, &high, (UINT64_C(1) << 31) - 1,
                                        (UINT64_C(1) << 31) - 1, 1, true));
}
