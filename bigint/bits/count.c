// count.c: bits counted and looked for.
#include "bigint/bits/bits.h"
#include "bigint/core/host_call.h"
#include "primitives/limbs/limbs.h"

// popcount_off_host: bigint_popcount where bigint_all_on_host is false.
static __attribute__((noinline)) bigint_status popcount_off_host(bigint_ctx *ctx, uint64_t *count,
                                                                 const bigint *a) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, "bigint_popcount", a, a, a);
    }
    host_call there;
    host_call_begin(&there, ctx, "bigint_popcount", (host_operands){.a = {a}});
    return host_call_end(&there, bigint_popcount(ctx, count, there.a[0]));
}

bigint_status bigint_popcount(bigint_ctx *ctx, uint64_t *count, const bigint *a) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return popcount_off_host(ctx, count, a);
    }
    *count = a->sign_ < 0 ? UINT64_MAX : ctx->limbs->count->ones(a->d_, a->n_);
    return BIGINT_OK;
}

bigint_status bigint_hamming(bigint_ctx *ctx, uint64_t *count, const bigint *a, const bigint *b) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_hamming", (host_operands){.a = {a, b}});
        return host_call_end(&there, bigint_hamming(ctx, count, there.a[0], there.a[1]));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_hamming", a, b, b);
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
static __attribute__((noinline)) bigint_status scan(uint64_t *index, const bigint *a,
                                                    uint64_t start, uint64_t flip) {
    complement c = bits_of(a);
    const uint64_t first = start / 64, above = c.mask ^ flip;
    if (first >= a->n_) {
        *index = above != 0 ? start : UINT64_MAX;
        return BIGINT_OK;
    }
    // The carry passes the zero limbs at the bottom and no other.
    c.carry = c.carry != 0 && limbs_normalize(a->d_, first) == 0;
    uint64_t keep = UINT64_MAX << start % 64;
    for (uint64_t i = first; i < a->n_; i++) {
        const uint64_t limb = (bits_next(&c, i) ^ flip) & keep;
        if (limb != 0) {
            *index = 64 * i + word_ctz(limb);
            return BIGINT_OK;
        }
        keep = UINT64_MAX;
    }
    *index = above != 0 ? 64 * a->n_ : UINT64_MAX;
    return BIGINT_OK;
}

// first_bit: the same with the checks. It is often in limb start / 64 of a natural number.
static inline bigint_status first_bit(bigint_ctx *ctx, const char *who, uint64_t *index,
                                      const bigint *a, uint64_t start, uint64_t flip) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {a}});
        return host_call_end(&there, first_bit(ctx, who, index, there.a[0], start, flip));
    }
    const bigint_status status = bigint_check_host(ctx, who, a, a, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t first = start / 64;
    const uint64_t limb =
        a->sign_ > 0 && first < a->n_ ? (a->d_[first] ^ flip) & UINT64_MAX << start % 64 : 0;
    if (limb == 0) {
        return scan(index, a, start, flip);
    }
    *index = 64 * first + word_ctz(limb);
    return BIGINT_OK;
}

bigint_status bigint_scan0(bigint_ctx *ctx, uint64_t *index, const bigint *a, uint64_t start) {
    return first_bit(ctx, "bigint_scan0", index, a, start, UINT64_MAX);
}

bigint_status bigint_scan1(bigint_ctx *ctx, uint64_t *index, const bigint *a, uint64_t start) {
    return first_bit(ctx, "bigint_scan1", index, a, start, 0);
}
