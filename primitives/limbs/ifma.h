// ifma.h: the AVX-512 IFMA table of limbs.h, for mul.c and tests. May include limbs.h.
#ifndef PRIMITIVES_LIMBS_IFMA_H_
#define PRIMITIVES_LIMBS_IFMA_H_

#include "primitives/limbs/limbs.h"

// The table, or NULL in a build for other processors than x86-64. Calling its functions requires
// cpu_features.ifma and cpu_features.adx.
const limbs_ops *limbs_ops_ifma(void);

#endif  // PRIMITIVES_LIMBS_IFMA_H_
