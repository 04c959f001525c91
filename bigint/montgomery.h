// montgomery.h: products modulo an odd number without division, in Montgomery form. Internal to
// bigint/; may include context.h. B = 2^64.
#ifndef BIGINT_MONTGOMERY_H_
#define BIGINT_MONTGOMERY_H_

#include "bigint/context.h"

// montgomery: an odd modulus M = {mp, n} made ready on the arena. The Montgomery form of x is
// x B^n mod M.
typedef struct {
    const uint64_t *mp;
    uint64_t n;
    uint64_t inverse;              // -1 / M mod B
    mul_operand *inverse_operand;  // 1 / M mod B^n, and M: for long moduli; else NULL
    mul_operand *modulus_operand;
    uint64_t *product;   // 2 n limbs
    uint64_t *quotient;  // 2 n limbs; for long moduli
    uint64_t *ws;        // of mul_small; for short moduli
} montgomery;

// montgomery_init: n >= 1, M odd, mp[n - 1] != 0. {mp, n} must stay. Cost: O(M(n)) or less.
bigint_status montgomery_init(bigint_ctx *ctx, montgomery *m, const uint64_t *mp, uint64_t n);
// montgomery_from: {rp, n} = {ap, an} B^n mod M, an >= 1. Cost: one division.
bigint_status montgomery_from(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                              const uint64_t *ap, uint64_t an);
// montgomery_to: {rp, n} = {ap, n} / B^n mod M.
bigint_status montgomery_to(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, const uint64_t *ap);
// montgomery_mul: {rp, n} = {ap, n} {bp, n} / B^n mod M, all below M. rp may be ap or bp; ap == bp
// is squared.
// Cost:   the product and n^2 word products by rows; for long moduli the product and two more with
//         prepared operands.
// Source: [Montgomery85]. Bounds: docs/proofs/powm.md.
bigint_status montgomery_mul(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp);

// inverse_mod_power: {rp, n} = 1 / {ap, n} mod B^n for odd {ap, n}, by Hensel lifting (Newton's
// iteration from the low end). No overlap. Cost: O(M(n)). Errors: those of bigint_mul_limbs.
bigint_status inverse_mod_power(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t n);

#endif  // BIGINT_MONTGOMERY_H_
