// ifma_redc.h: limbs_ops.redc_prepare and redc_blocks in AVX-512 IFMA. May include limbs.h.
#ifndef PRIMITIVES_LIMBS_IFMA_REDC_H_
#define PRIMITIVES_LIMBS_IFMA_REDC_H_

#include "primitives/limbs/limbs.h"

void limbs_ifma_redc_prepare(uint64_t *w, const uint64_t *mp, size_t n);
void limbs_ifma_redc_blocks(uint64_t *tp, const uint64_t *w, size_t n, uint64_t inverse);

#endif  // PRIMITIVES_LIMBS_IFMA_REDC_H_
