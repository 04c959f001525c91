// newton.c: see newton.h. B = 2^64; proof: docs/proofs/division.md, section 6.
#include "bigint/device/divide/newton.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/product.h"
#include "carry/add.h"
#include "primitives/limbs/newton_device.h"

bigint_status device_newton_words(device_newton *s, uint64_t *words, uint64_t zeros) {
    s->one = words, s->zero = words + 1;
    s->sign = words + 2, s->t_sign = words + 3, s->negative = words + 4;
    s->finished = (uint32_t *)(words + 5);
    s->own = words + 6;
    bigint_status status = device_enter(s->ctx, s->who);
    if (status == BIGINT_OK) {
        const cuda_stream stream = s->ctx->queue.stream;
        result done =
            cuda_set(words - zeros, 0, (zeros + DEVICE_NEWTON_WORDS) * sizeof *words, stream);
        done = done == RESULT_OK ? cuda_set(words, 1, 1, stream) : done;
        status = device_status(s->ctx, s->who, done);
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
    const bool whole = x->c.n == 0 || device_ring_adds(x->plan);
    *used = whole && below >= 2 * LIMBS_RING_LOW ? lift : NULL;
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

// sum: {to, n} and {high, n - l} of device_newton_refine.
typedef struct {
    uint64_t *to, n;
    const uint64_t *high;
    uint64_t l;
} sum;

// refine: device_newton_refine with T's sign at *sign, or by a ring -T's.
static bigint_status refine(const device_newton *s, device_factor *by, const sum *r, unsigned right,
                            const uint64_t *sign) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number x = by->x, t = {s->t, x.n, NULL};
    const uint64_t h = x.n - 1, l = r->l;
    device_plan plan = by->ring;
    device_work run;
    assert(l < r->n && l <= h && right <= 1);
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
        done = limbs_device_refine(r->to, r->n, r->high, of, l, right, sign, s->finished,
                                   ctx->queue.stream);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

bigint_status device_newton_refine(const device_newton *s, device_factor *by, uint64_t *to,
                                   uint64_t n, const uint64_t *high, uint64_t l, unsigned right) {
    const sum r = {to, n, high, l};
    return refine(s, by, &r, right, s->t_sign);
}

bigint_status device_newton_quotient(const device_newton *s, device_factor *by, uint64_t *to,
                                     uint64_t l) {
    const sum r = {to, l + 1, s->zero, l};
    return refine(s, by, &r, 0, by->kept.planes != NULL ? s->one : s->zero);
}

bigint_status device_newton_extend(const device_newton *s, device_factor *by, uint64_t *to,
                                   uint64_t n, limbs_device_number a, const uint64_t *c,
                                   uint64_t bits) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number x = by->x;
    const uint64_t rn = bits / 64 + 1, l = n - x.n;  // limbs of c - a X, and of it that count
    const bool rings = by->kept.planes != NULL;
    device_plan plan = by->ring;
    device_work run;
    assert(x.n <= n && l < rn && a.n + x.n > rn - 1 && n < a.n + x.n);
    bigint_status status =
        rings ? BIGINT_OK : device_plan_make(ctx, s->who, &plan, a.n, x.n, false, false);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    const device_difference r = {.a = a,
                                 .b = x,
                                 .c = {c, a.n + x.n, NULL},
                                 .one_at = UINT64_MAX,
                                 .bits = bits,
                                 .plan = &plan,
                                 .kept = rings ? &by->kept : NULL};
    limbs_lift lift;
    const limbs_lift *used = NULL;
    result done = rings ? upper(s, &run, &r, rn - 1 - l, &lift, &used) : whole(s, &run, a, x);
    if (done == RESULT_OK && rings) {  // c B^-(a.n + h + 1 - n) less what is left
        const limbs_upper of = {s->product, rn, used};
        done =
            limbs_device_refine(to, n, c + a.n, of, l, 0, s->one, s->finished, ctx->queue.stream);
    } else if (done == RESULT_OK) {
        const limbs_device_number high = {s->product + (a.n + x.n - n), n, NULL};
        done = limbs_device_lshift(to, n, s->sign, high, 0, LIMBS_SIGN_CLEAR, ctx->queue.stream);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

// --- Differences ---------------------------------------------------------------------------------

// words_plan: of device_newton_difference; *ring: for a difference.
static bigint_status words_plan(bigint_ctx *ctx, const char *who, device_plan *plan, bool *ring,
                                uint64_t an, uint64_t bn, bool square, uint64_t bits) {
    *ring = device_difference_plan(ctx, plan, bits, an, bn, square, false);
    return *ring ? BIGINT_OK : device_plan_make(ctx, who, plan, an, bn, square, false);
}

bigint_status device_newton_difference(const device_newton *s, const uint64_t **negative,
                                       limbs_device_number c, limbs_device_number a,
                                       limbs_device_number b, uint64_t bits) {
    bigint_ctx *ctx = s->ctx;
    const device_queue *const queue = &ctx->queue;
    const uint64_t n = bits / 64 + 1;  // limbs of r
    device_plan plan;
    device_work run;
    bool ring;
    assert(a.n >= b.n && n < a.n + b.n);
    bigint_status status = words_plan(ctx, s->who, &plan, &ring, a.n, b.n, a.p == b.p, bits);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_words_need(ctx, s->who, carry_add_workspace_bytes(n));
    result done = RESULT_OK;
    if (status == BIGINT_OK && ring) {
        const device_difference r = {
            .a = a, .b = b, .c = c, .one_at = UINT64_MAX, .bits = bits, .plan = &plan};
        *negative = s->negative;
        done = device_difference_words(&run, s->product, s->negative, &r, NULL);
    } else if (status == BIGINT_OK) {
        const limbs_device_number product = {s->product, a.n + b.n, NULL};
        *negative = s->product + n;  // one limb more: 0, or all ones
        done = device_multiply(&run, s->product, product.n, NULL, a, b, NULL);
        done = done == RESULT_OK ? carry_add_words(s->product, n + 1, c, product, true, NULL,
                                                   queue->words, queue->words_bytes, queue->stream)
                                 : done;
    }
    status = status == BIGINT_OK ? device_status(ctx, s->who, done) : status;
    device_end(&run);
    return status;
}

void device_newton_difference_need(work_need *w, uint64_t an, uint64_t bn, bool square,
                                   uint64_t bits) {
    device_plan plan;
    bool ring;
    if (w->status == BIGINT_OK) {
        w->status = words_plan(w->ctx, w->who, &plan, &ring, an, bn, square, bits);
    }
    if (w->status == BIGINT_OK) {
        device_plan_need(w, &plan);
        need_words(w, carry_add_workspace_bytes(bits / 64 + 1));
    }
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
