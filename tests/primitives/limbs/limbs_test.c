// limbs_test.c: the linear operations of limbs.h and division by a word against GMP.
#include "primitives/limbs/limbs.h"

#include <gmp.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { N = 40 };

// Calls body for every length up to N and pairs of shapes; a and b may be edited.
typedef void pair_check(gen *g, uint64_t *a, uint64_t *b, size_t n);

static void for_all_pairs(pair_check *check) {
    gen g = gen_seed(1);
    for (size_t n = 0; n <= N; n++) {
        for (int sa = 0; sa < GEN_SHAPES; sa++) {
            for (int sb = 0; sb < GEN_SHAPES; sb++) {
                SCOPED_TRACE("n = %zu, %s, %s", n, gen_shape_name((gen_shape)sa),
                             gen_shape_name((gen_shape)sb));
                uint64_t a[N + 1] = {0}, b[N + 1] = {0};
                if (n > 0) {
                    gen_limbs(&g, (gen_shape)sa, a, n);
                    gen_limbs(&g, (gen_shape)sb, b, n);
                }
                check(&g, a, b, n);
            }
        }
    }
}

static void check_add_sub(gen *g, uint64_t *a, uint64_t *b, size_t n) {
    (void)g;
    uint64_t sum[N + 1], back[N + 1], expected[N + 1] = {0};
    sum[n] = limbs_add_n(sum, a, b, n);
    if (n > 0) expected[n] = mpn_add_n(expected, a, b, (mp_size_t)n);
    EXPECT_LIMBS_EQ(sum, expected, n + 1);
    EXPECT_EQ(limbs_sub_n(back, sum, b, n), sum[n]);  // the carry comes back as a borrow
    EXPECT_LIMBS_EQ(back, a, n);
    memcpy(back, b, sizeof back);
    EXPECT_EQ(limbs_add_n(back, a, back, n), sum[n]);
    EXPECT_LIMBS_EQ(back, sum, n);
    EXPECT_EQ(limbs_sub_n(back, back, back, n), (uint64_t)0);
    EXPECT_EQ(limbs_normalize(back, n), (size_t)0);
}
// Catches: a carry lost between the single limbs and the unrolled ones, or in the last limb;
// aliasing.
TEST(Limbs, AddAndSubtract) { for_all_pairs(check_add_sub); }

static void check_unequal(gen *g, uint64_t *a, uint64_t *b, size_t n) {
    const size_t bn = (size_t)gen_below(g, n + 1);
    uint64_t r[N + 1], expected[N + 1] = {0};
    memset(b + bn, 0, (N + 1 - bn) * sizeof *b);
    expected[n] = limbs_add_n(expected, a, b, n);
    r[n] = limbs_add(r, a, n, b, bn);
    EXPECT_LIMBS_EQ(r, expected, n + 1);
    expected[n] = limbs_sub_n(expected, a, b, n);
    r[n] = limbs_sub(r, a, n, b, bn);
    EXPECT_LIMBS_EQ(r, expected, n + 1);
    expected[n] = limbs_add_n(expected, a, b, n);
    memcpy(r, a, n * sizeof *r);
    EXPECT_EQ(limbs_add(r, r, n, b, bn), expected[n]);
    EXPECT_LIMBS_EQ(r, expected, n);
    memset(b + 1, 0, N * sizeof *b);
    expected[n] = limbs_add_n(expected, a, b, n);
    r[n] = limbs_add_1(r, a, n, n > 0 ? b[0] : 0);
    EXPECT_LIMBS_EQ(r, expected, n + 1);
    expected[n] = limbs_sub_n(expected, a, b, n);
    r[n] = limbs_sub_1(r, a, n, n > 0 ? b[0] : 0);
    EXPECT_LIMBS_EQ(r, expected, n + 1);
}
// Catches: a ripple beyond the shorter operand that stops early or is not copied.
TEST(Limbs, UnequalLengthsAndSingleLimbs) { for_all_pairs(check_unequal); }

TEST(Limbs, SingleLimbOfEmptyRowIsTheCarry) {
    EXPECT_EQ(limbs_add_1(NULL, NULL, 0, 5), (uint64_t)5);
    EXPECT_EQ(limbs_sub_1(NULL, NULL, 0, 5), (uint64_t)5);
}

static void check_shift(gen *g, uint64_t *a, uint64_t *b, size_t n) {
    (void)b;
    const unsigned s = (unsigned)gen_below(g, 64);
    SCOPED_TRACE("s = %u", s);
    uint64_t r[N + 2], moved[N + 2] = {0};
    mpz_t z;
    mpz_init(z);
    oracle_load(z, a, n);
    mpz_mul_2exp(z, z, s);
    r[n] = limbs_lshift(r, a, n, s);
    EXPECT_VALUE(r, n + 1, z);
    memcpy(moved, a, n * sizeof *a);
    EXPECT_EQ(limbs_lshift(moved + 1, moved, n, s), r[n]);  // upwards over itself
    EXPECT_LIMBS_EQ(moved + 1, r, n);
    const uint64_t out = limbs_rshift(moved, moved + 1, n, s);  // downwards over itself
    EXPECT_EQ(out, (uint64_t)0);
    oracle_load(z, a, n);
    mpz_mul_2exp(z, z, s);
    mpz_fdiv_r_2exp(z, z, 64 * n);
    mpz_fdiv_q_2exp(z, z, s);
    EXPECT_VALUE(moved, n, z);
    oracle_load(z, a, n);
    mpz_mul_2exp(z, z, 64);
    mpz_fdiv_q_2exp(z, z, s);
    r[0] = limbs_rshift(r + 1, a, n, s);
    EXPECT_VALUE(r, n + 1, z);
    mpz_clear(z);
}
// Catches: s = 0 handled as a shift by 64, the wrong direction for overlapping rows, lost bits.
TEST(Limbs, Shifts) {
    for_all_pairs(check_shift);
    uint64_t one[1] = {1};
    EXPECT_EQ(limbs_lshift(one, one, 1, 63), (uint64_t)0);
    EXPECT_EQ(limbs_lshift(one, one, 1, 1), (uint64_t)1);
    EXPECT_EQ(limbs_lshift(one, one, 1, 0), (uint64_t)0);
}

static void check_compare(gen *g, uint64_t *a, uint64_t *b, size_t n) {
    EXPECT_EQ(limbs_cmp(a, a, n), 0);
    if (n == 0) return;
    const int order = mpn_cmp(a, b, (mp_size_t)n);
    EXPECT_EQ(limbs_cmp(a, b, n), (order > 0) - (order < 0));
    memcpy(b, a, n * sizeof *a);  // one bit apart
    const size_t at = (size_t)gen_below(g, n);
    b[at] ^= UINT64_C(1) << 63;
    EXPECT_EQ(limbs_cmp(a, b, n), a[at] < b[at] ? -1 : 1);
    EXPECT_EQ(limbs_cmp(b, a, n), a[at] < b[at] ? 1 : -1);
    memset(a + at, 0, (n - at) * sizeof *a);
    if (at > 0) a[at - 1] = 1;
    EXPECT_EQ(limbs_normalize(a, n), at);
}
// Catches: a signed comparison, the low limb deciding, a zero limb inside taken for the top.
TEST(Limbs, CompareAndNormalize) { for_all_pairs(check_compare); }

// check_divexact_1: both ways to divide {a, n} by d, with that quotient if it is exact.
static void check_divexact_1(const uint64_t *a, size_t n, uint64_t d, const uint64_t *quotient,
                             bool exact) {
    uint64_t q[N + 2];
    q[n] = 0x5555;
    EXPECT_EQ(limbs_divexact_1(q, a, n, d), exact);
    if (exact) EXPECT_LIMBS_EQ(q, quotient, n);
    EXPECT_EQ(limbs_divexact_words(q, a, n, d), exact);
    if (exact) EXPECT_LIMBS_EQ(q, quotient, n);
    EXPECT_EQ(q[n], 0x5555u);
}

static void check_divrem_1(gen *g, uint64_t *a, uint64_t *b, size_t n) {
    uint64_t d = n > 0 ? b[n - 1] : 0;
    if (d == 0) d = 1 + (gen_u64(g) >> gen_below(g, 64)) % UINT64_MAX;
    uint64_t q[N], expected[N] = {0};
    const uint64_t r = limbs_divrem_1(q, a, n, d);
    EXPECT_EQ(r, n > 0 ? mpn_divrem_1(expected, 0, a, (mp_size_t)n, d) : 0);
    EXPECT_LIMBS_EQ(q, expected, n);
    EXPECT_EQ(limbs_divrem_words(q, a, n, d), r);
    EXPECT_LIMBS_EQ(q, expected, n);
    const word_divisor divisor = word_divisor_of(d);
    if (n > 0) {
        EXPECT_EQ(limbs_mod_by(a, n, &divisor), r);
    }
    if (n > 0) {
        check_divexact_1(a, n, d, expected, r == 0);
    }
    EXPECT_EQ(limbs_divrem_by(a, a, n, &divisor), r);
    EXPECT_LIMBS_EQ(a, expected, n);
    b[n] = n == 0 ? 0 : mpn_mul_1(b, a, (mp_size_t)n, d);
    a[n] = 0;
    check_divexact_1(b, n + 1, d, a, true);
    b[gen_below(g, n + 1)] ^= (uint64_t)1 << gen_below(g, 64);
    const bool still = mpn_divrem_1(a, 0, b, (mp_size_t)n + 1, d) == 0;
    check_divexact_1(b, n + 1, d, a, still);
}
// Catches: a missing correction of the quotient estimate, a reciprocal off by one, shift 0; a
// residue that is not scaled by the shift; an exact quotient's carry or its borrow left out, its
// halves compared with the remainder's shift or the twos forgotten, a top limb that d is equal to.
TEST(Limbs, DivisionByAWord) { for_all_pairs(check_divrem_1); }

// Quotients with runs of zero words: until its last word is known a quotient so far ends in ones
// there. Catches: a carry into words that are stored already lost, or added one word too high.
TEST(Limbs, DivisionByAWordWithLateCarries) {
    enum { WORDS = 12 };
    gen g = gen_seed(13);
    for (int round = 0; round < 4000; round++) {
        const uint64_t d = (gen_u64(&g) >> gen_below(&g, 64)) | 1;
        uint64_t q[WORDS + 1], a[WORDS + 1];
        memset(q, 0, sizeof q);
        q[WORDS - 1] = 1 + gen_below(&g, 2);
        q[gen_below(&g, WORDS)] = 1;
        q[0] = gen_below(&g, 2);
        const uint64_t r = gen_below(&g, d);
        a[WORDS] = mpn_mul_1(a, q, WORDS, d);
        EXPECT_EQ(mpn_add_1(a, a, WORDS + 1, r), (mp_limb_t)0);
        SCOPED_TRACE("round %d", round);
        EXPECT_EQ(limbs_divrem_1(a, a, WORDS + 1, d), r);
        EXPECT_LIMBS_EQ(a, q, WORDS + 1);
    }
}

// Long dividends, over and in place. Catches: a carry of the residue's sums lost; B modulo a power
// of two (an assertion).
TEST(Limbs, LongDivisionByAWord) {
    enum { LONG = 131 };
    gen g = gen_seed(11);
    for (int round = 0; round < 6000; round++) {
        const size_t n = 40 + gen_below(&g, LONG - 40);
        const unsigned shift = (unsigned)gen_below(&g, 64);
        const uint64_t ones = UINT64_MAX - gen_below(&g, 3), top = UINT64_C(1) << 63;
        const uint64_t kinds[] = {gen_u64(&g) | 1, top, top + gen_below(&g, 3), ones};
        uint64_t d = kinds[gen_below(&g, 4)] >> shift;
        d += d == 0;
        uint64_t a[LONG], q[LONG], expected[LONG];
        gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, n);
        SCOPED_TRACE("round %d, %zu words", round, n);
        const uint64_t r = limbs_divrem_1(q, a, n, d);
        EXPECT_EQ(r, mpn_divrem_1(expected, 0, a, (mp_size_t)n, d));
        EXPECT_LIMBS_EQ(q, expected, n);
        const word_divisor divisor = word_divisor_of(d);
        EXPECT_EQ(limbs_mod_by(a, n, &divisor), r);
        EXPECT_EQ(limbs_divrem_1(a, a, n, d), r);
        EXPECT_LIMBS_EQ(a, expected, n);
    }
}

// The top four words make the residue's sum 2 B^2 - 1: its carry, added, carries again. Catches:
// that carry lost.
TEST(Limbs, ResidueWithACarryOfACarry) {
    enum { WORDS = 96 };
    gen g = gen_seed(12);
    for (int round = 0; round < 200; round++) {
        const uint64_t d = gen_u64(&g) >> 1 | UINT64_C(1) << 63;
        const uint64_t square = (uint64_t)(((word_pair)-d << 64) % d);
        const uint64_t cube = (uint64_t)(((word_pair)square << 64) % d);
        const word_pair rest = (word_pair)UINT64_MAX * square, more = (word_pair)UINT64_MAX * cube;
        if (rest + more >= rest) continue;     // below B^2
        const word_pair low = ~(rest + more);  // B^2 - 1 - (rest + more - B^2)
        uint64_t a[WORDS];
        gen_limbs(&g, GEN_UNIFORM, a, WORDS);
        a[WORDS - 1] = a[WORDS - 2] = UINT64_MAX;
        a[WORDS - 3] = (uint64_t)(low >> 64);
        a[WORDS - 4] = (uint64_t)low;
        const word_divisor divisor = word_divisor_of(d);
        EXPECT_EQ(limbs_mod_by(a, WORDS, &divisor), mpn_mod_1(a, WORDS, d));
    }
}

// The three kinds of estimate: one too large, exact, one too small [MollerGranlund11]; the last is
// rare and is reached by small excesses over multiples of d just above 2^63.
TEST(Limbs, DivisionByAWordAtItsEdges) {
    const uint64_t top = UINT64_C(1) << 63;
    const uint64_t divisors[] = {1,         2, 3, top - 1, top, top + 1, top + 2, UINT64_MAX - 1,
                                 UINT64_MAX};
    for (size_t i = 0; i < sizeof divisors / sizeof *divisors; i++) {
        const uint64_t d = divisors[i];
        for (uint64_t high = 0; high < 3; high++) {
            for (int64_t step = -3; step <= 3; step++) {
                const uint64_t a[3] = {(uint64_t)step, d - 1 - high, high % d};
                uint64_t q[3], expected[3];
                const uint64_t r = limbs_divrem_1(q, a, 3, d);
                EXPECT_EQ(r, mpn_divrem_1(expected, 0, a, 3, d));
                EXPECT_LIMBS_EQ(q, expected, 3);
            }
        }
    }
}
