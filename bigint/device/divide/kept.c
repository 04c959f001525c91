// kept.c: see kept.h.
#include "bigint/device/divide/kept.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"

bigint_status device_keep_planes(bigint_ctx *ctx, const char *who, const device_plan *plan,
                                 double **planes, const bigint *b) {
    *planes = arena_take_in(ctx, &ctx->queue.memory, who, device_planes_bytes(plan));
    if (*planes == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    return device_fill_planes(ctx, who, plan, *planes, device_number(b));
}

// keeps: whether a transform of bn limbs is kept, and the plan.
static bool keeps(const bigint_ctx *ctx, device_plan *plan, uint64_t bn, uint64_t max_other) {
    device_plan once;
    return ctx->options.max_workspace_bytes == 0 &&
           device_plan_whole(ctx, &once, bn, bn, false, false) &&
           once.engine == ENGINE_MODULAR_FFT && !fft_modular_whole(&once.modular) &&
           device_plan_whole(ctx, plan, max_other, bn, false, true);
}

void device_keep_need(work_need *w, uint64_t bn, uint64_t max_other) {
    device_plan plan;
    if (keeps(w->ctx, &plan, bn, max_other)) {
        need_take(&w->device, device_planes_bytes(&plan));
        device_plan_need(w, &plan);
    } else {
        device_mul_need(w, max_other, bn, false);
    }
}

bigint_status device_keep(bigint_ctx *ctx, const char *who, device_kept *k, const bigint *b,
                          uint64_t max_other) {
    *k = (device_kept){.b = b};
    if (!keeps(ctx, &k->plan, b->n_, max_other)) {
        return BIGINT_OK;
    }
    return device_keep_planes(ctx, who, &k->plan, &k->planes, b);
}

// multiply: |r| = |a b| < 2^bits by the plan, with a's sign.
static bigint_status multiply(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                              const device_plan *plan, limbs_device_number a, limbs_device_number b,
                              const double *planes) {
    const bool turn = planes == NULL && a.n < b.n;  // such a plan's first factor is the longer
    const limbs_device_number sign = {a.p, 0, a.sign};
    device_work run;
    device_target target;
    bigint_status status = device_begin(&run, ctx, who, plan);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, bits, &target);
    if (status == BIGINT_OK) {
        assert(target.p != a.p && target.p != b.p);
        result done =
            device_multiply(&run, target.p, target.n, NULL, turn ? b : a, turn ? a : b, planes);
        done = done == RESULT_OK ? limbs_device_lshift(target.p, 0, target.p - 1, sign, 0,
                                                       LIMBS_SIGN_KEEP, ctx->queue.stream)
                                 : done;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}

// whole: the same by a plan for this product.
static bigint_status whole(bigint_ctx *ctx, const char *who, bigint *r, limbs_device_number a,
                           limbs_device_number b) {
    const bool turn = a.n < b.n;
    device_plan plan;
    const bigint_status status = device_plan_make(
        ctx, who, &plan, turn ? b.n : a.n, turn ? a.n : b.n, a.p == b.p && a.n == b.n, false);
    return status == BIGINT_OK ? multiply(ctx, who, r, 64 * (a.n + b.n), &plan, a, b, NULL)
                               : status;
}

bigint_status device_mul_magnitudes(bigint_ctx *ctx, const char *who, bigint *r,
                                    limbs_device_number a, limbs_device_number b) {
    return whole(ctx, who, r, (limbs_device_number){a.p, a.n, NULL}, b);
}

bigint_status device_kept_mul(bigint_ctx *ctx, const char *who, bigint *r, limbs_device_number a,
                              const device_kept *k) {
    const limbs_device_number b = device_magnitude(k->b, 0);
    return k->planes != NULL
               ? multiply(ctx, who, r, 64 * a.n + device_bits(k->b), &k->plan, a, b, k->planes)
               : whole(ctx, who, r, a, b);
}
