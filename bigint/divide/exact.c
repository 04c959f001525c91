// exact.c: see exact.h.
#include "bigint/divide/exact.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/inverse.h"
#include "primitives/words/word.h"

// column: the sum of products of a column, below dn B^2 + dn B, and what it carries into the next.
typedef struct {
    word_pair sum;
    uint64_t over;  // carries out of sum
} column;

static inline void add_product(column *c, uint64_t x, uint64_t y) {
    c->over += __builtin_add_overflow(c->sum, (word_pair)x * y, &c->sum);
}

// columns: whether D = {dp, dn}, odd, divides A = {tp, an}; {qp, qn} = A / D mod B^qn, where a
// quotient has qn limbs at most, an <= qn + dn. Limb i of q makes column i of q D limb i of A; q is
// the quotient if the columns above equal A, too. Proof: docs/proofs/division.md, section 7.
static bool columns(uint64_t *qp, uint64_t qn, const uint64_t *tp, uint64_t an, const uint64_t *dp,
                    uint64_t dn) {
    const uint64_t inverse = word_inverse(dp[0]);
    column c = {0, 0};
    assert(qn <= an && an <= qn + dn);
    for (uint64_t k = 0; k < an; k++) {
        const uint64_t end = k < qn ? k : qn;
        for (uint64_t i = k < dn ? 0 : k - dn + 1; i < end; i++) {
            add_product(&c, qp[i], dp[k - i]);
        }
        if (k < qn) {
            qp[k] = (tp[k] - (uint64_t)c.sum) * inverse;
            add_product(&c, qp[k], dp[0]);
        } else if ((uint64_t)c.sum != tp[k]) {
            return false;
        }
        c = (column){c.sum >> 64 | (word_pair)c.over << 64, 0};
    }
    return c.sum == 0;
}

// few_of: columns, with what q D so far has above limb k in registers: {w, dn}, which is below D.
// dn is a constant, at most REGISTERS; from there on rows are faster. Xeon with AMX; by hand.
enum { REGISTERS = 5 };
static inline __attribute__((always_inline)) bool few_of(uint64_t *qp, uint64_t qn,
                                                         const uint64_t *tp, uint64_t an,
                                                         const uint64_t *dp, const unsigned dn) {
    uint64_t w[REGISTERS] = {0}, d[REGISTERS], top[REGISTERS];
    const uint64_t inverse = word_inverse(dp[0]);
    assert(qn <= an && an <= qn + dn);
    _Pragma("GCC unroll 8") for (unsigned j = 0; j < dn; j++) { d[j] = dp[j]; }
    for (uint64_t k = 0; k < qn; k++) {
        const uint64_t q = (tp[k] - w[0]) * inverse;
        word_pair t = (word_pair)q * d[0] + w[0];  // its lower word is tp[k]
        qp[k] = q;
        _Pragma("GCC unroll 8") for (unsigned j = 1; j < dn; j++) {
            t = (word_pair)q * d[j] + w[j] + (uint64_t)(t >> 64);  // below B^2
            w[j - 1] = (uint64_t)t;
        }
        w[dn - 1] = (uint64_t)(t >> 64);
    }
    _Pragma("GCC unroll 8") for (unsigned j = 0; j < dn; j++) { top[j] = w[j]; }
    bool same = true;
    for (uint64_t j = 0; j < dn; j++) {
        same = same && top[j] == (qn + j < an ? tp[qn + j] : 0);
    }
    return same;
}

// few: columns for 2 to REGISTERS limbs.
static bool few(uint64_t *qp, uint64_t qn, const uint64_t *tp, uint64_t an, const uint64_t *dp,
                uint64_t dn) {
    assert(dn >= 2 && dn <= REGISTERS);
    switch (dn) {
        case 2:
            return few_of(qp, qn, tp, an, dp, 2);
        case 3:
            return few_of(qp, qn, tp, an, dp, 3);
        case 4:
            return few_of(qp, qn, tp, an, dp, 4);
        default:
            return few_of(qp, qn, tp, an, dp, 5);
    }
}

// rows: the same for qn = an - dn + 1, or 1 less if A < D B^(an - dn). {tp, an + 1} is scratch
// after it.
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
// the divisor has BLOCKS_LEAST limbs or more. DIGITS_LEAST: of divisors from which
// limbs_ops.divexact is faster. Xeon with AMX; by hand.
enum { BLOCK = 16, BLOCKS_LEAST = 24, DIGITS_LEAST = 6 };

// blocks: the same by blocks of the quotient: a block needs the lowest limbs of D alone, and its
// whole product by D is faster than rows. {tp, an} is scratch after it. {pp, dn + BLOCK} is
// workspace.
static bool blocks(const limbs_ops *ops, uint64_t *qp, uint64_t qn, uint64_t *tp, uint64_t an,
                   const uint64_t *dp, uint64_t dn, uint64_t *pp) {
    assert(dn >= BLOCK);
    for (uint64_t at = 0, n; at < qn; at += n) {
        n = qn - at < BLOCK ? qn - at : BLOCK;
        (void)columns(qp + at, n, tp + at, n, dp, dn);  // n limbs, whether exact or not
        mul_limbs_short(ops, pp, dp, dn, qp + at, n);
        const uint64_t left = an - at, pn = dn + n <= left ? dn + n : limbs_normalize(pp, dn + n);
        if (pn > left || limbs_sub(tp + at, tp + at, left, pp, pn) != 0) {
            return false;
        }
    }
    return limbs_normalize(tp, an) == 0;
}

// shift_down: {rp, n} = floor({ap, n} / 2^s), s < 64. For few limbs without a branch on s, which
// could not be predicted.
static void shift_down(uint64_t *rp, const uint64_t *ap, uint64_t n, unsigned s) {
    enum { FEW = 12 };
    if (n > FEW) {
        limbs_rshift(rp, ap, n, s);
        return;
    }
    for (uint64_t i = 0; i + 1 < n; i++) {
        rp[i] = ap[i] >> s | ap[i + 1] << 1 << (63 - s);
    }
    rp[n - 1] = ap[n - 1] >> s;
}

// divide: exact_divide of operands that are multiples of 2^shift, D / 2^shift being odd, with room
// for copies of both, one limb more, and dn + BLOCK limbs. Without the twos both are shorter, d
// perhaps by one limb more than a: hence one limb more for the quotient. It has one limb less if
// the top limb of a is below that of d.
static bool divide(const limbs_ops *ops, uint64_t *qp, uint64_t *qn, uint64_t *tp, uint64_t *odd,
                   uint64_t *pp, const uint64_t *ap, uint64_t an, const uint64_t *dp, uint64_t dn,
                   unsigned shift) {
    shift_down(odd, dp, dn, shift);
    shift_down(tp, ap, an, shift);
    const uint64_t n = dn - (odd[dn - 1] == 0);
    if (n == 1) {
        *qn = an;
        return limbs_divexact_1(qp, tp, an, odd[0]);
    }
    *qn = an - n + (tp[an - 1] >= odd[n - 1]);
    return n <= REGISTERS     ? few(qp, *qn, tp, an, odd, n)
           : n < BLOCKS_LEAST ? rows(ops, qp, *qn, tp, an, odd, n)
                              : blocks(ops, qp, *qn, tp, an, odd, n, pp);
}

// copies_limbs: for copies of both operands and d again.
static uint64_t copies_limbs(uint64_t an, uint64_t dn) { return an + 1 + 2 * dn + BLOCK; }

// by_digits: whether limbs_ops.divexact divides by dn limbs; it takes no memory.
static bool by_digits(const bigint_ctx *ctx, uint64_t dn) {
    return ctx->limbs->divexact != NULL && DIGITS_LEAST <= dn && dn <= LIMBS_DIVEXACT_MAX;
}

bool exact_pays(const bigint_ctx *ctx, uint64_t dn) {
    enum { DIVISOR_MOST = 80 };
    return dn <= DIVISOR_MOST || by_digits(ctx, dn);
}

void exact_divide_need(work_need *n, uint64_t an, uint64_t dn) {
    const uint64_t in_use = n->host.in_use;
    if (an > EXACT_FEW && !by_digits(n->ctx, dn)) {
        need_take_limbs(&n->host, copies_limbs(an, dn));
        need_release(&n->host, in_use);
    }
}

// exact_twos: whether a has the twos of d, 2^shift and the limbs below *low.
static bool exact_twos(const uint64_t *ap, const uint64_t *dp, uint64_t *low, unsigned *shift) {
    for (*low = 0; dp[*low] == 0; ++*low) {
        if (ap[*low] != 0) {
            return false;
        }
    }
    *shift = word_ctz(dp[*low]);
    return (ap[*low] & (((uint64_t)1 << *shift) - 1)) == 0;
}

bigint_status exact_divide(bigint_ctx *ctx, const char *who, bool *exact, uint64_t *qp,
                           uint64_t *qn, const uint64_t *ap, uint64_t an, const uint64_t *dp,
                           uint64_t dn) {
    assert(an >= dn && dn >= 1 && dp[dn - 1] != 0);
    uint64_t low;
    unsigned shift;
    *exact = exact_twos(ap, dp, &low, &shift);
    if (!*exact) {
        return BIGINT_OK;
    }
    const bool digits = by_digits(ctx, dn);
    ap += low, an -= low, dp += low, dn -= low;
    if (digits) {
        *qn = an - dn + (ap[an - 1] >= dp[dn - 1]);
        *exact = *qn > 0 && ctx->limbs->divexact(qp, *qn, ap, an, dp, dn, shift);
        return BIGINT_OK;
    }
    if (an <= EXACT_FEW) {
        uint64_t t[EXACT_FEW + 1], odd[EXACT_FEW], p[EXACT_FEW + BLOCK];
        *exact = divide(ctx->limbs, qp, qn, t, odd, p, ap, an, dp, dn, shift);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const t = arena_take_limbs(ctx, who, copies_limbs(an, dn));
    uint64_t *const odd = t + an + 1;
    if (t != NULL) {
        *exact = divide(ctx->limbs, qp, qn, t, odd, odd + dn, ap, an, dp, dn, shift);
    }
    arena_release(ctx, mark);
    return t != NULL ? BIGINT_OK : BIGINT_ENOMEM;
}
