// series.c: see series.h. B = 2^64; proof: docs/proofs/division.md, section 10.
#include "bigint/device/divide/series.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/device/kernels/recombine_rows.h"
#include "bigint/device/product.h"
#include "carry/add.h"
#include "fft/device/modular/batch.h"
#include "fft/device/modular/square_rows.h"
#include "primitives/words/word.h"

// LESS: X less this is below what it approximates, so that e and all that follows is positive.
enum { LESS = 8 };

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- Levels --------------------------------------------------------------------------------------

// level: `count` products of an by bn limbs, of which rn limbs are kept. The first one's limbs from
// a_at on are the next a, f limbs; the second one's from e_at on are the next e.
typedef struct {
    uint64_t an, bn, rn, a_at, e_at, count;
} level;

// power: e of level i is below 10^(2^i) B^(f - power).
static uint64_t power(const device_series *s, unsigned i) { return s->k << i; }

// cut: limbs at the bottom of a that level i leaves out, since e is so small; e has the others.
static uint64_t cut(const device_series *s, unsigned i) { return power(s, i - 1) - 1; }

static level level_of(const device_series *s, unsigned i) {
    level l = {.count = i < s->levels ? 2 : 1};
    if (i == 0) {
        l.an = s->f, l.bn = s->k + 1;
        l.rn = s->f + s->k + 1;
        l.a_at = s->k, l.e_at = s->n + s->k - s->f;
    } else {
        l.an = l.bn = s->f - cut(s, i);
        l.rn = l.an + s->f + 1;
        l.a_at = l.an, l.e_at = s->f;
    }
    return l;
}

// row: limbs from a level's first product to the second, the same for all.
static uint64_t row(const device_series *s) {
    const uint64_t first = level_of(s, 0).rn, longest = level_of(s, 1).rn;
    return device_lines(first > longest ? first : longest);
}

// level_plan: the transforms of a level. False: batches have none, or they are too long.
static bool level_plan(const bigint_ctx *ctx, device_plan *plan, const device_series *s,
                       unsigned i) {
    const level l = level_of(s, i);
    *plan = (device_plan){.an = l.an,
                          .bn = l.bn,
                          .a_piece = l.an,
                          .b_piece = l.bn,
                          .engine = ENGINE_MODULAR_FFT,
                          .branches = 1};
    fft_modular_plan *const m = &plan->modular;
    if (!fft_modular_plan_sum(m, l.an, l.bn, 1, FFT_PRIMES_USED, ctx->queue.clusters) ||
        fft_modular_items_most(m) < RECOMBINE_TERMS) {
        return false;
    }
    const uint64_t doubles = (l.count + 1) * m->primes * device_plane(plan);
    plan->workspace_bytes = (DEVICE_LINE + doubles) * sizeof(uint64_t);
    plan->words_bytes = CARRY_ADD_FRONT_BYTES + recombine_rows_bytes(l.rn, l.count);
    plan->tables_bytes = fft_modular_table_bytes(m) + sizeof(product_tables);
    return device_plan_fits(ctx, plan);
}

// LEVELS_MOST: of which the proof holds. LIMBS_LEAST, LIMBS_MOST: of quotients, between which a
// series is faster; levels_of: the fastest number of levels (h200-arith.jsonl, levels).
enum { LEVELS_MOST = 5, LIMBS_LEAST = 1 << 11, LIMBS_MOST = 3 << 16, LIMBS_OF_TWO = 1 << 15 };

// least_levels: the levels that lead from a reciprocal of `first` limbs to b limbs, if as many do.
static unsigned least_levels(uint64_t b, uint64_t first) {
    const uint64_t f = b + DEVICE_SERIES_FRACTION;
    unsigned levels = 1;
    while (levels < LEVELS_MOST && (f + 2) >> levels >= first) {
        levels++;
    }
    return levels;
}

// Long quotients begin with a reciprocal that a shorter series finds, short ones with one of one
// launch.
static unsigned levels_of(uint64_t b) {
    return b > LIMBS_OF_TWO ? 2 : least_levels(b, BLOCK_RECIPROCAL_MOST);
}

// series_of: b limbs of a quotient by so many levels; levels 0: it does not serve.
static device_series series_of(const bigint_ctx *ctx, uint64_t dn, uint64_t b, unsigned levels) {
    device_series s = {.f = b + DEVICE_SERIES_FRACTION, .levels = levels};
    s.n = min(dn, s.f);
    s.k = word_ceil_div(s.f + 2, (uint64_t)1 << s.levels);
    bool serves = (ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT) &&
                  ctx->options.max_workspace_bytes == 0 && ctx->check_modulus == 0 &&
                  ctx->queue.forced.primes <= FFT_PRIMES_USED && dn >= 3 && s.k >= 2 &&
                  s.k <= s.n && s.n + s.k >= s.f && s.levels <= LEVELS_MOST &&
                  s.k << (s.levels - 1) < s.f;
    for (unsigned i = 0; i <= s.levels && serves; i++) {
        device_plan plan;
        serves = level_plan(ctx, &plan, &s, i);
    }
    s.levels = serves ? s.levels : 0;
    return s;
}

device_series device_series_plan(const bigint_ctx *ctx, uint64_t dn, uint64_t b) {
    const unsigned forced = ctx->queue.forced.quotient_levels;
    return forced == 0 && (b < LIMBS_LEAST || b > LIMBS_MOST)
               ? (device_series){0}
               : series_of(ctx, dn, b, forced != 0 ? forced : levels_of(b));
}

device_series device_series_reciprocal(const bigint_ctx *ctx, uint64_t dn, uint64_t k,
                                       uint64_t first) {
    return series_of(ctx, dn, k + 1, least_levels(k + 1, first));
}

uint64_t device_series_limbs(const device_series *s) {
    return s->levels == 0 ? 0 : 4 * row(s) + 2 * device_lines(s->f);
}

void device_series_need(work_need *w, const device_series *s) {
    for (unsigned i = 0; i <= s->levels && s->levels > 0; i++) {
        device_plan plan;
        if (w->status == BIGINT_OK && level_plan(w->ctx, &plan, s, i)) {
            device_plan_need(w, &plan);
        }
    }
}

// --- Execution -----------------------------------------------------------------------------------

// factors: of a level: a, the other product's factor, and the factor of both.
typedef struct {
    const uint64_t *a, *e, *by;
} factors;

// work: a level's transforms: planes of both products, and of the factor of both.
typedef struct {
    fft_modular_step step;
    fft_modular_items items;
    double *x, *y;
} work;

static work work_of(const device_work *run, const level *l, const factors *x) {
    const fft_modular_plan *const m = &run->plan->modular;
    const uint64_t planes = m->primes * fft_modular_plane(m);
    // The factors may lie in different blocks of memory, so their distance is one of addresses.
    const intptr_t bytes = l->count > 1 ? (intptr_t)x->e - (intptr_t)x->a : 0;
    const uint64_t apart = (uint64_t)(bytes / (intptr_t)sizeof *x->a);
    return (work){.step = {m, run->tables, 0, m->primes, run->ctx->queue.stream},
                  .items = {(unsigned)l->count, planes, 0, apart, 0},
                  .x = run->x,
                  .y = run->x + l->count * planes};
}

// transform enqueues the residues of both products. If the second one is a square, the
// factor of both is transformed once, in its planes; otherwise once for each product.
static result transform(const work *w, const level *l, const factors *x) {
    const fft_modular_operand a = {x->a, l->an}, by = {x->by, l->bn};
    double *const e = w->x + w->items.x;
    result done = RESULT_OK;
    if (l->count > 1 && x->e == x->by) {
        done = fft_modular_columns(&w->step, w->x, a, e, by);
        done = done == RESULT_OK ? fft_modular_square_rows(&w->step, w->x, e) : done;
    } else {
        done = fft_modular_items_columns(&w->step, &w->items, w->x, a, w->y, by);
        if (done == RESULT_OK) {
            done = fft_modular_items_rows(&w->step, &w->items, w->x, w->y, FFT_ROW_MULTIPLY);
        }
    }
    return done == RESULT_OK ? fft_modular_items_inverse(&w->step, &w->items, w->x) : done;
}

static result multiply(const device_work *run, const device_series *s, const level *l,
                       const factors *x, const recombine_term *terms, uint64_t *to) {
    const device_queue *const q = &run->ctx->queue;
    const fft_modular_plan *const m = &run->plan->modular;
    const work w = work_of(run, l, x);
    const recombine_residues residues = {
        w.x, fft_modular_plane(m), fft_modular_points(m), m->primes, m->digit_bits, 0, false};
    const product_rows rows = {{to, NULL, NULL, l->rn, 0, 0}, row(s), 0, 0, NULL, l->count, 0};
    result done = transform(&w, l, x);
    if (done == RESULT_OK) {
        done = recombine_rows_terms(&rows, l->rn, terms, &residues, w.items.x,
                                    (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                    q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream);
    }
    run->ctx->counters.products += done == RESULT_OK ? l->count : 0;
    return done;
}

// shifted enqueues {to, f} = |v| 2^shift / B^down, unless its limbs are there already: *at.
static result shifted(const device_work *run, uint64_t *to, const device_series *s,
                      limbs_device_number v, uint64_t down, unsigned shift, bool there,
                      const uint64_t **at) {
    const cuda_stream stream = run->ctx->queue.stream;
    if (there && shift == 0) {
        *at = v.p + down;
        return RESULT_OK;
    }
    *at = to;
    return down == 0 ? limbs_device_lshift(to, s->f, run->zero, v, shift, LIMBS_SIGN_CLEAR, stream)
                     : limbs_device_rshift(to, s->f, run->zero, v, 64 * down - shift,
                                           LIMBS_SIGN_CLEAR, stream);
}

// first_level: {to} = A (X - LESS) and, a row further, B^(n + k) - D (X - LESS), for the top f
// limbs A of a and n limbs D of d.
static result first_level(const device_work *run, const device_series *s,
                          const device_series_operands *x, uint64_t *copies, uint64_t *to) {
    const level l = level_of(s, 0);
    const uint64_t b = s->f - DEVICE_SERIES_FRACTION, all = x->d.n + b;
    factors f = {.by = x->x.p};
    result done = shifted(run, copies, s, x->a, all - s->f, x->shift, x->a.n == all, &f.a);
    if (done == RESULT_OK) {
        done = shifted(run, copies + device_lines(s->f), s, x->d, x->d.n - s->n, x->shift,
                       s->n + x->zeros >= s->f, &f.e);
    }
    const recombine_term terms[RECOMBINE_TERMS] = {
        {.p = f.a, .n = s->f, .times = LESS, .less = true, .one_at = UINT64_MAX},
        {.p = f.e, .n = s->n, .times = LESS, .less = true, .negative = true, .one_at = s->n + s->k},
    };
    return done == RESULT_OK ? multiply(run, s, &l, &f, terms, to) : done;
}

// next_level, i > 0: {to} = a (1 + e) and, a row further, e^2, from the rows that level i - 1 left.
static result next_level(const device_work *run, const device_series *s, unsigned i,
                         const uint64_t *from, uint64_t *to) {
    const level before = level_of(s, i - 1), l = level_of(s, i);
    const uint64_t *const a = from + before.a_at, *const e = from + row(s) + before.e_at;
    const factors f = {a + cut(s, i), e, e};
    const recombine_term terms[RECOMBINE_TERMS] = {
        {.p = a, .n = s->f, .at = l.a_at, .times = 1, .one_at = UINT64_MAX},
        {.one_at = UINT64_MAX},
    };
    return multiply(run, s, &l, &f, terms, to);
}

bigint_status device_series_estimate(bigint_ctx *ctx, const char *who, const device_series *s,
                                     const device_series_operands *x, uint64_t *room,
                                     const uint64_t **at) {
    uint64_t *const copies = room + 4 * row(s);
    bigint_status status = BIGINT_OK;
    assert(s->levels > 0 && x->x.n == s->k + 1 && x->d.n >= s->n && (uintptr_t)room % 16 == 0);
    for (unsigned i = 0; i <= s->levels && status == BIGINT_OK; i++) {
        uint64_t *const from = room + (1 - i % 2) * 2 * row(s), *const to =
                                                                    room + i % 2 * 2 * row(s);
        device_plan plan;
        device_work run;
        const bool planned = level_plan(ctx, &plan, s, i);
        assert(planned);
        (void)planned;
        status = device_begin(&run, ctx, who, &plan);
        if (status == BIGINT_OK) {
            const result done =
                i == 0 ? first_level(&run, s, x, copies, to) : next_level(&run, s, i, from, to);
            status = device_status(ctx, who, done);
            device_end(&run);
        }
        *at = to + level_of(s, i).a_at;
    }
    return status;
}
