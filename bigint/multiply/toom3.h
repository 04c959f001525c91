// toom3.h: one Toom-3 step; the caller computes its five products.
#ifndef BIGINT_MULTIPLY_TOOM3_H_
#define BIGINT_MULTIPLY_TOOM3_H_

#include <stdbool.h>

#include "primitives/limbs/limbs.h"

// toom3_shape: whether both operands have a third piece of ceil(an / 3) limbs. Requires: an >= bn.
static inline bool toom3_shape(size_t an, size_t bn) { return bn > 2 * ((an + 2) / 3); }

// toom3_multiply: {rp, an + bn} = {ap, an} {bp, bn} for an >= bn >= 1, by workspace at ws.
typedef void (*toom3_multiply)(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap, size_t an,
                               const uint64_t *bp, size_t bn, uint64_t *ws);

// {rp, an + bn} = {ap, an} {bp, bn} by five products of about an / 3 limbs; equal operands (pointer
// and length) are squared. Requires: toom3_shape(an, bn); rp and ws overlap nothing.
// ws: 6 (ceil(an / 3) + 1) limbs and what the products need. Proof: docs/proofs/toom3.md.
void mul_toom3(const limbs_ops *ops, toom3_multiply recurse, uint64_t *rp, const uint64_t *ap,
               size_t an, const uint64_t *bp, size_t bn, uint64_t *ws);

#endif  // BIGINT_MULTIPLY_TOOM3_H_
