// ifma_exact.h: limbs_ops.divexact in AVX-512 IFMA. May include limbs.h.
#ifndef PRIMITIVES_LIMBS_IFMA_EXACT_H_
#define PRIMITIVES_LIMBS_IFMA_EXACT_H_

#include "primitives/limbs/limbs.h"

bool limbs_ifma_divexact(uint64_t *qp, size_t qn, const uint64_t *ap, size_t an, const uint64_t *dp,
                         size_t dn, unsigned shift);

#endif  // PRIMITIVES_LIMBS_IFMA_EXACT_H_
