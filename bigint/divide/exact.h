// exact.h: divisions that leave no remainder, from the lowest limb up. Internal to bigint/.
#ifndef BIGINT_DIVIDE_EXACT_H_
#define BIGINT_DIVIDE_EXACT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// exact_pays: whether exact_divide is faster than a division from above: no quotient limb waits for
// an estimate.
bool exact_pays(const bigint_ctx *ctx, uint64_t dn);

// exact_divide: *exact = whether d = {dp, dn} divides a = {ap, an}, and {qp, *qn} = a / d if it
// does. dn >= 1, an >= dn, dp[dn - 1] is not 0. qp has room for an - dn + 2 limbs and overlaps no
// operand. Memory: none where limbs_ops.divexact divides; else as both operands and d again, on the
// stack for an up to EXACT_FEW, or from the arena. Cost: (an - dn + 1) dn products. Errors: ENOMEM.
// Source: [Jebelean93].
enum { EXACT_FEW = 64 };
bigint_status exact_divide(bigint_ctx *ctx, const char *who, bool *exact, uint64_t *qp,
                           uint64_t *qn, const uint64_t *ap, uint64_t an, const uint64_t *dp,
                           uint64_t dn);
void exact_divide_need(work_need *n, uint64_t an, uint64_t dn);

#endif  // BIGINT_DIVIDE_EXACT_H_
