// product.c: bigint_mul, bigint_sqr, bigint_mul_sum and products modulo 2^bits -+ 1. Short products
// on the host run at once; for others the context's place decides.
#include <string.h>

#include "bigint/api/host_product.h"
#include "bigint/core/context.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"
#include "bigint/device/divide/mod.h"
#include "bigint/device/product.h"
#include "bigint/device/sum.h"
#include "bigint/group/group_product.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/product.h"
#include "bigint/multiply/sum.h"

// is_short: whether a and b live on the host, neither is 0, no plan is needed (mul_short_limbs), r
// has room for the product, and an operand that is r is short.
static inline bool is_short(const bigint_ctx *ctx, const bigint *r, const bigint *a,
                            const bigint *b) {
    const uint64_t shorter = a->n_ < b->n_ ? a->n_ : b->n_;
    return shorter - 1 < ctx->short_limbs && a->n_ + b->n_ <= r->cap_ &&
           (r->place_ | a->place_ | b->place_) == 0 &&
           (r->n_ <= SHORT_LIMBS_MOST || (r->d_ != a->d_ && r->d_ != b->d_));
}

// careful_product: the product of such operands, with a check if the context has one. r may be an
// operand, which is copied first.
static __attribute__((noinline)) bigint_status careful_product(bigint_ctx *ctx, bigint *r,
                                                               const bigint *a, const bigint *b) {
    uint64_t copy[SHORT_LIMBS_MOST];
    const uint64_t *ap = a->d_, *bp = b->d_, an = a->n_, bn = b->n_;
    const int sign = a->sign_ * b->sign_;
    if (r->d_ == ap || r->d_ == bp) {
        memcpy(copy, r->d_, r->n_ * sizeof *copy);
        ap = r->d_ == ap ? copy : ap;
        bp = r->d_ == bp ? copy : bp;
    }
    const bigint_status status = mul_short(ctx, r->d_, ap, an, bp, bn);
    bigint_finish(r, an + bn, sign);
    return status;
}

// any_product: bigint_mul with a plan.
static __attribute__((noinline)) bigint_status any_product(bigint_ctx *ctx, bigint *r,
                                                           const bigint *a, const bigint *b) {
    if (context_on_device(ctx) && host_product_asked(r, a, b)) {
        const bigint_status failed = device_check_process(ctx, "bigint_mul");
        return failed != BIGINT_OK ? failed : host_product(ctx, "bigint_mul", r, a, b);
    }
    const bigint_status status = bigint_check_places(ctx, "bigint_mul", r, a, b);
    if (status == BIGINT_OK && ctx->away != NULL) {
        return ctx->away->mul(ctx, "bigint_mul", r, a, b);
    }
    return status != BIGINT_OK
               ? status
               : mul_product(ctx, "bigint_mul", r, a, (mul_factor){b->d_, b->n_, b->sign_, NULL});
}

// short_product: bigint_mul where a function for this length does not serve.
static __attribute__((noinline)) bigint_status short_product(bigint_ctx *ctx, bigint *r,
                                                             const bigint *a, const bigint *b) {
    if (!is_short(ctx, r, a, b)) {
        return any_product(ctx, r, a, b);
    }
    const uint64_t an = a->n_, bn = b->n_;
    const int sign = a->sign_ * b->sign_;
    if (ctx->check_modulus != 0 || r->d_ == a->d_ || r->d_ == b->d_) {
        return careful_product(ctx, r, a, b);
    }
    mul_limbs_short(ctx->limbs, r->d_, a->d_, an, b->d_, bn);
    r->n_ = an + bn - (r->d_[an + bn - 1] == 0);
    r->sign_ = sign;
    ctx->counters.products++;
    return BIGINT_OK;
}

// is_few: whether a and b, of n limbs, live on the host, a function for this length serves
// (few_limbs), and r has room for the product.
static inline bool is_few(const bigint_ctx *ctx, const bigint *r, const bigint *a, const bigint *b,
                          uint64_t n) {
    return n - 1 < ctx->few_limbs && n == b->n_ && 2 * n <= r->cap_ &&
           (r->place_ | a->place_ | b->place_) == 0;
}

// begin_few sets sign and length of the product before its limbs are computed, so that less work is
// left after them: end_few corrects the length if the top limb is 0.
static inline void begin_few(bigint_ctx *ctx, bigint *r, uint64_t n, int sign) {
    r->n_ = 2 * n;
    r->sign_ = sign;
    ctx->counters.products++;
}

static inline bigint_status end_few(bigint *r, uint64_t top) {
    r->n_ -= top == 0;
    return BIGINT_OK;
}

bigint_status bigint_mul(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    const uint64_t n = a->n_, *const ap = a->d_, *const bp = b->d_;
    uint64_t *const rp = r->d_;
    if (!is_few(ctx, r, a, b, n) || (n > 1 && (rp == ap || rp == bp))) {
        return short_product(ctx, r, a, b);
    }
    const int sign = a->sign_ * b->sign_;
    if (n == 1) {  // inline, because a call would take most of the time; r may be an operand
        uint64_t top;
        rp[0] = word_mul(&top, ap[0], bp[0]);
        rp[1] = top;
        begin_few(ctx, r, 1, sign);
        return end_few(r, top);
    }
    begin_few(ctx, r, n, sign);
    return end_few(r,
                   ap == bp ? ctx->limbs->sqr_few[n](rp, ap) : ctx->limbs->mul_few[n](rp, ap, bp));
}

bigint_status bigint_sqr(bigint_ctx *ctx, bigint *r, const bigint *a) {
    const uint64_t n = a->n_;
    if (n == 1 || r->d_ == a->d_ || !is_few(ctx, r, a, a, n)) {
        return bigint_mul(ctx, r, a, a);
    }
    begin_few(ctx, r, n, 1);
    return end_few(r, ctx->limbs->sqr_few[n](r->d_, a->d_));
}

// --- Sums of products ---------------------------------------------------------------------------

bigint_status bigint_mul_sum(bigint_ctx *ctx, bigint *r, const bigint *const *a,
                             const bigint *const *b, const int *signs, uint64_t count) {
    const char *who = "bigint_mul_sum";
    bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK && count > BIGINT_MAX_LIMBS) {
        status = bigint_fail(ctx, BIGINT_ERANGE, "%s: a sum of %llu products; the most are 2^56",
                             who, (unsigned long long)count);
    }
    for (uint64_t i = 0; i < count && status == BIGINT_OK; i++) {
        status = bigint_check_places(ctx, who, a[i], b[i], NULL);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (context_on_group(ctx)) {
        return group_mul_sum(ctx, who, r, a, b, signs, count);
    }
    const mul_sum_terms s = {a, b, signs, count};
    return context_on_device(ctx) ? device_mul_sum(ctx, who, r, a, b, signs, count)
                                  : mul_sum(ctx, who, r, &s);
}

// --- Residues ------------------------------------------------------------------------------------

static bigint_status mul_mod(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             const bigint *b, mul_ring ring) {
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {a, b}});
        return host_call_end(&there, mul_mod(ctx, who, there.r[0], there.a[0], there.a[1], ring));
    }
    const bigint_status status = bigint_check_places(ctx, who, r, a, b);
    if (status != BIGINT_OK) {
        return status;
    }
    if (ring.bits == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: the modulus has 0 bits; give 1 at least", who);
    }
    return context_on_device(ctx) ? device_mul_mod(ctx, who, r, a, b, ring)
                                  : mul_mod_integers(ctx, who, r, a, b, ring);
}

bigint_status bigint_mul_mod_2exp_minus1(bigint_ctx *ctx, bigint *r, const bigint *a,
                                         const bigint *b, uint64_t bits) {
    return mul_mod(ctx, "bigint_mul_mod_2exp_minus1", r, a, b, (mul_ring){bits, false});
}

bigint_status bigint_mul_mod_2exp_plus1(bigint_ctx *ctx, bigint *r, const bigint *a,
                                        const bigint *b, uint64_t bits) {
    return mul_mod(ctx, "bigint_mul_mod_2exp_plus1", r, a, b, (mul_ring){bits, true});
}
