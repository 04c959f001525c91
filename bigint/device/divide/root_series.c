// root_series.c: see root_series.h. B = 2^64; proof: docs/proofs/root.md, section 7. Numbers count
// in units of B^-f.
#include "bigint/device/divide/root_series.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/terms.h"
#include "primitives/words/word.h"

// --- Lengths -------------------------------------------------------------------------------------

// START_MOST: limbs of the reciprocal root at most. LIMBS_MOST: of roots that are found so. Both
// chosen after trials on an H100, which have no record. LEVELS_MOST: of which the proof holds.
enum { START_MOST = 264, LIMBS_MOST = (1 << 13) + 2, LEVELS_MOST = 5, START_LEAST = 3 };

device_root_series device_root_series_plan(const bigint_ctx *ctx, uint64_t h) {
    const device_forced *const forced = &ctx->queue.forced;
    const uint64_t start = forced->root_limbs != 0 ? forced->root_limbs : START_MOST,
                   most = forced->root_series != 0 ? forced->root_series : LIMBS_MOST;
    device_root_series s = {.h = h, .f = h + 2 - h % 2};
    if (h <= start || h > most || !device_terms_serve(ctx)) {
        return s;
    }
    do {
        s.k = word_ceil_div(s.f + 2, (uint64_t)1 << ++s.levels);
    } while (s.k > start && s.levels < LEVELS_MOST);
    if (s.k > start || s.k < START_LEAST) {
        s.levels = 0;
    }
    return s;
}

// product: limbs of a product from `at` on are the next number.
typedef struct {
    device_terms of;
    uint64_t at;
} product;

// The first g, from f limbs of alpha by y, and r, from that g by y / 2 with a limb more.
static product first_g(const device_root_series *s) {
    return (product){{s->f, s->k + 1, s->f + s->k + 1, 1}, s->k};
}
static product first_r(const device_root_series *s) {
    return (product){{s->f, s->k + 1, s->f + s->k + 2, 1}, s->k + 1};
}

// cut: r of level i has f - cut limbs. It is odd where h is, so that the last g has limbs for
// products.
static uint64_t cut(const device_root_series *s, unsigned i) {
    const uint64_t most = (s->k << i) - 1;
    return most - (most - s->h) % 2;
}

static product next_both(const device_root_series *s, unsigned i) {
    const uint64_t n = s->f - cut(s, i);
    return (product){{n, n, n + s->f + 1, 2}, n};
}
static product next_r(const device_root_series *s) {
    return (product){{s->f, s->f, 2 * s->f + 1, 1}, s->f};
}

// The last step's square of g, h limbs of it, and product by h, a root of m limbs.
static product last_square(const device_root_series *s) {
    return (product){{s->h + 1, s->h + 1, 2 * s->h + 2, 1}, 0};
}
static product last_root(const device_root_series *s, uint64_t m) {
    return (product){{s->h + 1, s->h + 1, 3 * s->h + 1, 1}, 3 * s->h - m};
}

// row: limbs from a product to the next.
static uint64_t row(const device_root_series *s) { return device_lines(2 * s->f + 1); }

uint64_t device_root_series_limbs(const device_root_series *s) {
    return s->levels == 0 ? 0 : 5 * row(s) + device_lines(s->f);
}

static void need(work_need *w, product p) { device_terms_need(w, &p.of); }

void device_root_series_need(work_need *w, const device_root_series *s) {
    need(w, first_g(s)), need(w, first_r(s));
    for (unsigned i = 0; i < s->levels; i++) {
        need(w, next_both(s, i)), need(w, next_r(s));
    }
    need(w, last_square(s)), need(w, last_root(s, s->h));
}

// --- Execution -----------------------------------------------------------------------------------

// series: rows: two for g and h, and two more, for the next ones; one for r.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const device_root_series *s;
    uint64_t *rows[2], *rest;
} series;

static bigint_status multiply(const series *x, product p, const device_terms_factors *factors,
                              const recombine_term *terms, uint64_t *to) {
    return device_terms_enqueue(x->ctx, x->who, &p.of, factors, terms, to, row(x->s));
}

// LESS: units that are taken off the first g, so that the last one is below the root.
enum { LESS = 64 };

// find_g enqueues {to} = e y - LESS B^k.
static bigint_status find_g(const series *x, const device_root_series_operands *from,
                            uint64_t *to) {
    const device_terms_factors factors = {.a = from->e, .by = from->y};
    const recombine_term term = {
        .p = from->one, .n = 1, .at = x->s->k, .times = LESS, .less = true, .one_at = UINT64_MAX};
    return multiply(x, first_g(x->s), &factors, &term, to);
}

// find_r enqueues {x->rest} = B^one_at - g h = B^one_at / 2 + r. That is r without its highest
// limb.
static bigint_status find_r(const series *x, product p, const uint64_t *g, const uint64_t *h) {
    const device_terms_factors factors = {.a = g, .by = h};
    const recombine_term term = {.negative = true, .one_at = p.of.an + p.of.bn};
    return multiply(x, p, &factors, &term, x->rest);
}

// find_both enqueues {to} = g + g r and, a row further, h + h r. The product leaves out the lowest
// limbs of g and h, because r is so small.
static bigint_status find_both(const series *x, unsigned i, const uint64_t *g, const uint64_t *h,
                               const uint64_t *r, uint64_t *to) {
    const product p = next_both(x->s, i);
    const uint64_t f = x->s->f, out = cut(x->s, i);
    const device_terms_factors factors = {g + out, h + out, r};
    const recombine_term terms[RECOMBINE_TERMS] = {
        {.p = g, .n = f, .at = p.at, .times = 1, .one_at = UINT64_MAX},
        {.p = h, .n = f, .at = p.at, .times = 1, .one_at = UINT64_MAX},
    };
    return multiply(x, p, &factors, terms, to);
}

// shift enqueues {to, n} = {p, pn} B^limbs / 2, or that by B^-limbs 2.
static bigint_status shift(const series *x, uint64_t *to, uint64_t n, uint64_t *sign,
                           const uint64_t *p, uint64_t pn, uint64_t limbs, bool left) {
    bigint_ctx *ctx = x->ctx;
    const limbs_device_number from = {p, pn, NULL};
    const cuda_stream stream = ctx->queue.stream;
    bigint_status status = device_enter(ctx, x->who);
    if (status == BIGINT_OK) {
        const result done =
            left ? limbs_device_lshift(to, n, sign, from, 64 * limbs - 1, LIMBS_SIGN_CLEAR, stream)
                 : limbs_device_rshift(to, n, sign, from, 64 * limbs - 1, LIMBS_SIGN_CLEAR, stream);
        status = device_status(ctx, x->who, done);
        device_leave(ctx);
    }
    return status;
}

static series series_in(bigint_ctx *ctx, const char *who, const device_root_series *s,
                        uint64_t *room) {
    return (series){ctx, who, s, {room, room + 2 * row(s)}, room + 4 * row(s)};
}

bigint_status device_root_series_find(bigint_ctx *ctx, const char *who, const device_root_series *s,
                                      const device_root_series_operands *x, uint64_t *room,
                                      device_root_series_roots *found) {
    const uint64_t f = s->f, k = s->k, cut_off = f - s->h;
    const series run = series_in(ctx, who, s, room);
    uint64_t *const first_h = room + 5 * row(s), *g = run.rows[1] + first_g(s).at, *h = first_h;
    const uint64_t *r = run.rest + first_r(s).at;
    assert(s->levels > 0 && cut(s, 0) >= 1 && k < f);
    bigint_status status = shift(&run, first_h, f, x->sign, x->y, k + 1, f - k, true);
    status = status == BIGINT_OK ? find_g(&run, x, run.rows[1]) : status;
    status = status == BIGINT_OK ? find_r(&run, first_r(s), g, h + (f - k - 1)) : status;
    for (unsigned i = 0; i < s->levels && status == BIGINT_OK; i++) {
        uint64_t *const to = run.rows[i % 2];
        status = find_both(&run, i, g, h, r, to);
        g = to + next_both(s, i).at, h = g + row(s), r = run.rest + next_r(s).at;
        if (status == BIGINT_OK && i + 1 < s->levels) {
            status = find_r(&run, next_r(s), g, h);
        }
    }
    *found = (device_root_series_roots){g + cut_off, h + cut_off, room};
    return status;
}

bigint_status device_root_series_reciprocal(bigint_ctx *ctx, const char *who,
                                            const device_root_series *s,
                                            const device_root_series_roots *found, uint64_t *y,
                                            uint64_t *sign) {
    const series run = series_in(ctx, who, s, found->room);
    const uint64_t below = s->f - s->h;  // limbs of the fraction
    return shift(&run, y, s->h + 1, sign, found->half - below, s->f + 1, below, false);
}

bigint_status device_root_series_root(bigint_ctx *ctx, const char *who, const device_root_series *s,
                                      const device_root_series_roots *found, const uint64_t *e,
                                      uint64_t m, uint64_t **to) {
    const uint64_t h = s->h;
    const series run = series_in(ctx, who, s, found->room);
    const product root = last_root(s, m);
    uint64_t *const rows = run.rows[s->levels % 2];  // the roots are in the others
    const device_terms_factors square = {.a = found->u, .by = found->u},
                               by_half = {.a = run.rest, .by = found->half};
    const recombine_term from = {.p = e,
                                 .n = 2 * h,
                                 .times = 1,
                                 .one_at = UINT64_MAX,
                                 .less = true,
                                 .negative = true},
                         plus = {.p = found->u,
                                 .n = h + 1,
                                 .at = 2 * h,
                                 .times = 1,
                                 .one_at = UINT64_MAX};
    assert(h <= m && m + 2 <= 2 * h && root.of.rn <= 2 * row(s));
    *to = rows + root.at;
    bigint_status status = multiply(&run, last_square(s), &square, &from, run.rest);
    return status == BIGINT_OK ? multiply(&run, root, &by_half, &plus, rows) : status;
}
