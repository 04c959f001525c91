// sum.h: sums of an integer and a word. Internal to bigint/.
#ifndef BIGINT_WORD_SUM_H_
#define BIGINT_WORD_SUM_H_

#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"

// word_sum_any, word_sum_long: word_sum of any operands, with its checks; and where a has two limbs
// or more and r has room for one more.
bigint_status word_sum_any(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           bool negate, uint64_t b, int b_sign);
void word_sum_long(bigint *r, const bigint *a, int a_sign, uint64_t b, int b_sign);

// word_sum: r = a + b_sign b, or b_sign b - a if `negate`, on every place. b_sign is not 0. r may
// be a. One limb needs no call. Errors: as bigint_reserve and bigint_check_places.
static inline bigint_status word_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                     bool negate, uint64_t b, int b_sign) {
    const uint64_t n = a->n_;
    if (n == 0 || r->cap_ <= n || !bigint_all_on_host(ctx, r, a, a)) {
        return word_sum_any(ctx, who, r, a, negate, b, b_sign);
    }
    const int a_sign = negate ? -a->sign_ : a->sign_;
    if (n > 1) {
        word_sum_long(r, a, a_sign, b, b_sign);
    } else {
        bigint_add_words(r, a->d_[0], a_sign, b, b_sign);
    }
    return BIGINT_OK;
}

#endif  // BIGINT_WORD_SUM_H_
