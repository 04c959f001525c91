// root_newton.h: roots of rows of limbs by approximation. Internal to bigint/.
#ifndef BIGINT_DIVIDE_ROOT_NEWTON_H_
#define BIGINT_DIVIDE_ROOT_NEWTON_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// root_limbs_bound: room for the k-th root of an limbs, an, k >= 1.
static inline uint64_t root_limbs_bound(uint64_t an, uint64_t k) { return an / k + 3; }

// root_near: {sp, *sn} = the k-th root of {ap, an} rounded down, without zero limbs at the top. If
// *near is set, which is rare, it is instead the integer next to the root, which is within 2^-31 of
// it. ap[an - 1] is not 0; 2 <= k, and k is less than a's length in bits. sp has room for
// root_limbs_bound limbs and does not overlap ap. Workspace from the arena. Cost: O(M(an / k) log
// k). Errors: as bigint_mul_limbs; texts begin with who.
bigint_status root_near(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *sn, bool *near,
                        const uint64_t *ap, uint64_t an, uint64_t k);

// root_reciprocal: {yp, n} 4 / B^n is within 2^(3 - 64 n) of a^(-1/k), as a part of it, for a =
// {ap, an} / B^an 2^e in [2^-k, 1); ap[an - 1] >= B / 8, n >= 2, 2 <= k < 2^52. As root_near
// otherwise.
// Cost: O(M(n) log k).
bigint_status root_reciprocal(bigint_ctx *ctx, const char *who, uint64_t *yp, uint64_t n,
                              const uint64_t *ap, uint64_t an, int64_t e, uint64_t k);
// root_near_need, root_reciprocal_need: what these need.
void root_near_need(work_need *n, uint64_t an, uint64_t k);
void root_reciprocal_need(work_need *n, uint64_t limbs);

#endif  // BIGINT_DIVIDE_ROOT_NEWTON_H_
