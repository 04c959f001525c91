// logic.c: and, or, xor, complement.
#include "bigint/bits/bits.h"
#include "bigint/core/limbs.h"

typedef enum { LOGIC_AND, LOGIC_OR, LOGIC_XOR } logic;

static inline uint64_t apply(logic op, uint64_t x, uint64_t y) {
    return op == LOGIC_AND ? x & y : op == LOGIC_OR ? x | y : x ^ y;
}

// rest: limbs [i, n) where no carry is left, so that the compiler may use vectors. r may be a or b.
static inline __attribute__((always_inline)) void rest(logic op, uint64_t *rp, uint64_t mask,
                                                       const complement *a, const complement *b,
                                                       uint64_t i, uint64_t n) {
    const uint64_t *const ap = a->p, *const bp = b->p, a_mask = a->mask, b_mask = b->mask;
    const uint64_t shorter = a->n < b->n ? a->n : b->n;
    for (; i < shorter; i++) {
        rp[i] = apply(op, ap[i] ^ a_mask, bp[i] ^ b_mask) ^ mask;
    }
    for (; i < a->n; i++) {
        rp[i] = apply(op, ap[i] ^ a_mask, b_mask) ^ mask;
    }
    for (; i < b->n; i++) {
        rp[i] = apply(op, a_mask, bp[i] ^ b_mask) ^ mask;
    }
    for (; i < n; i++) {
        rp[i] = apply(op, a_mask, b_mask) ^ mask;
    }
}

// combine: r = a op b, limb by limb: limb i of r is written after limb i of both was read.
// Inline, so that each operation has loops of its own.
static inline __attribute__((always_inline)) bigint_status combine(bigint_ctx *ctx, const char *who,
                                                                   bigint *r, const bigint *a,
                                                                   const bigint *b, logic op) {
    bigint_status status = bits_check(ctx, who, a, b);
    if (status == BIGINT_OK) {
        status = bits_check(ctx, who, r, r);
    }
    // |r| <= B^longer: one limb more, for -B^longer.
    const uint64_t n = (a->n_ > b->n_ ? a->n_ : b->n_) + 1;
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, r, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    complement x = bits_of(a), y = bits_of(b);
    const uint64_t mask = apply(op, x.mask, y.mask);
    uint64_t *const rp = r->d_, i = 0, carry = mask & 1;
    for (; i < n && (x.carry | y.carry | carry) != 0; i++) {
        const uint64_t limb = apply(op, bits_next(&x, i), bits_next(&y, i));
        rp[i] = word_add(limb ^ mask, 0, &carry);
    }
    rest(op, rp, mask, &x, &y, i, n);
    bigint_finish(r, n, mask == 0 ? 1 : -1);
    return BIGINT_OK;
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
    bigint_status status = bits_check(ctx, "bigint_com", r, a);
    if (status == BIGINT_OK) {
        status = bigint_add_u64(ctx, r, a, 1);
    }
    if (status == BIGINT_OK) {
        r->sign_ = -r->sign_;
    }
    return status;
}
