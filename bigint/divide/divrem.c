// divrem.c: division: normalising, the choice between rows, recursion and blocks by a reciprocal,
// and the public call. B = 2^64.
#include "bigint/divide/divrem.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/blocks.h"
#include "bigint/divide/once.h"
#include "bigint/divide/quotient.h"
#include "bigint/divide/reciprocal.h"
#include "bigint/divide/scale.h"
#include "bigint/divide/small.h"
#include "primitives/words/word.h"

// --- Limbs ---

bigint_status bigint_divide_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                                  const uint64_t *dp, uint64_t dn) {
    const division_way way = division_way_of(ctx, qn, dn);
    if (way == DIVISION_ROWS) {
        div_small(ctx->limbs, DIV_SMALL_BEST, qp, ap, qn, dp, dn, NULL);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = BIGINT_OK;
    if (way == DIVISION_BLOCKS) {
        status = divide_blocks(ctx, qp, ap, qn, dp, dn);
    } else {
        uint64_t *ws = arena_take_limbs(ctx, "bigint_divrem", div_small_workspace_limbs(qn, dn));
        if (ws != NULL) {
            div_small(ctx->limbs, DIV_SMALL_BEST, qp, ap, qn, dp, dn, ws);
        }
        status = ws == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    arena_release(ctx, mark);
    return status;
}

enum { SHORT_WORKSPACE = 9 * DIVREM_SHORT + 128 };

// divides_short: whether divide_short takes these lengths; qp is NULL if no quotient is wanted.
static inline bool divides_short(const uint64_t *qp, uint64_t an, uint64_t dn) {
    return division_is_short(qp != NULL, an, dn);
}

// divide_on_stack: divide_short by three limbs or more. It is a function of its own, so that
// shorter divisors do not pay for its stack.
static __attribute__((noinline)) void divide_on_stack(const bigint_ctx *ctx, uint64_t *qp,
                                                      uint64_t *rp, const uint64_t *ap, uint64_t an,
                                                      const uint64_t *dp, uint64_t dn) {
    uint64_t a[DIVREM_SHORT + 1], d[DIVREM_SHORT], ws[SHORT_WORKSPACE];
    const uint64_t qn = an - dn + 1;
    assert(div_small_workspace_limbs(qn, dn) <= SHORT_WORKSPACE);
    const unsigned s = word_clz(dp[dn - 1]);
    if ((s != 0 || qn == 1) && div_small_unshifted_pays(ctx->limbs, qn, dn)) {
        copy_words(a, ap, an);
        a[an] = 0;
        uint64_t *const quotient = d;  // since qp may be dp
        div_small_unshifted(ctx->limbs, quotient, a, qn, dp, dn);
        copy_words(qp, quotient, qn);
        copy_words(rp, a, dn);
        return;
    }
    a[an] = shift_up(a, ap, an, s);
    shift_up(d, dp, dn, s);
    div_small(ctx->limbs, DIV_SMALL_BEST, qp, a, qn, d, dn, ws);
    shift_down(rp, a, dn, s);
}

// divide_short: bigint_divrem_limbs where divides_short; outputs may be operands, but not in part.
static inline void divide_short(const bigint_ctx *ctx, uint64_t *qp, uint64_t *rp,
                                const uint64_t *ap, uint64_t an, const uint64_t *dp, uint64_t dn) {
    uint64_t quotient[DIVREM_SHORT], remainder[DIVREM_SHORT];
    if (rp == NULL && qp != NULL && div_small_quotient_pays(ctx->limbs, an - dn + 1, dn) &&
        quotient_on_stack(ctx, qp, ap, an, dp, dn)) {
        return;
    }
    qp = qp != NULL ? qp : quotient;
    rp = rp != NULL ? rp : remainder;
    if (dn == 1) {
        rp[0] = bigint_divide_word(ctx, qp, ap, an, dp[0]);
    } else if (dn == 2) {
        const word_pair r = div_small_2(qp, ap, an, dp[1], dp[0]);
        rp[0] = (uint64_t)r;
        rp[1] = (uint64_t)(r >> 64);
    } else {
        divide_on_stack(ctx, qp, rp, ap, an, dp, dn);
    }
}

void divrem_short(const bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                  uint64_t an, const uint64_t *dp, uint64_t dn) {
    assert(an >= dn && an <= DIVREM_SHORT);
    divide_short(ctx, qp, rp, ap, an, dp, dn);
}

bigint_status bigint_divrem_limbs(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                                  uint64_t an, const uint64_t *dp, uint64_t dn) {
    assert(an >= dn && dn >= 1 && dp[dn - 1] != 0);
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t qn = an - dn + 1;
    bigint_status status = BIGINT_OK;
    if (qp == NULL && an > DIVREM_SHORT) {
        qp = arena_take_limbs(ctx, "bigint_divrem", qn);
        if (qp == NULL) {
            return BIGINT_ENOMEM;
        }
    }
    if (divides_short(qp, an, dn)) {
        divide_short(ctx, qp, rp, ap, an, dp, dn);
        arena_release(ctx, mark);
        return BIGINT_OK;
    }
    if (rp == NULL) {
        bool found;
        status = quotient_alone(ctx, &found, qp, ap, an, dp, dn);
        if (status != BIGINT_OK || found) {
            arena_release(ctx, mark);
            return status;
        }
    }
    // Both are scaled by 2^s: D's top bit is set, and A has one limb more, so its top dn limbs are
    // below D. For division by rows s is 0 and that limb is 0, too.
    const bool rows = div_small_unshifted_pays(ctx->limbs, qn, dn);
    const unsigned s = rows ? 0 : word_clz(dp[dn - 1]);
    uint64_t *a = arena_take_limbs(ctx, "bigint_divrem", an + 1);
    const uint64_t *d;
    if (a == NULL || !scale_divisor(ctx, &d, dp, dn, s)) {
        arena_release(ctx, mark);
        return BIGINT_ENOMEM;
    }
    a[an] = limbs_lshift(a, ap, an, s);
    if (rows) {
        div_small_unshifted(ctx->limbs, qp, a, qn, d, dn);
    } else {
        status = bigint_divide_limbs(ctx, qp, a, qn, d, dn);
    }
    if (status == BIGINT_OK && rp != NULL) {
        limbs_rshift(rp, a, dn, s);
    }
    arena_release(ctx, mark);
    return status;
}

// reported: bigint_divrem_limbs as a call of its own, for options.progress; by `kept`, which is d,
// unless it is NULL.
static bigint_status reported(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                              uint64_t an, const uint64_t *dp, uint64_t dn,
                              const kept_divisor *kept) {
    const reporting before = ctx->reports;
    const context_part part = ctx->division;
    ctx->reports = REPORT_PARTS;
    ctx->division = (context_part){0, 1, 1};
    const bigint_status status = kept != NULL ? kept_divide(ctx, qp, rp, ap, an, kept)
                                              : bigint_divrem_limbs(ctx, qp, rp, ap, an, dp, dn);
    ctx->division = part;
    ctx->reports = before;
    return status;
}

bigint_status bigint_limbs_divrem(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                                  uint64_t an, const uint64_t *dp, uint64_t dn) {
    bigint_status status = bigint_check_limbs(ctx, "bigint_limbs_divrem");
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, "bigint_limbs_divrem", an);
    }
    if (status == BIGINT_OK && (dn < 1 || an < dn || dp[dn - 1] == 0)) {
        status = bigint_fail(ctx, BIGINT_EINVAL,
                             "bigint_limbs_divrem: a divisor of %llu limbs for %llu; give a "
                             "dividend that is as long, and a divisor whose top limb is not 0",
                             (unsigned long long)dn, (unsigned long long)an);
    }
    if (status != BIGINT_OK || qp == NULL || divides_short(qp, an, dn)) {
        return status != BIGINT_OK ? status : bigint_divrem_limbs(ctx, qp, rp, ap, an, dp, dn);
    }
    // Long quotients are found piece by piece, with products between that may fail.
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t qn = an - dn + 1;
    uint64_t *const quotient = arena_take_limbs(ctx, "bigint_limbs_divrem", qn);
    status = quotient == NULL ? BIGINT_ENOMEM : reported(ctx, quotient, rp, ap, an, dp, dn, NULL);
    if (status == BIGINT_OK) {
        memcpy(qp, quotient, qn * sizeof *qp);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Integers ---

// divrem: divrem_kept for |a| >= |d| > 0 in limbs.
static bigint_status divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d,
                            const kept_divisor *kept) {
    const uint64_t an = a->n_, dn = d->n_, qn = an - dn + 1;
    const int a_sign = a->sign_, q_sign = a->sign_ * d->sign_;
    bigint_status status = BIGINT_OK;
    // Outputs get their room first and their values last, so a failure leaves them as they were.
    if (q != NULL) {
        status = bigint_reserve(ctx, "bigint_divrem", q, qn);
    }
    if (status == BIGINT_OK && r != NULL) {
        status = bigint_reserve(ctx, "bigint_divrem", r, dn);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const qp = arena_take_limbs(ctx, "bigint_divrem", qn);
    uint64_t *const rp = r == NULL ? NULL : r->d_;  // written last: it may be an operand's
    status = qp == NULL ? BIGINT_ENOMEM : reported(ctx, qp, rp, a->d_, an, d->d_, dn, kept);
    if (status == BIGINT_OK && q != NULL) {
        bigint_put(q, qp, qn, q_sign);
    }
    if (status == BIGINT_OK && r != NULL) {
        bigint_finish(r, dn, a_sign);
    }
    arena_release(ctx, mark);
    return status;
}

// is_short: whether a and d live on the host, |a| is at least as long as |d| > 0, divide_short or
// divide_once takes them, and the results have room, in limbs of their own or of the operands.
static inline bool is_short(const bigint_ctx *ctx, const bigint *q, const bigint *r,
                            const bigint *a, const bigint *d) {
    return ctx->failed == BIGINT_OK && d->n_ - 1 < a->n_ && q != r &&
           (a->place_ | d->place_) == 0 && bigint_has_room(q, a->n_ - d->n_ + 1) &&
           bigint_has_room(r, d->n_) &&
           (divides_short(q != NULL ? q->d_ : NULL, a->n_, d->n_) || is_once(a, d));
}

static void short_divrem(const bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                         const bigint *d) {
    const uint64_t an = a->n_, dn = d->n_;
    const int a_sign = a->sign_, q_sign = a->sign_ * d->sign_;
    if (is_once(a, d)) {
        divide_once(q, r, a, d);
        return;
    }
    divide_short(ctx, q != NULL ? q->d_ : NULL, r != NULL ? r->d_ : NULL, a->d_, an, d->d_, dn);
    if (q != NULL) {  // a >= B^(an - 1), d < B^dn: one limb less at most
        q->n_ = an - dn + (q->d_[an - dn] != 0);
        q->sign_ = q->n_ == 0 ? 0 : q_sign;
    }
    if (r != NULL) {
        bigint_finish(r, dn, a_sign);
    }
}

bigint_status divrem_by_zero(bigint_ctx *ctx) {
    return bigint_fail(ctx, BIGINT_EINVAL,
                       "bigint_divrem: the divisor is 0; test it before dividing");
}

bigint_status divrem_check(bigint_ctx *ctx, const bigint *q, const bigint *r, const bigint *a,
                           const bigint *d) {
    bigint_status status = bigint_check_places(ctx, "bigint_divrem", a, d, q);
    if (status == BIGINT_OK) {
        status = bigint_check_places(ctx, "bigint_divrem", r, NULL, NULL);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (d->n_ == 0) {
        return divrem_by_zero(ctx);
    }
    if (q != NULL && q == r) {
        return bigint_fail(
            ctx, BIGINT_EINVAL,
            "bigint_divrem: quotient and remainder are the same integer; give two, or NULL");
    }
    return BIGINT_OK;
}

// is_less: whether |a| < |d| by their lengths or top limbs.
static inline bool is_less(const bigint *a, const bigint *d) {
    return a->n_ < d->n_ || (a->n_ == d->n_ && a->d_[a->n_ - 1] < d->d_[a->n_ - 1]);
}

bigint_status divrem_integers(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                              const bigint *d) {
    if (is_short(ctx, q, r, a, d)) {
        short_divrem(ctx, q, r, a, d);
        return BIGINT_OK;
    }
    return divrem_kept(ctx, q, r, a, d, NULL);
}

bigint_status divrem_kept(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d,
                          const kept_divisor *kept) {
    const bigint_status status = divrem_check(ctx, q, r, a, d);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!is_less(a, d)) {
        return divrem(ctx, q, r, a, d, kept);
    }
    if (r != NULL) {  // before q, which may be a
        const bigint_status set = bigint_set(ctx, r, a);
        if (set != BIGINT_OK) {
            return set;
        }
    }
    if (q != NULL) {
        bigint_finish(q, 0, 0);
    }
    return BIGINT_OK;
}
