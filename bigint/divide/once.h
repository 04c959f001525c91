// once.h: quotients of integers of equal length: 0 or 1 in magnitude. Internal to bigint/.
#ifndef BIGINT_DIVIDE_ONCE_H_
#define BIGINT_DIVIDE_ONCE_H_

#include "bigint/core/limbs.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// is_once: whether |a| and |d|, of two limbs or more, have the same length in bits: the quotient is
// 0 or 1 in magnitude.
static inline bool is_once(const bigint *a, const bigint *d) {
    const uint64_t n = a->n_;
    return n == d->n_ && n > 1 && word_clz(a->d_[n - 1]) == word_clz(d->d_[n - 1]);
}

// divide_once: quotient and remainder of such numbers; q and r have room, either may be NULL. r is
// written first, since q may be an operand.
static inline void divide_once(bigint *q, bigint *r, const bigint *a, const bigint *d) {
    const uint64_t n = a->n_;
    const int a_sign = a->sign_, q_sign = a->sign_ * d->sign_;
    const bool less = limbs_cmp(a->d_, d->d_, n) < 0;
    if (r != NULL) {
        if (!less) {
            limbs_sub_n(r->d_, a->d_, d->d_, n);
        } else if (r->d_ != a->d_) {
            bigint_copy_limbs(r->d_, a->d_, n);
        }
        bigint_finish(r, n, a_sign);
    }
    if (q != NULL) {
        q->d_[0] = 1;
        q->n_ = !less;
        q->sign_ = less ? 0 : q_sign;
    }
}

#endif  // BIGINT_DIVIDE_ONCE_H_
