// count.c: bits counted and looked for.
#include "bigint/bits/bits.h"
#include "primitives/limbs/limbs.h"

bigint_status bigint_popcount(bigint_ctx *ctx, uint64_t *count, const bigint *a) {
    const bigint_status status = bits_check(ctx, "bigint_popcount", a, a);
    if (status != BIGINT_OK) {
        return status;
    }
    *count = a->sign_ < 0 ? UINT64_MAX : ctx->limbs->count->ones(a->d_, a->n_);
    return BIGINT_OK;
}

bigint_status bigint_hamming(bigint_ctx *ctx, uint64_t *count, const bigint *a, const bigint *b) {
    const bigint_status status = bits_check(ctx, "bigint_hamming", a, b);
    if (status != BIGINT_OK) {
        return status;
    }
    if ((a->sign_ < 0) != (b->sign_ < 0)) {
        *count = UINT64_MAX;
        return BIGINT_OK;
    }
    const limbs_count *const counts = ctx->limbs->count;
    complement x = bits_of(a), y = bits_of(b);
    uint64_t sum = 0, i = 0;                 // at most 64 * 2^56
    for (; (x.carry | y.carry) != 0; i++) {  // up to a limb that is not 0 in both
        const uint64_t limb = bits_next(&x, i) ^ bits_next(&y, i);
        sum += counts->ones(&limb, 1);
    }
    // Above, the masks of both cancel out. The shorter number goes on with bits of its sign.
    const uint64_t shorter = x.n < y.n ? x.n : y.n, both = i < shorter ? shorter : i;
    const bigint *const longer = x.n < y.n ? b : a;
    sum += counts->differences(a->d_ + i, b->d_ + i, both - i);
    *count = sum + counts->ones(longer->d_ + both, longer->n_ - both);
    return BIGINT_OK;
}

// scan: the first bit of a at `start` or above that is 1, or that is 0 where flip is UINT64_MAX.
static uint64_t scan(const bigint *a, uint64_t start, uint64_t flip) {
    complement c = bits_of(a);
    const uint64_t first = start / 64, above = c.mask ^ flip;
    if (first >= a->n_) {
        return above != 0 ? start : UINT64_MAX;
    }
    // The carry passes the zero limbs at the bottom and no other.
    c.carry = c.carry != 0 && limbs_normalize(a->d_, first) == 0;
    uint64_t keep = UINT64_MAX << start % 64;
    for (uint64_t i = first; i < a->n_; i++) {
        const uint64_t limb = (bits_next(&c, i) ^ flip) & keep;
        if (limb != 0) {
            return 64 * i + word_ctz(limb);
        }
        keep = UINT64_MAX;
    }
    return above != 0 ? 64 * a->n_ : UINT64_MAX;
}

bigint_status bigint_scan0(bigint_ctx *ctx, uint64_t *index, const bigint *a, uint64_t start) {
    const bigint_status status = bits_check(ctx, "bigint_scan0", a, a);
    if (status == BIGINT_OK) {
        *index = scan(a, start, UINT64_MAX);
    }
    return status;
}

bigint_status bigint_scan1(bigint_ctx *ctx, uint64_t *index, const bigint *a, uint64_t start) {
    const bigint_status status = bits_check(ctx, "bigint_scan1", a, a);
    if (status == BIGINT_OK) {
        *index = scan(a, start, 0);
    }
    return status;
}
