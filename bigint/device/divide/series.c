// series.c: see series.h. B = 2^64; proof: docs/proofs/division.md, section 10.
#include "bigint/device/divide/series.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/terms.h"
#include "bigint/device/kernels/block_division.h"
#include "primitives/words/word.h"

// LESS: X less this is below what it approximates, so that e and all that follows is positive.
enum { LESS = 8 };

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- Levels --------------------------------------------------------------------------------------

// level: the first product's limbs from a_at on are the next a, f limbs; the second one's from e_at
// on are the next e.
typedef struct {
    device_terms of;
    uint64_t a_at, e_at;
} level;

// power: e of level i is below 10^(2^i) B^(f - power).
static uint64_t power(const device_series *s, unsigned i) { return s->k << i; }

// cut: limbs at the bottom of a that level i leaves out, since e is so small; e has the others.
static uint64_t cut(const device_series *s, unsigned i) { return power(s, i - 1) - 1; }

static level level_of(const device_series *s, unsigned i) {
    level l = {.of.count = i < s->levels ? 2 : 1};
    if (i == 0) {
        l.of.an = s->f, l.of.bn = s->k + 1;
        l.of.rn = s->f + s->k + 1;
        l.a_at = s->k, l.e_at = s->n + s->k - s->f;
    } else {
        l.of.an = l.of.bn = s->f - cut(s, i);
        l.of.rn = l.of.an + s->f + 1;
        l.a_at = l.of.an, l.e_at = s->f;
    }
    return l;
}

// row: limbs from a level's first product to the second, the same for all.
static uint64_t row(const device_series *s) {
    const uint64_t first = level_of(s, 0).of.rn, longest = level_of(s, 1).of.rn;
    return device_lines(first > longest ? first : longest);
}

// level_plan: as device_terms_plan.
static bool level_plan(const bigint_ctx *ctx, device_plan *plan, const device_series *s,
                       unsigned i) {
    const level l = level_of(s, i);
    return device_terms_plan(ctx, plan, &l.of);
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

// series_of: the plan of b limbs of a quotient by that many levels; its levels are 0 if it does not
// serve.
static device_series series_of(const bigint_ctx *ctx, uint64_t dn, uint64_t b, unsigned levels) {
    device_series s = {.f = b + DEVICE_SERIES_FRACTION, .levels = levels};
    s.n = min(dn, s.f);
    s.k = word_ceil_div(s.f + 2, (uint64_t)1 << s.levels);
    bool serves = device_terms_serve(ctx) && dn >= 3 && s.k >= 2 && s.k <= s.n &&
                  s.n + s.k >= s.f && s.levels <= LEVELS_MOST && s.k << (s.levels - 1) < s.f;
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
    device_terms_factors f = {.by = x->x.p};
    result done = shifted(run, copies, s, x->a, all - s->f, x->shift, x->a.n == all, &f.a);
    if (done == RESULT_OK) {
        done = shifted(run, copies + device_lines(s->f), s, x->d, x->d.n - s->n, x->shift,
                       s->n + x->zeros >= s->f, &f.e);
    }
    const recombine_term terms[RECOMBINE_TERMS] = {
        {.p = f.a, .n = s->f, .times = LESS, .less = true, .one_at = UINT64_MAX},
        {.p = f.e, .n = s->n, .times = LESS, .less = true, .negative = true, .one_at = s->n + s->k},
    };
    return done == RESULT_OK ? device_terms_multiply(run, &l.of, &f, terms, to, row(s)) : done;
}

// next_level, i > 0: {to} = a (1 + e) and, a row further, e^2, from the rows that level i - 1 left.
static result next_level(const device_work *run, const device_series *s, unsigned i,
                         const uint64_t *from, uint64_t *to) {
    const level before = level_of(s, i - 1), l = level_of(s, i);
    const uint64_t *const a = from + before.a_at, *const e = from + row(s) + before.e_at;
    const device_terms_factors f = {a + cut(s, i), e, e};
    const recombine_term terms[RECOMBINE_TERMS] = {
        {.p = a, .n = s->f, .at = l.a_at, .times = 1, .one_at = UINT64_MAX},
        {.one_at = UINT64_MAX},
    };
    return device_terms_multiply(run, &l.of, &f, terms, to, row(s));
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
