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
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t doubles = plan->modular.primes * device_plane(plan);
    status = device_tables_need(ctx, who, plan);
    if (status == BIGINT_OK) {
        *planes = arena_take_in(ctx, &ctx->queue.memory, who, doubles * sizeof(double));
        status = *planes != NULL            ? BIGINT_OK
                 : ctx->failed != BIGINT_OK ? ctx->failed
                                            : BIGINT_ENOMEM;
    }
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, device_transform(ctx, plan, *planes, device_number(b)));
    }
    device_leave(ctx);
    return status;
}

bigint_status device_keep(bigint_ctx *ctx, const char *who, device_kept *k, const bigint *b,
                          uint64_t max_other) {
    *k = (device_kept){.b = b};
    device_plan once;
    if (ctx->options.max_workspace_bytes != 0 ||
        !device_plan_whole(ctx, &once, b->n_, b->n_, false, false) ||
        once.engine != ENGINE_MODULAR_FFT || fft_modular_whole(&once.modular) ||
        !device_plan_whole(ctx, &k->plan, max_other, b->n_, false, true)) {
        return BIGINT_OK;
    }
    return device_keep_planes(ctx, who, &k->plan, &k->planes, b);
}

bigint_status device_kept_mul(bigint_ctx *ctx, const char *who, bigint *r, limbs_device_number a,
                              const device_kept *k) {
    const uint64_t bits = 64 * a.n + device_bits(k->b);
    limbs_device_number x = {a.p, a.n, NULL}, y = device_magnitude(k->b, 0);
    device_plan once;
    bigint_status status = BIGINT_OK;
    if (k->planes == NULL) {
        const bool turn = x.n < y.n;
        const limbs_device_number longer = turn ? y : x;
        y = turn ? x : y;
        x = longer;
        status = device_plan_make(ctx, who, &once, x.n, y.n, false, false);
    }
    device_work run;
    device_target target;
    if (status == BIGINT_OK) {
        status = device_begin(&run, ctx, who, k->planes != NULL ? &k->plan : &once);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, bits, &target);
    if (status == BIGINT_OK) {
        assert(target.p != a.p && target.p != k->b->d_);
        result done = device_multiply(&run, target.p, target.n, NULL, x, y, k->planes);
        done = done == RESULT_OK ? cuda_set(target.p - 1, 0, sizeof *target.p, ctx->queue.stream)
                                 : done;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}
