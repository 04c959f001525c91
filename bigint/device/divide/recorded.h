// recorded.h: long divisions on a device whose launches are recorded. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_RECORDED_H_
#define BIGINT_DEVICE_DIVIDE_RECORDED_H_

#include "bigint/core/context.h"
#include "bigint/device/divide/divisor.h"

// device_division: q = a / d rounded toward zero, r = a - q d; q or r NULL: it is not wanted. Each
// may be a or d. d has exactly `bits` bits, and a is announced as at least as long. by: d's
// reciprocal where it is kept, else NULL.
typedef struct {
    bigint *q, *r;
    const bigint *a, *d;
    uint64_t bits;
    const device_divisor *by;
} device_division;

// device_divide_recorded enqueues it if it takes several launches and if a division of the same
// lengths came before; *done says so. Not for quotients alone that may wait (device_waits). Divisor
// and dividend are shifted as they are copied, so lengths in limbs decide, not in bits.
// Cost: beside the division's launches two to copy operands and two to copy results. Errors: as
// bigint_mul; q and r then keep their values.
bigint_status device_divide_recorded(bigint_ctx *ctx, const char *who, const device_division *x,
                                     bool *done);

#endif  // BIGINT_DEVICE_DIVIDE_RECORDED_H_
