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

bigint_status bigint_mul_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    const char *who = "bigint_mul_2exp";
    bigint_status status = BIGINT_OK;
    if (!bigint_all_on_host(ctx, r, a, a)) {
        status = bigint_check_places(ctx, who, r, a, NULL);
        if (status != BIGINT_OK || ctx->away != NULL) {
            return status != BIGINT_OK ? status : ctx->away->mul_2exp(ctx, who, r, a, bits);
        }
    }
    if (a->n_ == 0) {
        return bigint_store(ctx, who, r, NULL, 0, 0);
    }
    const uint64_t limbs = bits / 64, an = a->n_, n = limbs + an;  // below 2^58 + 2^56
    const int sign = a->sign_;
    status = bigint_reserve(ctx, who, r, n + 1);
    if (status == BIGINT_OK) {
        r->d_[n] = limbs_lshift(r->d_ + limbs, a->d_, an, (unsigned)(bits % 64));
        memset(r->d_, 0, limbs * sizeof *r->d_);
        bigint_finish(r, n + 1, sign);
    }
    return status;
}

bigint_status bigint_tdiv_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    const char *who = "bigint_tdiv_2exp";
    bigint_status status = BIGINT_OK;
    if (!bigint_all_on_host(ctx, r, a, a)) {
        status = bigint_check_places(ctx, who, r, a, NULL);
        if (status != BIGINT_OK || ctx->away != NULL) {
            return status != BIGINT_OK ? status : ctx->away->tdiv_2exp(ctx, who, r, a, bits);
        }
    }
    const uint64_t limbs = bits / 64;
    if (a->n_ <= limbs) {
        return bigint_store(ctx, who, r, NULL, 0, 0);
    }
    const uint64_t n = a->n_ - limbs;
    const int sign = a->sign_;
    status = bigint_reserve(ctx, who, r, n);
    if (status == BIGINT_OK) {
        limbs_rshift(r->d_, a->d_ + limbs, n, (unsigned)(bits % 64));
        bigint_finish(r, n, sign);
    }
    return status;
}
