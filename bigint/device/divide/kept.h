// kept.h: numbers on a device that are multiplied by many others: their transforms are kept.
// Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_KEPT_H_
#define BIGINT_DEVICE_DIVIDE_KEPT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/plan.h"
#include "primitives/limbs/device.h"

// device_kept: a number b for products with others of up to a given length. planes: its transform
// by the plan, in workspace; NULL where products have none, or one launch.
typedef struct {
    const bigint *b;
    device_plan plan;
    double *planes;
} device_kept;

// device_mul_magnitudes enqueues r = {a.p, a.n} {b.p, b.n}, a.n, b.n >= 1, which may be the same
// and parts of numbers; r gets a plus and is neither. Errors: as bigint_mul; r then keeps its
// value.
bigint_status device_mul_magnitudes(bigint_ctx *ctx, const char *who, bigint *r,
                                    limbs_device_number a, limbs_device_number b);
// device_keep_planes: *planes = the transform of b by a plan for a prepared operand, in workspace
// that the caller releases. Errors: ENOMEM, EDEVICE.
bigint_status device_keep_planes(bigint_ctx *ctx, const char *who, const device_plan *plan,
                                 double **planes, const bigint *b);
// device_keep: k = b, which must stay, for others of up to max_other limbs. A cap may leave no room
// for planes, so with one there are none.
bigint_status device_keep(bigint_ctx *ctx, const char *who, device_kept *k, const bigint *b,
                          uint64_t max_other);
// device_kept_mul enqueues r = a |b|, 1 <= a.n <= max_other; r has a's sign and is neither operand.
// Errors: as bigint_mul; r then keeps its value.
bigint_status device_kept_mul(bigint_ctx *ctx, const char *who, bigint *r, limbs_device_number a,
                              const device_kept *k);
// device_keep_need: what device_keep of a number of bn limbs needs, and keeps, and device_kept_mul.
void device_keep_need(work_need *w, uint64_t bn, uint64_t max_other);

#endif  // BIGINT_DEVICE_DIVIDE_KEPT_H_
