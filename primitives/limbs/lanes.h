// lanes.h: limbs_ops.mul_lanes on AVX-512 IFMA, for ifma.c. May include limbs.h.
#ifndef PRIMITIVES_LIMBS_LANES_H_
#define PRIMITIVES_LIMBS_LANES_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/limbs/limbs.h"

// Calling it requires cpu_features.ifma; it exists on x86-64 alone.
void limbs_lanes_mul(uint64_t *const *rp, const uint64_t *const *ap, size_t an,
                     const uint64_t *const *bp, size_t bn, uint64_t *ws);

#endif  // PRIMITIVES_LIMBS_LANES_H_
