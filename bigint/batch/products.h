// products.h: products of whole batches on the host. Internal to bigint/.
#ifndef BIGINT_BATCH_PRODUCTS_H_
#define BIGINT_BATCH_PRODUCTS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// batch_mul: bigint_mul_batch for spans that batch_check_shapes has passed; checks the
// items. Errors: as there; ECHECK.
bigint_status batch_mul(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                        const bigint_span *b);
// batch_mul_need: what it needs for `count` products of an by bn limbs, all alike. batch_mul_print:
// how they are computed, on one line, like snprintf.
void batch_mul_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn);
int batch_mul_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                    uint64_t bn);

#endif  // BIGINT_BATCH_PRODUCTS_H_
