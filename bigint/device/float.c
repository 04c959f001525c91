// float.c: products on a device by the floating-point engines: their plan, its line of text and its
// launches. The arithmetic is in the kernels of fft/device/complex/float_convolution.h.
#include "bigint/device/float.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/names.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/multiply/float.h"
#include "carry/add.h"

const char *device_float_plan(device_plan *plan, bool certified) {
    const unsigned significand =
        mul_float_type(plan->engine) == FFT_F64 ? FFT_BOUND_F64 : FFT_BOUND_F32;
    plan->certified = certified;
    return fft_float_device_plan_limbs(&plan->floats, mul_float_method(plan->engine), significand,
                                       plan->an, plan->bn, certified);
}

device_memory device_float_memory(const device_plan *plan) {
    const fft_float_device_plan *const f = &plan->floats;
    const uint64_t line = DEVICE_LINE * sizeof(uint64_t);
    const uint64_t tables = fft_float_device_table_bytes(f);
    return (device_memory){
        .workspace = line + fft_float_device_values_bytes(f) +
                     fft_float_device_other_bytes(f, plan->square) +
                     fft_float_device_workspace_bytes(f),
        .words = CARRY_ADD_FRONT_BYTES + recombine_device_bytes(plan->an + plan->bn),
        // short transforms have none
        .tables = (tables > 0 ? tables : line) + sizeof(product_tables),
    };
}

int device_float_print(const bigint_ctx *ctx, const device_plan *plan, char *buf, size_t cap) {
    const fft_float_device_plan *const f = &plan->floats;
    return snprintf(buf, cap,
                    "%s %s, %llu x %llu limbs, %u-bit %sdigits in %s, %llu complex points in %u "
                    "pass%s, error below %.4f %s",
                    names_backend(ctx->device.backend), names_engine(plan->engine),
                    (unsigned long long)plan->an, (unsigned long long)plan->bn, f->width,
                    f->balanced ? "balanced " : "",
                    mul_float_type(plan->engine) == FFT_F64 ? "double" : "float",
                    (unsigned long long)fft_id_length(&f->transform.problem),
                    fft_id_passes(&f->transform), fft_id_passes(&f->transform) == 1 ? "" : "es",
                    device_float_bound(f), f->certified ? "expected, checked" : "proved");
}

result device_float_multiply(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, limbs_device_number a,
                             limbs_device_number b) {
    const device_plan *const plan = run->plan;
    const fft_float_device_plan *const f = &plan->floats;
    const device_queue *const q = &run->ctx->queue;
    unsigned char *const values = (unsigned char *)run->x;
    unsigned char *const other = values + fft_float_device_values_bytes(f);
    const fft_float_device_convolution c = {
        .plan = f,
        .tables = run->float_tables,
        .values = values,
        .other = other,
        .workspace = other + fft_float_device_other_bytes(f, plan->square),
        .stream = q->stream,
    };
    const fft_float_device_operand fa = {a.p, a.n}, fb = {b.p, b.n};
    assert(!plan->square || (a.p == b.p && a.n == b.n));
    const result done = fft_float_device_convolve(&c, &fa, plan->square ? NULL : &fb);
    const recombine_reals reals = {
        .x = values,
        .points = fft_id_length(&f->transform.problem),
        .count = f->a_digits + f->b_digits - 1,
        .imaginary = f->method == FFT_BOUND_PACKED,
        .single = mul_float_type(plan->engine) == FFT_F32,
        .bits = f->width,
        // a check finds coefficients that are too far off, also certified ones
        .bound = run->ctx->check_modulus != 0 ? 0.5 : device_float_bound(f),
        .roundoff = q->roundoff,
    };
    return done == RESULT_OK
               ? recombine_device_reals(rp, rn, signs, &reals,
                                        // after the words of comparisons and sums
                                        (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                        q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream)
               : done;
}
