// sums.h: batches of sums of two products on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_SUMS_H_
#define BIGINT_DEVICE_BATCH_SUMS_H_

#include "bigint/batch/sums.h"
#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_mul_sum_batch: bigint_mul_sum_batch for spans that have been checked.
bigint_status device_mul_sum_batch(bigint_ctx *ctx, const char *who, const batch_sum *sum);
// device_mul_sum_batch_need: what it needs for `count` sums of products of an by bn limbs, all
// alike, with results a limb longer.
void device_mul_sum_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn);

#endif  // BIGINT_DEVICE_BATCH_SUMS_H_
