// newton.c: see newton.h. B = 2^64; proof: docs/proofs/division.md, section 6.
#include "bigint/device/divide/newton.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
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
// upper limbs of T and of X T are known beforehand. So its columns are made once, and its rows,
// too, where they are long.

// WHOLE_LEAST: limbs of a ring from which rows that are made once are to save more than two
// launches. Chosen after one trial, which has no record.
enum { WHOLE_LEAST = 1 << 22 };

// fraction_bits: |X T| is below 2^this.
static uint64_t fraction_bits(uint64_t xn) { return 128 * (xn - 1) + 5; }

// factor_plan: whether X of xn limbs is transformed once, and the ring.
static bool factor_plan(const bigint_ctx *ctx, device_plan *ring, uint64_t xn, uint64_t longest,
                        uint64_t bits) {
    const uint64_t f_bits = fraction_bits(xn);
    return ctx->options.max_workspace_bytes == 0 &&
           device_difference_plan(ctx, ring, bits > f_bits ? bits : f_bits,
                                  longest > xn ? longest : xn, xn, false, true);
}

bigint_status device_factor_open(const device_newton *s, device_factor *by, limbs_device_number x,
                                 uint64_t longest, uint64_t bits) {
    bigint_ctx *ctx = s->ctx;
    *by = (device_factor){.x = x, .mark = arena_mark_in(&ctx->queue.memory)};
    if (!factor_plan(ctx, &by->ring, x.n, longest, bits)) {
        return BIGINT_OK;
    }
    by->kept.planes =
        arena_take_in(ctx, &ctx->queue.memory, s->who, device_planes_bytes(&by->ring));
    if (by->kept.planes == NULL) {
        return ctx->failed;
    }
    by->kept.whole = device_ring_limbs(&by->ring) >= WHOLE_LEAST;
    if (!by->kept.whole) {
        return BIGINT_OK;
    }
    const bigint_status status = device_fill_planes(ctx, s->who, &by->ring, by->kept.planes, x);
    if (status != BIGINT_OK) {
        device_factor_close(s, by);
    }
    return status;
}

void device_factor_close(const device_newton *s, device_factor *by) {
    arena_release_in(s->ctx, &s->ctx->queue.memory, by->mark);
    by->kept.planes = NULL;
}

// --- Steps ---------------------------------------------------------------------------------------

// take: t of T, or of -T if `minus`. By a ring X T will be negative, and then counts negatively for
// T >= 0.
static result take(const device_newton *s, const device_factor *by, uint64_t bits, bool minus,
                   const limbs_lift *lift) {
    const limbs_upper v = {s->product, bits / 64 + 1, lift};
    return limbs_device_residual(s->t, by->x.n, s->t_sign, v, minus != (by->kept.planes != NULL),
                                 s->ctx->queue.stream);
}

result device_newton_take(const device_newton *s, const device_factor *by, uint64_t bits) {
    return take(s, by, bits, false, NULL);
}

// upper enqueues r's residue, of which *lift tells the upper limbs, if no limbs below `below` are
// wanted, or else r; then there is no lift. *used: the lift, or NULL.
static result upper(const device_newton *s, const device_work *run, const device_difference *x,
                    uint64_t below, limbs_lift *lift, const limbs_lift **used) {
    *used = device_ring_adds(x->plan) && below >= 2 * LIMBS_RING_LOW ? lift : NULL;
    return *used != NULL ? device_difference_residue(run, s->product, x, lift)
                         : device_difference_words(run, s->product, s->negative, x, NULL);
}

// whole enqueues the product a b.
static result whole(const device_newton *s, const device_work *run, limbs_device_number a,
                    limbs_device_number b) {
    return a.n < b.n ? whole(s, run, b, a)
                     : device_multiply(run, s->product, a.n + b.n, NULL, a, b, NULL);
}

// residual_plan: of device_newton_residual where X has no planes; *rings: for a difference.
static bigint_status residual_plan(bigint_ctx *ctx, const char *who, device_plan *plan, bool *rings,
                                   uint64_t xn, uint64_t an, uint64_t bits) {
    *rings = device_difference_plan(ctx, plan, bits, an, xn, false, false);
    return *rings ? BIGINT_OK : device_plan_make(ctx, who, plan, an, xn, false, false);
}

bigint_status device_newton_residual(const device_newton *s, device_factor *by,
                                     limbs_device_number a, uint64_t one_at, uint64_t bits) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number x = by->x;
    device_plan plan = by->ring;
    device_work run;
    bool rings = true;
    bigint_status status = by->kept.planes != NULL
                               ? BIGINT_OK
                               : residual_plan(ctx, s->who, &plan, &rings, x.n, a.n, bits);
    assert(one_at > bits / 64 && a.n + x.n > bits / 64);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    const device_difference t = {.a = a,
                                 .b = x,
                                 .one_at = one_at,
                                 .bits = bits,
                                 .plan = &plan,
                                 .kept = by->kept.planes != NULL ? &by->kept : NULL};
    const uint64_t n = bits / 64 + 1, below = n > x.n ? n - x.n : 0;
    limbs_lift lift;
    const limbs_lift *used = NULL;
    result done = rings ? upper(s, &run, &t, below, &lift, &used) : whole(s, &run, a, x);
    if (done == RESULT_OK) {  // -T, where the product is whole: its limbs below the power's
        done = take(s, by, bits, !rings, used);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

bigint_status device_newton_refine(const device_newton *s, device_factor *by, uint64_t *to,
                                   uint64_t k, const uint64_t *high, unsigned right) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number x = by->x, t = {s->t, x.n, NULL};
    const uint64_t h = x.n - 1, l = k - h;
    device_plan plan = by->ring;
    device_work run;
    assert(h < k && l < h + 1 && right <= 1);
    bigint_status status = by->kept.planes != NULL
                               ? BIGINT_OK
                               : device_plan_make(ctx, s->who, &plan, x.n, t.n, false, false);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    const device_difference f = {.a = t,
                                 .b = x,
                                 .one_at = UINT64_MAX,
                                 .bits = fraction_bits(x.n),
                                 .plan = &plan,
                                 .kept = by->kept.planes != NULL ? &by->kept : NULL};
    limbs_lift lift;
    const limbs_lift *used = NULL;
    result done = by->kept.planes != NULL ? upper(s, &run, &f, 2 * h - l, &lift, &used)
                                          : whole(s, &run, x, t);
    if (done == RESULT_OK) {
        const limbs_upper of = {s->product, 2 * h + 1, used};
        done = limbs_device_refine(to, k + 1, high, of, l, right, s->t_sign, s->finished,
                                   ctx->queue.stream);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

bool device_factor_need(work_need *n, uint64_t xn, uint64_t longest, uint64_t bits) {
    device_plan plan;
    if (n->status != BIGINT_OK || !factor_plan(n->ctx, &plan, xn, longest, bits)) {
        return false;
    }
    need_take(&n->device, device_planes_bytes(&plan));
    device_plan_need(n, &plan);
    return true;
}

void device_newton_need(work_need *n, uint64_t xn, uint64_t an, uint64_t bits) {
    const uint64_t in_use = n->device.in_use;
    device_plan plan;
    bool rings;
    if (!device_factor_need(n, xn, an, bits) && n->status == BIGINT_OK) {
        n->status = residual_plan(n->ctx, n->who, &plan, &rings, xn, an, bits);
        if (n->status == BIGINT_OK) {
            device_plan_need(n, &plan);
        }
        device_mul_need(n, xn, xn, false);
    }
    need_release(&n->device, in_use);
}
