// device_sum.h: sums and shifts of integers on a device, enqueued. Internal to bigint/.
#ifndef BIGINT_CORE_DEVICE_SUM_H_
#define BIGINT_CORE_DEVICE_SUM_H_

#include "bigint/core/context.h"

bigint_status device_add(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b, bool subtract);
bigint_status device_mul_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t bits);
bigint_status device_tdiv_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               uint64_t bits);

#endif  // BIGINT_CORE_DEVICE_SUM_H_
