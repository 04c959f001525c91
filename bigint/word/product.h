// product.h: what sums with products need of the workspace. Internal to bigint/.
#ifndef BIGINT_WORD_PRODUCT_H_
#define BIGINT_WORD_PRODUCT_H_

#include "bigint/core/need.h"

// addmul_need: bigint_addmul of an by bn limbs on the host.
void addmul_need(work_need *w, uint64_t an, uint64_t bn);

#endif  // BIGINT_WORD_PRODUCT_H_
