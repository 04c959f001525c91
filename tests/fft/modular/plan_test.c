// Plans: shapes that cover the digits, exactness at the limits and refusal beyond them.
#include "primitives/words/word.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/support/gen.h"

enum { LG_POINTS_MAX = 31, PRODUCT_LG = 149 };

// The parameters of AVX-512, of all other variants, and of a team.
static const fft_shape wide = {.row = 10, .rows = 5}, narrow = {.row = 8, .rows = 7},
                       shared = {.row = 10, .rows = 5, .team = 4};

// expect_covers: what every plan promises, whatever its tuning.
static void expect_covers(const fft_plan *plan) {
    const uint64_t columns = (uint64_t)1 << plan->lg_columns;
    EXPECT_TRUE(plan->rows << plan->lg_columns >= plan->a_digits + plan->b_digits);
    EXPECT_TRUE((plan->rows - 1) << plan->lg_columns < plan->a_digits + plan->b_digits);
    if (fft_plan_lg(plan) >= 12) {  // few rows, but not so few that sizes take large steps
        EXPECT_TRUE(plan->rows >= 9);
    }
    EXPECT_TRUE(plan->rows >= 1 && plan->rows <= (uint64_t)1 << plan->lg_rows);
    EXPECT_TRUE(plan->row_stride >= columns && plan->row_stride % 8 == 0);
    EXPECT_TRUE(plan->lg_columns >= 6);  // a leaf of 8 x 8
    EXPECT_TRUE(plan->lg_strip >= 3 && plan->lg_strip <= plan->lg_columns);
    EXPECT_TRUE(fft_plan_lg(plan) <= LG_POINTS_MAX);
    EXPECT_EQ(fft_plan_plane_bytes(plan), plan->rows * plan->row_stride * 8);
    EXPECT_EQ(fft_plan_buffer_bytes(plan), (uint64_t)8 << (plan->lg_rows + plan->lg_strip));
}

// sums_fit: count products of digits below 2^bits stay within 2^149.
static bool sums_fit(uint64_t count, unsigned bits) {
    return count <= (uint64_t)1 << 63 && 2 * bits <= PRODUCT_LG &&
           (PRODUCT_LG - 2 * bits >= 64 || count <= (uint64_t)1 << (PRODUCT_LG - 2 * bits));
}

static void expect_limbs_shape(fft_shape shape, uint64_t an, uint64_t bn) {
    SCOPED_TRACE("%llu by %llu limbs", (unsigned long long)an, (unsigned long long)bn);
    fft_plan plan;
    if (!fft_plan_limbs(&plan, shape, an, bn)) {
        // 58-bit digits always fit: only the number of points can be the reason
        EXPECT_TRUE(an > (uint64_t)1 << 31 || bn > (uint64_t)1 << 31 ||
                    word_ceil_div(an * 64, 58) + word_ceil_div(bn * 64, 58) > (uint64_t)1
                                                                                  << LG_POINTS_MAX);
        return;
    }
    expect_covers(&plan);
    EXPECT_TRUE(plan.digit_bits >= 58 && plan.digit_bits <= 64);
    EXPECT_EQ(plan.a_digits, word_ceil_div(an * 64, plan.digit_bits));
    EXPECT_EQ(plan.b_digits, word_ceil_div(bn * 64, plan.digit_bits));
    const uint64_t count = plan.a_digits < plan.b_digits ? plan.a_digits : plan.b_digits;
    EXPECT_TRUE(sums_fit(count, plan.digit_bits));
    if (plan.digit_bits < 64) {  // no wider digit would do
        const unsigned bits = plan.digit_bits + 1;
        const uint64_t shorter = an < bn ? an : bn;
        EXPECT_FALSE(sums_fit(word_ceil_div(shorter * 64, bits), bits));
    }
}

static void expect_limbs(uint64_t an, uint64_t bn) {
    expect_limbs_shape(wide, an, bn);
    expect_limbs_shape(narrow, an, bn);
    expect_limbs_shape(shared, an, bn);
}

// expect_sums: the widest digits with a bit for the sign, and room for every cut of the operands.
static void expect_sums(uint64_t limbs, uint64_t shorter, uint64_t terms) {
    SCOPED_TRACE("%llu sums of %llu limbs, %llu", (unsigned long long)terms,
                 (unsigned long long)limbs, (unsigned long long)shorter);
    fft_plan plan;
    ASSERT_TRUE(fft_plan_sum(&plan, wide, limbs, shorter, terms));
    expect_covers(&plan);
    const unsigned bits = plan.digit_bits;
    const uint64_t digits = plan.a_digits + plan.b_digits;
    for (uint64_t n = shorter; n > 0 && n + 3 > shorter; n--) {
        const uint64_t a = word_ceil_div((limbs - n) * 64, bits), b = word_ceil_div(n * 64, bits);
        EXPECT_TRUE(a + b <= digits && digits <= a + b + 1);
        EXPECT_TRUE(sums_fit(2 * terms * b, bits));
    }
    if (bits < 64) {
        EXPECT_FALSE(sums_fit(2 * terms * word_ceil_div(shorter * 64, bits + 1), bits + 1));
    }
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        EXPECT_TRUE(plan.bias[i] != 0);
    }
}

// Mutations: no bit for the sign, the terms left out of the count, a digit too few where both
// operands end in one that is not full.
TEST(Plan, Sums) {
    for (uint64_t terms = 1; terms <= (uint64_t)1 << 31; terms *= 2) {
        for (uint64_t n = 1; n < (uint64_t)1 << 24; n = 3 * n + 1) {
            expect_sums(2 * n, n, terms);
            expect_sums(5 * n, n, terms);
            expect_sums(2 * n + 1, n, terms + (terms < (uint64_t)1 << 31));
        }
    }
    fft_plan plan;
    EXPECT_FALSE(fft_plan_sum(&plan, wide, 2, 1, ((uint64_t)1 << 31) + 1));
    EXPECT_FALSE(fft_plan_sum(&plan, wide, ((uint64_t)1 << 31) + 1, 1, 1));
    EXPECT_TRUE(fft_plan_limbs(&plan, wide, 7, 7) && plan.bias[0] == 0);
}

// Mutations: columns rounded down, the shorter operand's digits counted from the longer, ceil(log2)
// for floor(log2) or the other way round.
TEST(Plan, CoversItsDigits) {
    gen g = gen_seed(1);
    for (uint64_t n = 1; n <= 700; n++) {
        expect_limbs(n, 1);
        expect_limbs(n, n);
        expect_limbs(n / 3 + 1, n);
    }
    for (int i = 0; i < 20000; i++) {
        expect_limbs(gen_size(&g, 1, (size_t)1 << 31), gen_size(&g, 1, (size_t)1 << 31));
    }
    for (unsigned lg = 1; lg <= 31; lg++) {
        for (uint64_t d = 0; d < 3; d++) {
            const uint64_t n = ((uint64_t)1 << lg) + d - 1;
            expect_limbs(n, n);
            expect_limbs(n, 1);
            expect_limbs(1, n);
        }
    }
}

// The widest digits at the number of digits where they stop being exact. Mutation: <= 149 becomes
// < 149 or <= 150, or the count is off by one.
TEST(Plan, DigitWidthAtItsLimits) {
    fft_plan plan;
    const uint64_t limit64 = (uint64_t)1 << 21;  // 2^21 (2^64)^2 = 2^149
    ASSERT_TRUE(fft_plan_limbs(&plan, wide, limit64, limit64));
    EXPECT_EQ(plan.digit_bits, 64u);
    ASSERT_TRUE(fft_plan_limbs(&plan, wide, 20 * limit64, limit64));
    EXPECT_EQ(plan.digit_bits, 64u);
    ASSERT_TRUE(fft_plan_limbs(&plan, wide, limit64 + 1, limit64 + 1));
    EXPECT_EQ(plan.digit_bits, 63u);
    const uint64_t limbs63 = ((uint64_t)1 << 23) * 63 / 64;  // 2^23 digits
    ASSERT_TRUE(fft_plan_limbs(&plan, wide, limbs63, limbs63));
    EXPECT_EQ(plan.digit_bits, 63u);
    EXPECT_EQ(plan.a_digits, (uint64_t)1 << 23);
    ASSERT_TRUE(fft_plan_limbs(&plan, wide, limbs63 + 1, limbs63 + 1));
    EXPECT_EQ(plan.digit_bits, 62u);
}

// Mutations: the number of points compared with <, an + bn wraps around, a refusal that is none.
TEST(Plan, RefusesTooManyPoints) {
    fft_plan plan;
    const uint64_t most = (uint64_t)1 << LG_POINTS_MAX;
    ASSERT_TRUE(fft_plan_words(&plan, wide, most - 1, 1, 0));
    expect_covers(&plan);
    EXPECT_FALSE(fft_plan_words(&plan, wide, most, 1, 0));
    EXPECT_FALSE(fft_plan_words(&plan, wide, most - 1, 2, 0));
    ASSERT_TRUE(fft_plan_words(&plan, wide, most / 2, most / 2, 10));
    expect_covers(&plan);
    EXPECT_FALSE(fft_plan_words(&plan, wide, most / 2, most / 2 + 1, 10));
    EXPECT_FALSE(fft_plan_limbs(&plan, wide, most, 1));
    EXPECT_FALSE(fft_plan_limbs(&plan, wide, most / 2, most / 2));  // in digits of 59 bits
    EXPECT_FALSE(fft_plan_limbs(&plan, wide, UINT64_MAX, 1));
    EXPECT_FALSE(fft_plan_limbs(&plan, wide, UINT64_MAX, UINT64_MAX));
    EXPECT_FALSE(fft_plan_words(&plan, wide, UINT64_MAX, 1, 0));
    EXPECT_FALSE(fft_plan_words(&plan, wide, 1, UINT64_MAX, 10));
}

// The largest number of digits of a radix whose sums are proved to fit: count ceil(radix^2 /
// 2^64) <= 2^85, the bound of fft/modular/plan.c in its own words. Mutations: radix^2 rounded down,
// the longer operand counted, radix 0 taken for no digits at all.
TEST(Plan, RadixLimits) {
    static const struct {
        uint64_t radix, count;
    } cases[] = {
        {0, (uint64_t)1 << 21},
        {10000000000000000000u, ((word_pair)1 << 85) / 5421010862427522171u},
        {1000000000000000000u, ((word_pair)1 << 85) / 54210108624275222u},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t radix = cases[i].radix, count = cases[i].count;
        SCOPED_TRACE("radix %llu, %llu digits", (unsigned long long)radix,
                     (unsigned long long)count);
        fft_plan plan;
        ASSERT_TRUE(fft_plan_words(&plan, wide, count, count, radix));
        EXPECT_EQ(plan.digit_bits, 64u);
        EXPECT_EQ(plan.a_digits, count);
        expect_covers(&plan);
        ASSERT_TRUE(fft_plan_words(&plan, wide, count, count + count / 2, radix));
        expect_covers(&plan);
        EXPECT_FALSE(fft_plan_words(&plan, wide, count + 1, count + 1, radix));
        // the bound itself, in 2^-64 units: count radix^2 <= 2^149
        if (radix != 0) {
            const word_pair square = (word_pair)radix * radix;
            EXPECT_TRUE((word_pair)count * ((uint64_t)(square >> 64) + 1) <= (word_pair)1 << 85);
        }
    }
}

// Mutation: a partial last digit is not counted.
TEST(Plan, DigitsOfAnOperand) {
    fft_plan plan;
    const uint64_t n = ((uint64_t)1 << 21) + 5, word = 7;
    ASSERT_TRUE(fft_plan_limbs(&plan, wide, n, n));
    fft_digits d = fft_plan_digits(&plan, &word, 1);
    EXPECT_EQ(d.bits, 63u);
    EXPECT_EQ(d.count, (uint64_t)2);
    EXPECT_EQ(d.words_n, (uint64_t)1);
    EXPECT_TRUE(d.words == &word);
    d = fft_plan_digits(&plan, &word, n);
    EXPECT_EQ(d.count, plan.a_digits);
    ASSERT_TRUE(fft_plan_words(&plan, wide, 5, 7, 0));
    EXPECT_EQ(fft_plan_digits(&plan, &word, 5).count, (uint64_t)5);
}
