// word_plan_test.c: plans for digits in base 10^k: which are exact, and that their shapes hold
// every coefficient.
#include "fft/device/modular/word_plan.h"

#include "tests/ctest/ctest.h"

// Bases 10^19, 10^26 and 10^38, and the most digits of the shorter factor, 2^lg / (10^k - 1)^2
// rounded down, that are exact.
enum { BASES = 3 };
static const struct {
    fft_modular_words words;
    uint64_t pairs;
} bases[BASES] = {
    {{3, 64, UINT64_C(10000000000000000000)}, 3568119},
    {{4, 87, UINT64_C(11920928955078125000)}, 20086725},
    {{6, 128, UINT64_C(5421010862427522171)}, UINT64_MAX},
};

static uint64_t plan_of(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an, uint64_t bn,
                        unsigned base) {
    return fft_modular_plan_words(plan, high, an, bn, &bases[base].words, true);
}

// expect_room expects a plan for an by bn digits to have a place for each coefficient, and its high
// convolution for all that wrap around.
static void expect_room(uint64_t an, uint64_t bn, unsigned base) {
    SCOPED_TRACE("%llu by %llu digits, base %u", (unsigned long long)an, (unsigned long long)bn,
                 base);
    fft_modular_plan plan, high;
    if ((an < bn ? an : bn) > bases[base].pairs) {
        EXPECT_EQ(plan_of(&plan, &high, an, bn, base), UINT64_MAX);
        return;
    }
    ASSERT_TRUE(plan_of(&plan, &high, an, bn, base) != UINT64_MAX);
    const uint64_t points = fft_modular_points(&plan), count = an + bn - 1;
    EXPECT_EQ(plan.a_digits, an);
    EXPECT_EQ(plan.b_digits, bn);
    EXPECT_EQ(plan.digit_bits, bases[base].words.bits);
    EXPECT_EQ(plan.primes, bases[base].words.primes);
    EXPECT_FALSE(plan.balanced);
    EXPECT_EQ(plan.wrapped, count > points ? count - points : 0);
    if (plan.wrapped > 0) {
        EXPECT_TRUE(fft_modular_points(&high) >= high.a_digits + high.b_digits - 1);
        EXPECT_TRUE(high.a_first + high.a_digits == an && high.b_first + high.b_digits == bn);
        EXPECT_EQ(high.a_first * high.digit_bits % 64, 0u);
        EXPECT_EQ(high.b_first * high.digit_bits % 64, 0u);
    }
}

// Mutations: a shape for fewer digits; digits of a high convolution begin within a word.
TEST(WordPlan, HasRoom) {
    static const uint64_t lengths[] = {1,        2,        4095,     4096,    4097,    1000000,
                                       1 << 20,  1048577,  1 << 22,  4194305, 5263158, 1 << 24,
                                       16777217, 20000000, 55555556, 1 << 26};
    for (unsigned base = 0; base < BASES; base++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            expect_room(lengths[i], lengths[i], base);
            expect_room(lengths[i], 1, base);
            expect_room(3, lengths[i], base);
            expect_room(lengths[i], lengths[i] - lengths[i] / 3, base);
        }
        for (uint64_t n = 1 << 21; n < 1 << 25; n += 777777) {
            expect_room(n, n, base);
        }
    }
}

// Mutations: balanced or narrower digits cost another shape than words do.
TEST(WordPlan, HasTheShapeOfLimbs) {
    for (uint64_t n = 1000; n <= 1 << 20; n += n / 3) {
        fft_modular_plan words, limbs, high;
        ASSERT_TRUE(plan_of(&words, &high, n, n, 0) != UINT64_MAX);
        ASSERT_TRUE(fft_modular_plan_limbs(&limbs, &high, n, n, 3, true));
        EXPECT_TRUE(fft_modular_same_shape(&words, &limbs));
    }
}

// Mutations: the bound takes one power of two more, one pair more, or the longer factor.
TEST(WordPlan, RefusesWhatIsNotExact) {
    fft_modular_plan plan, high;
    for (unsigned base = 0; base < BASES - 1; base++) {
        const uint64_t pairs = bases[base].pairs;
        EXPECT_TRUE(plan_of(&plan, &high, pairs, pairs, base) != UINT64_MAX);
        EXPECT_EQ(plan_of(&plan, &high, pairs + 1, pairs + 1, base), UINT64_MAX);
        EXPECT_TRUE(plan_of(&plan, &high, pairs + 1, 1000, base) != UINT64_MAX);
    }
    EXPECT_EQ(plan_of(&plan, &high, UINT64_C(1) << 31, 1, 0), UINT64_MAX);
    EXPECT_TRUE(plan_of(&plan, &high, UINT64_C(1) << 29, UINT64_C(1) << 29, 2) != UINT64_MAX);
    EXPECT_EQ(plan_of(&plan, &high, UINT64_C(1) << 30, UINT64_C(1) << 30, 2), UINT64_MAX);
}
