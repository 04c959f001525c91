// halves.h: products in half the memory of their transforms: modulo B^m + 1 and B^m - 1, one after
// the other, B = 2^64. Internal to bigint/.
#ifndef BIGINT_MULTIPLY_HALVES_H_
#define BIGINT_MULTIPLY_HALVES_H_

#include "bigint/multiply/mul.h"

// mul_halves_plan_make: of plan->an by plan->bn limbs, which are given: engine, fft, minus,
// ring_limbs, bytes, uses_team. False if there is no such plan: the longer operand must be little
// longer than the other. Of the memory of one transform of the product half is left, and a limb for
// each limb of m; the time is about the same where m suits transforms.
bool mul_halves_plan_make(const bigint_ctx *ctx, mul_plan *plan, bool square);

// mul_halves_run: mul_execute by such a plan, an >= bn. {rp} is written before the operands are
// read for the last time.
bool mul_halves_run(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                    uint64_t an, const uint64_t *bp, uint64_t bn, void *ws, team *workers);

#endif  // BIGINT_MULTIPLY_HALVES_H_
