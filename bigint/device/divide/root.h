// root.h: square roots of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_ROOT_H_
#define BIGINT_DEVICE_DIVIDE_ROOT_H_

#include "bigint/core/context.h"

// device_sqrt: bigint_sqrt for operands whose places have been checked. It waits for the length and
// the sign of a, and enqueues all else.
// Cost, M a product as long as the root: 19/12 M for the reciprocal root of half the length, where
// every step takes a square, a difference by a ring and a product; 7/6 M for the root, 1/2 M for
// the remainder. Memory: integers of some 8 times the root's length.
// Source: [BrentZimmermann10] section 3.5. Proof: docs/proofs/root.md, last section.
bigint_status device_sqrt(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a);

#endif  // BIGINT_DEVICE_DIVIDE_ROOT_H_
