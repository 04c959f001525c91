// carry_test.c: carry.h against GMP's value of the same coefficients. May include everything.
#include "carry/carry.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/limbs/limbs.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { COEFFICIENTS_MAX = 40, LIMBS_MAX = (COEFFICIENTS_MAX + 2) * CARRY_WORDS_MAX + 2 };

// How coefficients are filled.
typedef enum { ALL_ONES, UNIFORM, RUNS, SMALL, TOP_VARIES, ZERO, FILLS } fill;

static void fill_coefficients(gen *g, fill how, uint64_t *c, size_t words_in_all) {
    for (size_t i = 0; i < words_in_all; i++) {
        switch (how) {
            case ALL_ONES:
                c[i] = UINT64_MAX;
                break;
            case UNIFORM:
                c[i] = gen_u64(g);
                break;
            case RUNS:
                c[i] = -(gen_u64(g) & 1);
                break;
            case SMALL:
                c[i] = gen_u64(g) % 8 == 0;
                break;
            case TOP_VARIES:  // in the third word: some coefficients exceed 10^(3 k), most do not
                c[i] = gen_u64(g) >> (i % 3 == 2 ? gen_below(g, 64) : 0);
                break;
            default:
                c[i] = 0;
                break;
        }
    }
}

// z = sum c_i radix^i.
static void value_of(mpz_t z, const uint64_t *c, size_t n, unsigned words, const mpz_t radix) {
    mpz_t t;
    mpz_init(t);
    mpz_set_ui(z, 0);
    for (size_t i = n; i-- > 0;) {
        oracle_load(t, c + i * words, words);
        mpz_mul(z, z, radix);
        mpz_add(z, z, t);
    }
    mpz_clear(t);
}

static void radix_pow2(mpz_t radix, unsigned w) {
    mpz_set_ui(radix, 0);
    mpz_setbit(radix, w);
}
static void radix_pow10(mpz_t radix, unsigned k) { mpz_ui_pow_ui(radix, 10, k); }

// Cuts the sequence in blocks of random lengths, checks the limbs written by each, flushes.
static void check_pow2(gen *g, const uint64_t *c, size_t n, unsigned words, unsigned w) {
    SCOPED_TRACE("n = %zu, words = %u, w = %u", n, words, w);
    uint64_t rp[LIMBS_MAX];
    carry_stream s = CARRY_STREAM_INIT;
    mpz_t z, radix;
    mpz_inits(z, radix, NULL);
    size_t at = 0;
    for (size_t i = 0; i < n;) {
        const size_t block = 1 + (size_t)gen_below(g, n - i);
        const size_t full = (s.filled + block * w) / 64;
        rp[at + full] = 0x5555;
        ASSERT_EQ(carry_pow2(rp + at, &s, c + i * words, block, words, w), full);
        ASSERT_EQ(rp[at + full], (uint64_t)0x5555);
        ASSERT_EQ(s.filled, (unsigned)((i + block) * w % 64));
        at += full;
        i += block;
    }
    const size_t limbs = ((n - 1) * w + 64 * words + 63) / 64 + 1;
    ASSERT_EQ(carry_pow2_flush(rp + at, limbs - at, &s), 0);
    radix_pow2(radix, w);
    value_of(z, c, n, words, radix);
    EXPECT_VALUE(rp, limbs, z);
    mpz_clears(z, radix, NULL);
}

// Catches: a carry lost between words, between blocks or at a block's first coefficient; a limb too
// many or too few; the fast paths (three words) differing from the definition; `filled` wrong after
// a block.
TEST(CarryPow2, EqualsTheValueForAllWidths) {
    gen g = gen_seed(1);
    uint64_t c[COEFFICIENTS_MAX * CARRY_WORDS_MAX];
    for (unsigned words = 1; words <= CARRY_WORDS_MAX; words++) {
        for (unsigned w = 1; w <= 64 * words; w += w < 70 ? 1 : 7) {
            for (int how = 0; how < FILLS; how++) {
                const size_t n = 1 + (size_t)gen_below(&g, COEFFICIENTS_MAX);
                fill_coefficients(&g, (fill)how, c, n * words);
                check_pow2(&g, c, n, words, w);
            }
        }
        fill_coefficients(&g, ALL_ONES, c, COEFFICIENTS_MAX * words);
        check_pow2(&g, c, COEFFICIENTS_MAX, words, 64 * words);
    }
}

// The carry after coefficients that are all maximal is the fixed point floor((B^W - 1) / (2^w - 1))
// or one
// less, and a stream may start there: the bound in carry.h is reached, not only respected.
// Catches: state one word too short.
TEST(CarryPow2, StaysAtItsBound) {
    uint64_t c[3 * 200], rp[200 + 8];
    memset(c, 0xff, sizeof c);
    for (unsigned w = 1; w <= 64; w++) {
        SCOPED_TRACE("w = %u", w);
        carry_stream s = CARRY_STREAM_INIT;
        carry_pow2(rp, &s, c, 200, 3, w);
        mpz_t bound, carry, radix;
        mpz_inits(bound, carry, radix, NULL);
        oracle_load(bound, c, 3);
        radix_pow2(radix, w);
        mpz_sub_ui(radix, radix, 1);
        mpz_fdiv_q(bound, bound, radix);
        oracle_load(carry, s.carry, CARRY_WORDS_MAX + 1);
        mpz_sub(bound, bound, carry);
        EXPECT_TRUE(mpz_cmp_ui(bound, 0) >= 0 && mpz_cmp_ui(bound, 1) <= 0);
        mpz_clears(bound, carry, radix, NULL);
    }
}

// Catches: flush that forgets the partial limb, the carry's top words, the zero padding, or that is
// full.
TEST(CarryPow2, FlushWritesWhatIsLeftOrSaysNo) {
    const carry_stream left = {{5, 7, 0, 0, 0, 0, 0, 1}, 3, 2};  // 3 + 4 (5 + 7 B + B^7)
    const uint64_t expected[9] = {23, 28, 0, 0, 0, 0, 0, 4, 0};
    for (size_t n = 0; n <= 9; n++) {
        uint64_t rp[10];
        memset(rp, 0xee, sizeof rp);
        carry_stream s = left;
        EXPECT_EQ(carry_pow2_flush(rp, n, &s), n < 8);
        EXPECT_LIMBS_EQ(rp, expected, n);
        EXPECT_EQ(rp[n], UINT64_C(0xeeeeeeeeeeeeeeee));
        EXPECT_EQ(s.filled, 0u);
        EXPECT_EQ(s.partial, (uint64_t)0);
        EXPECT_EQ(limbs_normalize(s.carry, CARRY_WORDS_MAX + 1), (size_t)0);
    }
}

// The stream starts with the given carry.
static void check_pow10_from(gen *g, carry_stream s, const uint64_t *c, size_t n, unsigned words,
                             unsigned k) {
    SCOPED_TRACE("n = %zu, words = %u, k = %u", n, words, k);
    uint64_t digits[COEFFICIENTS_MAX];
    mpz_t z, t, radix, start;
    mpz_inits(z, t, radix, start, NULL);
    oracle_load(start, s.carry, CARRY_WORDS_MAX + 1);
    for (size_t i = 0; i < n;) {
        const size_t block = 1 + (size_t)gen_below(g, n - i);
        carry_pow10(digits + i, &s, c + i * words, block, words, k);
        i += block;
    }
    radix_pow10(radix, k);
    value_of(z, c, n, words, radix);
    mpz_add(z, z, start);
    for (size_t i = 0; i < n; i++) {
        const uint64_t digit = mpz_fdiv_q_ui(t, z, mpz_get_ui(radix));
        mpz_swap(z, t);
        EXPECT_EQ(digits[i], digit);
    }
    EXPECT_VALUE(s.carry, CARRY_WORDS_MAX + 1, z);
    mpz_clears(z, t, radix, start, NULL);
}

static void check_pow10(gen *g, const uint64_t *c, size_t n, unsigned words, unsigned k) {
    const carry_stream empty = CARRY_STREAM_INIT;
    check_pow10_from(g, empty, c, n, words, k);
}

// Catches: a digit not below the radix, a wrong quotient estimate, a carry of the fast path (three
// words, k >= 15) put at the wrong position or dropped at a block's edge.
TEST(CarryPow10, EqualsTheValueForAllRadices) {
    gen g = gen_seed(2);
    uint64_t c[COEFFICIENTS_MAX * CARRY_WORDS_MAX];
    for (unsigned words = 1; words <= CARRY_WORDS_MAX; words++) {
        for (unsigned k = 1; k <= 19; k++) {
            for (int how = 0; how < FILLS; how++) {
                const size_t n = 1 + (size_t)gen_below(&g, COEFFICIENTS_MAX);
                fill_coefficients(&g, (fill)how, c, n * words);
                check_pow10(&g, c, n, words, k);
            }
        }
    }
}

// Coefficients around 10^(3 k), where three digits stop being enough, up to the end of their top
// word; and a carry around 10^(2 k).
// Catches: the three-digit path taken one coefficient too long, or entered with too large a carry.
TEST(CarryPow10, ChangesPathWhereThreeDigitsEnd) {
    gen g = gen_seed(6);
    uint64_t c[COEFFICIENTS_MAX * 3];
    for (unsigned k = 14; k <= 19; k++) {
        mpz_t cube, z, radix;
        mpz_inits(cube, z, radix, NULL);
        radix_pow10(radix, k);
        mpz_pow_ui(cube, radix, 3);
        for (int round = 0; round < 60; round++) {
            const size_t n = 1 + (size_t)gen_below(&g, COEFFICIENTS_MAX);
            for (size_t i = 0; i < n; i++) {
                mpz_sub_ui(z, cube, 1);
                if (gen_below(&g, 4) == 0) mpz_add_ui(z, z, (unsigned long)gen_below(&g, 3));
                oracle_store(c + 3 * i, 3, z);
                if (gen_below(&g, 4) == 0) c[3 * i] = c[3 * i + 1] = UINT64_MAX;
                if (gen_below(&g, 4) == 0) c[3 * i] = c[3 * i + 1] = 0;
            }
            check_pow10(&g, c, n, 3, k);
            carry_stream s = CARRY_STREAM_INIT;  // 10^2k - 1 + a few 10^k
            mpz_mul_ui(z, radix, (unsigned long)gen_below(&g, 4));
            mpz_addmul(z, radix, radix);
            mpz_sub_ui(z, z, 1);
            oracle_store(s.carry, CARRY_WORDS_MAX + 1, z);
            for (size_t i = 0; i < 3 * n; i++) c[i] = i % 3 == 2 ? 0 : gen_u64(&g);
            check_pow10_from(&g, s, c, n, 3, k);
        }
        mpz_clears(cube, z, radix, NULL);
    }
}

// Digits all 10^k - 1 except the last carry: the ripple of CarryPow10's last addition.
// Catches: a carry of 1 that stops at a digit 10^k - 1.
TEST(CarryPow10, RipplesThroughNines) {
    gen g = gen_seed(3);
    uint64_t c[COEFFICIENTS_MAX * 3] = {0};
    for (unsigned k = 1; k <= 19; k++) {
        mpz_t radix;
        mpz_init(radix);
        radix_pow10(radix, k);
        for (size_t i = 0; i < COEFFICIENTS_MAX; i++) c[3 * i] = mpz_get_ui(radix) - (i > 0);
        check_pow10(&g, c, COEFFICIENTS_MAX, 3, k);
        mpz_clear(radix);
    }
}

// --- Ranges --------------------------------------------------------------------------------------

enum { RANGES = 5, RANGE = 64 };  // coefficients to a range; 64 w bits are whole limbs

static void check_join_pow2(const uint64_t *c, unsigned words, unsigned w) {
    SCOPED_TRACE("words = %u, w = %u", words, w);
    enum { N = RANGES * RANGE };
    const size_t limbs = (size_t)N * w + CARRY_WORDS_MAX + 1, step = (size_t)w * RANGE / 64;
    uint64_t *one = malloc(limbs * sizeof *one), *joined = malloc(limbs * sizeof *joined);
    carry_stream s = CARRY_STREAM_INIT, out[RANGES];
    size_t at = carry_pow2(one, &s, c, N, words, w);
    ASSERT_EQ(carry_pow2_flush(one + at, limbs - at, &s), 0);
    memset(joined, 0, limbs * sizeof *joined);
    for (size_t i = 0; i < RANGES; i++) {
        out[i] = (carry_stream)CARRY_STREAM_INIT;
        carry_pow2(joined + i * step, &out[i], c + i * RANGE * words, RANGE, words, w);
    }
    carry_stream *const last = &out[RANGES - 1];
    for (size_t i = 0; i + 1 < RANGES; i++) {
        carry_join_pow2(joined + (i + 1) * step, (RANGES - 1 - i) * step, last, &out[i]);
        EXPECT_EQ(limbs_normalize(out[i].carry, CARRY_WORDS_MAX + 1), (size_t)0);
    }
    ASSERT_EQ(carry_pow2_flush(joined + RANGES * step, limbs - RANGES * step, last), 0);
    EXPECT_LIMBS_EQ(one, joined, limbs);
    free(one);
    free(joined);
}

// Catches: a carry-out added at the wrong limb, or a ripple that ends at the next range's end.
TEST(CarryJoin, RangesOfLimbsEqualOneStream) {
    gen g = gen_seed(4);
    uint64_t c[RANGES * RANGE * CARRY_WORDS_MAX];
    for (unsigned words = 1; words <= CARRY_WORDS_MAX; words++) {
        for (unsigned w = 1; w <= 64 * words; w += 1 + w / 5) {
            for (int how = 0; how < FILLS; how++) {
                fill_coefficients(&g, (fill)how, c, (size_t)RANGES * RANGE * words);
                check_join_pow2(c, words, w);
            }
        }
    }
    // 2^w, then only 2^w - 1: one carry that crosses every range.
    memset(c, 0, sizeof c);
    for (size_t i = 0; i < RANGES * RANGE; i++) c[3 * i] = UINT64_MAX;
    c[1] = 1;
    check_join_pow2(c, 3, 64);
    for (size_t i = 0; i < RANGES * RANGE; i++) c[3 * i] = (UINT64_C(1) << 61) - (i > 0);
    c[1] = 0;
    check_join_pow2(c, 3, 61);
}

// A last range of a few coefficients, so of fewer limbs than are carried into it, and of bits that
// fill no limb. Catches: what passes them lost, added at their place, or without the partial limb's
// bits below it.
TEST(CarryJoin, ShortLastRanges) {
    enum { MOST = RANGE + 6 };
    gen g = gen_seed(6);
    uint64_t c[MOST * CARRY_WORDS_MAX], one[MOST * CARRY_WORDS_MAX + CARRY_WORDS_MAX + 1];
    uint64_t joined[sizeof one / sizeof *one];
    for (unsigned words = 1; words <= CARRY_WORDS_MAX; words++) {
        for (unsigned w = 1; w <= 64 * words; w += 1 + w / 5) {
            for (int how = 0; how < FILLS; how++) {
                const size_t more = 1 + gen_below(&g, MOST - RANGE), n = RANGE + more;
                const size_t limbs = (n * w + 63) / 64 + words + 1, step = w;
                carry_stream s = CARRY_STREAM_INIT, low = s, last = s;
                SCOPED_TRACE("words = %u, w = %u, %zu more", words, w, more);
                fill_coefficients(&g, (fill)how, c, n * words);
                const size_t whole = carry_pow2(one, &s, c, n, words, w);
                ASSERT_EQ(carry_pow2_flush(one + whole, limbs - whole, &s), 0);
                carry_pow2(joined, &low, c, RANGE, words, w);
                const size_t at =
                    step + carry_pow2(joined + step, &last, c + RANGE * words, more, words, w);
                carry_join_pow2(joined + step, at - step, &last, &low);
                ASSERT_EQ(carry_pow2_flush(joined + at, limbs - at, &last), 0);
                EXPECT_LIMBS_EQ(one, joined, limbs);
            }
        }
    }
}

static void check_join_pow10(const uint64_t *c, unsigned words, unsigned k) {
    SCOPED_TRACE("words = %u, k = %u", words, k);
    // The carry of the last range has at most 64 * 7 / log2(10) + 1 = 136 digits of base 10.
    enum { N = RANGES * RANGE, ROOM = N + 140 };
    uint64_t one[ROOM] = {0}, joined[ROOM] = {0};
    carry_stream s = CARRY_STREAM_INIT, out[RANGES];
    carry_pow10(one, &s, c, N, words, k);
    carry_join_pow10(one + N, ROOM - N, &s, k);
    EXPECT_EQ(limbs_normalize(s.carry, CARRY_WORDS_MAX + 1), (size_t)0);
    for (size_t i = 0; i < RANGES; i++) {
        out[i] = (carry_stream)CARRY_STREAM_INIT;
        carry_pow10(joined + i * RANGE, &out[i], c + i * RANGE * words, RANGE, words, k);
    }
    for (size_t i = 0; i < RANGES; i++) {
        carry_join_pow10(joined + (i + 1) * RANGE, ROOM - (i + 1) * RANGE, &out[i], k);
    }
    EXPECT_LIMBS_EQ(one, joined, ROOM);
}

// Catches: the same, and a sum of two digits that exceeds a word (k = 19).
TEST(CarryJoin, RangesOfDigitsEqualOneStream) {
    gen g = gen_seed(5);
    uint64_t c[RANGES * RANGE * CARRY_WORDS_MAX];
    for (unsigned words = 1; words <= CARRY_WORDS_MAX; words++) {
        for (unsigned k = 1; k <= 19; k++) {
            for (int how = 0; how < FILLS; how++) {
                fill_coefficients(&g, (fill)how, c, (size_t)RANGES * RANGE * words);
                check_join_pow10(c, words, k);
            }
        }
    }
    uint64_t radix = 1;
    for (unsigned k = 1; k <= 19; k++) {
        radix *= 10;
        memset(c, 0, sizeof c);
        for (size_t i = 0; i < RANGES * RANGE; i++) c[3 * i] = radix - (i > 0);
        check_join_pow10(c, 3, k);
    }
}
