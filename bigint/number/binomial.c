// binomial.c: binomial coefficients of integers of any size and sign.
#include "bigint/core/host_call.h"
#include "bigint/divide/plan.h"
#include "bigint/multiply/mul.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

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

// check: whether the numerator of a quotient of k factors of mn limbs has a length.
static bigint_status check(bigint_ctx *ctx, const char *who, uint64_t mn, uint64_t k) {
    uint64_t limbs;
    const bool huge = __builtin_mul_overflow(k, mn + 1, &limbs);
    const bigint_status status = number_check_count(ctx, who, k);
    return status != BIGINT_OK ? status : bigint_check_size(ctx, who, huge ? UINT64_MAX : limbs);
}

// quotient_need: quotient for m of mn limbs.
static void quotient_need(work_need *w, uint64_t mn, uint64_t k) {
    const unsigned bits = number_bits(k);
    const uint64_t below = factors_words(k * bits, bits, k);
    need_take_limbs(&w->host, k * (mn + 1));
    const uint64_t numerator = w->host.in_use;
    for (uint64_t n = k; n > 1; n -= n / 2) {  // down the upper halves
        need_take_limbs(&w->host, n / 2 * (mn + 1));
        need_take_limbs(&w->host, (n - n / 2) * (mn + 1));
        mul_need(w, n / 2 * mn, (n - n / 2) * mn, false);
    }
    need_release(&w->host, numerator);
    need_take_limbs(&w->host, k);
    factors_product_need(w, below);
    divrem_need(w, k * mn, below);
}

// For a word n over k is by_primes only up to n = 16 k + 15, and of no more than k factors else.
void binomial_need(work_need *w, uint64_t an, uint64_t k) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, an + 2);
    if (an <= 1 && k > 0 && k >> 50 == 0) {
        binomial_u64_need(w, 16 * k + 15, k);
        binomial_u64_need(w, UINT64_MAX, k);
    }
    if (an > 0 && k > 0 && w->status == BIGINT_OK) {  // |n| + k - 1 may be one limb longer
        w->status = check(w->ctx, w->who, an + 1, k);
        if (w->status == BIGINT_OK) {
            quotient_need(w, an + 1, k);
        }
    }
    need_release(&w->host, in_use);
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
    const bigint_status status = check(ctx, who, m->n_, k);
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
