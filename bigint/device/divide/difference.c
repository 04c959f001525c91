// difference.c: see difference.h. B = 2^64; bounds: docs/proofs/division.md, section 8.
#include "bigint/device/divide/difference.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/ring.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "carry/add.h"
#include "primitives/limbs/ring_device.h"
#include "primitives/words/word.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

// limbs_of: n with |r| < B^n / 4.
static uint64_t limbs_of(uint64_t bits) { return (bits + 2) / 64 + 1; }

bool device_difference_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t bits, uint64_t an,
                            uint64_t bn, bool square, bool prepared) {
    const uint64_t longest = max(limbs_of(bits), max(an, bn));
    return longest > 2 * LIMBS_RING_LOW &&
           device_ring_plan(ctx, plan, an, bn, longest - LIMBS_RING_LOW, an + bn, false, square,
                            prepared) &&
           device_ring_pays(ctx, plan);
}

// MORE: limbs by which the last part of a number may be longer than the ring: products leave
// numbers below B^(n + 3), and those below B^(n + LIMBS_RING_OVER - 1) have room.
enum { MORE = LIMBS_RING_OVER - 2 };

// add_parts: {rp, n + LIMBS_RING_OVER} += c modulo B^n - 1, in two's complement.
static result add_parts(const bigint_ctx *ctx, uint64_t *rp, uint64_t n, limbs_device_number c) {
    const device_queue *q = &ctx->queue;
    const limbs_device_number r = {rp, n + LIMBS_RING_OVER, NULL};
    result done = RESULT_OK;
    for (uint64_t at = 0, size = 0; at < c.n && done == RESULT_OK; at += size) {
        size = c.n - at <= n + MORE ? c.n - at : n;
        const limbs_device_number part = {c.p + at, size, NULL};
        done = carry_add_words(rp, r.n, r, part, false, NULL, q->words, q->words_bytes, q->stream);
    }
    return done;
}

// {p, n + LIMBS_RING_OVER} is congruent to r modulo B^n - 1.
result device_difference_residue(const device_work *run, uint64_t *p, const device_difference *x,
                                 limbs_lift *lift) {
    const uint64_t n = device_ring_limbs(x->plan), all = limbs_of(x->bits);
    const limbs_device_number a = {x->a.p, x->a.n, NULL}, b = {x->b.p, x->b.n, NULL};
    *lift = (limbs_lift){.n = n,
                         .a = a.p,
                         .b = b.p,
                         .c = x->c.p,
                         .an = a.n,
                         .bn = b.n,
                         .cn = x->c.n,
                         .one_at = x->one_at,
                         .low = all > n + 1 ? (unsigned)(all - n) : 1};
    assert(lift->low <= LIMBS_RING_LOW && p != a.p && p != b.p);
    if (x->c.n > 0 && device_ring_adds(x->plan)) {
        const recombine_more more = {x->c.p, x->c.n, x->one_at};
        lift->one_at = UINT64_MAX;  // it is in the limbs already, and none of the lowest
        return device_ring_multiply(run, p, a, b, true, x->kept, &more);
    }
    const result done = device_ring_multiply(run, p, a, b, true, x->kept, NULL);
    return done == RESULT_OK ? add_parts(run->ctx, p, n, x->c) : done;
}

uint64_t device_difference_room(const device_plan *plan) {
    return device_ring_limbs(plan) + max(LIMBS_RING_OVER, LIMBS_RING_LOW + 1);
}

result device_difference_words(const device_work *run, uint64_t *p, uint64_t *negative,
                               const device_difference *x, const limbs_quotient *quotient) {
    limbs_lift lift;
    const result done = device_difference_residue(run, p, x, &lift);
    return done == RESULT_OK
               ? limbs_device_lift_words(p, negative, &lift, quotient, run->ctx->queue.stream)
               : done;
}

bigint_status device_subtract_product(bigint_ctx *ctx, const char *who, bigint *r,
                                      const device_difference *x) {
    device_work run;
    device_target target;
    bigint_status status = device_begin(&run, ctx, who, x->plan);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, 64 * device_difference_room(x->plan), &target);
    if (status == BIGINT_OK) {
        limbs_lift lift;
        result done = device_difference_residue(&run, target.p, x, &lift);
        done = done == RESULT_OK
                   ? limbs_device_lift(target.p, target.p - 1, &lift, ctx->queue.stream)
                   : done;
        target.n = word_ceil_div(x->bits, 64);
        target.bits = x->bits;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}

// power: r = B^at.
static bigint_status power(bigint_ctx *ctx, const char *who, bigint *r, uint64_t at) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, r, 64 * at + 1, &target);
    if (status == BIGINT_OK) {
        const cuda_stream stream = ctx->queue.stream;
        result done = cuda_set(target.p - 1, 0, (target.n + 1) * sizeof *target.p, stream);
        if (done == RESULT_OK) {
            done = cuda_set(target.p + at, 1, 1, stream);  // the lowest byte of a limb is the first
        }
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}

bigint_status device_minus_product(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                                   limbs_device_number c, uint64_t one_at, const bigint *a,
                                   const bigint *b) {
    assert((c.n == 0) == (one_at != UINT64_MAX));
    device_plan plan;
    if (device_difference_plan(ctx, &plan, bits, a->n_, b->n_, a == b, false)) {
        const device_difference x = {.a = device_number(a),
                                     .b = device_number(b),
                                     .c = c,
                                     .one_at = one_at,
                                     .bits = bits,
                                     .plan = &plan};
        return device_subtract_product(ctx, who, r, &x);
    }
    bigint product = BIGINT_INIT, whole = BIGINT_INIT;
    bigint_status status = device_mul(ctx, who, &product, a, b);
    if (status == BIGINT_OK && c.n == 0) {
        status = power(ctx, who, &whole, one_at);
        c = device_magnitude(&whole, 0);
    }
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, r, bits, c, device_magnitude(&product, 0), true);
    }
    bigint_clear(ctx, &product), bigint_clear(ctx, &whole);
    return status;
}
