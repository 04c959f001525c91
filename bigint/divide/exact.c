// exact.c: see exact.h.
#include "bigint/divide/exact.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// rows: whether D = {dp, dn}, odd, divides A = {tp, an}; {qp, qn} = A / D mod B^qn for qn = an - dn
// + 1, or 1 less if A < D B^(an - dn). {tp, an + 1} is scratch after it. Proof:
// docs/proofs/division.md, section 7.
// Row i makes limb i zero, whose place then keeps what is to be taken from limb i + dn. That is
// done for dn rows at once, before later rows need those limbs. If D divides A, q is the quotient
// and the differences so far are not negative; if not, A - q D is not 0.
static bool rows(const limbs_ops *ops, uint64_t *qp, uint64_t qn, uint64_t *tp, uint64_t an,
                 const uint64_t *dp, uint64_t dn) {
    const uint64_t inverse = word_inverse(dp[0]);
    assert(qn == an - dn || qn == an - dn + 1);
    tp[an] = 0;
    for (uint64_t base = 0; base < qn;) {
        const uint64_t end = qn - base < dn ? qn : base + dn;
        for (uint64_t i = base; i < end; i++) {
            const uint64_t q = tp[i] * inverse;
            qp[i] = q;
            tp[i] = ops->submul_1(tp + i, dp, dn, q);
        }
        uint64_t *const top = tp + base + dn;
        const uint64_t borrow = limbs_sub_n(top, top, tp + base, end - base);
        uint64_t *const above = tp + end + dn;
        if (limbs_sub_1(above, above, an + 1 - (end + dn), borrow) != 0) {
            return false;
        }
        base = end;
    }
    return limbs_normalize(tp + qn, dn) == 0;
}

// BLOCK: limbs of a quotient that are found before their product is taken from the dividend, where
// the divisor has BLOCKS_LEAST limbs or more. Xeon with AMX; by hand.
enum { BLOCK = 16, BLOCKS_LEAST = 24 };

// blocks: the same by blocks of the quotient: a block needs the lowest limbs of D alone, and its
// whole product by D is faster than rows. {pp, dn + BLOCK} is workspace.
static bool blocks(const limbs_ops *ops, uint64_t *qp, uint64_t qn, uint64_t *tp, uint64_t an,
                   const uint64_t *dp, uint64_t dn, uint64_t *pp) {
    const uint64_t inverse = word_inverse(dp[0]);
    assert(dn >= BLOCK);
    for (uint64_t at = 0, n; at < qn; at += n) {
        uint64_t low[BLOCK];
        n = qn - at < BLOCK ? qn - at : BLOCK;
        memcpy(low, tp + at, n * sizeof *low);
        for (uint64_t i = 0; i < n; i++) {
            qp[at + i] = low[i] * inverse;
            ops->submul_1(low + i, dp, n - i, qp[at + i]);
        }
        mul_limbs_short(ops, pp, dp, dn, qp + at, n);
        const uint64_t left = an - at, pn = dn + n <= left ? dn + n : limbs_normalize(pp, dn + n);
        if (pn > left || limbs_sub(tp + at, tp + at, left, pp, pn) != 0) {
            return false;
        }
    }
    return limbs_normalize(tp, an) == 0;
}

// divide: exact_divide with room for copies of both operands, one limb more, and dn + BLOCK limbs.
// Without the twos of d both are shorter, d perhaps by one limb more than a: hence one limb more
// for the quotient. It has one limb less if the top limb of a is below that of d.
static bool divide(const limbs_ops *ops, uint64_t *qp, uint64_t *qn, uint64_t *tp, uint64_t *odd,
                   uint64_t *pp, const uint64_t *ap, uint64_t an, const uint64_t *dp, uint64_t dn) {
    uint64_t low = 0;
    for (; dp[low] == 0; low++) {
        if (ap[low] != 0) {
            return false;
        }
    }
    const unsigned s = word_ctz(dp[low]);
    const uint64_t tn = an - low;
    limbs_rshift(odd, dp + low, dn - low, s);
    if (limbs_rshift(tp, ap + low, tn, s) != 0) {
        return false;
    }
    const uint64_t n = limbs_normalize(odd, dn - low);
    if (n == 1) {
        *qn = tn;
        return limbs_divexact_1(qp, tp, tn, odd[0]) == 0;
    }
    *qn = tn - n + (tp[tn - 1] >= odd[n - 1]);
    return n < BLOCKS_LEAST ? rows(ops, qp, *qn, tp, tn, odd, n)
                            : blocks(ops, qp, *qn, tp, tn, odd, n, pp);
}

bigint_status exact_divide(bigint_ctx *ctx, const char *who, bool *exact, uint64_t *qp,
                           uint64_t *qn, const uint64_t *ap, uint64_t an, const uint64_t *dp,
                           uint64_t dn) {
    assert(an >= dn && dn >= 1 && dp[dn - 1] != 0);
    if (an <= EXACT_FEW) {
        uint64_t t[EXACT_FEW + 1], odd[EXACT_FEW], p[EXACT_FEW + BLOCK];
        *exact = divide(ctx->limbs, qp, qn, t, odd, p, ap, an, dp, dn);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const t = arena_take_limbs(ctx, who, an + 1 + 2 * dn + BLOCK);
    uint64_t *const odd = t + an + 1;
    if (t != NULL) {
        *exact = divide(ctx->limbs, qp, qn, t, odd, odd + dn, ap, an, dp, dn);
    }
    arena_release(ctx, mark);
    return t != NULL ? BIGINT_OK : BIGINT_ENOMEM;
}
