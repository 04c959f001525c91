// kept.h: divisors whose reciprocal is kept, on the host. Internal to bigint/.
#ifndef BIGINT_DIVIDE_KEPT_H_
#define BIGINT_DIVIDE_KEPT_H_

#include "bigint/core/context.h"
#include "bigint/divide/blocks.h"

// kept_divisor: d = {dp, dn} and, for long ones, D = d 2^shift with its top bit set as a
// block_divider; by.m = 0: nothing is kept, since a reciprocal does not pay. Immutable once made.
typedef struct {
    const uint64_t *dp;
    uint64_t dn;
    unsigned shift;
    variant_kind variant;  // whose order of points the transforms have
    block_divider by;
} kept_divisor;

// kept_divisor_bytes: memory for a divisor of dn limbs and quotients of up to qn limbs at a time.
// kept_divisor_make copies {dp, dn}, dp[dn - 1] != 0, there; memory is aligned to 64 bytes. Cost:
// the reciprocal of qn limbs and transforms. Errors: as bigint_mul_limbs.
uint64_t kept_divisor_bytes(const bigint_ctx *ctx, uint64_t dn, uint64_t qn);
bigint_status kept_divisor_make(bigint_ctx *ctx, kept_divisor *s, void *memory, const uint64_t *dp,
                                uint64_t dn, uint64_t qn);
// kept_divide: bigint_divrem_limbs by a kept divisor, an >= dn; qp is not NULL.
bigint_status kept_divide(bigint_ctx *ctx, uint64_t *qp, uint64_t *rp, const uint64_t *ap,
                          uint64_t an, const kept_divisor *s);

#endif  // BIGINT_DIVIDE_KEPT_H_
