// float.h: products on a device by the floating-point engines, which are chosen by name. Internal
// to bigint/.
#ifndef BIGINT_DEVICE_FLOAT_H_
#define BIGINT_DEVICE_FLOAT_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"

// device_float_plan fills in floats and certified for the floating-point engine plan->engine, with
// digits that are proved, or certified ones. NULL, or why there is no such plan.
const char *device_float_plan(device_plan *plan, bool certified);
// device_float_memory: the memory of such a plan, whose square field is set: its part of a plan's
// workspace_bytes, words_bytes, tables_bytes.
typedef struct {
    uint64_t workspace, words, tables;
} device_memory;
device_memory device_float_memory(const device_plan *plan);
// device_float_bound: the largest distance of a computed coefficient from its integer, as proved,
// or for certified digits as expected.
static inline double device_float_bound(const fft_float_device_plan *plan) {
    return (double)plan->error * 0x1p-32;
}
// device_float_print: device_plan_print for such a plan.
int device_float_print(const bigint_ctx *ctx, const device_plan *plan, char *buf, size_t cap);
// device_float_multiply enqueues {rp, rn} = a b by such a plan, or a a for a square, and the sign.
// Cost: fft_float_device_convolve and one launch.
result device_float_multiply(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, limbs_device_number a,
                             limbs_device_number b);

#endif  // BIGINT_DEVICE_FLOAT_H_
