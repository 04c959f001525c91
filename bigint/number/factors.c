// factors.c: products of many words, and the primes below a bound.
#include <string.h>

#include "bigint/number/number.h"

bigint_status number_check_count(bigint_ctx *ctx, const char *who, uint64_t count) {
    return count >> 50 == 0 ? BIGINT_OK
                            : bigint_fail(ctx, BIGINT_ENOMEM,
                                          "%s: no memory for a product of up to %llu factors", who,
                                          (unsigned long long)count);
}

factor_list factors_begin(bigint_ctx *ctx, const char *who, uint64_t cap) {
    return (factor_list){.p = arena_take_limbs(ctx, who, cap), .cap = cap};
}

void factors_add(factor_list *list, uint64_t factor) {
    uint64_t product;
    if (list->n > 0 && !__builtin_mul_overflow(list->p[list->n - 1], factor, &product)) {
        list->p[list->n - 1] = product;
    } else if (list->n < list->cap) {
        list->p[list->n++] = factor;
    } else {
        list->failed = true;
    }
}

// product: r = the product of {p, n}, n >= 1, by halves; r has room for n limbs.
static bigint_status product(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                             uint64_t n) {
    enum { ROWS_MOST = 16 };
    if (n <= ROWS_MOST) {
        r->d_[0] = p[0];
        for (uint64_t i = 1; i < n; i++) {
            r->d_[i] = ctx->limbs->mul_1(r->d_, r->d_, i, p[i]);
        }
        bigint_finish(r, n, 1);
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint low = bigint_scratch(ctx, who, n / 2 + 1), high = BIGINT_INIT;
    bigint_status status = low.d_ == NULL ? BIGINT_ENOMEM : product(ctx, who, &low, p, n / 2);
    if (status == BIGINT_OK) {
        high = bigint_scratch(ctx, who, n - n / 2 + 1);
        status = high.d_ == NULL ? BIGINT_ENOMEM : product(ctx, who, &high, p + n / 2, n - n / 2);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul(ctx, r, &low, &high);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status factors_product(bigint_ctx *ctx, const char *who, bigint *r,
                              const factor_list *list) {
    if (list->failed) {
        return context_impossible(ctx, who, "the number of factors");
    }
    *r = bigint_scratch(ctx, who, list->n + 1);
    return r->d_ == NULL  ? BIGINT_ENOMEM
           : list->n == 0 ? bigint_set_u64(ctx, r, 1)
                          : product(ctx, who, r, list->p, list->n);
}

const unsigned char *factors_sieve(bigint_ctx *ctx, const char *who, uint64_t n) {
    const uint64_t last = n == 0 ? 0 : (n - 1) / 2;
    unsigned char *const sieve = arena_take(ctx, who, last + 1);
    if (sieve == NULL) {
        return NULL;
    }
    memset(sieve, 0, last + 1);
    for (uint64_t i = 1; 2 * i * (i + 1) <= last; i++) {  // (2 i + 1)^2 = 2 (2 i (i + 1)) + 1
        for (uint64_t k = 2 * i * (i + 1); sieve[i] == 0 && k <= last; k += 2 * i + 1) {
            sieve[k] = 1;
        }
    }
    return sieve;
}
