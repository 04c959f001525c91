// logic.c: and, or, xor, complement.
#include <string.h>

#include "bigint/bits/bits.h"
#include "bigint/core/host_call.h"
#include "bigint/core/limbs.h"
#include "bigint/word/sum.h"

typedef enum { LOGIC_AND, LOGIC_OR, LOGIC_XOR } logic;

static inline uint64_t apply(logic op, uint64_t x, uint64_t y) {
    return op == LOGIC_AND ? x & y : op == LOGIC_OR ? x | y : x ^ y;
}

// What follows is inline, so that each operation has loops of its own. Limb i of r, which may be a
// or b, is written after limb i of both was read, and no other limb: the compiler may use vectors.

// natural: r = a op b, neither of them negative.
static inline __attribute__((always_inline)) bigint_status natural(bigint_ctx *ctx, const char *who,
                                                                   bigint *r, const bigint *a,
                                                                   const bigint *b, logic op) {
    const bigint *const longer = a->n_ < b->n_ ? b : a, *const shorter = a->n_ < b->n_ ? a : b;
    const uint64_t both = shorter->n_, n = op == LOGIC_AND ? both : longer->n_;
    const bigint_status status = bigint_reserve(ctx, who, r, n);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const rp = r->d_;
    const uint64_t *const xp = longer->d_, *const yp = shorter->d_;
    _Pragma("GCC ivdep") for (uint64_t i = 0; i < both; i++) { rp[i] = apply(op, xp[i], yp[i]); }
    if (n > both && rp != xp) {
        memcpy(rp + both, xp + both, (n - both) * sizeof *rp);
    }
    bigint_finish(r, n, 1);
    return BIGINT_OK;
}

// rest: limbs [i, n) where no carry is left.
static inline __attribute__((always_inline)) void rest(logic op, uint64_t *rp, uint64_t mask,
                                                       const complement *a, const complement *b,
                                                       uint64_t i, uint64_t n) {
    const uint64_t *const ap = a->p, *const bp = b->p, a_mask = a->mask, b_mask = b->mask;
    const uint64_t an = a->n, bn = b->n, shorter = an < bn ? an : bn;
    _Pragma("GCC ivdep") for (; i < shorter; i++) {
        rp[i] = apply(op, ap[i] ^ a_mask, bp[i] ^ b_mask) ^ mask;
    }
    _Pragma("GCC ivdep") for (; i < an; i++) { rp[i] = apply(op, ap[i] ^ a_mask, b_mask) ^ mask; }
    _Pragma("GCC ivdep") for (; i < bn; i++) { rp[i] = apply(op, a_mask, bp[i] ^ b_mask) ^ mask; }
    for (; i < n; i++) {
        rp[i] = apply(op, a_mask, b_mask) ^ mask;
    }
}

// words: r = a op b for numbers of any sign and one limb each; r has room for two.
static inline __attribute__((always_inline)) void words(bigint *r, const bigint *a, const bigint *b,
                                                        logic op) {
    const word_pair x = a->sign_ < 0 ? -(word_pair)a->d_[0] : a->d_[0];
    const word_pair y = b->sign_ < 0 ? -(word_pair)b->d_[0] : b->d_[0];
    const word_pair z = op == LOGIC_AND ? x & y : op == LOGIC_OR ? x | y : x ^ y;
    const bool negative = z >> 127 != 0;
    const word_pair magnitude = negative ? -z : z;  // at most B
    r->d_[0] = (uint64_t)magnitude;
    r->d_[1] = (uint64_t)(magnitude >> 64);
    bigint_finish(r, 2, negative ? -1 : 1);
}

// signed_logic: the same for numbers of any sign.
static inline __attribute__((always_inline)) bigint_status signed_logic(bigint_ctx *ctx,
                                                                        const char *who, bigint *r,
                                                                        const bigint *a,
                                                                        const bigint *b, logic op) {
    // |r| <= B^longer: one limb more, for -B^longer.
    const uint64_t n = (a->n_ > b->n_ ? a->n_ : b->n_) + 1;
    const bigint_status status = bigint_reserve(ctx, who, r, n);
    if (status != BIGINT_OK) {
        return status;
    }
    if (a->n_ == 1 && b->n_ == 1) {
        words(r, a, b, op);
        return BIGINT_OK;
    }
    enum { FEW = 3 };  // limbs for which loops without carries do not pay
    complement x = bits_of(a), y = bits_of(b);
    const uint64_t mask = apply(op, x.mask, y.mask);
    uint64_t *const rp = r->d_, i = 0, carry = mask & 1;
    for (; i < n && (n <= FEW || (x.carry | y.carry | carry) != 0); i++) {
        const uint64_t limb = apply(op, bits_next(&x, i), bits_next(&y, i));
        rp[i] = word_add(limb ^ mask, 0, &carry);
    }
    if (i < n) {
        rest(op, rp, mask, &x, &y, i, n);
    }
    bigint_finish(r, n, mask == 0 ? 1 : -1);
    return BIGINT_OK;
}

// off_host: where bigint_all_on_host is false.
static __attribute__((noinline)) bigint_status off_host(bigint_ctx *ctx, const char *who, bigint *r,
                                                        const bigint *a, const bigint *b,
                                                        logic op) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, who, r, a, b);
    }
    host_call there;
    host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {a, b}});
    bigint *const to = there.r[0];
    const bigint *const x = there.a[0], *const y = there.a[1];
    return host_call_end(&there, op == LOGIC_AND  ? bigint_and(ctx, to, x, y)
                                 : op == LOGIC_OR ? bigint_or(ctx, to, x, y)
                                                  : bigint_xor(ctx, to, x, y));
}

static inline __attribute__((always_inline)) bigint_status combine(bigint_ctx *ctx, const char *who,
                                                                   bigint *r, const bigint *a,
                                                                   const bigint *b, logic op) {
    if (__builtin_expect(!bigint_all_on_host(ctx, r, a, b), 0)) {
        return off_host(ctx, who, r, a, b, op);
    }
    return (a->sign_ | b->sign_) >= 0 ? natural(ctx, who, r, a, b, op)
                                      : signed_logic(ctx, who, r, a, b, op);
}

bigint_status bigint_and(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return combine(ctx, "bigint_and", r, a, b, LOGIC_AND);
}

bigint_status bigint_or(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return combine(ctx, "bigint_or", r, a, b, LOGIC_OR);
}

bigint_status bigint_xor(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return combine(ctx, "bigint_xor", r, a, b, LOGIC_XOR);
}

bigint_status bigint_com(bigint_ctx *ctx, bigint *r, const bigint *a) {
    return word_sum(ctx, "bigint_com", r, a, true, 1, -1);
}
