// rounded.c: quotients rounded down and up, remainders that are not negative, exact quotients,
// divisibility and congruence: all from divrem_integers.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/exact.h"
#include "bigint/divide/rounded.h"

// quotient_limbs: room for a quotient of an by dn limbs that is rounded away from zero.
static uint64_t quotient_limbs(uint64_t an, uint64_t dn) { return an < dn ? 1 : an - dn + 2; }

// adjust: q and r of divrem_integers become q + step and r - step d: |d| - |r| with the other sign,
// and a quotient of step's sign, which is one longer in magnitude. Both have room; q may be NULL.
static void adjust(bigint *q, bigint *r, const bigint *d, int step) {
    const int sign = -r->sign_;
    limbs_sub(r->d_, d->d_, d->n_, r->d_, r->n_);
    bigint_finish(r, d->n_, sign);
    if (q != NULL) {
        const uint64_t carry = limbs_add_1(q->d_, q->d_, q->n_, 1);
        if (carry != 0) {
            q->d_[q->n_++] = carry;
        }
        q->sign_ = step;
    }
}

// adjusted: divide where a remainder other than 0 needs an adjustment. It is a function of its own,
// so that others save no registers.
static __attribute__((noinline)) bigint_status adjusted(bigint_ctx *ctx, const char *who, bigint *q,
                                                        bigint *r, const bigint *a, const bigint *d,
                                                        int step) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t qn = quotient_limbs(a->n_, d->n_);
    const bool aliased = d == q || d == r;  // still needed when they have been written
    bigint copy = BIGINT_INIT, rest = BIGINT_INIT;
    bool room = true;
    if (aliased) {
        copy = bigint_scratch(ctx, who, d->n_);
        room = copy.d_ != NULL;
        if (room) {
            bigint_put(&copy, d->d_, d->n_, d->sign_);
        }
    }
    if (room && r == NULL) {
        rest = bigint_scratch(ctx, who, d->n_);
        room = rest.d_ != NULL;
    }
    const bigint *const divisor = aliased ? &copy : d;
    bigint *const left = r == NULL ? &rest : r;
    bigint_status status = room ? bigint_reserve(ctx, who, left, divisor->n_) : BIGINT_ENOMEM;
    if (status == BIGINT_OK && q != NULL) {
        status = bigint_reserve(ctx, who, q, qn);
    }
    if (status == BIGINT_OK) {
        status = divrem_integers(ctx, q, left, a, divisor);
    }
    if (status == BIGINT_OK && left->n_ != 0) {
        adjust(q, left, divisor, step);
    }
    arena_release(ctx, mark);
    return status;
}

// divide: q = a / d rounded down (step = -1) or up (1), r = a - q d; either may be NULL. Elsewhere
// also ROUNDED_BY_SIGN.
static bigint_status divide(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const bigint *d, int step) {
    if (bigint_is_away(ctx)) {
        return rounded_there(ctx, who, q, r, a, d, step);
    }
    bigint_status status = rounded_check(ctx, who, q, r, a, d);
    if (status != BIGINT_OK) {
        return status;
    }
    // The remainder toward zero has a's sign; where d's makes that the right one nothing is left to
    // do.
    return a->sign_ * d->sign_ == step ? adjusted(ctx, who, q, r, a, d, step)
                                       : divrem_integers(ctx, q, r, a, d);
}

bigint_status bigint_fdiv(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d) {
    return divide(ctx, "bigint_fdiv", q, r, a, d, -1);
}

bigint_status bigint_cdiv(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d) {
    return divide(ctx, "bigint_cdiv", q, r, a, d, 1);
}

bigint_status bigint_mod(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *d) {
    return divide(ctx, "bigint_mod", NULL, r, a, d,
                  bigint_is_away(ctx) ? ROUNDED_BY_SIGN
                  : d->sign_ < 0      ? 1
                                      : -1);
}

// exact: q = a / d by exact_divide, a no shorter than d.
static bigint_status exact(bigint_ctx *ctx, const char *who, bool *divides, bigint *q,
                           const bigint *a, const bigint *d) {
    const uint64_t most = a->n_ - d->n_ + 2;
    const int sign = a->sign_ * d->sign_;
    uint64_t few[EXACT_FEW + 2], qn = 0;
    uint64_t *const qp = most <= EXACT_FEW + 2 ? few : arena_take_limbs(ctx, who, most);
    bigint_status status = qp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        status = exact_divide(ctx, who, divides, qp, &qn, a->d_, a->n_, d->d_, d->n_);
    }
    if (status == BIGINT_OK && *divides && q != NULL) {
        status = bigint_reserve(ctx, who, q, qn);
        if (status == BIGINT_OK) {
            bigint_put(q, qp, qn, sign);
        }
    }
    return status;
}

// from_above: the same by a division, of any lengths; q is not NULL.
static bigint_status from_above(bigint_ctx *ctx, const char *who, bool *divides, bigint *q,
                                const bigint *a, const bigint *d) {
    bigint quotient = bigint_scratch(ctx, who, quotient_limbs(a->n_, d->n_)), rest = BIGINT_INIT;
    if (quotient.d_ != NULL) {
        rest = bigint_scratch(ctx, who, d->n_);
    }
    bigint_status status =
        rest.d_ == NULL ? BIGINT_ENOMEM : divrem_integers(ctx, &quotient, &rest, a, d);
    *divides = status == BIGINT_OK && rest.n_ == 0;
    return *divides ? bigint_set(ctx, q, &quotient) : status;
}

bigint_status divexact_integers(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                const bigint *d) {
    bigint_status status = rounded_check(ctx, who, q, NULL, a, d);
    if (status != BIGINT_OK) {
        return status;
    }
    if (d->n_ == 1) {
        const int sign = d->sign_;  // q may be d
        status = bigint_divexact_u64(ctx, q, a, d->d_[0]);
        q->sign_ = status == BIGINT_OK ? sign * q->sign_ : q->sign_;
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bool divides = true;
    status = exact_pays(ctx, d->n_) && a->n_ >= d->n_ ? exact(ctx, who, &divides, q, a, d)
                                                      : from_above(ctx, who, &divides, q, a, d);
    arena_release(ctx, mark);
    return status != BIGINT_OK || divides
               ? status
               : bigint_fail(ctx, BIGINT_EINVAL, "%s: the division leaves a remainder", who);
}

// --- Questions -----------------------------------------------------------------------------------

// divides: *yes = whether d divides a; places have been checked.
static bigint_status divides(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                             const bigint *d) {
    if (d->n_ == 0) {
        *yes = a->n_ == 0;
        return BIGINT_OK;
    }
    const uint64_t low = a->n_ == 0 ? 0 : a->d_[0];
    if (a->n_ < d->n_ || (low & ((d->d_[0] & (0 - d->d_[0])) - 1)) != 0) {  // fewer twos than d
        *yes = a->n_ == 0;
        return BIGINT_OK;
    }
    if (d->n_ == 1) {
        return bigint_divisible_u64(ctx, yes, a, d->d_[0]);
    }
    const arena_mark mark = arena_get_mark(ctx);
    bool exactly = false;
    bigint_status status = BIGINT_ENOMEM;
    if (exact_pays(ctx, d->n_)) {
        status = exact(ctx, who, &exactly, NULL, a, d);
    } else {
        bigint rest = bigint_scratch(ctx, who, d->n_);
        status = rest.d_ == NULL ? BIGINT_ENOMEM : divrem_integers(ctx, NULL, &rest, a, d);
        exactly = rest.n_ == 0;
    }
    if (status == BIGINT_OK) {
        *yes = exactly;
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_divisible(bigint_ctx *ctx, int *yes, const bigint *a, const bigint *d) {
    if (bigint_is_away(ctx)) {
        return divisible_there(ctx, "bigint_divisible", yes, a, d);
    }
    const char *who = "bigint_divisible";
    const bigint_status status = bigint_check_host(ctx, who, a, d, d);
    return status != BIGINT_OK ? status : divides(ctx, who, yes, a, d);
}

bigint_status bigint_congruent(bigint_ctx *ctx, int *yes, const bigint *a, const bigint *b,
                               const bigint *d) {
    if (bigint_is_away(ctx)) {
        return congruent_there(ctx, "bigint_congruent", yes, a, b, d);
    }
    const char *who = "bigint_congruent";
    bigint_status status = bigint_check_host(ctx, who, a, b, d);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint difference = bigint_scratch(ctx, who, (a->n_ > b->n_ ? a->n_ : b->n_) + 1);
    status = difference.d_ == NULL ? BIGINT_ENOMEM : bigint_sub(ctx, &difference, a, b);
    if (status == BIGINT_OK) {
        status = divides(ctx, who, yes, &difference, d);
    }
    arena_release(ctx, mark);
    return status;
}
