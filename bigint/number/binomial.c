// binomial.c: binomial coefficients of integers of any size and sign.
#include "bigint/core/host_call.h"
#include "bigint/number/number.h"

// falling: r = (m - low) ... (m - high + 1), low < high, in workspace, by halves; m >= high.
static bigint_status falling(bigint_ctx *ctx, const char *who, bigint *r, const bigint *m,
                             uint64_t low, uint64_t high) {
    const uint64_t count = high - low, middle = low + count / 2;
    *r = bigint_scratch(ctx, who, count * (m->n_ + 1));  // 1 more for each than it has
    if (r->d_ == NULL) {
        return BIGINT_ENOMEM;
    }
    if (count == 1) {
        return bigint_sub_u64(ctx, r, m, low);
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint x, y;
    bigint_status status;
    (void)((status = falling(ctx, who, &x, m, low, middle)) ||
           (status = falling(ctx, who, &y, m, middle, high)) ||
           (status = bigint_mul(ctx, r, &x, &y)));
    arena_release(ctx, mark);
    return status;
}

// quotient: r = m (m - 1) ... (m - k + 1) / k!, k > 0.
static bigint_status quotient(bigint_ctx *ctx, const char *who, bigint *r, const bigint *m,
                              uint64_t k) {
    bigint numerator, denominator;
    bigint_status status = falling(ctx, who, &numerator, m, 0, k);
    if (status != BIGINT_OK) {
        return status;
    }
    factor_list below = factors_begin(ctx, who, k);
    if (below.p == NULL) {
        return BIGINT_ENOMEM;
    }
    for (uint64_t i = 1; i <= k; i++) {
        factors_add(&below, i);
    }
    (void)((status = factors_product(ctx, who, &denominator, &below)) ||
           (status = bigint_divrem(ctx, r, NULL, &numerator, &denominator)));
    return status;
}

// above: r = m over k for m >= 0.
static bigint_status above(bigint_ctx *ctx, const char *who, bigint *r, const bigint *m,
                           uint64_t k) {
    if (m->n_ <= 1) {
        return bigint_binomial_u64(ctx, r, m->n_ == 0 ? 0 : m->d_[0], k);
    }
    if (k == 0) {
        return bigint_set_u64(ctx, r, 1);
    }
    uint64_t limbs;
    bigint_status status = number_check_count(ctx, who, k);
    if (status == BIGINT_OK) {
        const bool huge = __builtin_mul_overflow(k, m->n_ + 1, &limbs);
        status = bigint_check_size(ctx, who, huge ? UINT64_MAX : limbs);
    }
    return status != BIGINT_OK ? status : quotient(ctx, who, r, m, k);
}

bigint_status bigint_binomial(bigint_ctx *ctx, bigint *r, const bigint *n, uint64_t k) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_binomial", (host_operands){.r = {r}, .a = {n}});
        return host_call_end(&there, bigint_binomial(ctx, there.r[0], there.a[0], k));
    }
    const char *who = "bigint_binomial";
    bigint_status status = number_check(ctx, who, r, n, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    if (n->sign_ >= 0) {
        status = above(ctx, who, r, n, k);
    } else {  // (-1)^k (k - 1 - n) over k; for k = 0 the sum is |n| - 1 >= 0, too
        bigint m = bigint_scratch(ctx, who, n->n_ + 2);
        (void)((status = m.d_ == NULL ? BIGINT_ENOMEM : bigint_u64_sub(ctx, &m, k, n)) ||
               (status = bigint_sub_u64(ctx, &m, &m, 1)) || (status = above(ctx, who, r, &m, k)));
        if (status == BIGINT_OK && k % 2 != 0) {
            r->sign_ = -r->sign_;
        }
    }
    arena_release(ctx, mark);
    return status;
}
