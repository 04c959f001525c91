// rounded.c: quotients rounded down and up, remainders that are not negative, exact quotients,
// divisibility and congruence: all from divrem_integers.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/divrem.h"

// check_division: the checks of a division; q and r may be NULL.
static bigint_status check_division(bigint_ctx *ctx, const char *who, const bigint *q,
                                    const bigint *r, const bigint *a, const bigint *d) {
    bigint_status status = bigint_check_places(ctx, who, a, d, q);
    if (status == BIGINT_OK) {
        status = bigint_check_places(ctx, who, r, NULL, NULL);
    }
    if (status == BIGINT_OK) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
    if (status == BIGINT_OK && d->n_ == 0) {
        status =
            bigint_fail(ctx, BIGINT_EINVAL, "%s: the divisor is 0; test it before dividing", who);
    }
    if (status == BIGINT_OK && q != NULL && q == r) {
        status =
            bigint_fail(ctx, BIGINT_EINVAL,
                        "%s: quotient and remainder are the same integer; give two, or NULL", who);
    }
    return status;
}

// quotient_limbs: room for a quotient of an by dn limbs that is rounded away from zero.
static uint64_t quotient_limbs(uint64_t an, uint64_t dn) { return an < dn ? 1 : an - dn + 2; }

// adjust: q and r of divrem_integers become q + step and r - step d, which is shorter than d. Both
// have room, and q may be NULL: nothing can fail.
static bigint_status adjust(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *d, int step) {
    bigint_status status = step > 0 ? bigint_sub(ctx, r, r, d) : bigint_add(ctx, r, r, d);
    if (status == BIGINT_OK && q != NULL) {
        status = bigint_add_i64(ctx, q, q, step);
    }
    return status;
}

// divide: q = a / d rounded down (step = -1) or up (1), r = a - q d; either may be NULL.
static bigint_status divide(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const bigint *d, int step) {
    bigint_status status = check_division(ctx, who, q, r, a, d);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t qn = quotient_limbs(a->n_, d->n_);
    bigint divisor = *d, rest = BIGINT_INIT;
    bool room = true;
    if (d == q || d == r) {  // still needed when they have been written
        divisor = bigint_scratch(ctx, who, d->n_);
        room = divisor.d_ != NULL;
        if (room) {
            bigint_put(&divisor, d->d_, d->n_, d->sign_);
        }
    }
    if (room && r == NULL) {
        rest = bigint_scratch(ctx, who, d->n_);
        room = rest.d_ != NULL;
    }
    bigint *const left = r == NULL ? &rest : r;
    status = room ? bigint_reserve(ctx, who, left, divisor.n_) : BIGINT_ENOMEM;
    if (status == BIGINT_OK && q != NULL) {
        status = bigint_reserve(ctx, who, q, qn);
    }
    if (status == BIGINT_OK) {
        status = divrem_integers(ctx, q, left, a, d == q || d == r ? &divisor : d);
    }
    if (status == BIGINT_OK && left->sign_ * divisor.sign_ == step) {
        status = adjust(ctx, q, left, d == q || d == r ? &divisor : d, step);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_fdiv(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d) {
    return divide(ctx, "bigint_fdiv", q, r, a, d, -1);
}

bigint_status bigint_cdiv(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d) {
    return divide(ctx, "bigint_cdiv", q, r, a, d, 1);
}

bigint_status bigint_mod(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *d) {
    return divide(ctx, "bigint_mod", NULL, r, a, d, d->sign_ < 0 ? 1 : -1);
}

bigint_status bigint_divexact(bigint_ctx *ctx, bigint *q, const bigint *a, const bigint *d) {
    const char *who = "bigint_divexact";
    bigint_status status = check_division(ctx, who, q, NULL, a, d);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint quotient = bigint_scratch(ctx, who, quotient_limbs(a->n_, d->n_)), rest = BIGINT_INIT;
    if (quotient.d_ != NULL) {
        rest = bigint_scratch(ctx, who, d->n_);
    }
    status = rest.d_ == NULL ? BIGINT_ENOMEM : divrem_integers(ctx, &quotient, &rest, a, d);
    if (status == BIGINT_OK && rest.n_ != 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the division leaves a remainder", who);
    }
    if (status == BIGINT_OK) {
        status = bigint_set(ctx, q, &quotient);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Questions -----------------------------------------------------------------------------------

// divides: *yes = whether d divides a; places have been checked.
static bigint_status divides(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                             const bigint *d) {
    if (d->n_ == 0) {
        *yes = a->n_ == 0;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint rest = bigint_scratch(ctx, who, d->n_);
    const bigint_status status =
        rest.d_ == NULL ? BIGINT_ENOMEM : divrem_integers(ctx, NULL, &rest, a, d);
    if (status == BIGINT_OK) {
        *yes = rest.n_ == 0;
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_divisible(bigint_ctx *ctx, int *yes, const bigint *a, const bigint *d) {
    const char *who = "bigint_divisible";
    bigint_status status = bigint_check_places(ctx, who, a, d, NULL);
    if (status == BIGINT_OK) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
    return status != BIGINT_OK ? status : divides(ctx, who, yes, a, d);
}

bigint_status bigint_congruent(bigint_ctx *ctx, int *yes, const bigint *a, const bigint *b,
                               const bigint *d) {
    const char *who = "bigint_congruent";
    bigint_status status = bigint_check_places(ctx, who, a, b, d);
    if (status == BIGINT_OK) {
        status = bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
    }
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
