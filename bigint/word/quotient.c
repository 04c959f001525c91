// quotient.c: quotients of an integer by a word.
#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/word/operands.h"
#include "bigint/word/quotient_there.h"

static bigint_status check_divisor(bigint_ctx *ctx, const char *who, uint64_t d) {
    return d != 0 ? BIGINT_OK
                  : bigint_fail(ctx, BIGINT_EINVAL, "%s: the divisor is 0; test it before dividing",
                                who);
}

// FEW: limbs of quotients on the stack, DIV_WORDS_IFMA_MOST at least.
enum { FEW = 32 };

// magnitude_mod: |a| mod d. d > 0.
static uint64_t magnitude_mod(const bigint_ctx *ctx, const bigint *a, uint64_t d) {
    if (a->n_ <= 1) {
        return a->n_ == 0 ? 0 : a->d_[0] % d;
    }
    if (bigint_by_words(ctx, a->n_)) {
        uint64_t q[FEW];
        assert(a->n_ <= FEW);
        return limbs_divrem_words(q, a->d_, a->n_, d);
    }
    const word_divisor divisor = word_divisor_of(d);
    return limbs_mod_by(a->d_, a->n_, &divisor);
}

// exact: {qp, n} = |a| / d if the division is exact, which it returns. n, at least 1, is the number
// of limbs of {ap, n} = |a|.
static inline bool exact(const bigint_ctx *ctx, uint64_t *qp, const uint64_t *ap, uint64_t n,
                         uint64_t d) {
    return ctx->limbs->table == LIMBS_IFMA && n <= DIVEXACT_WORDS_IFMA_MOST
               ? limbs_divexact_words(qp, ap, n, d)
               : limbs_divexact_1(qp, ap, n, d);
}

// divide: q = a / d rounded toward zero, or away from zero if `away` is a's sign and the division
// leaves a remainder; *r = the distance of a and q d. Both may be NULL.
static bigint_status divide(bigint_ctx *ctx, const char *who, bigint *q, uint64_t *r,
                            const bigint *a, uint64_t d, int away) {
    if (bigint_is_away(ctx)) {
        return word_divide_there(ctx, who, q, r, a, d, away);
    }
    const uint64_t n = a->n_;
    const int sign = a->sign_;
    bigint_status status = bigint_check_host(ctx, who, a, q == NULL ? a : q, a);
    if (status == BIGINT_OK) {
        status = check_divisor(ctx, who, d);
    }
    if (status == BIGINT_OK && q != NULL) {
        status = bigint_reserve(ctx, who, q, n + 1);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t rest;
    if (q == NULL) {
        rest = magnitude_mod(ctx, a, d);
    } else if (n == 1) {
        const uint64_t x = a->d_[0];
        rest = x % d;
        q->d_[0] = x / d;
    } else {
        rest = bigint_divide_word(ctx, q->d_, a->d_, n, d);
    }
    const bool up = rest != 0 && away == sign;
    if (q != NULL) {
        q->d_[n] = up ? limbs_add_1(q->d_, q->d_, n, 1) : 0;
        bigint_finish(q, n + 1, sign);
    }
    if (r != NULL) {
        *r = up ? d - rest : rest;
    }
    return BIGINT_OK;
}

bigint_status bigint_tdiv_u64(bigint_ctx *ctx, bigint *q, uint64_t *r, const bigint *a,
                              uint64_t d) {
    enum { NEVER = 2 };  // no sign
    return divide(ctx, "bigint_tdiv_u64", q, r, a, d, NEVER);
}

bigint_status bigint_fdiv_u64(bigint_ctx *ctx, bigint *q, uint64_t *r, const bigint *a,
                              uint64_t d) {
    return divide(ctx, "bigint_fdiv_u64", q, r, a, d, -1);
}

bigint_status bigint_cdiv_u64(bigint_ctx *ctx, bigint *q, uint64_t *r, const bigint *a,
                              uint64_t d) {
    return divide(ctx, "bigint_cdiv_u64", q, r, a, d, 1);
}

// inexact: the failure of a division by d.
static bigint_status inexact(bigint_ctx *ctx, const char *who, uint64_t d) {
    return bigint_fail(ctx, BIGINT_EINVAL, "%s: %llu does not divide the number", who,
                       (unsigned long long)d);
}

// long_divexact: q = a / d by a quotient in workspace; q has room.
static bigint_status long_divexact(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                   uint64_t d) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const qp = arena_take_limbs(ctx, who, a->n_);
    const bigint_status status = qp == NULL                         ? BIGINT_ENOMEM
                                 : !exact(ctx, qp, a->d_, a->n_, d) ? inexact(ctx, who, d)
                                                                    : BIGINT_OK;
    if (status == BIGINT_OK) {
        bigint_put(q, qp, a->n_, a->sign_);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_divexact_u64(bigint_ctx *ctx, bigint *q, const bigint *a, uint64_t d) {
    if (bigint_is_away(ctx)) {
        return word_divexact_there(ctx, "bigint_divexact_u64", q, a, d);
    }
    const char *who = "bigint_divexact_u64";
    const uint64_t n = a->n_;
    bigint_status status = bigint_check_host(ctx, who, q, a, q);
    if (status == BIGINT_OK) {
        status = check_divisor(ctx, who, d);
    }
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, q, n);
    }
    if (status != BIGINT_OK || n > FEW) {
        return status != BIGINT_OK ? status : long_divexact(ctx, who, q, a, d);
    }
    // Written at once, with q's old limbs, which may be a's, kept apart: that delays nothing.
    uint64_t few[FEW], *const qp = q->d_;
    const int sign = a->sign_;
    bigint_copy_limbs(few, qp, n);
    if (n > 0 && !exact(ctx, qp, a == q ? few : a->d_, n, d)) {
        bigint_copy_limbs(qp, few, n);
        return inexact(ctx, who, d);
    }
    bigint_finish(q, n, sign);
    return BIGINT_OK;
}

// divides: whether d, not 0, divides a. Few limbs are divided from below, without a reciprocal.
static bool divides(const bigint_ctx *ctx, const bigint *a, uint64_t d) {
    if (a->n_ <= 2 || a->n_ > FEW) {
        return magnitude_mod(ctx, a, d) == 0;
    }
    uint64_t few[FEW];
    return exact(ctx, few, a->d_, a->n_, d);
}

bigint_status bigint_divisible_u64(bigint_ctx *ctx, int *yes, const bigint *a, uint64_t d) {
    if (bigint_is_away(ctx)) {
        return word_congruent_there(ctx, "bigint_divisible_u64", yes, a, 0, d);
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_divisible_u64", a, a, a);
    if (status == BIGINT_OK) {
        *yes = d == 0 ? a->n_ == 0 : divides(ctx, a, d);
    }
    return status;
}

bigint_status bigint_congruent_u64(bigint_ctx *ctx, int *yes, const bigint *a, uint64_t b,
                                   uint64_t d) {
    if (bigint_is_away(ctx)) {
        return word_congruent_there(ctx, "bigint_congruent_u64", yes, a, b, d);
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_congruent_u64", a, a, a);
    if (status != BIGINT_OK) {
        return status;
    }
    if (d == 0) {
        *yes = a->n_ == 0 ? b == 0 : a->n_ == 1 && a->sign_ > 0 && a->d_[0] == b;
        return BIGINT_OK;
    }
    const uint64_t rest = magnitude_mod(ctx, a, d);
    *yes = (a->sign_ < 0 && rest != 0 ? d - rest : rest) == b % d;
    return BIGINT_OK;
}
