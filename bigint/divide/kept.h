// kept.h: divisors whose reciprocal is kept, on the host. Internal to bigint/.
#ifndef BIGINT_DIVIDE_KEPT_H_
#define BIGINT_DIVIDE_KEPT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
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
// kept_print: how kept_divide divides, on one line, like snprintf; an = 0: how the divisor is kept.
int kept_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t dn, uint64_t qn);
// kept_divisor_need, kept_divide_need: what both need beside `memory`, of a divisor of dn limbs
// kept for quotients of qn limbs, and an >= dn.
void kept_divisor_need(work_need *n, uint64_t dn, uint64_t qn);
void kept_divide_need(work_need *n, uint64_t an, uint64_t dn, uint64_t qn);

#endif  // BIGINT_DIVIDE_KEPT_H_
