// batch.h: batches of products on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_BATCH_H_
#define BIGINT_DEVICE_BATCH_BATCH_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_mul_batch: bigint_mul_batch for spans that batch_check has passed.
bigint_status device_mul_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                               const bigint_span *a, const bigint_span *b);
// device_mul_batch_need: what it needs for `count` products of an by bn limbs, all alike, whose
// second factor may be common to all. device_ring_batch_need: the same for device_ring_batch.
void device_mul_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn, bool common);
void device_ring_batch_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn, uint64_t n);
// device_mul_batch_print: how they are computed, on one line, like snprintf.
int device_mul_batch_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                           uint64_t bn);

// device_ring_batch: the products modulo B^n - 1, n <= r[i].n, by transforms of n limbs. False, and
// nothing is done, if these do not exist, do not pay or do not fit the cap (device_batch_ring);
// else *status is the call's.
bool device_ring_batch(bigint_ctx *ctx, const char *who, const bigint_span *r, const bigint_span *a,
                       const bigint_span *b, uint64_t n, bigint_status *status);

#endif  // BIGINT_DEVICE_BATCH_BATCH_H_
