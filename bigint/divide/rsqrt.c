// rsqrt.c: see rsqrt.h. B = 2^64; bounds: docs/proofs/root.md, section 8.
#include "bigint/divide/rsqrt.h"

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/root_newton.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// GUARD: bits of y beyond the result's, at least.
enum { GUARD = 40 };

bigint_status rsqrt_check(bigint_ctx *ctx, const char *who, const bigint *r, const bigint *a) {
    return bigint_check_places(ctx, who, r, a, NULL);
}

bigint_status rsqrt_not_positive(bigint_ctx *ctx, const char *who) {
    return bigint_fail(ctx, BIGINT_EINVAL,
                       "%s: the reciprocal root of a number that is not positive; test its sign",
                       who);
}

bigint_status rsqrt_form_of(bigint_ctx *ctx, const char *who, rsqrt_form *form, uint64_t length,
                            uint64_t bits) {
    form->half = word_ceil_div(length, 2);
    if (bits < form->half) {
        const uint64_t below = form->half - bits;
        *form = (rsqrt_form){.half = form->half, .limbs = 2, .places = 1 - (int64_t)below};
        return BIGINT_OK;
    }
    const bigint_status status = bigint_check_size(ctx, who, bits / 64 + 1);
    if (status == BIGINT_OK) {
        const uint64_t places = bits - form->half + 1, limbs = word_ceil_div(places + GUARD, 64);
        form->limbs = limbs < 2 ? 2 : limbs;
        form->places = (int64_t)places;
    }
    return status;
}

// fraction: {yp, n} 4 / B^n, n >= 2, is y for a number of `length` bits, its top limbs {ap, an}.
static bigint_status fraction(bigint_ctx *ctx, const char *who, uint64_t *yp, uint64_t n,
                              const bigint *a, uint64_t length) {
    const uint64_t an = a->n_ < n + 2 ? a->n_ : n + 2;
    uint64_t *const top = arena_take_limbs(ctx, who, an);
    if (top == NULL) {
        return BIGINT_ENOMEM;
    }
    limbs_lshift(top, a->d_ + (a->n_ - an), an, word_clz(a->d_[a->n_ - 1]));
    return root_reciprocal(ctx, who, yp, n, top, an, -(int64_t)(length & 1), 2);
}

bigint_status rsqrt_integers(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             uint64_t bits) {
    bigint_status status = rsqrt_check(ctx, who, r, a);
    rsqrt_form form;
    if (status == BIGINT_OK && a->sign_ <= 0) {
        status = rsqrt_not_positive(ctx, who);
    }
    const uint64_t length = status == BIGINT_OK ? 64 * a->n_ - word_clz(a->d_[a->n_ - 1]) : 0;
    if (status == BIGINT_OK) {
        status = rsqrt_form_of(ctx, who, &form, length, bits);
    }
    if (status != BIGINT_OK || form.places < 0) {
        return status == BIGINT_OK ? bigint_set_u64(ctx, r, 0) : status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = form.limbs;
    uint64_t *const yp = arena_take_limbs(ctx, who, n);
    status = yp == NULL ? BIGINT_ENOMEM : fraction(ctx, who, yp, n, a, length);
    if (status == BIGINT_OK) {  // rounded: the fraction begins at bit `after`, half of it is added
        const uint64_t after = 64 * n - 1 - (uint64_t)form.places, at = (after - 1) / 64;
        limbs_add_1(yp + at, yp + at, n - at, (uint64_t)1 << (after - 1) % 64);
        limbs_rshift(yp, yp + after / 64, n - after / 64, (unsigned)(after % 64));
        status = bigint_store(ctx, who, r, yp, n - after / 64, 1);
    }
    arena_release(ctx, mark);
    return status;
}
