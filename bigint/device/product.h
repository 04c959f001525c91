// product.h: products of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_PRODUCT_H_
#define BIGINT_DEVICE_PRODUCT_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/device/plan.h"
#include "primitives/limbs/device.h"

// device_work: products under way, between device_begin, which takes all memory that the plan
// needs, and device_end. The queue is entered between the two.
typedef struct {
    bigint_ctx *ctx;
    arena_mark mark;
    const device_plan *plan;
    const fft_modular_tables *tables, *high_tables;
    const void *float_tables;  // in their place, by a floating-point plan
    uint64_t room;             // bytes of workspace
    uint64_t *zero;            // a line for unwanted signs: 0 after the first such product
    double *x, *y;             // planes of the product, device_others
    uint64_t *scratch;         // limbs
} device_work;
bigint_status device_begin(device_work *run, bigint_ctx *ctx, const char *who,
                           const device_plan *plan);
void device_end(device_work *run);
// device_use switches to another plan that needs no more memory and whose tables exist.
void device_use(device_work *run, const device_plan *plan);
// device_multiply enqueues {rp, rn} = a b, its check if asked for, and the sign, which is not
// wanted if r_sign is NULL.
// Requires: a.n, b.n >= 1 and within the plan; a == b for a square; rn is enough for the value, at
// most a.n + b.n. prepared: the planes that device_transform made of b, for a plan with a prepared
// operand; else NULL. rp may be a.p or b.p if the plan has one piece and is not certified.
// With a certified plan it waits for the product and, if the check finds it wrong, computes it
// again by the modular transform.
// Cost: one launch for a whole plan (bigint/device/kernels/cluster/product.h); otherwise four or
// more for each piece, and for each prime if primes come one after another; see
// fft/device/modular/convolution.h.
result device_multiply(const device_work *run, uint64_t *rp, uint64_t rn, uint64_t *r_sign,
                       limbs_device_number a, limbs_device_number b, const double *prepared);
// device_transform enqueues planes = the transform of b by a plan for prepared operands.
result device_transform(const bigint_ctx *ctx, const device_plan *plan, double *planes,
                        limbs_device_number b);
// device_planes_bytes: of a transform by a plan for prepared operands. device_fill_planes makes the
// tables and enqueues the transform of b there. Errors: ENOMEM, EDEVICE.
uint64_t device_planes_bytes(const device_plan *plan);
bigint_status device_fill_planes(bigint_ctx *ctx, const char *who, const device_plan *plan,
                                 double *planes, limbs_device_number b);
// device_mul: r = a b.
bigint_status device_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b);

#endif  // BIGINT_DEVICE_PRODUCT_H_
