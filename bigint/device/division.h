// division.h: quotients, products modulo numbers and inverses of a batch on a device. Internal to
// bigint/.
#ifndef BIGINT_DEVICE_DIVISION_H_
#define BIGINT_DEVICE_DIVISION_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_division_batch: bigint_mulmod_batch, bigint_divrem_batch or bigint_invmod_batch for spans
// that batch_check has passed; q, r, b are NULL if there is none.
typedef enum { DEVICE_MULMOD, DEVICE_DIVREM, DEVICE_INVMOD } device_division_kind;
bigint_status device_division_batch(bigint_ctx *ctx, const char *who, device_division_kind kind,
                                    const bigint_span *q, const bigint_span *r,
                                    const bigint_span *a, const bigint_span *b,
                                    const bigint_span *modulus);
// device_division_need: what it needs for `count` items of an limbs modulo mn limbs, all alike.
void device_division_need(work_need *w, device_division_kind kind, uint64_t count, uint64_t an,
                          uint64_t mn);

#endif  // BIGINT_DEVICE_DIVISION_H_
