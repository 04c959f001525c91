// both_roots.c: see both_roots.h. The numbers on the way are limbs of one piece of memory. B =
// 2^64; bounds: docs/proofs/root.md, section 7.
#include "bigint/device/divide/both_roots.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/divide/root_series.h"
#include "bigint/device/divide/root_step.h"
#include "bigint/device/product.h"
#include "bigint/divide/root_newton.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// top: floor(A B^(k - 2 n)), of k limbs, k even.
static limbs_device_number top(const device_both_roots *s, uint64_t k) {
    assert(k % 2 == 0 && k <= s->en);
    return (limbs_device_number){s->e + (s->en - k), k, NULL};
}

// --- The start -----------------------------------------------------------------------------------

// START: limbs of the reciprocal root that the host computes from A's top limbs: each step that it
// saves is ten launches. 1024 take less time than 128, 256, 512 and 2048 (h200-arith.jsonl, start).
enum { START = 1024 };

uint64_t device_root_start(const bigint_ctx *ctx) {
    return ctx->queue.forced.root_limbs != 0 ? ctx->queue.forced.root_limbs : START;
}

// base: the length that no step makes: of the start, or of roots by a series.
static uint64_t base(const bigint_ctx *ctx, uint64_t h) {
    while (h >= 4 && h > device_root_start(ctx) && device_root_series_plan(ctx, h).levels == 0) {
        h = device_both_half(h);
    }
    return h;
}

uint64_t device_both_first(const bigint_ctx *ctx, uint64_t h) {
    const device_root_series series = device_root_series_plan(ctx, base(ctx, h));
    return series.levels > 0 ? series.k : series.h;
}

bool device_both_recorded(const bigint_ctx *ctx, uint64_t h) {
    enum { ALONE_LEAST = 128 };  // limbs that no step doubles: so few launches follow
    return h >= ALONE_LEAST || device_both_first(ctx, h) < h;
}

// by_halves: whether the last step is.
static bool by_halves(const device_both_room *room) {
    return room->m > room->h && device_both_half(room->m) != room->h;
}

// ends_in_series: whether a series finds the roots from which the last step begins.
static bool ends_in_series(const bigint_ctx *ctx, const device_both_room *room) {
    return room->m > room->h && !by_halves(room) &&
           device_root_series_plan(ctx, room->h).levels > 0;
}

// level: roots of some length.
typedef struct {
    uint64_t *u, *y;
} level;

// by_series: both roots of m limbs from the host's y; without y where the last step takes none.
static bigint_status by_series(device_both_roots *s, const device_root_series *series, level to,
                               level *at) {
    bigint_ctx *ctx = s->steps.ctx;
    const char *const who = s->steps.who;
    const device_root_series_operands x = {top(s, series->f).p, s->begun, s->steps.one,
                                           s->steps.sign};
    bigint_status status = device_root_series_find(ctx, who, series, &x, s->series, &s->found);
    *at = (level){s->found.u, to.y};
    return ok(status) && !s->ends_in_series
               ? device_root_series_reciprocal(ctx, who, series, &s->found, to.y, s->steps.sign)
               : status;
}

// first: {u, h + 1}, h >= 2, from the host's y: U = floor(E_k Y / B^k), k = h or h + 1, which is
// even.
static bigint_status first(const device_both_roots *s, uint64_t *u, uint64_t h) {
    bigint_ctx *ctx = s->steps.ctx;
    const char *const who = s->steps.who;
    const limbs_device_number e = top(s, h + h % 2), x = {s->begun, h + 1, NULL};
    const bool turned = e.n < x.n;
    device_plan plan;
    device_work run;
    bigint_status status = device_plan_make(ctx, who, &plan, h + 1, e.n, false, false);
    status = ok(status) ? device_begin(&run, ctx, who, &plan) : status;
    if (!ok(status)) {
        return status;
    }
    result done = device_multiply(&run, s->steps.product, e.n + h + 1, NULL, turned ? x : e,
                                  turned ? e : x, NULL);
    if (done == RESULT_OK) {
        const limbs_device_number product = {s->steps.product + e.n, h + 1, NULL};
        done = limbs_device_lshift(u, h + 1, s->steps.sign, product, 0, LIMBS_SIGN_CLEAR,
                                   ctx->queue.stream);
    }
    status = device_status(ctx, who, done);
    device_end(&run);
    return status;
}

// --- Steps ---------------------------------------------------------------------------------------

// reciprocal_step enqueues {to, m + 1} = Y B^(m - h) + Y T / (2^right B^(2 h)), T = B^(m + h) - U
// Y, for U = {u, m + 1} and Y of h limbs: U the root for right = 0, A Y for 1. T's lowest m - h
// limbs do not matter.
static bigint_status reciprocal_step(const device_both_roots *s, uint64_t *to, uint64_t m,
                                     const uint64_t *u, device_factor *y, unsigned right) {
    const uint64_t h = y->x.n - 1;
    const limbs_device_number x = {u, m + 1, NULL};
    bigint_status status = device_newton_residual(&s->steps, y, x, m + h, 64 * m + 4);
    return ok(status) ? device_newton_refine(&s->steps, y, to, m + 1, y->x.p, m - h, right)
                      : status;
}

uint64_t device_both_half(uint64_t m) { return word_ceil_div(m, 2) + 1; }

// residual_bits: of the factor of a step to m limbs.
static uint64_t residual_bits(uint64_t m) { return 64 * m + 4; }

// even: limbs of A of which a step to m limbs without the root reads the top ones.
static uint64_t even(uint64_t m) { return m + m % 2; }

// find enqueues both roots of m limbs, by way of shorter ones in `other`, which has room for
// device_both_half(m) limbs and one. *at: where they are, `to`, the start or a series' memory.
static bigint_status find(device_both_roots *s, level to, level other, uint64_t m, level *at) {
    const device_root_series series = device_root_series_plan(s->steps.ctx, m);
    if (series.levels > 0) {
        return by_series(s, &series, to, at);
    }
    if (m == device_both_first(s->steps.ctx, m)) {
        *at = (level){to.u, s->begun};
        return first(s, to.u, m);
    }
    const uint64_t h = device_both_half(m);
    level from;
    device_factor y;
    bigint_status status = find(s, other, to, h, &from);
    if (!ok(status)) {
        return status;
    }
    *at = to;
    const limbs_device_number x = {from.y, h + 1, NULL};
    const bool alone = s->above != NULL && m == s->h;
    status = device_factor_open(&s->steps, &y, x, m + 1, residual_bits(alone ? even(m) : m));
    if (ok(status)) {
        status =
            alone ? device_root_product(&s->steps, to.u, m, top(s, even(m)), from.u, &y, s->above)
                  : device_root_step(&s->steps, to.u, m, top(s, 2 * h), from.u, &y);
    }
    if (ok(status)) {
        status = reciprocal_step(s, to.y, m, to.u, &y, alone ? 1 : 0);
    }
    device_factor_close(&s->steps, &y);
    return status;
}

bigint_status device_both_find(device_both_roots *s) {
    bigint_ctx *ctx = s->steps.ctx;
    const uint64_t half = device_both_half(s->h), first = device_both_first(ctx, s->h);
    const level to = {s->u, s->y},
                other = {device_both_take(s, half + 1), device_both_take(s, half + 1)};
    level at = to;
    bigint_status status = BIGINT_OK;
    if (s->begun == NULL) {
        s->begun = device_both_take(s, first + 1);
        status =
            device_both_start(ctx, s->steps.who, s->begun, s->e + (s->en - (first + 2)), first);
    }
    status = ok(status) ? find(s, to, other, s->h, &at) : status;
    s->u = at.u, s->y = at.y;
    return status;
}

// HALVES_LEAST: limbs of a root from which the last step is faster by halves: there are more
// launches, for shorter products (h200-arith.jsonl, sqrt). HALVES_SHORTEST: and has its bounds.
enum { HALVES_LEAST = 1 << 20, HALVES_SHORTEST = 14 };

uint64_t device_both_from(const bigint_ctx *ctx, uint64_t m) {
    const uint64_t half = device_both_half(m), forced = ctx->queue.forced.root_halves;
    const bool by_halves = half >= HALVES_SHORTEST &&
                           half >= (forced != 0 ? forced : HALVES_LEAST) &&
                           device_both_first(ctx, half) != half;
    return by_halves ? device_both_half(half) : half;
}

// last_step enqueues {to, m + 1} by products of both roots' transforms.
static bigint_status last_step(const device_both_roots *s, uint64_t *to, uint64_t m) {
    const limbs_device_number x = {s->y, s->h + 1, NULL};
    const uint64_t half = device_both_half(m);
    const limbs_device_number middle = {s->middle, half + 1, NULL}, e = top(s, 2 * s->h);
    device_factor y;
    bigint_status status = device_factor_open(&s->steps, &y, x, 0, 0);
    if (ok(status)) {
        status = half == s->h ? device_root_step(&s->steps, to, m, e, s->u, &y)
                              : device_root_step(&s->steps, s->middle, half, e, s->u, &y);
    }
    if (ok(status) && half != s->h) {
        status = device_root_by_halves(&s->steps, to, m, top(s, 2 * half), middle, &y, s->halves);
    }
    device_factor_close(&s->steps, &y);
    return status;
}

bigint_status device_both_root(const device_both_roots *s, uint64_t **to, uint64_t m) {
    if (!s->ends_in_series) {
        return last_step(s, *to, m);
    }
    const device_root_series series = device_root_series_plan(s->steps.ctx, s->h);
    return device_root_series_root(s->steps.ctx, s->steps.who, &series, &s->found,
                                   top(s, 2 * s->h).p, m, to);
}

// --- Memory --------------------------------------------------------------------------------------

// radicand: {e, en}, which is part of a where nothing is shifted and products can read it there.
static bigint_status radicand(device_both_roots *s) {
    const uint64_t an = s->a->n_;
    if (s->shift == 0 && s->en <= an) {
        s->e = s->a->d_ + (an - s->en);  // both are even
        return BIGINT_OK;
    }
    s->e = device_both_take(s, s->en);
    return device_both_top(s->steps.ctx, s->steps.who, s->e, s->en, s->steps.sign, s->a, s->bits);
}

// product_limbs: of any step to h limbs, and of the first.
static uint64_t product_limbs(const bigint_ctx *ctx, uint64_t h) {
    const uint64_t most = device_root_start(ctx), start = h < most || h < 4 ? h : most,
                   step = h + 1 + device_both_half(h) + 1 + DEVICE_NEWTON_MORE;
    return step > 2 * (start + 1) ? step : 2 * (start + 1);
}

// lengths: of the radicand, of products, of what a step by halves needs, and of all NUMBERS numbers
// of a room together.
enum { NUMBERS = 17 };
typedef struct {
    uint64_t en, product, middle, halves, above, series, all;
} lengths;

static lengths lengths_of(const bigint_ctx *ctx, const device_both_room *room) {
    const uint64_t h = room->h, half = device_both_half(h), own = product_limbs(ctx, h);
    const device_root_series series = device_root_series_plan(ctx, base(ctx, h));
    lengths l = {.en = 2 * (room->m > h ? device_both_half(room->m) : half),  // at least h + 2
                 .product = own > room->product ? own : room->product};
    if (by_halves(room)) {
        const uint64_t middle = device_both_half(room->m);
        l.middle = middle + 1;
        l.halves = device_root_halves_limbs(room->m, middle);
    }
    if (room->m == h) {
        l.above = even(h) + half + 1;
    }
    l.series = device_root_series_limbs(&series);
    l.all = DEVICE_NEWTON_WORDS + l.en + 3 * (h + 1) + 2 * (half + 1) + l.product + room->more +
            device_both_first(ctx, h) + 1 + l.middle + l.halves + l.above + l.series;
    return l;
}

static uint64_t room_bytes(const bigint_ctx *ctx, const device_both_room *room) {
    return device_scratch_bytes(NUMBERS, lengths_of(ctx, room).all);
}

// step_need: what steps from roots of h limbs to m need.
static void step_need(work_need *w, uint64_t h, uint64_t m) {
    const uint64_t in_use = w->device.in_use;
    (void)device_factor_need(w, h + 1, m + 1, residual_bits(m));
    device_newton_difference_need(w, h + 1, h + 1, true, 64 * h + 5);
    need_release(&w->device, in_use);
    device_newton_need(w, h + 1, m + 1, residual_bits(m));
}

// alone_need: what the last step to a reciprocal root of m limbs alone needs, from h.
static void alone_need(work_need *w, uint64_t h, uint64_t m) {
    device_newton_need(w, h + 1, m + 1, residual_bits(even(m)));
    device_mul_need(w, even(m), h + 1, false);
}

// last_need: what device_both_root needs.
static void last_need(work_need *w, const device_both_room *room) {
    const uint64_t half = device_both_half(room->m), in_use = w->device.in_use;
    step_need(w, room->h, by_halves(room) ? half : room->m);
    if (by_halves(room)) {
        (void)device_factor_need(w, room->h + 1, 0, 0);
        device_root_by_halves_need(w, room->m, half);
        need_release(&w->device, in_use);
    }
}

// base_need: what device_both_start for roots of h limbs needs, and they, which no step makes.
static void base_need(work_need *w, uint64_t h) {
    const uint64_t in_use = w->host.in_use;
    const device_root_series series = device_root_series_plan(w->ctx, h);
    const uint64_t k = series.levels > 0 ? series.k : h;
    need_take_limbs(&w->host, k + DEVICE_LOOK_MORE);
    need_take_limbs(&w->host, k + 2);
    need_take_limbs(&w->host, k + 1);
    root_reciprocal_need(w, k + 1);
    need_release(&w->host, in_use);
    if (series.levels > 0) {
        device_root_series_need(w, &series);
    } else {
        device_mul_need(w, h + 1, h + h % 2, false);
    }
}

void device_both_need(work_need *w, const device_both_room *room) {
    need_integers(w, room_bytes(w->ctx, room));
    if (room->m > room->h && !ends_in_series(w->ctx, room)) {
        last_need(w, room);
    }
    uint64_t h = room->h;
    for (; h != base(w->ctx, h); h = device_both_half(h)) {
        step_need(w, device_both_half(h), h);
        if (h == room->m) {
            alone_need(w, device_both_half(h), h);
        }
    }
    base_need(w, h);
}

void device_both_need_end(work_need *w, const device_both_room *room) {
    need_integers_end(w, room_bytes(w->ctx, room));
}

bigint_status device_both_open(bigint_ctx *ctx, const char *who, device_both_roots *s,
                               const bigint *a, uint64_t bits, const device_both_room *room) {
    const uint64_t n = word_ceil_div(bits, 128), h = room->h;
    const lengths l = lengths_of(ctx, room);
    *s = (device_both_roots){.steps = {.ctx = ctx, .who = who},
                             .a = a,
                             .bits = bits,
                             .n = n,
                             .shift = device_both_shift(bits),
                             .en = l.en,
                             .h = h,
                             .ends_in_series = ends_in_series(ctx, room),
                             .begun = room->begun};
    bigint_status status = device_scratch_open(ctx, who, &s->memory, NUMBERS, l.all);
    if (!ok(status)) {
        return status;
    }
    s->u = device_both_take(s, h + 1), s->y = device_both_take(s, h + 1);
    s->steps.t = device_both_take(s, h + 1);
    s->steps.product = device_both_take(s, l.product);
    if (l.above > 0) {
        s->above = device_both_take(s, l.above);
    }
    if (l.series > 0) {
        s->series = device_both_take(s, l.series);
    }
    if (by_halves(room)) {
        s->middle = device_both_take(s, l.middle), s->halves = device_both_take(s, l.halves);
    }
    status = device_newton_words(&s->steps, device_both_take(s, DEVICE_NEWTON_WORDS), 0);
    return ok(status) ? radicand(s) : status;
}

uint64_t *device_both_take(device_both_roots *s, uint64_t limbs) {
    return device_scratch_take(&s->memory, limbs);
}

void device_both_close(device_both_roots *s) { device_scratch_close(s->steps.ctx, &s->memory); }
