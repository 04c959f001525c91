// cube_series.c: see cube_series.h. B = 2^64; proof: docs/proofs/root.md, section 9. Numbers count
// in units of B^-f.
#include "bigint/device/roots/cube_series.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/divide/terms.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// --- Lengths -------------------------------------------------------------------------------------

// START_MOST: limbs of the reciprocal root at most while there are fewer than LEVELS_MOST levels,
// of which the proof holds; START_LONGEST: with these. LIMBS_MOST: of roots that are found so.
// Chosen after trials on an H100, which have no record.
enum {
    START_MOST = 528,
    START_LONGEST = 768,
    LIMBS_MOST = 3 << 13,
    LEVELS_MOST = 5,
    START_LEAST = 3
};

device_cube_series device_cube_series_plan(const bigint_ctx *ctx, uint64_t k, uint64_t m) {
    const device_forced *const forced = &ctx->queue.forced;
    const uint64_t start = forced->root_limbs != 0 ? forced->root_limbs : START_MOST,
                   longest = forced->root_limbs != 0 ? start : START_LONGEST,
                   most = forced->root_series != 0 ? forced->root_series : LIMBS_MOST;
    device_cube_series s = {.m = m, .f = m + 1};
    if (k != 3 || m <= start || m > most || !device_terms_serve(ctx)) {
        return s;
    }
    do {
        s.start = word_ceil_div(s.f + 2, (uint64_t)1 << ++s.levels);
    } while (s.start > start && s.levels < LEVELS_MOST);
    if (s.start > longest || s.start < START_LEAST) {
        s.levels = 0;
    }
    return s;
}

// product: limbs of a product from `at` on are the next number.
typedef struct {
    device_terms of;
    uint64_t at;
} product;

// By the first h, which has few limbs.
static product by_start(const device_cube_series *s) {
    return (product){{s->f, s->start + 1, s->f + s->start + 1, 1}, s->start};
}

// cut: r of level i has f - cut limbs.
static uint64_t cut(const device_cube_series *s, unsigned i) { return (s->start << i) - 1; }

static product by_r(const device_cube_series *s, unsigned i, uint64_t count) {
    const uint64_t n = s->f - cut(s, i);
    return (product){{n, n, n + s->f + 1, count}, n};
}
static product by_h(const device_cube_series *s) {
    return (product){{s->f, s->f, 2 * s->f, 1}, s->f};
}

// row: limbs from a product to the next. ROWS: two for x (1 + r) and h, and two more, for the next
// ones; for x and for r.
static uint64_t row(const device_cube_series *s) { return device_lines(2 * s->f + 1); }
enum { ROWS = 6 };

static void need(work_need *w, product p) { device_terms_need(w, &p.of); }

void device_cube_series_need(work_need *w, const device_cube_series *s) {
    need(w, by_start(s)), need(w, by_h(s));
    for (unsigned i = 0; i < s->levels; i++) {
        need(w, by_r(s, i, 2)), need(w, by_r(s, i, 1));
    }
}

// --- Execution -----------------------------------------------------------------------------------

// series: memory; {third, 2 f} = floor(B^(2 f) / 3), whose lower limbs are that of a shorter power.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const device_cube_series *s;
    uint64_t *rows[2], *x, *rest, *h, *third;
} series;

static bigint_status multiply(const series *v, product p, const device_terms_factors *factors,
                              const recombine_term *terms, uint64_t *to) {
    return device_terms_enqueue(v->ctx, v->who, &p.of, factors, terms, to, row(v->s));
}

// by_y enqueues {to} = x y.
static bigint_status by_y(const series *v, const uint64_t *x, const uint64_t *y, uint64_t *to) {
    const device_terms_factors factors = {.a = x, .by = y};
    const recombine_term none = {.one_at = UINT64_MAX};
    return multiply(v, by_start(v->s), &factors, &none, to);
}

// find_r enqueues {v->rest} = B^n / 3 - x h = r.
static bigint_status find_r(const series *v, product p, const uint64_t *x, const uint64_t *h) {
    const device_terms_factors factors = {.a = x, .by = h};
    const recombine_term term = {.p = v->third,
                                 .n = v->s->f + p.at,
                                 .times = 1,
                                 .one_at = UINT64_MAX,
                                 .less = true,
                                 .negative = true};
    return multiply(v, p, &factors, &term, v->rest);
}

// find_next enqueues {to} = a + a r and, a row further, e + e r, unless that is NULL. The product
// leaves out the lowest limbs of a and e, because r is so small.
static bigint_status find_next(const series *v, unsigned i, const uint64_t *a, const uint64_t *e,
                               const uint64_t *r, uint64_t *to) {
    const product p = by_r(v->s, i, e != NULL ? 2 : 1);
    const uint64_t f = v->s->f, out = cut(v->s, i);
    const device_terms_factors factors = {a + out, e != NULL ? e + out : NULL, r};
    const recombine_term terms[RECOMBINE_TERMS] = {
        {.p = a, .n = f, .at = p.at, .times = 1, .one_at = UINT64_MAX},
        {.p = e, .n = f, .at = p.at, .times = 1, .one_at = UINT64_MAX},
    };
    return multiply(v, p, &factors, terms, to);
}

// begin enqueues the first h in f limbs, a third, alpha y^2 as the first x, and the first r.
static bigint_status begin(const series *v, const device_cube_series_operands *from) {
    const device_cube_series *const s = v->s;
    const cuda_stream stream = v->ctx->queue.stream;
    const limbs_device_number h = {from->h, s->start + 1, NULL};
    const product p = by_start(s);
    bigint_status status = device_enter(v->ctx, v->who);
    if (!ok(status)) {
        return status;
    }
    result done = cuda_set(v->third, 0x55, 2 * s->f * sizeof *v->third, stream);
    if (done == RESULT_OK) {
        done = limbs_device_lshift(v->h, s->f, v->third - 1, h, 64 * (s->f - s->start),
                                   LIMBS_SIGN_CLEAR, stream);
    }
    status = device_status(v->ctx, v->who, done);
    device_leave(v->ctx);
    status = ok(status) ? by_y(v, from->e, from->y, v->rows[1]) : status;
    status = ok(status) ? by_y(v, v->rows[1] + p.at, from->y, v->x) : status;
    return ok(status) ? find_r(v, p, v->x + p.at, from->h) : status;
}

// levels enqueues the last x: *x.
static bigint_status levels(const series *v, const uint64_t **x) {
    const device_cube_series *const s = v->s;
    const uint64_t at = by_start(s).at, *h = v->h, *r = v->rest + at;
    bigint_status status = BIGINT_OK;
    *x = v->x + at;
    for (unsigned i = 0; i < s->levels && ok(status); i++) {
        uint64_t *const to = v->rows[i % 2];
        const bool last = i + 1 == s->levels;
        const uint64_t n = by_r(s, i, 1).at;
        status = find_next(v, i, *x, last ? NULL : h, r, to);
        status = ok(status) ? find_next(v, i, to + n, NULL, r, v->x) : status;
        *x = v->x + n, h = to + row(s) + n, r = v->rest + by_h(s).at;
        status = ok(status) && !last ? find_r(v, by_h(s), *x, h) : status;
    }
    return status;
}

bigint_status device_cube_series_find(bigint_ctx *ctx, const char *who, const device_cube_series *s,
                                      bigint *x, const device_cube_series_operands *from,
                                      uint64_t right) {
    const uint64_t f = s->f, one = row(s);
    bigint room = BIGINT_INIT;
    const uint64_t *found = NULL;
    assert(s->levels > 0 && s->start < f && right < 64);
    bigint_status status = device_blank(ctx, who, &room, ROWS * one + device_lines(f + 1) + 2 * f);
    if (ok(status)) {
        uint64_t *const h = room.d_ + ROWS * one;
        const series v = {.ctx = ctx,
                          .who = who,
                          .s = s,
                          .rows = {room.d_, room.d_ + 2 * one},
                          .x = room.d_ + 4 * one,
                          .rest = room.d_ + 5 * one,
                          .h = h,
                          .third = h + device_lines(f + 1)};
        status = begin(&v, from);
        status = ok(status) ? levels(&v, &found) : status;
    }
    if (ok(status)) {
        status =
            device_step_right(ctx, who, x, 64 * s->m + 1, (limbs_device_number){found, f + 1, NULL},
                              64 * (f - s->m) + right);
    }
    bigint_clear(ctx, &room);
    return status;
}
