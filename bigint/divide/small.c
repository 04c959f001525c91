// small.c: schoolbook and recursive division on limbs. It needs no context. B = 2^64. Bounds:
// docs/proofs/division.md.
#include "bigint/divide/small.h"

#include <assert.h>
#include <stdbool.h>

#include "bigint/core/tune.h"
#include "bigint/divide/estimate.h"
#include "bigint/multiply/small.h"
#include "primitives/words/word.h"

// divide_top: as divide_3by2 for the first limb of a quotient, where u2 is often 0: then u2 B^2 +
// u1 B + u0 < B^2 <= 2 d.
static inline __attribute__((always_inline)) uint64_t divide_top(word_pair *r, uint64_t u2,
                                                                 uint64_t u1, uint64_t u0,
                                                                 uint64_t d1, uint64_t d0,
                                                                 uint64_t v) {
    if (u2 != 0) {
        return divide_3by2(r, u2, u1, u0, d1, d0, v);
    }
    const word_pair d = (word_pair)d1 << 64 | d0, u = (word_pair)u1 << 64 | u0;
    *r = u < d ? u : u - d;
    return u >= d;
}

word_pair div_small_2(uint64_t *qp, const uint64_t *ap, size_t n, uint64_t d1, uint64_t d0) {
    assert(n >= 2 && d1 != 0);
    if (n == 2) {  // a quotient of one limb, for which a reciprocal is too much
        const word_pair a = (word_pair)ap[1] << 64 | ap[0], d = (word_pair)d1 << 64 | d0;
        const word_pair q = a / d;
        qp[0] = (uint64_t)q;
        return a - q * d;
    }
    const unsigned s = word_clz(d1);
    d1 = word_shift_in(d1, d0, s);
    d0 <<= s;
    const uint64_t v = reciprocal_3by2(d1, d0);
    // The dividend is shifted on the way; high is its unshifted limb i - 1, the quotient's limb.
    uint64_t high = ap[n - 2];
    const uint64_t u1 = word_shift_in(ap[n - 1], high, s);
    word_pair r = (word_pair)word_shift_in(0, ap[n - 1], s) << 64 | u1;
    for (size_t i = n - 1; i > 0; i--) {
        const uint64_t low = i > 1 ? ap[i - 2] : 0;
        const uint64_t u0 = word_shift_in(high, low, s);
        const uint64_t r1 = (uint64_t)(r >> 64), r0 = (uint64_t)r;
        qp[i - 1] = i == n - 1 ? divide_top(&r, r1, r0, u0, d1, d0, v)
                               : divide_3by2(&r, r1, r0, u0, d1, d0, v);
        high = low;
    }
    return r >> s;
}

// schoolbook: div_small by rows, one quotient limb each.
// Invariant: the remainder so far, {r + 1, dn}, is below D; so the quotient limb is below B.
static void schoolbook(const limbs_ops *ops, uint64_t *qp, uint64_t *ap, size_t qn,
                       const uint64_t *dp, size_t dn) {
    const uint64_t d1 = dp[dn - 1], d0 = dp[dn - 2], v = reciprocal_3by2(d1, d0);
    const word_pair d = (word_pair)d1 << 64 | d0;
    size_t i = qn;
    if (i > 0 && ap[qn + dn - 1] == 0) {  // A's top dn limbs are below B^dn <= 2 D
        uint64_t *r = ap + --i;
        qp[i] = limbs_cmp(r, dp, dn) >= 0;
        if (qp[i] != 0) {
            limbs_sub_n(r, r, dp, dn);
        }
    }
    for (; i > 0; i--) {
        uint64_t *r = ap + i - 1, q;
        if (__builtin_expect(r[dn] == d1 && r[dn - 1] == d0, 0)) {
            q = ~(uint64_t)0;  // the estimate would be B; the quotient limb is exactly B - 1
            const uint64_t borrow = ops->submul_1(r, dp, dn, q);
            assert(borrow == r[dn]);
            (void)borrow;
        } else {
            word_pair rem;
            q = divide_3by2(&rem, r[dn], r[dn - 1], r[dn - 2], d1, d0, v);
            const uint64_t borrow = ops->submul_1(r, dp, dn - 2, q);
            const bool too_large = rem < borrow;  // by one, in about 2 rows of B
            rem -= borrow;
            if (__builtin_expect(too_large, 0)) {
                q--;
                rem += d + limbs_add_n(r, r, dp, dn - 2);
            }
            r[dn - 2] = (uint64_t)rem;
            r[dn - 1] = (uint64_t)(rem >> 64);
        }
        qp[i - 1] = q;
    }
}

// submul: {rp, n} -= {dp, n} q, n >= 1; returns the limb carried out. A limb or two without a call.
static inline uint64_t submul(const limbs_ops *ops, uint64_t *rp, const uint64_t *dp, size_t n,
                              uint64_t q) {
    if (n > 2) {
        return ops->submul_1(rp, dp, n, q);
    }
    word_pair carry = (word_pair)dp[0] * q;
    uint64_t low = (uint64_t)carry;
    carry = (carry >> 64) + (rp[0] < low);
    rp[0] -= low;
    if (n == 2) {
        carry += (word_pair)dp[1] * q;
        low = (uint64_t)carry;
        carry = (carry >> 64) + (rp[1] < low);
        rp[1] -= low;
    }
    return (uint64_t)carry;
}

bool div_small_quotient(const limbs_ops *ops, uint64_t *qp, uint64_t *ap, size_t qn,
                        const uint64_t *dp, size_t dn) {
    assert(qn >= 1 && dn >= 3 && dp[dn - 1] >> 63 == 1 && limbs_cmp(ap + qn, dp, dn) < 0);
    const uint64_t d1 = dp[dn - 1], d0 = dp[dn - 2], v = reciprocal_3by2(d1, d0);
    const word_pair d = (word_pair)d1 << 64 | d0;
    word_pair rem = 0;
    for (size_t i = qn; i-- > 0;) {
        const size_t from = i + 2 < dn ? dn - 2 - i : 0, n = dn - 2 - from;
        uint64_t *const r = ap + i;
        if (__builtin_expect(r[dn] == d1 && r[dn - 1] == d0, 0)) {
            return false;  // the estimate would be B
        }
        uint64_t q = i + 1 == qn ? divide_top(&rem, r[dn], r[dn - 1], r[dn - 2], d1, d0, v)
                                 : divide_3by2(&rem, r[dn], r[dn - 1], r[dn - 2], d1, d0, v);
        if (n > 0 && q != 0) {
            const uint64_t borrow = submul(ops, r + from, dp + from, n, q);
            const bool too_large = rem < borrow;
            rem -= borrow;
            if (__builtin_expect(too_large, 0)) {
                q--;
                rem += d + limbs_add_n(r + from, r + from, dp + from, n);
            }
        }
        r[dn - 2] = (uint64_t)rem;
        r[dn - 1] = (uint64_t)(rem >> 64);
        qp[i] = q;
    }
    return rem >> 64 >= qn;  // the parts left out are less than qn B^(dn - 1) together
}

void div_small_unshifted(const limbs_ops *ops, uint64_t *qp, uint64_t *ap, size_t qn,
                         const uint64_t *dp, size_t dn) {
    assert(dn >= 3 && dp[dn - 1] != 0 && limbs_cmp(ap + qn, dp, dn) < 0);
    const unsigned s = word_clz(dp[dn - 1]);
    const uint64_t d1 = word_shift_in(dp[dn - 1], dp[dn - 2], s);
    const uint64_t d0 = word_shift_in(dp[dn - 2], dp[dn - 3], s), v = reciprocal_3by2(d1, d0);
    for (size_t i = qn; i > 0; i--) {
        uint64_t *r = ap + i - 1, q = ~(uint64_t)0;  // where the estimate would be B, as above
        const uint64_t u2 = word_shift_in(r[dn], r[dn - 1], s);
        const uint64_t u1 = word_shift_in(r[dn - 1], r[dn - 2], s);
        const uint64_t u0 = word_shift_in(r[dn - 2], r[dn - 3], s);
        if (__builtin_expect(u2 != d1 || u1 != d0, 1)) {
            word_pair rem;
            q = divide_3by2(&rem, u2, u1, u0, d1, d0, v);
        }
        const uint64_t borrow = ops->submul_1(r, dp, dn, q);
        if (__builtin_expect(r[dn] < borrow, 0)) {  // too large by one, in about 2 rows of B
            q--;
            limbs_add_n(r, r, dp, dn);
        }
        qp[i - 1] = q;
    }
}

void div_correct(uint64_t *qp, size_t qn, uint64_t *ap, const uint64_t *dp, size_t n, int64_t top,
                 unsigned excess) {
    assert(top <= 0);
    for (; top < 0; excess--) {
        assert(excess > 0);
        top += (int64_t)limbs_add_n(ap, ap, dp, n);
        limbs_sub_1(qp, qp, qn, 1);
    }
    assert(limbs_cmp(ap, dp, n) < 0);
    (void)excess;
}

// A division: what stays the same on the way down.
typedef struct {
    const limbs_ops *ops;
    size_t threshold;  // quotients of fewer limbs are found by rows
    uint64_t *ws;
} division;

static void divide(const division *s, uint64_t *qp, uint64_t *ap, size_t qn, const uint64_t *dp,
                   size_t dn);

// divide_truncated: divide for 2 <= qn < dn. The quotient of the top 2 qn limbs by D's top qn limbs
// is at most 2 too large (division.md, lemma 2); its product with the rest of D then comes off.
static void divide_truncated(const division *s, uint64_t *qp, uint64_t *ap, size_t qn,
                             const uint64_t *dp, size_t dn) {
    const size_t rest = dn - qn;
    const uint64_t *d_top = dp + rest;
    uint64_t *a_top = ap + rest;
    int64_t top = 0;
    if (__builtin_expect(limbs_cmp(a_top + qn, d_top, qn) == 0, 0)) {
        // The estimate would be B^qn: take B^qn - 1, whose remainder is the low half plus D's top.
        for (size_t i = 0; i < qn; i++) {
            qp[i] = ~(uint64_t)0;
        }
        top = (int64_t)limbs_add_n(a_top, a_top, d_top, qn);
    } else {
        divide(s, qp, a_top, qn, d_top, qn);
    }
    if (rest >= qn) {
        mul_small(s->ops, MUL_SMALL_BEST, s->ws, dp, rest, qp, qn, s->ws + dn);
    } else {
        mul_small(s->ops, MUL_SMALL_BEST, s->ws, qp, qn, dp, rest, s->ws + dn);
    }
    top -= (int64_t)limbs_sub_n(ap, ap, s->ws, dn);
    div_correct(qp, qn, ap, dp, dn, top, 2);
}

// divide: div_small for qn <= dn. A quotient as long as D is found in two halves, so that the
// divisors that follow can be truncated.
static void divide(const division *s, uint64_t *qp, uint64_t *ap, size_t qn, const uint64_t *dp,
                   size_t dn) {
    if (qn < s->threshold) {
        schoolbook(s->ops, qp, ap, qn, dp, dn);
    } else if (qn < dn) {
        divide_truncated(s, qp, ap, qn, dp, dn);
    } else {
        const size_t low = qn / 2;
        divide(s, qp + low, ap + low, qn - low, dp, dn);
        divide(s, qp, ap, low, dp, dn);
    }
}

// recursive_threshold: the first length of quotient and divisor that is not found by rows.
static size_t recursive_threshold(const limbs_ops *ops) {
    switch (ops->table) {
        case LIMBS_IFMA:
            return DIV_RECURSIVE_IFMA_THRESHOLD;
        case LIMBS_ADX:
            return DIV_RECURSIVE_ADX_THRESHOLD;
        default:
            return DIV_RECURSIVE_PORTABLE_THRESHOLD;
    }
}

// A row has two products more, and shifts three words more, which the three passes outweigh.
bool div_small_unshifted_pays(const limbs_ops *ops, size_t qn, size_t dn) {
    return dn >= 3 && 2 * qn < 3 * dn && qn < recursive_threshold(ops);
}

bool div_small_quotient_pays(const limbs_ops *ops, size_t qn, size_t dn) {
    return dn >= 3 && (div_small_by_rows(ops, dn) ||
                       (qn <= dn + 1 && qn < DIV_QUOTIENT_ROWS_END));  // triangles of rows
}

bool div_small_by_rows(const limbs_ops *ops, size_t dn) { return dn < recursive_threshold(ops); }

size_t div_small_workspace_limbs(size_t qn, size_t dn) {
    (void)qn;  // every product has dn limbs at most
    return dn + mul_small_workspace_limbs(dn, dn);
}

void div_small(const limbs_ops *ops, div_small_algorithm algorithm, uint64_t *qp, uint64_t *ap,
               size_t qn, const uint64_t *dp, size_t dn, uint64_t *ws) {
    assert(dn >= 2 && dp[dn - 1] >> 63 == 1 && limbs_cmp(ap + qn, dp, dn) < 0);
    division s = {ops, recursive_threshold(ops), ws};
    if (algorithm == DIV_SMALL_RECURSIVE) {
        s.threshold = 2;
    }
    if (algorithm == DIV_SMALL_SCHOOLBOOK || dn < s.threshold) {
        schoolbook(ops, qp, ap, qn, dp, dn);
        return;
    }
    // Whole blocks of dn limbs from the bottom up to the top one, which may be shorter and goes
    // first.
    for (size_t left = qn; left > 0;) {
        const size_t block = left % dn != 0 ? left % dn : dn;
        left -= block;
        divide(&s, qp + left, ap + left, block, dp, dn);
    }
}
