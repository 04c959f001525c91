// newton.c: see newton.h. B = 2^64; proof: docs/proofs/division.md, section 6.
#include "bigint/device/divide/newton.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/kept.h"
#include "bigint/device/product.h"
#include "primitives/limbs/newton_device.h"

bigint_status device_newton_words(device_newton *s, uint64_t *words) {
    s->sign = words, s->t_sign = words + 1, s->negative = words + 2;
    s->finished = (uint32_t *)(words + 3);
    bigint_status status = device_enter(s->ctx, s->who);
    if (status == BIGINT_OK) {
        status = device_status(
            s->ctx, s->who,
            cuda_set(words, 0, DEVICE_NEWTON_WORDS * sizeof *words, s->ctx->queue.stream));
        device_leave(s->ctx);
    }
    return status;
}

// --- The factor ----------------------------------------------------------------------------------
// All products of a step have X as a factor, and the same ring is enough for them, because the
// upper limbs of T and of X T are known beforehand. So X is transformed once.

// fraction_bits: |X T| is below 2^this.
static uint64_t fraction_bits(limbs_device_number x) { return 128 * (x.n - 1) + 5; }

bigint_status device_factor_open(const device_newton *s, device_factor *by, limbs_device_number x,
                                 uint64_t longest, uint64_t bits) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t f_bits = fraction_bits(x);
    *by = (device_factor){.x = x, .mark = arena_mark_in(&ctx->queue.memory)};
    if (ctx->options.max_workspace_bytes != 0 ||
        !device_difference_plan(ctx, &by->ring, bits > f_bits ? bits : f_bits,
                                longest > x.n ? longest : x.n, x.n, false, true)) {
        return BIGINT_OK;
    }
    by->planes = arena_take_in(ctx, &ctx->queue.memory, s->who, device_planes_bytes(&by->ring));
    if (by->planes == NULL) {
        return ctx->failed;
    }
    const bigint_status status = device_fill_planes(ctx, s->who, &by->ring, by->planes, x);
    if (status != BIGINT_OK) {
        device_factor_close(s, by);
    }
    return status;
}

void device_factor_close(const device_newton *s, device_factor *by) {
    arena_release_in(s->ctx, &s->ctx->queue.memory, by->mark);
    by->planes = NULL;
}

// --- Steps ---------------------------------------------------------------------------------------

// take: t of T, or of -T if `minus`. By a ring X T will be negative, and then counts negatively for
// T >= 0.
static result take(const device_newton *s, const device_factor *by, uint64_t bits, bool minus) {
    return limbs_device_residual(s->t, by->x.n, s->t_sign, s->product, bits / 64 + 1,
                                 minus != (by->planes != NULL), s->ctx->queue.stream);
}

result device_newton_take(const device_newton *s, const device_factor *by, uint64_t bits) {
    return take(s, by, bits, false);
}

// whole enqueues the product a b.
static result whole(const device_newton *s, const device_work *run, limbs_device_number a,
                    limbs_device_number b) {
    return a.n < b.n ? whole(s, run, b, a)
                     : device_multiply(run, s->product, a.n + b.n, NULL, a, b, NULL);
}

bigint_status device_newton_residual(const device_newton *s, const device_factor *by,
                                     limbs_device_number a, uint64_t one_at, uint64_t bits) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number x = by->x;
    device_plan plan = by->ring;
    device_work run;
    const bool rings =
        by->planes != NULL || device_difference_plan(ctx, &plan, bits, a.n, x.n, false, false);
    bigint_status status =
        rings ? BIGINT_OK : device_plan_make(ctx, s->who, &plan, a.n, x.n, false, false);
    assert(one_at > bits / 64 && a.n + x.n > bits / 64);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    const device_difference t = {
        .a = a, .b = x, .one_at = one_at, .bits = bits, .plan = &plan, .planes = by->planes};
    result done =
        rings ? device_difference_words(&run, s->product, s->negative, &t) : whole(s, &run, a, x);
    if (done == RESULT_OK) {  // -T, where the product is whole: its limbs below the power's
        done = take(s, by, bits, !rings);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

bigint_status device_newton_refine(const device_newton *s, const device_factor *by, uint64_t *to,
                                   uint64_t k, const uint64_t *high, unsigned right) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number x = by->x, t = {s->t, x.n, NULL};
    const uint64_t h = x.n - 1, l = k - h;
    device_plan plan = by->ring;
    device_work run;
    assert(h < k && l < h + 1 && right <= 1);
    bigint_status status = by->planes != NULL
                               ? BIGINT_OK
                               : device_plan_make(ctx, s->who, &plan, x.n, t.n, false, false);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    const device_difference f = {.a = t,
                                 .b = x,
                                 .one_at = UINT64_MAX,
                                 .bits = fraction_bits(x),
                                 .plan = &plan,
                                 .planes = by->planes};
    result done = by->planes != NULL ? device_difference_words(&run, s->product, s->negative, &f)
                                     : whole(s, &run, x, t);
    if (done == RESULT_OK) {
        done = limbs_device_refine(to, k + 1, high, s->product + (2 * h - l), l, right, s->t_sign,
                                   s->finished, ctx->queue.stream);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}
