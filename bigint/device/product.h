// product.h: products of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_PRODUCT_H_
#define BIGINT_DEVICE_PRODUCT_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/device/plan.h"
#include "primitives/limbs/device.h"

// device_work: products under way, between device_begin, which takes all memory that they need
// by the plan, and device_end. Between the two the queue is entered.
typedef struct {
    bigint_ctx *ctx;
    arena_mark mark;
    const device_plan *plan;
    const fft_modular_tables *tables, *high_tables;
    const void *float_tables;  // in their place, by a floating-point plan
    uint64_t room;             // bytes of workspace
    uint64_t *zero;     // a line for a sign that nobody wants: 0 behind the first such product
    double *x, *y;      // planes of the product, device_others
    uint64_t *scratch;  // limbs
} device_work;
bigint_status device_begin(device_work *run, bigint_ctx *ctx, const char *who,
                           const device_plan *plan);
void device_end(device_work *run);
// device_use changes the plan to another one that needs no more memory, whose tables are there.
void device_use(device_work *run, const device_plan *plan);
// device_multiply enqueues {rp, rn} = a b, checked if that is asked for, and the sign, which
// nobody wants where r_sign is NULL. a.n, b.n >= 1 and within the plan; a == b of a square. rn:
// enough for the value, at most a.n + b.n. prepared: by a plan for that, what device_transform
// made of b; else NULL. rp may be a.p or b.p where the plan is of one piece and not certified. By a
// certified plan it waits for the product and, where the check finds it wrong, computes it once
// more by the modular transform.
// Cost: one launch of a whole plan (bigint/device/kernels/cluster_product.h); otherwise four and
// more for each piece and in turn for each prime; see fft/device/modular/convolution.h.
result device_multiply(const device_work *run, uint64_t *rp, uint64_t rn, uint64_t *r_sign,
                       limbs_device_number a, limbs_device_number b, const double *prepared);
// device_transform enqueues planes = the transform of b by a plan for prepared operands.
result device_transform(const bigint_ctx *ctx, const device_plan *plan, double *planes,
                        limbs_device_number b);
// device_mul: r = a b.
bigint_status device_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b);

#endif  // BIGINT_DEVICE_PRODUCT_H_
