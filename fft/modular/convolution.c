// convolution.c: the steps of one convolution in order, over a team of threads. May include fft.h
// and primitives/.
#include <assert.h>

#include "fft/modular/fft.h"
#include "primitives/words/word.h"

// step: what the tasks of one team_run share.
typedef struct {
    const fft_convolution *c;
    const fft_tables *tables;
    fft_row_step rows;
    const fft_digits *a, *b;
} step;

static size_t strips(const fft_plan *plan) {
    return (size_t)1 << (plan->lg_columns - plan->lg_strip);
}

// Strips of a into x first, then strips of b into y.
static void step_columns_forward(void *arg, size_t index, unsigned worker) {
    const step *const s = arg;
    const fft_convolution *const c = s->c;
    double *const buffer = c->buffers + worker * (fft_plan_buffer_bytes(&c->plan) / sizeof(double));
    const size_t n = strips(&c->plan);
    if (index < n) {
        c->ops->columns_forward(&c->plan, s->tables, s->rows.x, s->a, index, buffer);
    } else {
        c->ops->columns_forward(&c->plan, s->tables, s->rows.y, s->b, index - n, buffer);
    }
}

static void step_columns_inverse(void *arg, size_t strip, unsigned worker) {
    const step *const s = arg;
    const fft_convolution *const c = s->c;
    double *const buffer = c->buffers + worker * (fft_plan_buffer_bytes(&c->plan) / sizeof(double));
    c->ops->columns_inverse(&c->plan, s->tables, s->rows.x, strip, buffer);
}

// A task of rows holds at least 2^10 points, so that taking it costs nothing beside it.
enum { LG_TASK_POINTS = 10 };

static size_t rows_to_a_task(const fft_plan *plan) {
    return plan->lg_columns < LG_TASK_POINTS ? (size_t)1 << (LG_TASK_POINTS - plan->lg_columns) : 1;
}

static void step_rows(void *arg, size_t index, unsigned worker) {
    const step *const s = arg;
    const fft_plan *const plan = &s->c->plan;
    const size_t each = rows_to_a_task(plan), first = index * each;
    const size_t count = plan->rows - first < each ? (size_t)(plan->rows - first) : each;
    (void)worker;
    s->c->ops->rows(plan, s->tables, &s->rows, first, count);
}

static void run_rows(step *s) {
    const fft_plan *const plan = &s->c->plan;
    team_run(s->c->team, step_rows, s, (size_t)word_ceil_div(plan->rows, rows_to_a_task(plan)));
}

// step_done: whether the convolution goes on.
static bool step_done(const fft_convolution *c) {
    return c->after_step == NULL || c->after_step(c->after_step_arg);
}

// term_rows: where term i of n goes modulo one prime. Sums go to and fro between two planes, so
// that the last is the result's.
static fft_row_step term_rows(const fft_convolution *c, unsigned prime, const fft_term *terms,
                              size_t i, size_t n) {
    double *const plane[2] = {c->planes[prime], c->sum};
    fft_row_step rows = {
        .x = plane[(n - 1 - i) % 2],
        .sum = i == 0 ? NULL : plane[(n - i) % 2],
        .subtract = terms[i].subtract,
        .stays = i + 1 < n,
    };
    if (c->prepared != NULL) {
        rows.mode = FFT_ROW_PREPARED;
        rows.y = (double *)(uintptr_t)c->prepared[prime];  // only read in this mode
    } else if (terms[i].square) {
        rows.mode = FFT_ROW_SQUARE;
    } else {
        rows.mode = FFT_ROW_MULTIPLY;
        rows.y = c->other;
    }
    return rows;
}

// term_step: forward columns of one term's operands, rows and their products. Here and below: false
// if the convolution ends.
static bool term_step(step *s) {
    const size_t n = strips(&s->c->plan);
    team_run(s->c->team, step_columns_forward, s, s->rows.mode == FFT_ROW_MULTIPLY ? 2 * n : n);
    if (!step_done(s->c)) {
        return false;
    }
    run_rows(s);
    return step_done(s->c);
}

// convolve_prime: all steps modulo one prime, each over the team.
static bool convolve_prime(const fft_convolution *c, unsigned prime, const fft_term *terms,
                           size_t terms_n) {
    step s = {.c = c, .tables = c->tables[prime]};
    assert(s.tables->lg >= fft_plan_table_lg(&c->plan));
    for (size_t i = 0; i < terms_n; i++) {
        s.rows = term_rows(c, prime, terms, i, terms_n);
        s.a = &terms[i].a;
        s.b = &terms[i].b;
        if (!term_step(&s)) {
            return false;
        }
    }
    team_run(c->team, step_columns_inverse, &s, strips(&c->plan));
    return step_done(c);
}

typedef struct {
    const fft_convolution *c;
    const fft_term *terms;
    size_t n;
} whole_prime;

// own_convolution: on one thread, with the second operand's plane and the sum's at `place` and
// that worker's buffer.
static fft_convolution own_convolution(const fft_convolution *c, size_t place, unsigned worker) {
    fft_convolution own = *c;
    const uint64_t plane = fft_plan_plane_bytes(&own.plan) / sizeof(double);
    own.team = NULL;
    own.after_step = NULL;
    own.buffers += worker * (fft_plan_buffer_bytes(&own.plan) / sizeof(double));
    own.other = own.other != NULL ? own.other + place * plane : NULL;
    own.sum = own.sum != NULL ? own.sum + place * plane : NULL;
    return own;
}

// A task: one prime on one thread, in planes of its own.
static void step_whole_prime(void *arg, size_t prime, unsigned worker) {
    const whole_prime *const w = arg;
    const fft_convolution own = own_convolution(w->c, prime, worker);
    convolve_prime(&own, (unsigned)prime, w->terms, w->n);
}

// steps_done: `count` steps at once.
static bool steps_done(const fft_convolution *c, size_t count) {
    while (count > 0 && step_done(c)) {
        count--;
    }
    return count == 0;
}

// --- Two threads ---
// A prime each, and of the last one the upper or the lower half of the rows: where operands fill no
// more than half of the rows, both children of the root begin as the operands do, and each is the
// root of a transform of its own, so that nothing crosses between threads before the inverse
// columns. Each operand is read twice, so both should fit a cache.

enum { LAST_PRIME = FFT_PRIMES_USED - 1, HALVES_POINTS = 1 << 16 };

static uint64_t half_rows(const fft_plan *plan) { return (uint64_t)1 << plan->lg_rows >> 1; }

static bool has_halves(const fft_convolution *c, const fft_term *terms, size_t n) {
    const uint64_t rows = half_rows(&c->plan), most = rows << c->plan.lg_columns;
    return n == 1 && c->prepared == NULL && c->plan.node == 0 && c->plan.rows > rows &&
           terms->a.count <= most && terms->b.count <= most && most <= HALVES_POINTS / 2;
}

// half_prime: rows of the last prime's half up to their products, on one thread.
static void half_prime(fft_convolution *own, const fft_term *term, unsigned half) {
    const uint64_t rows = half_rows(&own->plan), at = half * rows * own->plan.row_stride;
    step s = {.c = own, .tables = own->tables[LAST_PRIME], .a = &term->a, .b = &term->b};
    s.rows = term_rows(own, LAST_PRIME, term, 0, 1);
    s.rows.x += at;
    own->plan.rows = half == 0 ? rows : own->plan.rows - rows;
    own->plan.lg_rows--;
    own->plan.node = half;
    term_step(&s);
}

// A task: prime index / 2, or a half of the last one. It uses the planes of the worker that runs
// it, which may not be the one it was meant for; a worker runs one task at a time.
static void step_prime_or_half(void *arg, size_t index, unsigned worker) {
    const whole_prime *const w = arg;
    fft_convolution own = own_convolution(w->c, worker, worker);
    if (index % 2 == 0) {
        convolve_prime(&own, (unsigned)index / 2, w->terms, w->n);
    } else {
        half_prime(&own, w->terms, (unsigned)index / 2);
    }
}

static bool convolve_by_two(const fft_convolution *c, const fft_term *terms) {
    whole_prime w = {c, terms, 1};
    team_run(c->team, step_prime_or_half, &w, 4);
    if (!steps_done(c, fft_steps(1) - 1)) {
        return false;
    }
    step s = {.c = c, .tables = c->tables[LAST_PRIME], .rows = {.x = c->planes[LAST_PRIME]}};
    team_run(c->team, step_columns_inverse, &s, strips(&c->plan));
    return step_done(c);
}

bool fft_convolve(const fft_convolution *c, const fft_term *terms, size_t n) {
    const bool alone = c->others > 1 && team_size(c->team) > 1;
    const unsigned whole = !alone ? 0 : c->others < FFT_PRIMES_USED ? c->others : FFT_PRIMES_USED;
    unsigned prime = 0;
    assert(n >= 1 && !terms->subtract && (n == 1 || c->sum != NULL));
    if (whole == 2 && team_size(c->team) == 2 && has_halves(c, terms, n)) {
        return convolve_by_two(c, terms);
    }
    if (alone) {
        whole_prime w = {c, terms, n};
        team_run(c->team, step_whole_prime, &w, whole);
        prime = whole;
        if (!steps_done(c, whole * (fft_steps(n) / FFT_PRIMES_USED))) {
            return false;
        }
    }
    for (; prime < FFT_PRIMES_USED; prime++) {
        if (!convolve_prime(c, prime, terms, n)) {
            return false;
        }
    }
    return true;
}

void fft_prepare(const fft_convolution *c, const fft_digits *b) {
    for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
        step s = {.c = c,
                  .tables = c->tables[prime],
                  .rows = {.x = c->planes[prime], .mode = FFT_ROW_TRANSFORM, .stays = true},
                  .a = b};
        team_run(c->team, step_columns_forward, &s, strips(&c->plan));
        run_rows(&s);
    }
}

void fft_coefficients(uint64_t *out, const fft_convolution *c, uint64_t first, size_t n) {
    const uint64_t columns = (uint64_t)1 << c->plan.lg_columns;
    const double *const planes[FFT_PRIMES_USED] = {c->planes[0], c->planes[1], c->planes[2]};
    while (n > 0) {
        const uint64_t left = columns - first % columns;
        const size_t run = n < left ? n : (size_t)left;
        c->ops->coefficients(out, &c->plan, planes, first, run);
        out += run * FFT_COEFFICIENT_WORDS;
        first += run;
        n -= run;
    }
}

const fft_ops *fft_ops_for(cpu_features features) {
#if defined(__x86_64__)
    if (features.ifma) {
        return &fft_ops_ifma;
    }
    if (features.avx512) {
        return &fft_ops_avx512;
    }
    if (features.avx2) {
        return features.rounds ? &fft_ops_avx2_round : &fft_ops_avx2;
    }
#endif
    (void)features;
    return &fft_ops_portable;
}
