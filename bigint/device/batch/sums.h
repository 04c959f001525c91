// sums.h: batches of sums of two products on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_SUMS_H_
#define BIGINT_DEVICE_BATCH_SUMS_H_

#include "bigint/batch/sums.h"
#include "bigint/core/context.h"

// device_mul_sum_batch: bigint_mul_sum_batch for spans that have been checked.
bigint_status device_mul_sum_batch(bigint_ctx *ctx, const char *who, const batch_sum *sum);

#endif  // BIGINT_DEVICE_BATCH_SUMS_H_
