// products.h: products of whole batches on the host. Internal to bigint/.
#ifndef BIGINT_BATCH_PRODUCTS_H_
#define BIGINT_BATCH_PRODUCTS_H_

#include "bigint/core/context.h"

// batch_mul: bigint_mul_batch for spans that batch_check_shapes has passed; checks the
// items. Errors: as there; ECHECK.
bigint_status batch_mul(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                        const bigint_span *b);

#endif  // BIGINT_BATCH_PRODUCTS_H_
