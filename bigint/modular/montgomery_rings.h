// montgomery_rings.h: Montgomery products of long numbers in two rings of transforms. Internal to
// bigint/. B = 2^64.
//
// R = B^r + 1 takes the place of a power of B, and a product modulo Q = B^s + 1, s > r, is enough
// to divide by R: seven transforms of about n limbs for a square, nine for a product, where whole
// products by two kept operands take ten and eleven.
#ifndef BIGINT_MODULAR_MONTGOMERY_RINGS_H_
#define BIGINT_MODULAR_MONTGOMERY_RINGS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/multiply/wrap.h"

// montgomery_rings: an odd modulus M = {mp, n} prepared on the arena. The form of x is x R mod M, n
// limbs, below M.
typedef struct {
    const uint64_t *mp;
    uint64_t n, r, s;
    mul_wrap_ring ring[2];                        // modulo R and modulo Q
    const void *inverse_plane;                    // of -1 / M mod R, modulo R
    const void *modulus_plane;                    // of M, modulo Q
    uint64_t *inverse;                            // -1 / M mod R, r limbs
    uint64_t *residue, *factor, *sum, *quotient;  // s + 2 limbs each
} montgomery_rings;

// montgomery_rings_init: n >= 1, M odd, mp[n - 1] != 0. {mp, n} must stay. *made: false, with
// status OK, if M has a factor in common with R, or transforms do not pay. Cost: a gcd with a
// cofactor.
bigint_status montgomery_rings_init(bigint_ctx *ctx, montgomery_rings *m, bool *made,
                                    const uint64_t *mp, uint64_t n);
// montgomery_rings_from: {rp, n} = the form of {ap, an}, an >= 1. Cost: one division.
bigint_status montgomery_rings_from(bigint_ctx *ctx, const montgomery_rings *m, uint64_t *rp,
                                    const uint64_t *ap, uint64_t an);
// montgomery_rings_to: {rp, n} = the number whose form is {ap, n}. rp may be ap.
bigint_status montgomery_rings_to(bigint_ctx *ctx, const montgomery_rings *m, uint64_t *rp,
                                  const uint64_t *ap);
// montgomery_rings_mul: r = a b / R mod M. rp may be ap or bp; ap == bp is squared. Source:
// [McLaughlin04]. Proof: docs/proofs/powm.md, section 12. Errors: ENOMEM, rp unchanged.
bigint_status montgomery_rings_mul(bigint_ctx *ctx, const montgomery_rings *m, uint64_t *rp,
                                   const uint64_t *ap, const uint64_t *bp);
// montgomery_rings_need: what montgomery_rings_init needs for n limbs, and keeps, and
// montgomery_rings_from of an limbs; false if rings do not pay. montgomery_rings_mul_need:
// products.
bool montgomery_rings_need(work_need *w, uint64_t an, uint64_t n);
void montgomery_rings_mul_need(work_need *w, uint64_t n);

#endif  // BIGINT_MODULAR_MONTGOMERY_RINGS_H_
