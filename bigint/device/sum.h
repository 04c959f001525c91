// sum.h: sums of products on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_SUM_H_
#define BIGINT_DEVICE_SUM_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_mul_sum: bigint_mul_sum. Terms whose announced lengths together are at least 2 / 3 of the
// longest term's are added in the transform domain: two launches for each, and some six for the
// sum; with checks one more for each and for the sum.
// device_sum_held_bytes: the bytes that a context holds for a sum of that many products of up to an
// by bn limbs in the transform domain, an >= bn >= 1; 0 if such terms are computed one by one.
uint64_t device_sum_held_bytes(const bigint_ctx *ctx, uint64_t an, uint64_t bn, uint64_t terms);
// device_mul_sum_need: what device_mul_sum of that many products of an by bn limbs, in either
// order, needs. device_mul_sum_print: how they are computed, on one line, like snprintf.
void device_mul_sum_need(work_need *w, uint64_t an, uint64_t bn, uint64_t terms);
int device_mul_sum_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                         uint64_t terms);
bigint_status device_mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *const *a,
                             const bigint *const *b, const int *signs, uint64_t count);

#endif  // BIGINT_DEVICE_SUM_H_
