// root.h: square roots of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_ROOT_H_
#define BIGINT_DEVICE_DIVIDE_ROOT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_sqrt: bigint_sqrt for operands whose places have been checked. It waits for the length and
// the sign of a and its top limbs, from which the host computes where the iteration starts; a
// long root alone waits for a limb that tells whether its square is needed. It enqueues all else.
// Cost, M a product as long as the root: 2/3 M for root and reciprocal root of a quarter of the
// length, 13/12 M for the root, 1/3 M for the remainder; below 2^27 bits 1/4 M more. Memory: some 9
// times the root's length, counted as device_scratch, and the transform of half of it.
// Source: [BrentZimmermann10] section 3.5. Proof: docs/proofs/root.md, section 7.
bigint_status device_sqrt(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a);

// device_root_start: the limbs of a reciprocal root that the host computes, 2 at least.
uint64_t device_root_start(const bigint_ctx *ctx);
// device_rsqrt: bigint_rsqrt_fixed likewise; rsqrt_check has passed r and a.
// Cost: 5/2 M for a result as long as M's factors. Proof: docs/proofs/root.md, section 8.
bigint_status device_rsqrt(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           uint64_t bits);
// device_sqrt_need, device_rsqrt_need: what these need for a of an limbs.
void device_sqrt_need(work_need *w, uint64_t an);
void device_rsqrt_need(work_need *w, uint64_t an, uint64_t bits);

#endif  // BIGINT_DEVICE_DIVIDE_ROOT_H_
