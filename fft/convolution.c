// convolution.c: the steps of one convolution in order, over a team of threads. May include fft.h
// and primitives/.
#include <assert.h>

#include "fft/fft.h"
#include "primitives/word.h"

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

static void step_done(const fft_convolution *c) {
    if (c->after_step != NULL) {
        c->after_step(c->after_step_arg);
    }
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

// convolve_prime: all steps modulo one prime, each over the team.
static void convolve_prime(const fft_convolution *c, unsigned prime, const fft_term *terms,
                           size_t terms_n) {
    const size_t n = strips(&c->plan);
    step s = {.c = c, .tables = c->tables[prime]};
    assert(s.tables->lg >= fft_plan_table_lg(&c->plan));
    for (size_t i = 0; i < terms_n; i++) {
        s.rows = term_rows(c, prime, terms, i, terms_n);
        s.a = &terms[i].a;
        s.b = &terms[i].b;
        team_run(c->team, step_columns_forward, &s, s.rows.mode == FFT_ROW_MULTIPLY ? 2 * n : n);
        step_done(c);
        run_rows(&s);
        step_done(c);
    }
    team_run(c->team, step_columns_inverse, &s, n);
    step_done(c);
}

typedef struct {
    const fft_convolution *c;
    const fft_term *terms;
    size_t n;
} whole_prime;

// A task: one prime on one thread, in planes of its own and that worker's buffer.
static void step_whole_prime(void *arg, size_t prime, unsigned worker) {
    const whole_prime *const w = arg;
    fft_convolution own = *w->c;
    const uint64_t plane = fft_plan_plane_bytes(&own.plan) / sizeof(double);
    own.team = NULL;
    own.after_step = NULL;
    own.buffers += worker * (fft_plan_buffer_bytes(&own.plan) / sizeof(double));
    own.other = own.other != NULL ? own.other + prime * plane : NULL;
    own.sum = own.sum != NULL ? own.sum + prime * plane : NULL;
    convolve_prime(&own, (unsigned)prime, w->terms, w->n);
}

void fft_convolve(const fft_convolution *c, const fft_term *terms, size_t n) {
    const bool alone = c->others > 1 && team_size(c->team) > 1;
    const unsigned whole = !alone ? 0 : c->others < FFT_PRIMES_USED ? c->others : FFT_PRIMES_USED;
    unsigned prime = 0;
    assert(n >= 1 && !terms->subtract && (n == 1 || c->sum != NULL));
    if (alone) {
        whole_prime w = {c, terms, n};
        team_run(c->team, step_whole_prime, &w, whole);
        for (; prime < whole; prime++) {
            for (size_t i = 0; i < fft_steps(n) / FFT_PRIMES_USED; i++) {
                step_done(c);
            }
        }
    }
    for (; prime < FFT_PRIMES_USED; prime++) {
        convolve_prime(c, prime, terms, n);
    }
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
        return &fft_ops_avx2;
    }
#endif
    (void)features;
    return &fft_ops_portable;
}
