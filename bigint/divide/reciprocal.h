// reciprocal.h: reciprocals of long numbers by Newton's iteration. Internal to bigint/.
#ifndef BIGINT_DIVIDE_RECIPROCAL_H_
#define BIGINT_DIVIDE_RECIPROCAL_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// reciprocal_limbs: {xp, n} such that X = B^n + {xp, n} satisfies D X < B^(2n) < D (X + 2), B =
// 2^64, for D = {dp, n} with its top bit set. So X is floor(B^(2n) / D), or one less. (D = B^n / 2
// gives X = 2 B^n - 1.)
// Requires: n >= 2; xp does not overlap dp.
// Cost:     two products a step, about 2 M(n) in all; workspace 2.5 n limbs and that of a product
//           of n by n / 2, or of mul_difference.
// Errors:   as bigint_mul_limbs; {xp, n} is then undefined.
// Source:   [BrentZimmermann10] algorithm 3.5. Proof: docs/proofs/division.md.
bigint_status reciprocal_limbs(bigint_ctx *ctx, uint64_t *xp, const uint64_t *dp, uint64_t n);
// reciprocal_need: what it needs.
void reciprocal_need(work_need *n, uint64_t limbs);

// RECIPROCAL_WORK: the part of a division's work that context_division_progress counts for the
// reciprocal, which reports its steps. The blocks of the quotient are the rest.
#define RECIPROCAL_WORK 0.5

// newton_threshold: the first length of quotient and divisor, in limbs, at which a Newton
// reciprocal is faster than the recursion of div_small on this context. The iteration itself starts
// from a quarter of it.
uint64_t newton_threshold(const bigint_ctx *ctx);

#endif  // BIGINT_DIVIDE_RECIPROCAL_H_
