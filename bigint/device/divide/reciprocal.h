// reciprocal.h: reciprocals of long numbers on a device by Newton's iteration. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_RECIPROCAL_H_
#define BIGINT_DEVICE_DIVIDE_RECIPROCAL_H_

#include "bigint/core/context.h"
#include "primitives/residues/division_device.h"

// device_reciprocal enqueues x within 2 of B^(k + n) / D, B = 2^64, for the value D of d, n limbs
// whose top bit is set; for k < n within 2 of B^(2 k) / D', D' = D's top k limbs. k >= 2; x is not
// d. So x < 2^(64 k + 2), and it has a plus.
// No step looks at values on the host, so an error may have either sign.
// Cost: 5 / 4 products of k by k limbs a step, each with half the length before it: 5 / 2 in all;
// nine launches a step and the products'. Memory: integers of some 6 k limbs.
// Errors: as bigint_mul; x then keeps its value.
// Source: [BrentZimmermann10] algorithm 3.5. Proof: docs/proofs/division.md, section 6.
bigint_status device_reciprocal(bigint_ctx *ctx, const char *who, bigint *x, const bigint *d,
                                uint64_t k);

// DEVICE_RECIPROCAL_BASE: reciprocals of up to this many limbs are quotients of one launch, by
// primitives/residues/division_device.h. Not measured yet.
enum { DEVICE_RECIPROCAL_BASE = 64 };
_Static_assert((int)DEVICE_RECIPROCAL_BASE <= (int)DIVISION_DEVICE_LIMBS_MAX, "one launch");

// device_divide_once enqueues q = floor(|a| / |d|) and r = |a| mod |d| by one launch: dn <=
// DIVISION_DEVICE_LIMBS_MAX limbs of d, the top one not 0. q has a's limbs, r has dn; either may be
// NULL. They are neither operand.
bigint_status device_divide_once(bigint_ctx *ctx, const char *who, bigint *q, bigint *r,
                                 const bigint *a, const bigint *d, uint64_t dn);

#endif  // BIGINT_DEVICE_DIVIDE_RECIPROCAL_H_
