// limbs_adx.h: the mulx/adx table of limbs.h, for limbs_mul.c and tests. May include limbs.h.
#ifndef PRIMITIVES_LIMBS_ADX_H_
#define PRIMITIVES_LIMBS_ADX_H_

#include "primitives/limbs.h"

// The table, or NULL in a build for other processors than x86-64. Calling its functions requires
// cpu_features.adx.
const limbs_ops *limbs_ops_adx(void);

#endif  // PRIMITIVES_LIMBS_ADX_H_
