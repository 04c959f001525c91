// reciprocal.h: reciprocals of long numbers on a device by Newton's iteration. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_RECIPROCAL_H_
#define BIGINT_DEVICE_DIVIDE_RECIPROCAL_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "primitives/limbs/device.h"

// device_reciprocal enqueues x within 2 of B^(k + n) / D, B = 2^64, for the value D = |d| 2^shift
// of n limbs, whose top bit is set; for k < n within 2 of B^(2 k) / D', D' = D's top k limbs. k >=
// 2; x is not d. So x < 2^(64 k + 2): k + 1 limbs. Its sign is not set: it is for products of
// magnitudes.
// No step looks at values on the host, so an error may have either sign.
// Cost: up to 1040 limbs in one launch, or 520 where the device has no clusters; up to 24576 by a
// series from there (series.h), of at most six pairs of products of up to k by k limbs; then steps,
// each of twice the length, of a product of k by k / 2 limbs and one of k / 2 by k / 2: 5 / 4 M(k),
// and twice that in all. By a ring (ring.h) five transforms of k limbs, where M(k) takes three of
// twice that: 5 / 6 M(k). Up to some 8200 limbs a step is one launch of a cluster
// (cluster/newton.h), else two launches beside the products'. One call enqueues them if a
// reciprocal of the same lengths came before (recording.h), beside two that copy. Memory: some 3 k
// limbs, 12 k more for a series, counted as device_scratch, and a transform of k / 2.
// Errors: as bigint_mul; x is then not to be used.
// Source: [BrentZimmermann10] algorithm 3.5. Proof: docs/proofs/division.md, section 6.
bigint_status device_reciprocal(bigint_ctx *ctx, const char *who, bigint *x, limbs_device_number d,
                                unsigned shift, uint64_t k);
// device_reciprocal_need: what it needs for d of dn limbs.
void device_reciprocal_need(work_need *w, uint64_t dn, uint64_t k);

#endif  // BIGINT_DEVICE_DIVIDE_RECIPROCAL_H_
