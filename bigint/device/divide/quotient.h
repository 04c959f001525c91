// quotient.h: quotients and remainders of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_QUOTIENT_H_
#define BIGINT_DEVICE_DIVIDE_QUOTIENT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_divrem: bigint_divrem for operands that divrem_check has passed. It waits for the length
// of d, and as device_divide does; it enqueues all else.
bigint_status device_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d);

// device_divexact: bigint_divexact, likewise. It waits a second time, for the remainder.
bigint_status device_divexact(bigint_ctx *ctx, const char *name, bigint *q, const bigint *a,
                              const bigint *d);
// device_divrem_need: what either needs for operands of an and dn limbs. device_divrem_print: how
// they divide, on one line, like snprintf.
void device_divrem_need(work_need *w, uint64_t an, uint64_t dn);
int device_divrem_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t dn);

#endif  // BIGINT_DEVICE_DIVIDE_QUOTIENT_H_
