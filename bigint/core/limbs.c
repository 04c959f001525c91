// limbs.c: the limbs of an integer on the host: allocated, replaced, cut to length. They do not
// count as workspace.
#include "bigint/core/limbs.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/kept.h"
#include "bigint/core/place.h"
#include "primitives/words/word.h"

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

// allocation_of: the limbs allocated for `limbs` limbs: whole cache lines, at least one. Sums that
// grow limb by limb then find room seven times out of eight.
static uint64_t allocation_of(uint64_t limbs) { return limbs / 8 * 8 + 8; }

uint64_t *bigint_limbs_allocate(bigint_ctx *ctx, const char *who, uint64_t limbs, uint64_t *cap,
                                bigint_status *status) {
    *status = bigint_check_size(ctx, who, limbs);
    if (*status != BIGINT_OK) {
        return NULL;
    }
    uint64_t bytes = allocation_of(limbs) * sizeof(uint64_t);  // below 2^60
    uint64_t *p = bytes < KEPT_FROM ? NULL : kept_take(ctx, &bytes);
    *cap = bytes / sizeof *p;
    if (p == NULL) {
        p = context_allocate_limbs(ctx, *cap);
    }
    if (p == NULL) {
        *status =
            bigint_fail(ctx, BIGINT_ENOMEM, "%s: no memory for a number of %llu limbs (%llu bytes)",
                        who, (unsigned long long)limbs, (unsigned long long)(*cap * sizeof *p));
    }
    return p;
}

void bigint_limbs_release(bigint_ctx *ctx, uint64_t *limbs, uint64_t cap) {
    const uint64_t bytes = cap * sizeof *limbs;
    if (bytes < KEPT_FROM || !kept_give(ctx, limbs, bytes)) {
        context_release(ctx, limbs, bytes);
    }
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

// --- Public calls --------------------------------------------------------------------------------

bigint_status bigint_reserve_bits(bigint_ctx *ctx, bigint *x, uint64_t bits) {
    const char *who = "bigint_reserve_bits";
    const uint64_t limbs = word_ceil_div(bits, 64);
    bigint_status status = bigint_check_places(ctx, who, x, NULL, NULL);
    if (status != BIGINT_OK || ctx->away == NULL) {
        return status != BIGINT_OK ? status : bigint_reserve(ctx, who, x, limbs);
    }
    status = bigint_check_size(ctx, who, limbs);
    return status != BIGINT_OK || ctx->away->reserve == NULL || limbs == 0
               ? status
               : ctx->away->reserve(ctx, who, x, limbs);
}

// shrink_there: on other places: through host memory, into new limbs.
static bigint_status shrink_there(bigint_ctx *ctx, const char *who, bigint *x) {
    const arena_mark mark = arena_get_mark(ctx);
    bigint copy = BIGINT_INIT;
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, x);
    if (status == BIGINT_OK && bits > 0) {
        const uint64_t n = word_ceil_div(bits, 64), *const p = bigint_view(ctx, who, x, n, &status);
        status = p == NULL ? status : ctx->away->store(ctx, who, &copy, p, n, sign);
    }
    if (status == BIGINT_OK) {
        bigint_swap(x, &copy);
    }
    bigint_clear(ctx, &copy);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_shrink(bigint_ctx *ctx, bigint *x) {
    const char *who = "bigint_shrink";
    bigint_status status = bigint_check_places(ctx, who, x, NULL, NULL);
    if (status == BIGINT_OK && ctx->away != NULL) {
        return shrink_there(ctx, who, x);
    }
    if (status == BIGINT_OK && x->n_ == 0) {
        bigint_clear(ctx, x);
    } else if (status == BIGINT_OK && allocation_of(x->n_) < x->cap_) {
        uint64_t cap, *const p = bigint_limbs_allocate(ctx, who, x->n_, &cap, &status);
        if (p != NULL) {
            memcpy(p, x->d_, x->n_ * sizeof *p);
            bigint_limbs_adopt(ctx, x, p, cap);
        }
    }
    return status;
}

bigint_status bigint_limbs_write(bigint_ctx *ctx, bigint_limb **p, bigint *x, uint64_t n) {
    const char *who = "bigint_limbs_write";
    bigint_status status = bigint_check_host(ctx, who, x, x, x);
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, x, n);
    }
    if (status == BIGINT_OK) {
        *p = x->d_;
    }
    return status;
}

bigint_status bigint_limbs_finish(bigint_ctx *ctx, bigint *x, uint64_t n, int sign) {
    const char *who = "bigint_limbs_finish";
    bigint_status status = bigint_check_host(ctx, who, x, x, x);
    if (status == BIGINT_OK && n > x->cap_) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: %llu limbs in an integer with room for %llu",
                             who, (unsigned long long)n, (unsigned long long)x->cap_);
    }
    if (status == BIGINT_OK) {
        bigint_finish(x, n, sign);
    }
    return status;
}

bigint bigint_limbs_view(const bigint_limb *p, uint64_t n, int sign) {
    n = limbs_normalize(p, n);
    return (bigint){.d_ = (bigint_limb *)(uintptr_t)p,  // never written
                    .n_ = n,
                    .cap_ = n,
                    .sign_ = n == 0     ? 0
                             : sign < 0 ? -1
                                        : 1};
}
