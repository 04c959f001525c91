// sum.c: comparisons, sums and shifts of integers: the public calls and their work on the host. On
// other places: place.h. Linear work only.
#include <assert.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"

// --- Comparisons ---------------------------------------------------------------------------------

static int cmp_abs(const bigint *a, const bigint *b) {
    if (a->n_ != b->n_) {
        return a->n_ < b->n_ ? -1 : 1;
    }
    return limbs_cmp(a->d_, b->d_, a->n_);
}

bigint_status bigint_cmp(bigint_ctx *ctx, int *order, const bigint *a, const bigint *b) {
    const char *who = "bigint_cmp";
    if (!bigint_all_on_host(ctx, a, b, b)) {
        const bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
        if (status != BIGINT_OK || ctx->away != NULL) {
            return status != BIGINT_OK ? status : ctx->away->cmp(ctx, who, order, a, b, false);
        }
    }
    *order = a->sign_ != b->sign_ ? (a->sign_ < b->sign_ ? -1 : 1) : a->sign_ * cmp_abs(a, b);
    return BIGINT_OK;
}

bigint_status bigint_cmp_abs(bigint_ctx *ctx, int *order, const bigint *a, const bigint *b) {
    const char *who = "bigint_cmp_abs";
    const bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
    if (status != BIGINT_OK || ctx->away != NULL) {
        return status != BIGINT_OK ? status : ctx->away->cmp(ctx, who, order, a, b, true);
    }
    *order = cmp_abs(a, b);
    return BIGINT_OK;
}

// --- Sums ----------------------------------------------------------------------------------------

// add_same: r = the sum of a and b of one sign; r may be a or b.
static bigint_status add_same(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              const bigint *b, int sign) {
    const bool swap = a->n_ < b->n_;
    const bigint *const big = swap ? b : a, *const small = swap ? a : b;
    const uint64_t n = big->n_, small_n = small->n_;
    const bigint_status status = bigint_reserve(ctx, who, r, n + 1);
    if (status == BIGINT_OK) {
        const uint64_t carry = limbs_add(r->d_, big->d_, n, small->d_, small_n);
        r->d_[n] = carry;
        r->n_ = n + carry;
        r->sign_ = sign;
    }
    return status;
}

// add_opposite: the same of different signs, of which one may be 0.
static bigint_status add_opposite(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                  const bigint *b, int b_sign) {
    const bool swap = cmp_abs(a, b) < 0;
    const bigint *const big = swap ? b : a, *const small = swap ? a : b;
    const int sign = swap ? b_sign : a->sign_;
    const uint64_t n = big->n_, small_n = small->n_;
    const bigint_status status = bigint_reserve(ctx, who, r, n);
    if (status == BIGINT_OK) {
        const uint64_t borrow = limbs_sub(r->d_, big->d_, n, small->d_, small_n);
        assert(borrow == 0);  // |big| >= |small|
        (void)borrow;
        bigint_finish(r, n, sign);
    }
    return status;
}

// sum: a + b, or a - b where subtract.
static inline bigint_status sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                const bigint *b, bool subtract) {
    const int a_sign = a->sign_, b_sign = subtract ? -b->sign_ : b->sign_;
    if (!bigint_all_on_host(ctx, r, a, b)) {
        const bigint_status status = bigint_check_places(ctx, who, r, a, b);
        if (status != BIGINT_OK || ctx->away != NULL) {
            return status != BIGINT_OK ? status : ctx->away->add(ctx, who, r, a, b, subtract);
        }
    }
    if (a->n_ == 1 && b->n_ == 1 && r->cap_ >= 2) {
        bigint_add_words(r, a->d_[0], a_sign, b->d_[0], b_sign);
        return BIGINT_OK;
    }
    return a_sign == b_sign ? add_same(ctx, who, r, a, b, a_sign)
                            : add_opposite(ctx, who, r, a, b, b_sign);
}

bigint_status bigint_add(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return sum(ctx, "bigint_add", r, a, b, false);
}

bigint_status bigint_sub(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return sum(ctx, "bigint_sub", r, a, b, true);
}

// --- Shifts --------------------------------------------------------------------------------------

// mul_2exp_any, tdiv_2exp_any: on any place, and on the host for any room of r.
static __attribute__((noinline)) bigint_status mul_2exp_any(bigint_ctx *ctx, bigint *r,
                                                            const bigint *a, uint64_t bits) {
    const char *who = "bigint_mul_2exp";
    bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status != BIGINT_OK || ctx->away != NULL) {
        return status != BIGINT_OK ? status : ctx->away->mul_2exp(ctx, who, r, a, bits);
    }
    if (a->n_ == 0) {
        bigint_finish(r, 0, 0);
        return BIGINT_OK;
    }
    status = bigint_reserve(ctx, who, r, bits / 64 + a->n_ + 1);  // below 2^58 + 2^56 limbs
    if (status == BIGINT_OK) {
        bigint_shift_up(r, a, bits);
    }
    return status;
}

static __attribute__((noinline)) bigint_status tdiv_2exp_any(bigint_ctx *ctx, bigint *r,
                                                             const bigint *a, uint64_t bits) {
    const char *who = "bigint_tdiv_2exp";
    bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status != BIGINT_OK || ctx->away != NULL) {
        return status != BIGINT_OK ? status : ctx->away->tdiv_2exp(ctx, who, r, a, bits);
    }
    status = bigint_reserve(ctx, who, r, a->n_ > bits / 64 ? a->n_ - bits / 64 : 0);
    if (status == BIGINT_OK) {
        bigint_shift_down(r, a, bits);
    }
    return status;
}

bigint_status bigint_mul_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    if (bits / 64 + a->n_ >= r->cap_ || !bigint_all_on_host(ctx, r, a, a)) {
        return mul_2exp_any(ctx, r, a, bits);
    }
    bigint_shift_up(r, a, bits);
    return BIGINT_OK;
}

bigint_status bigint_tdiv_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    if (a->n_ > r->cap_ || !bigint_all_on_host(ctx, r, a, a)) {
        return tdiv_2exp_any(ctx, r, a, bits);
    }
    bigint_shift_down(r, a, bits);
    return BIGINT_OK;
}
