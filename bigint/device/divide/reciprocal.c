// reciprocal.c: Newton's iteration for the reciprocal on a device. Each step doubles the length, by
// two products (newton.h). The numbers on the way are limbs of one piece of memory. B = 2^64.
#include "bigint/device/divide/reciprocal.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/newton.h"
#include "bigint/device/divide/series.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/device/kernels/cluster/newton.h"
#include "bigint/device/product.h"
#include "bigint/device/recording.h"

// ALONE_MOST: limbs up to which one block takes no longer than a step's launches. A cluster's
// blocks share the products. SERIES_LEAST, SERIES_MOST: limbs between which a series is faster than
// steps.
enum { ALONE_MOST = 520, SERIES_LEAST = 3 << 11, SERIES_MOST = 3 << 13 };

// newton: a reciprocal on its way. {e, n}: the divisor's top limbs, the top bit set. first: the
// most limbs that one launch finds. room: of a series.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const uint64_t *e;
    uint64_t n, first;
    device_newton steps;
    uint64_t *room;
} newton;

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

// before: the length from which a step leads to k. E's top limbs are read where they lie, from an
// even limb on, as products want them.
static uint64_t before(const newton *s, uint64_t k) {
    const uint64_t h = k - (k - 1) / 2;
    return h < s->n && (s->n - h) % 2 != 0 ? h + 1 : h;
}

// series_to: the series that finds k limbs, if one does; shorter: the length that leads to k.
static device_series series_to(const newton *s, uint64_t k) {
    const uint64_t forced = s->ctx->queue.forced.series_limbs;
    const uint64_t most = forced != 0 ? forced : SERIES_MOST;
    return k > most || (forced == 0 && k < SERIES_LEAST)
               ? (device_series){0}
               : device_series_reciprocal(s->ctx, s->n, k, s->first);
}
static uint64_t shorter(const newton *s, uint64_t k, const device_series *series) {
    return series->levels > 0 ? series->k : before(s, k);
}

// top: E's top k limbs, or all of them.
static limbs_device_number top(const newton *s, uint64_t k) {
    const uint64_t n = min(k, s->n);
    return (limbs_device_number){s->e + (s->n - n), n, NULL};
}

// residual_bits: of a step by E of n limbs: |T| < 6 B^n.
static uint64_t residual_bits(uint64_t n) { return 64 * n + 3; }

// once_plan: whether a step from h to k limbs by n limbs of the divisor is one launch of a cluster,
// and the shape, in a plan that has the step's room as its workspace.
static bool once_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t k, uint64_t h,
                      uint64_t n) {
    *plan = (device_plan){.an = n,
                          .bn = h + 1,
                          .a_piece = n,
                          .b_piece = h + 1,
                          .engine = ENGINE_MODULAR_FFT,
                          .branches = 1};
    if (ctx->check_modulus != 0 || ctx->queue.forced.primes > FFT_PRIMES_USED ||
        (ctx->engine != ENGINE_AUTO && ctx->engine != ENGINE_MODULAR_FFT) ||
        !cluster_newton_plan(&plan->modular, k, h, n, ctx->queue.cluster)) {
        return false;
    }
    plan->workspace_bytes = (DEVICE_LINE + fft_modular_points(&plan->modular)) * sizeof(uint64_t);
    plan->tables_bytes = fft_modular_table_bytes(&plan->modular) + sizeof(product_tables);
    return device_plan_fits(ctx, plan);
}

// step_once enqueues a step as `step` does, by one launch.
static bigint_status step_once(const newton *s, const device_plan *plan, uint64_t *to,
                               limbs_device_number x, limbs_device_number e, uint64_t k) {
    device_work run;
    bigint_status status = device_begin(&run, s->ctx, s->who, plan);
    if (status != BIGINT_OK) {
        return status;
    }
    const cluster_newton_step step = {to, run.scratch, x.p, e.p, k, x.n - 1, e.n};
    status = device_status(s->ctx, s->who,
                           cluster_newton(&step, &plan->modular, run.tables, s->ctx->queue.stream));
    s->ctx->counters.products += status == BIGINT_OK ? 2 : 0;
    device_end(&run);
    return status;
}

// step enqueues {to, k + 1} = X B^l + X T / B^(2 h - l), l = k - h, for T = B^(n + h) - E X of E =
// top(k) of n limbs and X = {x, h + 1}: |T| < 6 B^n, and the fraction is below 6 B^h (2 B^h + 2) /
// B^(2h - l) < 16 B^l.
static bigint_status step(const newton *s, uint64_t *to, limbs_device_number x, uint64_t k) {
    const limbs_device_number e = top(s, k);
    const uint64_t bits = residual_bits(e.n);
    device_factor by;
    device_plan once;
    if (once_plan(s->ctx, &once, k, x.n - 1, e.n)) {
        return step_once(s, &once, to, x, e, k);
    }
    bigint_status status = device_factor_open(&s->steps, &by, x, e.n, bits);
    if (status == BIGINT_OK) {
        status = device_newton_residual(&s->steps, &by, e, e.n + x.n - 1, bits);
    }
    if (status == BIGINT_OK) {
        status = device_newton_refine(&s->steps, &by, to, k + 1, x.p, k - (x.n - 1), 0);
    }
    device_factor_close(&s->steps, &by);
    return status;
}

// by_series enqueues {to, k + 1}, B^(n + k) / E rounded down or one less, from {x, by->k + 1}.
static bigint_status by_series(const newton *s, uint64_t *to, const uint64_t *x, uint64_t k,
                               const device_series *by) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number e = {s->e + (s->n - by->n), by->n, NULL};
    const uint64_t zeros = by->n + k;
    const device_series_operands operands = {
        .a = {s->steps.one - zeros, zeros + 1, NULL}, .d = e, .x = {x, by->k + 1, NULL}};
    const uint64_t *at = NULL;
    bigint_status status = device_series_estimate(ctx, s->who, by, &operands, s->room, &at);
    status = status == BIGINT_OK ? device_enter(ctx, s->who) : status;
    if (status == BIGINT_OK) {
        const limbs_device_number above = {at + DEVICE_SERIES_FRACTION, k + 1, NULL};
        status = device_status(ctx, s->who,
                               limbs_device_lshift(to, k + 1, s->steps.sign, above, 0,
                                                   LIMBS_SIGN_CLEAR, ctx->queue.stream));
        device_leave(ctx);
    }
    return status;
}

// base enqueues {to, k + 1} for k <= s->first.
static bigint_status base(const newton *s, uint64_t *to, limbs_device_number d, unsigned shift,
                          uint64_t k) {
    bigint_status status = device_enter(s->ctx, s->who);
    if (status == BIGINT_OK) {
        status = device_status(s->ctx, s->who,
                               block_reciprocal(to, k, d.p, d.n, shift, s->ctx->queue.stream));
        device_leave(s->ctx);
    }
    return status;
}

// iterate enqueues {to, k + 1}, by way of a shorter one in {other}, which has room for before(k) +
// 1.
static bigint_status iterate(const newton *s, uint64_t *to, uint64_t *other, uint64_t k) {
    if (k <= s->first) {
        return base(s, to, top(s, s->n), 0, k);
    }
    const device_series series = series_to(s, k);
    const uint64_t h = shorter(s, k, &series);
    const limbs_device_number x = {other, h + 1, NULL};
    assert(h < k && (series.levels > 0 || k <= 2 * h - 1));
    const bigint_status status = iterate(s, other, to, h);
    return status != BIGINT_OK ? status
           : series.levels > 0 ? by_series(s, to, x.p, k, &series)
                               : step(s, to, x, k);
}

// --- Memory --------------------------------------------------------------------------------------

// put_top enqueues E, the top n limbs of d 2^shift; its sign, a plus, goes to *sign.
static bigint_status put_top(const newton *s, uint64_t *e, uint64_t *sign, limbs_device_number d,
                             unsigned shift) {
    bigint_ctx *ctx = s->ctx;
    const cuda_stream stream = ctx->queue.stream;
    const uint64_t n = s->n;
    bigint_status status = device_enter(ctx, s->who);
    if (status == BIGINT_OK) {
        const result done =
            d.n == n ? limbs_device_lshift(e, n, sign, d, shift, LIMBS_SIGN_CLEAR, stream)
                     : limbs_device_rshift(e, n, sign, d, 64 * (d.n - n) - shift, LIMBS_SIGN_CLEAR,
                                           stream);
        status = device_status(ctx, s->who, done);
        device_leave(ctx);
    }
    return status;
}

// NUMBERS: that steps to k limbs hold, of `all` limbs together; product, zeros below a power, and
// the room of a series: of three of them. The longest series has the most.
enum { NUMBERS = 6 };
typedef struct {
    uint64_t product, zeros, room, all;
} lengths;

static lengths lengths_of(const newton *s, uint64_t k) {
    const uint64_t n = s->n, h = before(s, k);
    const uint64_t by_e = n + h + 1 + DEVICE_NEWTON_MORE, by_t = 2 * (h + 1);
    lengths l = {.product = by_e > by_t ? by_e : by_t};
    for (; k > s->first && l.room == 0; k = before(s, k)) {
        const device_series series = series_to(s, k);
        l.zeros = series.levels > 0 ? device_lines(series.n + k) : 0;
        l.room = device_series_limbs(&series);
    }
    l.all = l.zeros + DEVICE_NEWTON_WORDS + n + 2 * (h + 1) + l.product + l.room;
    return l;
}

// steps enqueues {to, k + 1}, k > s->first, with memory of its own.
static bigint_status steps(newton *s, uint64_t *to, limbs_device_number d, unsigned shift,
                           uint64_t k) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t n = s->n, h = before(s, k);
    const lengths l = lengths_of(s, k);
    const bool in_place = shift == 0 && (d.n - n) % 2 == 0;
    device_scratch all;
    bigint_status status = device_scratch_open(ctx, s->who, &all, NUMBERS, l.all);
    if (status != BIGINT_OK) {
        return status;
    }
    s->steps = (device_newton){.ctx = ctx, .who = s->who};
    uint64_t *const words = device_scratch_take(&all, l.zeros + DEVICE_NEWTON_WORDS);
    status = device_newton_words(&s->steps, words + l.zeros, l.zeros);
    uint64_t *const e = device_scratch_take(&all, n), *const x = device_scratch_take(&all, h + 1);
    s->steps.t = device_scratch_take(&all, h + 1);
    s->steps.product = device_scratch_take(&all, l.product);
    s->room = l.room > 0 ? device_scratch_take(&all, l.room) : NULL;
    s->e = in_place ? d.p + (d.n - n) : e;
    if (status == BIGINT_OK && !in_place) {
        status = put_top(s, e, s->steps.sign, d, shift);
    }
    status = status == BIGINT_OK ? iterate(s, to, x, k) : status;
    device_scratch_close(ctx, &all);
    return status;
}

// --- Recorded reciprocals ------------------------------------------------------------------------

// reciprocal: of E, n limbs whose top bit is set, to k limbs; at from, the limbs that are E.
typedef struct {
    newton from;
    uint64_t k;
} reciprocal;

// iterate_placed is a device_body: from E to x.
static bigint_status iterate_placed(bigint_ctx *ctx, const char *who, uint64_t *numbers,
                                    const void *call) {
    const reciprocal *const s = call;
    (void)ctx, (void)who;
    const uint64_t *const e = device_place(&numbers, s->from.n);
    uint64_t *const x = device_place(&numbers, s->k + 1);
    newton own = s->from;
    return steps(&own, x, (limbs_device_number){e, own.n, NULL}, 0, s->k);
}

// play enqueues {to, k + 1} by a recording.
static bigint_status play(const newton *from, recording *played, uint64_t *to,
                          limbs_device_number d, unsigned shift, uint64_t k) {
    bigint_ctx *ctx = from->ctx;
    const reciprocal s = {*from, k};
    uint64_t *numbers = played->numbers;
    uint64_t *const e = device_place(&numbers, from->n), *const x = device_place(&numbers, k + 1);
    bigint_status status = put_top(from, e, e - 1, d, shift);
    status = status == BIGINT_OK ? device_play(ctx, from->who, played, iterate_placed, &s) : status;
    status = status == BIGINT_OK ? device_enter(ctx, from->who) : status;
    if (status == BIGINT_OK) {
        status = device_status(
            ctx, from->who,
            limbs_device_lshift(to, k + 1, to - 1, (limbs_device_number){x, k + 1, NULL}, 0,
                                LIMBS_SIGN_CLEAR, ctx->queue.stream));
        device_leave(ctx);
    }
    return status;
}

// begun: an iteration to k limbs for a divisor of dn.
static newton begun(bigint_ctx *ctx, const char *who, uint64_t dn, uint64_t k) {
    const uint64_t first = ctx->queue.forced.reciprocal_limbs;
    return (newton){.ctx = ctx,
                    .who = who,
                    .n = min(k, dn),
                    .first = first != 0            ? first
                             : ctx->queue.clusters ? BLOCK_RECIPROCAL_MOST
                                                   : ALONE_MOST};
}

void device_reciprocal_need(work_need *w, uint64_t dn, uint64_t k) {
    const newton s = begun(w->ctx, w->who, dn, k);
    if (k <= s.first) {
        return;
    }
    const uint64_t bytes = device_scratch_bytes(NUMBERS, lengths_of(&s, k).all);
    need_integers(w, bytes);
    for (uint64_t h; k > s.first; k = h) {
        const uint64_t n = min(k, s.n);
        const device_series series = series_to(&s, k);
        h = shorter(&s, k, &series);
        device_plan once;
        if (series.levels > 0) {
            device_series_need(w, &series);
        } else if (once_plan(w->ctx, &once, k, h, n)) {
            device_plan_need(w, &once);
        } else {
            device_newton_need(w, h + 1, n, residual_bits(n));
        }
    }
    need_integers_end(w, bytes);
}

bigint_status device_reciprocal(bigint_ctx *ctx, const char *who, bigint *x, limbs_device_number d,
                                unsigned shift, uint64_t k) {
    newton s = begun(ctx, who, d.n, k);
    assert(k >= 2 && s.first >= 4 && s.first <= BLOCK_RECIPROCAL_MOST);
    device_target target;
    bigint_status status = device_target_open(ctx, who, x, 64 * k + 2, &target);
    if (status != BIGINT_OK) {
        return status;
    }
    const device_shape shape = {.kind = BODY_RECIPROCAL,
                                .words = {s.n, k},
                                .limbs = device_placed(s.n) + device_placed(k + 1)};
    recording *const played = k <= s.first ? NULL : device_recording(ctx, &shape);
    status = k <= s.first     ? base(&s, target.p, d, shift, k)
             : played != NULL ? play(&s, played, target.p, d, shift, k)
                              : steps(&s, target.p, d, shift, k);
    return device_target_close(ctx, x, &target, status);
}
