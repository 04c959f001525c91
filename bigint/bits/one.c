// one.c: single bits: read, set, cleared, flipped.
#include <string.h>

#include "bigint/bits/bits.h"
#include "bigint/core/limbs.h"

// bit_of: bit `index` of a. That of a negative number is the opposite of its magnitude's, except at
// the magnitude's lowest one and below it, where both agree.
static bool bit_of(const bigint *a, uint64_t index) {
    const uint64_t limb = index / 64, below = ((uint64_t)1 << index % 64) - 1;
    if (limb >= a->n_) {
        return a->sign_ < 0;
    }
    const bool bit = (a->d_[limb] >> index % 64 & 1) != 0;
    return a->sign_ < 0 ? bit != ((a->d_[limb] & below) != 0 || limbs_normalize(a->d_, limb) != 0)
                        : bit;
}

bigint_status bigint_tstbit(bigint_ctx *ctx, int *bit, const bigint *a, uint64_t index) {
    const bigint_status status = bits_check(ctx, "bigint_tstbit", a, a);
    if (status == BIGINT_OK) {
        *bit = bit_of(a, index);
    }
    return status;
}

// grow: |r| = |r| + 2^index.
static bigint_status grow(bigint_ctx *ctx, const char *who, bigint *r, uint64_t index, int sign) {
    const uint64_t limb = index / 64, old = r->n_, n = (old > limb ? old : limb + 1) + 1;
    const bigint_status status = bigint_reserve(ctx, who, r, n);
    if (status == BIGINT_OK) {
        memset(r->d_ + old, 0, (n - old) * sizeof *r->d_);
        limbs_add_1(r->d_ + limb, r->d_ + limb, n - limb, (uint64_t)1 << index % 64);
        bigint_finish(r, n, sign);
    }
    return status;
}

// shrink: |r| = |r| - 2^index, which is not negative.
static void shrink(bigint *r, uint64_t index) {
    const uint64_t limb = index / 64;
    limbs_sub_1(r->d_ + limb, r->d_ + limb, r->n_ - limb, (uint64_t)1 << index % 64);
    bigint_finish(r, r->n_, r->sign_);
}

// flip: a bit that was `old` becomes the other: r + 2^index or r - 2^index. A magnitude has a one
// at or above `index` where it shrinks: a natural number's at it; a negative number whose bit is 0
// is below -2^index.
static bigint_status flip(bigint_ctx *ctx, const char *who, bigint *r, uint64_t index, bool old) {
    const bool negative = r->sign_ < 0;
    if (old == negative) {
        return grow(ctx, who, r, index, negative ? -1 : 1);
    }
    shrink(r, index);
    return BIGINT_OK;
}

// plain: whether r is natural, lives on the host and has limb index / 64: a bit may change there.
static bool plain(const bigint_ctx *ctx, const bigint *r, uint64_t index) {
    return r->sign_ > 0 && index / 64 < r->n_ && bigint_all_on_host(ctx, r, r, r);
}

bigint_status bigint_setbit(bigint_ctx *ctx, bigint *r, uint64_t index) {
    if (plain(ctx, r, index)) {
        r->d_[index / 64] |= (uint64_t)1 << index % 64;
        return BIGINT_OK;
    }
    const bigint_status status = bits_check(ctx, "bigint_setbit", r, r);
    return status != BIGINT_OK || bit_of(r, index) ? status
                                                   : flip(ctx, "bigint_setbit", r, index, false);
}

bigint_status bigint_clrbit(bigint_ctx *ctx, bigint *r, uint64_t index) {
    if (plain(ctx, r, index)) {
        r->d_[index / 64] &= ~((uint64_t)1 << index % 64);
        bigint_finish(r, r->n_, 1);
        return BIGINT_OK;
    }
    const bigint_status status = bits_check(ctx, "bigint_clrbit", r, r);
    return status != BIGINT_OK || !bit_of(r, index) ? status
                                                    : flip(ctx, "bigint_clrbit", r, index, true);
}

bigint_status bigint_combit(bigint_ctx *ctx, bigint *r, uint64_t index) {
    if (plain(ctx, r, index)) {
        r->d_[index / 64] ^= (uint64_t)1 << index % 64;
        bigint_finish(r, r->n_, 1);
        return BIGINT_OK;
    }
    const bigint_status status = bits_check(ctx, "bigint_combit", r, r);
    return status != BIGINT_OK ? status : flip(ctx, "bigint_combit", r, index, bit_of(r, index));
}
