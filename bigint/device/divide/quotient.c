// quotient.c: quotients and remainders of integers on a device: short ones in one launch, long ones
// block by block with a reciprocal. B = 2^64. The host knows the length of the divisor, and no
// other value: what a correction does is decided on the device.
#include "bigint/device/divide/quotient.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/device/product.h"
#include "bigint/divide/divrem.h"
#include "carry/add.h"
#include "primitives/limbs/newton_device.h"
#include "primitives/words/word.h"

static const char divrem_name[] = "bigint_divrem";

// division: |a| / |d| on its way. q and r: where the results go, qn + 1 and n limbs; p NULL where
// one is not wanted. Memory of its own: of an estimate; of products; of one block's quotient and
// its difference; of remainders, with the limbs of a below them. Words: signs that nobody reads,
// whether a difference is negative, blocks that have ended.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const device_divisor *by;
    const bigint *a, *d;  // d: for its sign
    uint64_t qn;
    device_target q, r;
    uint64_t *above, *product, *near, *less, *rest;
    uint64_t *sign, *negative;
    uint32_t *finished;
} division;

// block: limbs [left, left + b) of the quotient; a: what is left of the dividend above its limb
// `left`, below d B^b; q: the block's quotient on its way, b + 1 limbs.
typedef struct {
    uint64_t left, b;
    limbs_device_number a;
    uint64_t *q;
} block;

// --- Blocks --------------------------------------------------------------------------------------

// What makes an estimate no less than the quotient, in units of its fraction's limb.
enum { ESTIMATE_MORE = 6 };

// estimate enqueues c->q = floor(A / d) or one more, for A = c->a.
static bigint_status estimate(const division *s, const block *c) {
    bigint_ctx *ctx = s->ctx;
    const device_divisor *const by = s->by;
    const cuda_stream stream = ctx->queue.stream;
    const limbs_device_number above = {s->above, c->b + 1, NULL}, x = {by->x.d_, by->m + 2, NULL};
    device_plan plan = by->estimates;
    device_work run;
    bigint_status status = by->x_planes != NULL
                               ? BIGINT_OK
                               : device_plan_make(ctx, s->who, &plan, x.n, above.n, false, false);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    // A 2^shift / B^(n - 1) < B^(b + 1), rounded down.
    result done = by->n == 1
                      ? limbs_device_lshift(s->above, above.n, s->sign, c->a, by->shift,
                                            LIMBS_SIGN_CLEAR, stream)
                      : limbs_device_rshift(s->above, above.n, s->sign, c->a,
                                            64 * (by->n - 1) - by->shift, LIMBS_SIGN_CLEAR, stream);
    if (done == RESULT_OK) {
        done = by->x_planes != NULL
                   ? device_multiply(&run, s->product, above.n + x.n, NULL, above, x, by->x_planes)
                   : device_multiply(&run, s->product, above.n + x.n, NULL, x, above, NULL);
    }
    if (done == RESULT_OK) {
        done = limbs_device_round(c->q, above.n, s->product + by->m + 1, ESTIMATE_MORE, s->finished,
                                  stream);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

// difference enqueues {*at, n} = A - Q d modulo B^n for the estimate Q, and *negative, a word that
// is not 0 where the estimate is one too large. To be called between device_begin and device_end
// for this plan; ring: it is one for that.
static result difference(const division *s, const block *c, const device_work *run, bool ring,
                         const uint64_t **at, const uint64_t **negative) {
    const device_queue *const queue = &s->ctx->queue;
    const device_divisor *const by = s->by;
    const limbs_device_number q = {c->q, c->b + 1, NULL}, d = {by->d.d_, by->n, NULL};
    if (ring) {
        const device_difference x = {.a = q,
                                     .b = d,
                                     .c = c->a,
                                     .one_at = UINT64_MAX,
                                     .bits = by->bits,
                                     .plan = run->plan,
                                     .planes = by->d_planes};
        *at = s->product, *negative = s->negative;
        return device_difference_words(run, s->product, s->negative, &x);
    }
    const bool turned = q.n > d.n;
    const result done =
        device_multiply(run, s->product, q.n + d.n, NULL, turned ? q : d, turned ? d : q, NULL);
    const limbs_device_number product = {s->product, q.n + d.n, NULL};
    *at = s->less, *negative = s->less + by->n;  // limb n: 0, or all ones
    return done == RESULT_OK ? carry_add_words(s->less, by->n + 1, c->a, product, true, NULL,
                                               queue->words, queue->words_bytes, queue->stream)
                             : done;
}

// settle enqueues what makes of the estimate and the difference the block's quotient and remainder,
// and with the last block the signs.
static result settle(const division *s, const block *c, const uint64_t *at,
                     const uint64_t *negative) {
    const device_queue *const queue = &s->ctx->queue;
    const device_divisor *const by = s->by;
    const bool last = c->left == 0, wanted = s->q.p != NULL;
    uint64_t *const rest = last ? s->r.p : s->rest + c->left;
    result done = RESULT_OK;
    if (rest != NULL) {
        const limbs_device_number less = {at, by->n, NULL}, d = {by->d.d_, by->n, NULL};
        done = carry_add_words(rest, by->n, less, d, false, negative, queue->words,
                               queue->words_bytes, queue->stream);
    }
    if (done == RESULT_OK && (wanted || last)) {
        const limbs_quotient quotient = {.q = wanted ? c->q : NULL,
                                         .qn = c->b + 1,
                                         .q_sign = last && wanted ? s->q.p - 1 : NULL,
                                         .r_sign = last && s->r.p != NULL ? s->r.p - 1 : NULL,
                                         .less = negative,
                                         .a_sign = s->a->d_ - 1,
                                         .d_sign = s->d->d_ - 1};
        done = limbs_device_correct(&quotient, queue->stream);
    }
    if (done == RESULT_OK && wanted && c->q == s->near) {
        const limbs_device_number q = {s->near, c->b, NULL};
        done = limbs_device_lshift(s->q.p + c->left, c->b, s->sign, q, 0, LIMBS_SIGN_CLEAR,
                                   queue->stream);
    }
    return done;
}

// divide_block enqueues a block's quotient and remainder.
static bigint_status divide_block(const division *s, const block *c) {
    bigint_ctx *ctx = s->ctx;
    const device_divisor *const by = s->by;
    device_plan plan = by->ring;
    device_work run;
    bigint_status status = estimate(s, c);
    const bool ring = by->d_planes != NULL ||
                      device_difference_plan(ctx, &plan, by->bits, c->b + 1, by->n, false, false);
    if (status == BIGINT_OK && !ring) {
        status = device_plan_make(ctx, s->who, &plan, c->b + 1, by->n, false, false);
    }
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_words_need(ctx, s->who, carry_add_workspace_bytes(by->n + 1));
    if (status == BIGINT_OK) {
        const uint64_t *at = NULL, *negative = NULL;
        result done = difference(s, c, &run, ring, &at, &negative);
        done = done == RESULT_OK ? settle(s, c, at, negative) : done;
        status = device_status(ctx, s->who, done);
    }
    device_end(&run);
    return status;
}

// first_block: the limbs of the first block.
static uint64_t first_block(const division *s) {
    return s->qn % s->by->m != 0 ? s->qn % s->by->m : s->by->m;
}

// begin clears the words, and copies the limbs of a below the first block's.
static bigint_status begin(const division *s) {
    const cuda_stream stream = s->ctx->queue.stream;
    const uint64_t left = s->qn - first_block(s);
    bigint_status status = device_enter(s->ctx, s->who);
    if (status == BIGINT_OK) {
        result done = cuda_set(s->finished, 0, sizeof *s->finished, stream);
        if (done == RESULT_OK && left > 0) {
            const limbs_device_number low = {s->a->d_, left, NULL};
            done = limbs_device_lshift(s->rest, left, s->sign, low, 0, LIMBS_SIGN_CLEAR, stream);
        }
        status = device_status(s->ctx, s->who, done);
        device_leave(s->ctx);
    }
    return status;
}

// divide_blocks: from the top block down.
static bigint_status divide_blocks(const division *s) {
    const uint64_t first = first_block(s);
    bigint_status status = begin(s);
    for (uint64_t b = first, left = s->qn; left > 0 && status == BIGINT_OK; b = s->by->m) {
        const bool top = left == s->qn;
        left -= b;
        const block c = {
            .left = left,
            .b = b,
            .a = top ? device_magnitude(s->a, left)
                     : (limbs_device_number){s->rest + left, s->by->n + b, NULL},
            // Only above the top block there is a limb for what it may be too large by.
            .q = top && s->q.p != NULL ? s->q.p + left : s->near};
        status = divide_block(s, &c);
    }
    return status;
}

// divide_long: with the memory of all blocks.
static bigint_status divide_long(division *s) {
    enum { NUMBERS = 6, WORDS = 16, RING_MORE = 16 };
    const uint64_t n = s->by->n, m = s->by->m, b = m < s->qn ? m : s->qn;
    const uint64_t by_x = b + 1 + m + 2, by_d = b + 1 + n + RING_MORE, rest = s->qn + n;
    const uint64_t product = by_x > by_d ? by_x : by_d;
    device_scratch all;
    bigint_status status =
        device_scratch_open(s->ctx, s->who, &all, NUMBERS,
                            WORDS + (b + 1) + product + (b + 1) + (n + 1) + (b < s->qn ? rest : 0));
    if (status == BIGINT_OK) {
        uint64_t *const words = device_scratch_take(&all, WORDS);
        s->sign = words, s->negative = words + 1, s->finished = (uint32_t *)(words + 2);
        s->above = device_scratch_take(&all, b + 1);
        s->product = device_scratch_take(&all, product);
        s->near = device_scratch_take(&all, b + 1);
        s->less = device_scratch_take(&all, n + 1);
        s->rest = b < s->qn ? device_scratch_take(&all, rest) : NULL;
        status = divide_blocks(s);
    }
    device_scratch_close(s->ctx, &all);
    return status;
}

// divide_once: by one launch.
static bigint_status divide_once(const division *s) {
    bigint_status status = device_enter(s->ctx, s->who);
    if (status != BIGINT_OK) {
        return status;
    }
    const block_division x = {.q = s->q.p,
                              .r = s->r.p,
                              .a = s->a->d_,
                              .d = s->by->d.d_,
                              .qn = s->qn,
                              .an = s->a->n_,
                              .dn = s->by->n,
                              .shift = s->by->shift,
                              .q_sign = s->q.p != NULL ? s->q.p - 1 : NULL,
                              .r_sign = s->r.p != NULL ? s->r.p - 1 : NULL,
                              .a_sign = s->a->d_ - 1,
                              .d_sign = s->d->d_ - 1};
    status = device_status(s->ctx, s->who, block_divide(&x, s->ctx->queue.stream));
    device_leave(s->ctx);
    return status;
}

// --- Integers ------------------------------------------------------------------------------------

// open_targets: new limbs for the results that are wanted.
static bigint_status open_targets(division *s, bool q, bool r) {
    const bigint nothing = BIGINT_INIT;
    bigint_status status = BIGINT_OK;
    s->q = s->r = (device_target){0};
    if (q) {
        status = device_target_open(s->ctx, s->who, &nothing, 64 * (s->qn + 1), &s->q);
    }
    if (status == BIGINT_OK && r) {
        status = device_target_open(s->ctx, s->who, &nothing, s->by->bits, &s->r);
    }
    return status;
}

// close_target: x gets the result, in place of its own limbs.
static void close_target(bigint_ctx *ctx, bigint *x, device_target *target, uint64_t bits,
                         bigint_status status) {
    if (x == NULL || target->p == NULL) {
        return;
    }
    bigint fresh = BIGINT_INIT;
    target->n = word_ceil_div(bits, 64), target->bits = bits;
    if (device_target_close(ctx, &fresh, target, status) == BIGINT_OK) {
        bigint_swap(x, &fresh);
    }
    bigint_clear(ctx, &fresh);
}

// divide_shorter: q = 0, r = a. r before q, which may be a.
static bigint_status divide_shorter(bigint_ctx *ctx, const char *who, bigint *q, bigint *r,
                                    const bigint *a) {
    const bigint nothing = BIGINT_INIT;
    bigint_status status = r != NULL ? device_copy(ctx, who, r, a, LIMBS_SIGN_KEEP) : BIGINT_OK;
    return status == BIGINT_OK && q != NULL ? device_copy(ctx, who, q, &nothing, LIMBS_SIGN_KEEP)
                                            : status;
}

bigint_status device_divide(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const device_divisor *by) {
    const uint64_t a_bits = device_bits(a), q_bits = a_bits - by->bits + 1;
    if (a_bits < by->bits) {
        return divide_shorter(ctx, who, q, r, a);
    }
    division s = {
        .ctx = ctx, .who = who, .by = by, .a = a, .d = &by->d, .qn = word_ceil_div(q_bits, 64)};
    bigint_status status = open_targets(&s, q != NULL, r != NULL);
    if (status == BIGINT_OK) {
        status = by->m == 0 ? divide_once(&s) : divide_long(&s);
    }
    close_target(ctx, q, &s.q, q_bits, status);
    close_target(ctx, r, &s.r, by->bits, status);
    return status;
}

bigint_status device_divexact(bigint_ctx *ctx, const char *name, bigint *q, const bigint *a,
                              const bigint *d) {
    uint64_t bits = 0;
    int sign;
    bigint quotient = BIGINT_INIT, rest = BIGINT_INIT;
    bigint_status status = device_divrem(ctx, &quotient, &rest, a, d);
    if (status == BIGINT_OK) {
        status = device_measure(ctx, name, &bits, &sign, &rest);
    }
    if (status == BIGINT_OK && bits > 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the division leaves a remainder", name);
    }
    if (status == BIGINT_OK) {
        bigint_swap(q, &quotient);
    }
    bigint_clear(ctx, &quotient), bigint_clear(ctx, &rest);
    return status;
}

bigint_status device_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    uint64_t bits;
    int sign;
    bigint_status status = device_measure(ctx, divrem_name, &bits, &sign, d);
    if (status != BIGINT_OK) {
        return status;
    }
    if (bits == 0) {
        return divrem_by_zero(ctx);
    }
    if (q == NULL && r == NULL) {
        return BIGINT_OK;
    }
    const uint64_t a_bits = device_bits(a);
    if (a_bits < bits) {
        return divide_shorter(ctx, divrem_name, q, r, a);
    }
    device_divisor by;
    status = device_divisor_open(ctx, divrem_name, &by, d, bits,
                                 word_ceil_div(a_bits - bits + 1, 64), false);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t bytes = by.x.n_ * sizeof(uint64_t);
    status = device_count_integers(ctx, divrem_name, bytes);
    if (status == BIGINT_OK) {
        status = device_divide(ctx, divrem_name, q, r, a, &by);
        device_uncount_integers(ctx, bytes);
    }
    device_divisor_close(ctx, &by);
    return status;
}
