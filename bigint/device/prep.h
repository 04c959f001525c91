// prep.h: prepared operands on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_PREP_H_
#define BIGINT_DEVICE_PREP_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_prep: an operand for products with others of up to max_other limbs: its limbs and, if that
// pays, its transform by device_plan_whole, else NULL. Immutable once made.
typedef struct {
    bigint a;
    uint64_t max_other;
    double *planes;
} device_prep;
// device_prep_make prepares an operand. It waits for the stream, so that other streams may read the
// result.
bigint_status device_prep_make(bigint_ctx *ctx, const char *who, device_prep *prep, const bigint *a,
                               uint64_t max_other);
// device_prep_free frees its memory in stream order.
void device_prep_free(bigint_ctx *ctx, device_prep *prep);
// device_mul_prep: r = a b; b->n_ <= max_other.
bigint_status device_mul_prep(bigint_ctx *ctx, const char *who, bigint *r, const device_prep *a,
                              const bigint *b);
// device_prep_need: what device_prep_make of bn limbs needs; device_mul_prep_need: device_mul_prep
// by an limbs. device_prep_print: how that is computed, on one line, like snprintf.
void device_prep_need(work_need *w, uint64_t bn, uint64_t max_other);
void device_mul_prep_need(work_need *w, uint64_t an, uint64_t bn, uint64_t max_other);
int device_prep_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                      uint64_t max_other);

#endif  // BIGINT_DEVICE_PREP_H_
