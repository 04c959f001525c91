// quotient.h: quotients and remainders of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_QUOTIENT_H_
#define BIGINT_DEVICE_DIVIDE_QUOTIENT_H_

#include "bigint/core/context.h"

// device_divrem: bigint_divrem for operands that divrem_check has passed. It waits for the length
// of d, and as device_divide does; it enqueues all else.
bigint_status device_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d);

// device_divexact: bigint_divexact, likewise. It waits a second time, for the remainder.
bigint_status device_divexact(bigint_ctx *ctx, const char *name, bigint *q, const bigint *a,
                              const bigint *d);

#endif  // BIGINT_DEVICE_DIVIDE_QUOTIENT_H_
