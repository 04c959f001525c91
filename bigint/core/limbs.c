// limbs.c: the limbs of an integer on the host: allocated, replaced, cut to length. They do not
// count as workspace.
#include "bigint/core/limbs.h"

#include <string.h>

#include "bigint/core/arena.h"

bigint_status bigint_check_size(bigint_ctx *ctx, const char *who, uint64_t limbs) {
    if (limbs <= BIGINT_MAX_LIMBS) {
        return BIGINT_OK;
    }
    return bigint_fail(ctx, BIGINT_ERANGE, "%s: a number of %llu limbs exceeds the limit of 2^56",
                       who, (unsigned long long)limbs);
}

bigint_status bigint_check_product_size(bigint_ctx *ctx, const char *who, uint64_t an,
                                        uint64_t bn) {
    if (an <= BIGINT_MAX_LIMBS && bn <= BIGINT_MAX_LIMBS - an) {
        return BIGINT_OK;
    }
    return bigint_fail(ctx, BIGINT_ERANGE,
                       "%s: a product of %llu by %llu limbs exceeds the limit of 2^56", who,
                       (unsigned long long)an, (unsigned long long)bn);
}

uint64_t *bigint_limbs_allocate(bigint_ctx *ctx, const char *who, uint64_t limbs, uint64_t *cap,
                                bigint_status *status) {
    *status = bigint_check_size(ctx, who, limbs);
    if (*status != BIGINT_OK) {
        return NULL;
    }
    // Whole cache lines, at least one. Sums that grow limb by limb then find room seven times out
    // of eight.
    *cap = limbs / 8 * 8 + 8;
    uint64_t *p = context_allocate_limbs(ctx, *cap);
    if (p == NULL) {
        *status =
            bigint_fail(ctx, BIGINT_ENOMEM, "%s: no memory for a number of %llu limbs (%llu bytes)",
                        who, (unsigned long long)limbs, (unsigned long long)(*cap * sizeof *p));
    }
    return p;
}

void bigint_limbs_release(bigint_ctx *ctx, uint64_t *limbs, uint64_t cap) {
    context_release(ctx, limbs, cap * sizeof *limbs);
}

void bigint_limbs_adopt(bigint_ctx *ctx, bigint *r, uint64_t *limbs, uint64_t cap) {
    bigint_limbs_release(ctx, r->d_, r->cap_);
    r->d_ = limbs;
    r->cap_ = cap;
    r->place_ = ctx->device.place + 1;
}

bigint_status bigint_reserve_more(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs) {
    bigint_status status;
    uint64_t cap, *p = bigint_limbs_allocate(ctx, who, limbs, &cap, &status);
    if (p != NULL) {
        if (r->n_ > 0) {
            memcpy(p, r->d_, r->n_ * sizeof *p);
        }
        bigint_limbs_adopt(ctx, r, p, cap);
    }
    return status;
}

bigint bigint_scratch(bigint_ctx *ctx, const char *who, uint64_t limbs) {
    return (bigint){.d_ = arena_take_limbs(ctx, who, limbs), .cap_ = limbs};
}

void bigint_put(bigint *r, const uint64_t *p, uint64_t n, int sign) {
    memcpy(r->d_, p, n * sizeof *p);
    bigint_finish(r, n, sign);
}
