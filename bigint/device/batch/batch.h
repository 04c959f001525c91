// batch.h: batches of products on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_BATCH_H_
#define BIGINT_DEVICE_BATCH_BATCH_H_

#include "bigint/core/context.h"

// device_mul_batch: bigint_mul_batch for spans that batch_check has passed.
bigint_status device_mul_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                               const bigint_span *a, const bigint_span *b);

#endif  // BIGINT_DEVICE_BATCH_BATCH_H_
