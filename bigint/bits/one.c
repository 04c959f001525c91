// one.c: single bits: read, set, cleared, flipped.
#include <string.h>

#include "bigint/bits/bits.h"
#include "bigint/core/host_call.h"
#include "bigint/core/limbs.h"

// magnitude_bit: bit `index` of |a|.
static inline bool magnitude_bit(const bigint *a, uint64_t index) {
    return index / 64 < a->n_ && (a->d_[index / 64] >> index % 64 & 1) != 0;
}

// bit_of: bit `index` of a. That of a negative number is the opposite of its magnitude's, except at
// the magnitude's lowest one and below it, where both agree.
static bool bit_of(const bigint *a, uint64_t index) {
    const uint64_t limb = index / 64, below = ((uint64_t)1 << index % 64) - 1;
    const bool bit = magnitude_bit(a, index);
    return a->sign_ < 0 ? bit != (limb >= a->n_ || (a->d_[limb] & below) != 0 ||
                                  limbs_normalize(a->d_, limb) != 0)
                        : bit;
}

// negative_tstbit: bigint_tstbit of a negative number. It is a function of its own, so that others
// save no registers.
static __attribute__((noinline)) bigint_status negative_tstbit(int *bit, const bigint *a,
                                                               uint64_t index) {
    *bit = bit_of(a, index);
    return BIGINT_OK;
}

// tstbit_off_host: bigint_tstbit where bigint_all_on_host is false.
static __attribute__((noinline)) bigint_status tstbit_off_host(bigint_ctx *ctx, int *bit,
                                                               const bigint *a, uint64_t index) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, "bigint_tstbit", a, a, a);
    }
    host_call there;
    host_call_begin(&there, ctx, "bigint_tstbit", (host_operands){.a = {a}, .low = index / 64 + 1});
    return host_call_end(&there, bigint_tstbit(ctx, bit, there.a[0], index));
}

bigint_status bigint_tstbit(bigint_ctx *ctx, int *bit, const bigint *a, uint64_t index) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return tstbit_off_host(ctx, bit, a, index);
    }
    if (a->sign_ < 0) {
        return negative_tstbit(bit, a, index);
    }
    *bit = magnitude_bit(a, index);
    return BIGINT_OK;
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

// change: bit `index` of any r becomes `bit`, or, for OTHER, what it is not.
enum { OTHER = 2 };
static __attribute__((noinline)) bigint_status change(bigint_ctx *ctx, const char *who, bigint *r,
                                                      uint64_t index, int bit) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {r}});
        return host_call_end(&there, change(ctx, who, there.r[0], index, bit));
    }
    const bigint_status status = bigint_check_host(ctx, who, r, r, r);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool old = bit_of(r, index);
    return old == bit ? BIGINT_OK : flip(ctx, who, r, index, old);
}

// plain: whether r is natural, lives on the host and has limb index / 64: a bit may change there.
static inline bool plain(const bigint_ctx *ctx, const bigint *r, uint64_t index) {
    return r->sign_ > 0 && index / 64 < r->n_ && bigint_all_on_host(ctx, r, r, r);
}

bigint_status bigint_setbit(bigint_ctx *ctx, bigint *r, uint64_t index) {
    if (!plain(ctx, r, index)) {
        return change(ctx, "bigint_setbit", r, index, 1);
    }
    r->d_[index / 64] |= (uint64_t)1 << index % 64;
    return BIGINT_OK;
}

bigint_status bigint_clrbit(bigint_ctx *ctx, bigint *r, uint64_t index) {
    if (!plain(ctx, r, index)) {
        return change(ctx, "bigint_clrbit", r, index, 0);
    }
    r->d_[index / 64] &= ~((uint64_t)1 << index % 64);
    bigint_finish(r, r->n_, 1);
    return BIGINT_OK;
}

bigint_status bigint_combit(bigint_ctx *ctx, bigint *r, uint64_t index) {
    if (!plain(ctx, r, index)) {
        return change(ctx, "bigint_combit", r, index, OTHER);
    }
    r->d_[index / 64] ^= (uint64_t)1 << index % 64;
    bigint_finish(r, r->n_, 1);
    return BIGINT_OK;
}
