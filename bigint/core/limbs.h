// limbs.h: the limbs of an integer on the host: allocated, replaced, cut to length. Internal to
// bigint/.
#ifndef BIGINT_CORE_LIMBS_H_
#define BIGINT_CORE_LIMBS_H_

#include <assert.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/core/tune.h"

// No size arithmetic in the library overflows up to this number of limbs. Larger: BIGINT_ERANGE.
#define BIGINT_MAX_LIMBS ((uint64_t)1 << 56)
// bigint_check_size: ERANGE with numbers if a result of `limbs` limbs is larger than
// BIGINT_MAX_LIMBS. bigint_check_product_size: the same for a product, with any an and bn.
bigint_status bigint_check_size(bigint_ctx *ctx, const char *who, uint64_t limbs);
bigint_status bigint_check_product_size(bigint_ctx *ctx, const char *who, uint64_t an, uint64_t bn);
// bigint_limbs_allocate: a buffer of at least `limbs` limbs, with its size in *cap; or NULL with
// the error recorded (ERANGE above BIGINT_MAX_LIMBS, else ENOMEM) and returned in *status.
// bigint_limbs_adopt makes it r's in place of the old one; the caller then sets r's length and
// sign. bigint_limbs_release frees one.
uint64_t *bigint_limbs_allocate(bigint_ctx *ctx, const char *who, uint64_t limbs, uint64_t *cap,
                                bigint_status *status);
void bigint_limbs_adopt(bigint_ctx *ctx, bigint *r, uint64_t *limbs, uint64_t cap);
void bigint_limbs_release(bigint_ctx *ctx, uint64_t *limbs, uint64_t cap);
// bigint_reserve makes room for `limbs` limbs in r and keeps its value. On ENOMEM and ERANGE r
// stays as it was. r's limbs may move: read r->d_ (and that of an operand that may be r) after the
// call.
// bigint_reserve_more does it where there is none.
bigint_status bigint_reserve_more(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs);
static inline bigint_status bigint_reserve(bigint_ctx *ctx, const char *who, bigint *r,
                                           uint64_t limbs) {
    return limbs <= r->cap_ ? BIGINT_OK : bigint_reserve_more(ctx, who, r, limbs);
}
// bigint_scratch: the integer 0 with room for `limbs` limbs of workspace, which the caller's mark
// frees. Calls that need no more room leave the limbs there: nothing is allocated. d_ is NULL, with
// the error recorded (ENOMEM), if there is no memory.
bigint bigint_scratch(bigint_ctx *ctx, const char *who, uint64_t limbs);
// bigint_has_room: whether x is NULL (not wanted), or lives on the host and holds `limbs` limbs.
static inline bool bigint_has_room(const bigint *x, uint64_t limbs) {
    return x == NULL || (x->cap_ >= limbs && x->place_ == 0);
}
// bigint_add_words: r = a_sign x + b_sign y, whose signs are not 0; r has room for two limbs. Where
// numbers of one limb are added, a call would take longer than the sum.
static inline void bigint_add_words(bigint *r, uint64_t x, int a_sign, uint64_t y, int b_sign) {
    if (a_sign == b_sign) {
        const uint64_t low = x + y, carry = low < x;
        r->d_[0] = low;
        r->d_[1] = carry;
        r->n_ = 1 + carry;
        r->sign_ = a_sign;
    } else {
        const bool swap = x < y;
        const uint64_t difference = swap ? y - x : x - y;
        r->d_[0] = difference;
        r->n_ = difference != 0;
        r->sign_ = difference == 0 ? 0 : swap ? b_sign : a_sign;
    }
}

// bigint_finish sets the length of r to n without zero limbs at the top, and the sign (0 for zero).
static inline void bigint_finish(bigint *r, uint64_t n, int sign) {
    assert(n <= r->cap_);
    while (n > 0 && r->d_[n - 1] == 0) {
        n--;
    }
    r->n_ = n;
    r->sign_ = n == 0 ? 0 : sign < 0 ? -1 : 1;
}
// bigint_copy_limbs: {rp, n} = {ap, n}, which are the same or do not overlap. bigint_zero_limbs:
// {rp, n} = 0. For few limbs a call would take longer.
enum { BIGINT_CALL_LIMBS = 16 };
static inline void bigint_copy_limbs(uint64_t *rp, const uint64_t *ap, uint64_t n) {
    if (n >= BIGINT_CALL_LIMBS) {
        memmove(rp, ap, n * sizeof *rp);
        return;
    }
    if (n % 2 != 0) {
        *rp++ = *ap++;
    }
    for (uint64_t i = n / 2; i > 0; i--, rp += 2, ap += 2) {
        memcpy(rp, ap, 2 * sizeof *rp);     // a register of 128 bits
        __asm__ volatile("" ::: "memory");  // keeps compilers from making the loop a call
    }
}
static inline void bigint_zero_limbs(uint64_t *rp, uint64_t n) {
    if (n >= BIGINT_CALL_LIMBS) {
        memset(rp, 0, n * sizeof *rp);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        rp[i] = 0;
        __asm__ volatile("" ::: "memory");
    }
}
// bigint_by_words: whether n limbs are divided by one fastest word by word, by the processor's
// division. bigint_divide_word: {qp, n} = {ap, n} / d, returns the remainder; d is not 0.
static inline bool bigint_by_words(const bigint_ctx *ctx, uint64_t n) {
    return n <= 2 || (ctx->limbs->table == LIMBS_IFMA && n <= DIV_WORDS_IFMA_MOST);
}
static inline uint64_t bigint_divide_word(const bigint_ctx *ctx, uint64_t *qp, const uint64_t *ap,
                                          uint64_t n, uint64_t d) {
    return bigint_by_words(ctx, n) ? limbs_divrem_words(qp, ap, n, d)
                                   : limbs_divrem_1(qp, ap, n, d);
}
// bigint_shift_up: r = a 2^bits; r has room for a's limbs, bits / 64 more and one. r may be a.
// bigint_shift_down: r = a / 2^bits rounded toward zero; r has room for a's limbs less bits / 64.
static inline void bigint_shift_up(bigint *r, const bigint *a, uint64_t bits) {
    const uint64_t limbs = bits / 64, an = a->n_, n = limbs + an;
    assert(n < r->cap_);
    if (an == 0) {
        bigint_finish(r, 0, 0);
        return;
    }
    uint64_t *const rp = r->d_;
    const uint64_t top = limbs_lshift(rp + limbs, a->d_, an, (unsigned)(bits % 64));
    bigint_zero_limbs(rp, limbs);
    rp[n] = top;
    r->n_ = n + (top != 0);
    r->sign_ = a->sign_;
}
static inline void bigint_shift_down(bigint *r, const bigint *a, uint64_t bits) {
    const uint64_t limbs = bits / 64;
    if (a->n_ <= limbs) {
        bigint_finish(r, 0, 0);
        return;
    }
    const uint64_t n = a->n_ - limbs;
    assert(n <= r->cap_);
    limbs_rshift(r->d_, a->d_ + limbs, n, (unsigned)(bits % 64));
    const uint64_t left = n - (r->d_[n - 1] == 0);  // a's top limb is not 0
    r->sign_ = left == 0 ? 0 : a->sign_;
    r->n_ = left;
}
// bigint_put: r = sign {p, n} on the host. r's limbs have room. No overlap.
void bigint_put(bigint *r, const uint64_t *p, uint64_t n, int sign);

#endif  // BIGINT_CORE_LIMBS_H_
