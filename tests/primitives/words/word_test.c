// word_test.c: word.h, inverse.h and word_div.h at the ends of their ranges.
#include "primitives/words/word.h"

#include "primitives/words/inverse.h"
#include "primitives/words/word_div.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 UINT64_C(0xffffffff),
                                 UINT64_C(1) << 32,
                                 (UINT64_C(1) << 63) - 1,
                                 UINT64_C(1) << 63,
                                 (UINT64_C(1) << 63) + 1,
                                 UINT64_MAX - 1,
                                 UINT64_MAX};
enum { EDGES = sizeof edges / sizeof *edges };

// Catches: a carry lost when a + b wraps to 2^64 - 1 and a carry comes in; likewise the borrow.
TEST(Word, AddSubtractMultiplyAtTheEdges) {
    for (size_t i = 0; i < EDGES; i++) {
        for (size_t j = 0; j < EDGES; j++) {
            const uint64_t a = edges[i], b = edges[j];
            for (uint64_t c = 0; c < 2; c++) {
                uint64_t carry = c;
                const uint64_t sum = word_add(a, b, &carry);
                EXPECT_TRUE(((word_pair)carry << 64 | sum) == (word_pair)a + b + c);
                uint64_t borrow = c;
                const uint64_t difference = word_sub(a, b, &borrow);
                EXPECT_EQ(difference, a - b - c);
                EXPECT_EQ(borrow, (uint64_t)((word_pair)a < (word_pair)b + c));
            }
            uint64_t hi;
            const uint64_t lo = word_mul(&hi, a, b);
            EXPECT_TRUE(((word_pair)hi << 64 | lo) == (word_pair)a * b);
            if (b > 0) EXPECT_EQ(word_ceil_div(a, b), a / b + (a % b > 0));
        }
    }
}

// Catches: a step too few.
TEST(Word, InverseOfOddWords) {
    gen g = gen_seed(2);
    for (int round = 0; round < 1000; round++) {
        const uint64_t a = (round < EDGES ? edges[round] : gen_u64(&g)) | 1;
        EXPECT_EQ(a * word_inverse(a), 1u);
    }
}

// Mutations: the dividend's lower word is 0; its upper word is not the complement.
TEST(WordDiv, ReciprocalByItsDefinition) {
    gen g = gen_seed(3);
    for (int round = 0; round < 4000; round++) {
        const uint64_t top = UINT64_C(1) << 63;
        const uint64_t d = round < 40   ? top + (uint64_t)round
                           : round < 80 ? UINT64_MAX - (uint64_t)(round - 40)
                                        : gen_u64(&g) | top;
        const word_pair all = ~(word_pair)0;
        ASSERT_TRUE(word_reciprocal(d) == (uint64_t)(all / d - ((word_pair)1 << 64)));
    }
}

// Catches: an estimate left uncorrected, above or below; u1 = d - 1 and u1 = 0.
TEST(WordDiv, StepEqualsLongDivision) {
    gen g = gen_seed(1);
    for (int round = 0; round < 20000; round++) {
        uint64_t d = edges[gen_below(&g, EDGES)];
        if (d == 0 || round % 2 == 0) d = gen_u64(&g) >> gen_below(&g, 64) | 1;
        const word_divisor divisor = word_divisor_of(d);
        ASSERT_EQ(divisor.normalized, d << word_clz(d));
        const uint64_t n = divisor.normalized;
        const uint64_t u1 = round % 3 == 0   ? n - 1
                            : round % 3 == 1 ? gen_below(&g, n)
                                             : gen_below(&g, 4) % n;
        const uint64_t u0 = round % 5 == 0 ? edges[gen_below(&g, EDGES)] : gen_u64(&g);
        uint64_t r;
        const uint64_t q = word_div_step(&r, u1, u0, &divisor);
        const word_pair u = (word_pair)u1 << 64 | u0;
        ASSERT_EQ(q, (uint64_t)(u / n));
        ASSERT_EQ(r, (uint64_t)(u % n));
    }
}

// Catches: shift 0 treated as a shift by 64.
TEST(WordDiv, ShiftIn) {
    EXPECT_EQ(word_shift_in(5, UINT64_MAX, 0), (uint64_t)5);
    EXPECT_EQ(word_shift_in(5, UINT64_MAX, 1), (uint64_t)11);
    EXPECT_EQ(word_shift_in(1, 2, 63), (UINT64_C(1) << 63) + 1);
}
