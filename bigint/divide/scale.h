// scale.h: numbers times 2^s, as divisions scale them. Internal to bigint/divide.
#ifndef BIGINT_DIVIDE_SCALE_H_
#define BIGINT_DIVIDE_SCALE_H_

#include <stdbool.h>

#include "bigint/core/arena.h"
#include "primitives/limbs/limbs.h"

// copy_words: copies a few limbs one by one. A vector load of words that were just stored would
// wait until they are in the cache.
static inline void copy_words(uint64_t *rp, const uint64_t *ap, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        rp[i] = ap[i];
        __asm__ volatile("" ::: "memory");  // keeps compilers from making it a call
    }
}

// shift_up, shift_down: limbs_lshift and limbs_rshift of few limbs, which may be copies.
static inline uint64_t shift_up(uint64_t *rp, const uint64_t *ap, uint64_t n, unsigned s) {
    if (s == 0) {
        copy_words(rp, ap, n);
        return 0;
    }
    return limbs_lshift(rp, ap, n, s);
}

static inline void shift_down(uint64_t *rp, const uint64_t *ap, uint64_t n, unsigned s) {
    if (s == 0) {
        copy_words(rp, ap, n);
    } else {
        limbs_rshift(rp, ap, n, s);
    }
}

// scale_divisor: {*np, n} = {dp, dn} 2^s in new limbs, or dp itself for s = 0.
static inline bool scale_divisor(bigint_ctx *ctx, const uint64_t **np, const uint64_t *dp,
                                 uint64_t dn, unsigned s) {
    *np = dp;
    if (s != 0) {
        uint64_t *copy = arena_take_limbs(ctx, "bigint_divrem", dn);
        if (copy == NULL) {
            return false;
        }
        limbs_lshift(copy, dp, dn, s);
        *np = copy;
    }
    return true;
}

#endif  // BIGINT_DIVIDE_SCALE_H_
