// blocks.c: see blocks.h. The host knows lengths alone: what a correction does is decided on the
// device. B = 2^64. Proof: docs/proofs/division.md, section 6.
#include "bigint/device/divide/blocks.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "carry/add.h"
#include "primitives/limbs/newton_device.h"
#include "primitives/words/word.h"

// division: a division on its way, and memory of its own: of an estimate; of products; of one
// block's quotient and its difference; of remainders, with the limbs of a below them. Words: signs
// that nothing reads, and whether a difference is negative.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const device_blocks *x;
    const device_divisor *by;
    uint64_t *above, *product, *near, *less, *rest;
    uint64_t *sign, *negative;
} division;

// block: limbs [left, left + b) of the quotient; a: what is left of the dividend above its limb
// `left`, below d B^b; q: the block's quotient on its way, b + 1 limbs.
typedef struct {
    uint64_t left, b;
    limbs_device_number a;
    uint64_t *q;
} block;

// --- Blocks --------------------------------------------------------------------------------------

// What makes an estimate no less than the quotient, in units of its fraction's limb, and by how
// many of these units it is larger at most.
enum { ESTIMATE_MORE = 6, ESTIMATE_ERROR = 12 };

// estimate_plan: of the estimate of a block of b limbs.
static bigint_status estimate_plan(bigint_ctx *ctx, const char *who, device_plan *plan,
                                   const device_divisor *by, uint64_t b) {
    *plan = by->estimates;
    return by->keeps_x ? BIGINT_OK
                       : device_plan_make(ctx, who, plan, by->m + 2, b + 1, false, false);
}

// round_up enqueues c->q = the estimate whose fraction's highest limb is at `fraction`.
static result round_up(const division *s, const block *c, const uint64_t *fraction) {
    return limbs_device_round(c->q, c->b + 1, fraction, ESTIMATE_MORE, s->ctx->queue.stream);
}

// by_series enqueues what `estimate` does, by a series.
static bigint_status by_series(const division *s, const block *c, const uint64_t **fraction) {
    bigint_ctx *ctx = s->ctx;
    const device_divisor *const by = s->by;
    const device_series_operands x = {.a = c->a,
                                      .d = device_magnitude(&by->d, 0),
                                      .x = {by->x.d_, by->k + 1, NULL},
                                      .zeros = s->x->zeros,
                                      .shift = by->shift};
    const uint64_t *at = NULL;
    assert(by->series.f == c->b + DEVICE_SERIES_FRACTION);
    bigint_status status = device_series_estimate(ctx, s->who, &by->series, &x, s->product, &at);
    status = status == BIGINT_OK ? device_enter(ctx, s->who) : status;
    if (status == BIGINT_OK) {
        *fraction = at + DEVICE_SERIES_FRACTION - 1;
        status = device_status(ctx, s->who, round_up(s, c, *fraction));
        device_leave(ctx);
    }
    return status;
}

// put_above enqueues *above = A 2^shift / B^(n - 1) < B^(b + 1), rounded down, for A = c->a, unless
// its limbs are there already, for a plan that takes them from any limb on.
static result put_above(const division *s, const block *c, const device_plan *plan,
                        limbs_device_number *above) {
    const device_divisor *const by = s->by;
    const cuda_stream stream = s->ctx->queue.stream;
    const uint64_t below = by->n - 1, n = c->b + 1;
    if (by->shift == 0 && c->a.n >= below + n && plan->engine == ENGINE_MODULAR_FFT &&
        !fft_modular_whole(&plan->modular)) {
        *above = (limbs_device_number){c->a.p + below, n, NULL};
        return RESULT_OK;
    }
    *above = (limbs_device_number){s->above, n, NULL};
    return below == 0 ? limbs_device_lshift(s->above, n, s->sign, c->a, by->shift, LIMBS_SIGN_CLEAR,
                                            stream)
                      : limbs_device_rshift(s->above, n, s->sign, c->a, 64 * below - by->shift,
                                            LIMBS_SIGN_CLEAR, stream);
}

// estimate enqueues c->q = floor(A / d) or one more, for A = c->a. *fraction: where the limb below
// will be.
static bigint_status estimate(const division *s, const block *c, const uint64_t **fraction) {
    if (s->by->series.levels > 0) {
        return by_series(s, c, fraction);
    }
    bigint_ctx *ctx = s->ctx;
    const device_divisor *const by = s->by;
    const limbs_device_number x = {by->x.d_, by->m + 2, NULL};
    limbs_device_number above;
    device_plan plan;
    device_work run;
    bigint_status status = estimate_plan(ctx, s->who, &plan, by, c->b);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    result done = put_above(s, c, &plan, &above);
    if (done == RESULT_OK) {
        done = by->x_planes != NULL
                   ? device_multiply(&run, s->product, above.n + x.n, NULL, above, x, by->x_planes)
                   : device_multiply(&run, s->product, above.n + x.n, NULL, x, above, NULL);
    }
    *fraction = s->product + by->m + 1;
    done = done == RESULT_OK ? round_up(s, c, *fraction) : done;
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

// quotient_of: what becomes of the block's quotient where *negative tells that it is one too large,
// and of the signs with the last block. negative NULL: it is not. False: nothing is to be done.
static bool quotient_of(const division *s, const block *c, const uint64_t *negative,
                        limbs_quotient *quotient) {
    const bool last = c->left == 0, wanted = s->x->q.p != NULL;
    *quotient = (limbs_quotient){.q = wanted && negative != NULL ? c->q : NULL,
                                 .qn = c->b + 1,
                                 .q_sign = last && wanted ? s->x->q.p - 1 : NULL,
                                 .r_sign = last && s->x->r.p != NULL ? s->x->r.p - 1 : NULL,
                                 .less = negative,
                                 .a_sign = s->x->a->d_ - 1,
                                 .d_sign = s->x->d->d_ - 1};
    return wanted || last;
}

// difference enqueues {*at, n} = A - Q d modulo B^n for the estimate Q, and *negative, a word that
// is not 0 where the estimate is one too large. To be called between device_begin and device_end
// for this plan. ring: it is one for that; then the quotient is corrected, too.
static result difference(const division *s, const block *c, const device_work *run, bool ring,
                         const uint64_t **at, const uint64_t **negative) {
    const device_queue *const queue = &s->ctx->queue;
    const device_divisor *const by = s->by;
    const limbs_device_number q = {c->q, c->b + 1, NULL}, d = {by->d.d_, by->n, NULL};
    if (ring) {
        device_ring_kept kept = {by->d_planes, true, true};
        const device_difference x = {.a = q,
                                     .b = d,
                                     .c = c->a,
                                     .one_at = UINT64_MAX,
                                     .bits = by->bits,
                                     .plan = run->plan,
                                     .kept = by->d_planes != NULL ? &kept : NULL};
        limbs_quotient quotient;
        const bool more = quotient_of(s, c, s->negative, &quotient);
        *at = s->product, *negative = s->negative;
        return device_difference_words(run, s->product, s->negative, &x, more ? &quotient : NULL);
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
// and with the last block the signs. negative NULL: the estimate is the quotient. corrected: the
// difference has done all but the remainder.
static result settle(const division *s, const block *c, const uint64_t *at,
                     const uint64_t *negative, bool corrected) {
    const device_queue *const queue = &s->ctx->queue;
    const device_divisor *const by = s->by;
    uint64_t *const rest = c->left == 0 ? s->x->r.p : s->rest + c->left;
    result done = RESULT_OK;
    if (rest != NULL) {
        const limbs_device_number less = {at, by->n, NULL}, d = {by->d.d_, by->n, NULL};
        done = carry_add_words(rest, by->n, less, d, false, negative, queue->words,
                               queue->words_bytes, queue->stream);
    }
    limbs_quotient quotient;
    if (done == RESULT_OK && quotient_of(s, c, negative, &quotient) && !corrected) {
        done = limbs_device_correct(&quotient, queue->stream);
    }
    if (done == RESULT_OK && s->x->q.p != NULL && c->q == s->near) {
        const limbs_device_number q = {s->near, c->b, NULL};
        done = limbs_device_lshift(s->x->q.p + c->left, c->b, s->sign, q, 0, LIMBS_SIGN_CLEAR,
                                   queue->stream);
    }
    return done;
}

// difference_plan: of the difference of a block of b limbs; *ring: as of `difference`.
static bigint_status difference_plan(bigint_ctx *ctx, const char *who, device_plan *plan,
                                     bool *ring, const device_divisor *by, uint64_t b) {
    *plan = by->ring;
    *ring = by->keeps_d || device_difference_plan(ctx, plan, by->bits, b + 1, by->n, false, false);
    return *ring ? BIGINT_OK : device_plan_make(ctx, who, plan, b + 1, by->n, false, false);
}

// subtract enqueues the difference of a block and what follows from it.
static bigint_status subtract(const division *s, const block *c) {
    bigint_ctx *ctx = s->ctx;
    const device_divisor *const by = s->by;
    device_plan plan;
    device_work run;
    bool ring;
    bigint_status status = difference_plan(ctx, s->who, &plan, &ring, by, c->b);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_words_need(ctx, s->who, carry_add_workspace_bytes(by->n + 1));
    if (status == BIGINT_OK) {
        const uint64_t *at = NULL, *negative = NULL;
        result done = difference(s, c, &run, ring, &at, &negative);
        done = done == RESULT_OK ? settle(s, c, at, negative, ring) : done;
        status = device_status(ctx, s->who, done);
    }
    device_end(&run);
    return status;
}

// take_certain: *certain = whether no remainder is needed to know the quotient of the last block
// from its estimate; if so it takes that. It waits for the limb below the estimate, at `below`.
static bigint_status take_certain(const division *s, const block *c, const uint64_t *below,
                                  bool *certain) {
    bigint_ctx *ctx = s->ctx;
    uint64_t fraction = 0;
    bigint_status status = device_enter(ctx, s->who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_staging_need(ctx, s->who);
    if (status == BIGINT_OK) {
        status = device_fetch(ctx, s->who, &fraction, below, 1);
    }
    *certain = fraction + ESTIMATE_MORE >= ESTIMATE_ERROR;  // modulo B
    if (status == BIGINT_OK && *certain) {
        status = device_status(ctx, s->who, settle(s, c, NULL, NULL, false));
    }
    device_leave(ctx);
    return status;
}

// divide_block enqueues a block's quotient and remainder.
static bigint_status divide_block(const division *s, const block *c) {
    const bool alone = c->left == 0 && s->x->r.p == NULL;
    bool certain = false;
    const uint64_t *fraction = NULL;
    bigint_status status = estimate(s, c, &fraction);
    if (status == BIGINT_OK && alone && device_waits(s->ctx, s->by->n)) {
        status = take_certain(s, c, fraction, &certain);
    }
    return status == BIGINT_OK && !certain ? subtract(s, c) : status;
}

// first_block: the limbs of the first block.
static uint64_t first_block(const division *s) {
    return s->x->qn % s->by->m != 0 ? s->x->qn % s->by->m : s->by->m;
}

// copy_low copies the limbs of a below the first block's.
static bigint_status copy_low(const division *s) {
    const uint64_t left = s->x->qn - first_block(s);
    const limbs_device_number low = {s->x->a->d_, left, NULL};
    bigint_status status = left > 0 ? device_enter(s->ctx, s->who) : BIGINT_OK;
    if (left > 0 && status == BIGINT_OK) {
        status = device_status(s->ctx, s->who,
                               limbs_device_lshift(s->rest, left, s->sign, low, 0, LIMBS_SIGN_CLEAR,
                                                   s->ctx->queue.stream));
        device_leave(s->ctx);
    }
    return status;
}

// divide_blocks: from the top block down.
static bigint_status divide_blocks(const division *s) {
    const uint64_t first = first_block(s);
    bigint_status status = copy_low(s);
    for (uint64_t b = first, left = s->x->qn; left > 0 && status == BIGINT_OK; b = s->by->m) {
        const bool top = left == s->x->qn;
        left -= b;
        const block c = {
            .left = left,
            .b = b,
            .a = top ? device_magnitude(s->x->a, left)
                     : (limbs_device_number){s->rest + left, s->by->n + b, NULL},
            // Only above the top block there is a limb for what it may be too large by.
            .q = top && s->x->q.p != NULL ? s->x->q.p + left : s->near};
        status = divide_block(s, &c);
    }
    return status;
}

// lengths: of the numbers of a division on its way, NUMBERS of them, and of all together.
enum { NUMBERS = 6, WORDS = 16, RING_MORE = 16 };
typedef struct {
    uint64_t b, product, rest, all;
} lengths;

static lengths lengths_of(const device_divisor *by, uint64_t qn) {
    const uint64_t n = by->n, m = by->m, b = m < qn ? m : qn;
    const uint64_t series = device_series_limbs(&by->series);
    const uint64_t by_x = series > 0 ? series : b + 1 + m + 2, by_d = b + 1 + n + RING_MORE;
    lengths l = {.b = b, .product = by_x > by_d ? by_x : by_d, .rest = b < qn ? qn + n : 0};
    l.all = WORDS + (b + 1) + l.product + (b + 1) + (n + 1) + l.rest;
    return l;
}

void device_divide_blocks_need(work_need *w, const device_divisor *by, uint64_t qn) {
    const lengths l = lengths_of(by, qn);
    const uint64_t bytes = device_scratch_bytes(NUMBERS, l.all);
    device_plan plan;
    bool ring;
    need_integers(w, bytes);
    if (by->series.levels > 0) {
        device_series_need(w, &by->series);
    } else if (w->status == BIGINT_OK) {
        w->status = estimate_plan(w->ctx, w->who, &plan, by, l.b);
        if (w->status == BIGINT_OK) {
            device_plan_need(w, &plan);
        }
    }
    if (w->status == BIGINT_OK) {
        w->status = difference_plan(w->ctx, w->who, &plan, &ring, by, l.b);
    }
    if (w->status == BIGINT_OK) {
        device_plan_need(w, &plan);
    }
    need_words(w, carry_add_workspace_bytes(by->n + 1));
    need_integers_end(w, bytes);
}

bigint_status device_divide_blocks(bigint_ctx *ctx, const char *who, const device_blocks *x) {
    const lengths l = lengths_of(x->by, x->qn);
    device_scratch all;
    bigint_status status = device_scratch_open(ctx, who, &all, NUMBERS, l.all);
    if (status == BIGINT_OK) {
        uint64_t *const words = device_scratch_take(&all, WORDS);
        division s = {.ctx = ctx, .who = who, .x = x, .by = x->by};
        s.sign = words, s.negative = words + 1;
        s.above = device_scratch_take(&all, l.b + 1);
        s.product = device_scratch_take(&all, l.product);
        s.near = device_scratch_take(&all, l.b + 1);
        s.less = device_scratch_take(&all, x->by->n + 1);
        s.rest = l.rest > 0 ? device_scratch_take(&all, l.rest) : NULL;
        status = divide_blocks(&s);
    }
    device_scratch_close(ctx, &all);
    return status;
}
