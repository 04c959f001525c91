// sum.c: sums of an integer and a word.
#include "bigint/word/sum.h"

#include <assert.h>

#include "bigint/core/place.h"
#include "bigint/word/operands.h"

// sum_there: word_sum_any on another place, with the word as an integer there.
static bigint_status sum_there(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               bool negate, uint64_t b, int b_sign) {
    const place_calls *const there = ctx->away;
    bigint word = BIGINT_INIT;
    bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status == BIGINT_OK) {
        status = there->store(ctx, who, &word, &b, 1, b_sign);
    }
    if (status == BIGINT_OK) {
        status = negate ? there->add(ctx, who, r, &word, a, true)
                        : there->add(ctx, who, r, a, &word, false);
    }
    bigint_clear(ctx, &word);
    return status;
}

bigint_status word_sum_any(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           bool negate, uint64_t b, int b_sign) {
    if (ctx->away != NULL) {
        return sum_there(ctx, who, r, a, negate, b, b_sign);
    }
    bigint_status status = bigint_check_host(ctx, who, r, a, a);
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, r, a->n_ + 1);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (a->n_ > 0) {
        return word_sum(ctx, who, r, a, negate, b, b_sign);
    }
    r->d_[0] = b;
    bigint_finish(r, 1, b_sign);
    return BIGINT_OK;
}

// word_sum_carry: the limbs of r from 2 on, where a carry or borrow comes in; r has a's length.
static __attribute__((noinline)) void word_sum_carry(bigint *r, const uint64_t *ap, bool same) {
    uint64_t *const rp = r->d_ + 2;
    const uint64_t n = r->n_ - 2;
    if (same) {
        const uint64_t carry = limbs_add_1(rp, ap + 2, n, 1);
        rp[n] = carry;
        r->n_ += carry;
    } else {  // |a| >= B^2 > b: one limb less at most
        limbs_sub_1(rp, ap + 2, n, 1);
        r->n_ -= rp[n - 1] == 0;
    }
}

// A carry into limb 1 is as likely as not, and one into limb 2 rare: only that is a branch. Calls
// come last, so that no registers are saved.
void word_sum_long(bigint *r, const bigint *a, int a_sign, uint64_t b, int b_sign) {
    const uint64_t n = a->n_, *const ap = a->d_, next = ap[1];
    uint64_t *const rp = r->d_;
    const bool same = a_sign == b_sign;
    const word_pair low = (word_pair)next << 64 | ap[0], sum = same ? low + b : low - b;
    const uint64_t high = (uint64_t)(sum >> 64);
    assert(n > 1 && r->cap_ > n);
    rp[0] = (uint64_t)sum;
    rp[1] = high;
    r->sign_ = a_sign;
    r->n_ = n;
    if (same ? high < next : high > next) {
        word_sum_carry(r, ap, same);
    } else if (n == 2) {
        r->n_ -= high == 0;
    } else if (rp != ap) {
        bigint_copy_limbs(rp + 2, ap + 2, n - 2);
    }
}

bigint_status bigint_add_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return word_sum(ctx, "bigint_add_u64", r, a, false, b, 1);
}

bigint_status bigint_add_i64(bigint_ctx *ctx, bigint *r, const bigint *a, int64_t b) {
    return word_sum(ctx, "bigint_add_i64", r, a, false, word_magnitude(b), word_sign(b));
}

bigint_status bigint_sub_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t b) {
    return word_sum(ctx, "bigint_sub_u64", r, a, false, b, -1);
}

bigint_status bigint_sub_i64(bigint_ctx *ctx, bigint *r, const bigint *a, int64_t b) {
    return word_sum(ctx, "bigint_sub_i64", r, a, false, word_magnitude(b), -word_sign(b));
}

bigint_status bigint_u64_sub(bigint_ctx *ctx, bigint *r, uint64_t b, const bigint *a) {
    return word_sum(ctx, "bigint_u64_sub", r, a, true, b, 1);
}
