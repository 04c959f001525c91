// root.h: roots of rows of limbs, rounded down. Internal to bigint/; may include context.h.
#ifndef BIGINT_ROOT_H_
#define BIGINT_ROOT_H_

#include "bigint/context.h"

// root_limbs_bound: room for the k-th root of an limbs, an, k >= 1.
static inline uint64_t root_limbs_bound(uint64_t an, uint64_t k) { return an / k + 3; }

// root_limbs: {sp, *sn} = s = floor(a^(1/k)), and {rp, an} = a - s^k unless rp is NULL, for
// a = {ap, an}, ap[an - 1] != 0, k >= 2. sp has room for root_limbs_bound limbs; *sn is the length
// of s. rp may be ap; no other overlap. Workspace from the arena. Cost: O(M(an / k) log k) and, where
// the remainder is asked for or decides, O(M(an)). Errors: those of bigint_mul_limbs; texts begin
// with who. {sp} and {rp} are undefined then.
bigint_status root_limbs(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *sn, uint64_t *rp,
                         const uint64_t *ap, uint64_t an, uint64_t k);

#endif  // BIGINT_ROOT_H_
