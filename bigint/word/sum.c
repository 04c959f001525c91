// sum.c: sums of an integer and a word.
#include "bigint/core/limbs.h"
#include "bigint/word/operands.h"

// long_sum: r = a_sign |a| + b_sign b, for any length of a and room of r.
static __attribute__((noinline)) bigint_status long_sum(bigint_ctx *ctx, const char *who, bigint *r,
                                                        const bigint *a, int a_sign, uint64_t b,
                                                        int b_sign) {
    const bigint_status checked = word_check(ctx, who, r, a);
    const uint64_t n = a->n_;
    const bigint_status status =
        checked != BIGINT_OK ? checked : bigint_reserve(ctx, who, r, n + 1);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const rp = r->d_;
    if (n == 0) {
        rp[0] = b;
        bigint_finish(r, 1, b_sign);
    } else if (a_sign == b_sign) {
        const uint64_t carry = limbs_add_1(rp, a->d_, n, b);
        rp[n] = carry;
        r->n_ = n + carry;
        r->sign_ = a_sign;
    } else if (n > 1 || a->d_[0] >= b) {
        limbs_sub_1(rp, a->d_, n, b);
        bigint_finish(r, n, a_sign);
    } else {
        rp[0] = b - a->d_[0];
        bigint_finish(r, 1, b_sign);
    }
    return BIGINT_OK;
}

// sum: the same, without a call for a number of one limb.
static inline bigint_status sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                int a_sign, uint64_t b, int b_sign) {
    if (a->n_ != 1 || r->cap_ < 2 || !bigint_all_on_host(ctx, r, a, a)) {
        return long_sum(ctx, who, r, a, a_sign, b, b_sign);
    }
    bigint_add_words(r, a->d_[0], a_sign, b, b_sign);
    return BIGINT_OK;
}

bigint_status bigint_add_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return sum(ctx, "bigint_add_u64", r, a, a->sign_, b, 1);
}

bigint_status bigint_add_i64(bigint_ctx *ctx, bigint *r, const bigint *a, int64_t b) {
    return sum(ctx, "bigint_add_i64", r, a, a->sign_, word_magnitude(b), word_sign(b));
}

bigint_status bigint_sub_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return sum(ctx, "bigint_sub_u64", r, a, a->sign_, b, -1);
}

bigint_status bigint_sub_i64(bigint_ctx *ctx, bigint *r, const bigint *a, int64_t b) {
    return sum(ctx, "bigint_sub_i64", r, a, a->sign_, word_magnitude(b), -word_sign(b));
}

bigint_status bigint_u64_sub(bigint_ctx *ctx, bigint *r, uint64_t b, const bigint *a) {
    return sum(ctx, "bigint_u64_sub", r, a, -a->sign_, b, 1);
}
