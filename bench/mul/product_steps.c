// product_steps.c: product_steps.h over fft/device/modular/convolution.h,
// bigint/device/kernels/recombine_device.h and bigint/device/kernels/cluster/product.h.
#define _POSIX_C_SOURCE 199309L
#include "bench/mul/product_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/mul/product_gmp.h"
#include "bigint/device/kernels/cluster/product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "fft/device/modular/convolution.h"
#include "tests/support/device.h"

enum { COLUMNS, ROWS, INVERSE, HIGH, RECOMBINE, STEPS };
static const char *const names[] = {"columns", "rows", "inverse", "high", "recombine"};

// convolving: a plan, its tables and planes on the device.
typedef struct {
    fft_modular_plan plan;
    fft_modular_tables tables;
    double *x, *y;
    void *memory;
} convolving;

typedef struct {
    convolving whole, high;  // high: of what wraps around, if anything does
    uint64_t n, *a, *b, *r;  // on the device, as all below
    void *words[2];          // alternating, so that successive recombinations share none
    size_t words_bytes;
    unsigned *turn;
    int which;  // of the steps, STEPS: all of them
} steps;

// step_of: the group of primes that begins with prime `first`.
static fft_modular_step step_of(const convolving *c, unsigned first, cuda_stream stream) {
    return (fft_modular_step){&c->plan, &c->tables, first, fft_modular_group(&c->plan, first),
                              stream};
}

// x: planes of the group.
static bool transform(const steps *s, const convolving *c, const fft_modular_step *step, double *x,
                      int which) {
    const fft_modular_operand a = {s->a + 16, s->n}, b = {s->b + 16, s->n};
    return (which == COLUMNS ? fft_modular_columns(step, x, a, c->y, b)
            : which == ROWS  ? fft_modular_rows(step, x, c->y, FFT_ROW_MULTIPLY)
                             : fft_modular_inverse(step, x)) == RESULT_OK;
}

static bool high(const steps *s, const fft_modular_step *whole, double *x) {
    const convolving *const c = &s->high;
    if (s->whole.plan.wrapped == 0) {
        return true;
    }
    const fft_modular_step step = step_of(c, whole->first, whole->stream);
    return transform(s, c, &step, c->x, COLUMNS) && transform(s, c, &step, c->x, ROWS) &&
           transform(s, c, &step, c->x, INVERSE) &&
           fft_modular_unwrap(whole, x, &c->plan, c->x) == RESULT_OK;
}

static bool recombine(const steps *s, cuda_stream stream) {
    const fft_modular_plan *plan = &s->whole.plan;
    const recombine_residues residues = {
        s->whole.x,   fft_modular_plane(plan), plan->a_digits + plan->b_digits - 1,
        plan->primes, plan->digit_bits,        0,
        false};
    const recombine_signs signs = {s->r, s->a, s->b};
    return recombine_device(s->r + 16, 2 * s->n, &signs, &residues, s->words[(*s->turn)++ % 2],
                            s->words_bytes, stream) == RESULT_OK;
}

static bool at_once(const steps *s, cuda_stream stream) {
    const product_rows one =
        product_rows_of((product_item){s->r + 16, s->a + 16, s->b + 16, 2 * s->n, s->n, s->n});
    const recombine_signs signs = {s->r, s->a, s->b};
    return cluster_product(&one, &signs, false, &s->whole.plan, &s->whole.tables, stream) ==
           RESULT_OK;
}

static bool steps_enqueue(void *self, cuda_stream stream) {
    const steps *s = self;
    if (fft_modular_whole(&s->whole.plan)) {
        return at_once(s, stream);
    }
    const fft_modular_plan *const plan = &s->whole.plan;
    for (unsigned first = 0; first < plan->primes; first += FFT_PRIMES_USED) {
        const fft_modular_step step = step_of(&s->whole, first, stream);
        double *const x = s->whole.x + first * fft_modular_plane(plan);
        for (int i = 0; i < RECOMBINE; i++) {
            if ((s->which == STEPS || s->which == i) &&
                !(i == HIGH ? high(s, &step, x) : transform(s, &s->whole, &step, x, i))) {
                return false;
            }
        }
    }
    return (s->which != STEPS && s->which != RECOMBINE) || recombine(s, stream);
}

static bool convolving_open(convolving *c) {
    const size_t plane = fft_modular_plane(&c->plan) * sizeof(double);
    c->x = device_alloc(plane * c->plan.primes), c->y = device_alloc(plane * FFT_PRIMES_USED);
    c->memory = device_alloc(fft_modular_table_bytes(&c->plan));
    return c->x != NULL && c->y != NULL && c->memory != NULL &&
           fft_modular_tables_make(&c->tables, &c->plan, c->memory, NULL) == RESULT_OK;
}

static void convolving_close(convolving *c) {
    device_free(c->x), device_free(c->y), device_free(c->memory);
}

// Bytes that each step moves at least: words and planes once. 0 for steps that were not timed.
static void record_steps(const device_run *run, const char *topic, const steps *s,
                         const device_times *times, const device_times *product) {
    const double words = 8.0 * (double)s->n;
    const fft_modular_plan *plan = &s->whole.plan;
    const double point = 8.0 * plan->primes, plane = point * (double)fft_modular_points(plan);
    const double high =
        plan->wrapped == 0 ? 0 : point * 7 * (double)fft_modular_points(&s->high.plan);
    const double bytes[] = {2 * words + 2 * plane, 3 * plane, 2 * plane, high, plane + 2 * words};
    if (run->out == NULL) {
        return;
    }
    FILE *f = device_record_open(run, topic, 64 * s->n);
    fprintf(f,
            "\"primes\":%u,\"pieces\":%u,\"lg_outer\":%u,\"lg_rows\":%u,\"lg_columns\":%u,"
            "\"digit_bits\":%u,\"median_ns\":%.1f,",
            plan->primes, plan->pieces, plan->lg_outer, plan->lg_rows, plan->lg_columns,
            plan->digit_bits, product->median_ns);
    for (int i = 0; i < STEPS; i++) {
        if (times[i].samples > 0) {
            fprintf(f, "\"%s_ns\":%.1f,\"%s_bytes\":%.0f,", names[i], times[i].median_ns, names[i],
                    bytes[i]);
        }
    }
    device_record_close(run, f);
}

// plan_make: that shape, or the chosen one for NULL.
static bool plan_make(steps *s, const product_shape *forced) {
    fft_modular_plan *plan = &s->whole.plan, *of_high = &s->high.plan;
    if (forced == NULL) {
        return fft_modular_plan_limbs(plan, of_high, s->n, s->n, 0, true);
    }
    if (!fft_modular_plan_digits(plan, s->n, s->n, forced->primes, forced->most)) {
        return false;
    }
    plan->pieces = forced->pieces;
    plan->lg_outer = forced->lg_outer;
    plan->lg_rows = forced->lg_rows;
    plan->lg_columns = forced->lg_columns;
    return fft_modular_plan_shape(plan, of_high);
}

// steps_open: memory, operands and tables on the device.
static void steps_open(steps *s, const uint64_t *limbs[2]) {
    s->a = device_alloc(128 + 8 * s->n), s->b = device_alloc(128 + 8 * s->n);
    s->r = device_alloc(128 + 16 * s->n);
    s->words_bytes = recombine_device_bytes(2 * s->n);
    s->words[0] = device_alloc(s->words_bytes), s->words[1] = device_alloc(s->words_bytes);
    if (s->words[0] == NULL || !device_fill(s->words[0], 0, s->words_bytes) ||
        s->words[1] == NULL || !device_fill(s->words[1], 0, s->words_bytes) ||
        !device_fill(s->a, 0, 128) || !device_fill(s->b, 0, 128) ||
        !device_upload(s->a + 16, limbs[0], 8 * s->n) ||
        !device_upload(s->b + 16, limbs[1], 8 * s->n) || !convolving_open(&s->whole) ||
        (s->whole.plan.wrapped > 0 && !convolving_open(&s->high))) {
        product_stop("no memory", 64 * s->n);
    }
}

void product_steps(const device_run *run, const uint64_t *limbs[2], uint64_t n,
                   const product_shape *forced) {
    unsigned turn = 0;
    steps s = {.n = n, .turn = &turn};
    if (!plan_make(&s, forced)) {
        return;
    }
    steps_open(&s, limbs);
    const unsigned calls = n > UINT64_C(1) << 18 ? 2 : 10;
    steps each[STEPS + 1];
    device_side sides[STEPS + 1];
    for (int i = 0; i <= STEPS; i++) {
        each[i] = s;
        each[i].which = i;
        sides[i] = (device_side){steps_enqueue, &each[i], false};
    }
    device_times times[STEPS] = {0}, product;
    if (!device_time(NULL, &sides[STEPS], 1, calls, 7, &product)) {
        product_stop("a product failed", 64 * n);
    }
    uint64_t *r = program_memory(2 * n, 8, "a product");
    if (!device_download(r, s.r + 16, 16 * n)) {
        product_stop("a product failed", 64 * n);
    }
    const bool whole = forced != NULL && forced->whole;
    if (whole) {
        product_check_residues(r, limbs[0], limbs[1], n);
    } else {
        product_check(r, limbs[0], limbs[1], n, NULL);
    }
    free(r);
    const fft_modular_plan *plan = &s.whole.plan;
    printf("  steps %u primes %ux2^%ux2^%ux2^%u %u-bit%s, %llu wrapped:", plan->primes,
           plan->pieces, plan->lg_outer, plan->lg_rows, plan->lg_columns, plan->digit_bits,
           plan->balanced ? " balanced" : "", (unsigned long long)plan->wrapped);
    if (fft_modular_whole(plan)) {
        printf(" one launch");
    }
    for (int i = 0; i < STEPS && !fft_modular_whole(plan) && !whole; i++) {
        if ((i != HIGH || plan->wrapped > 0) &&
            !device_time(NULL, &sides[i], 1, calls, 7, &times[i])) {
            product_stop("a step failed", 64 * n);
        }
        printf(" %s %.1f", names[i], times[i].median_ns / 1e3);
    }
    printf(", all %.1f us (alone %.1f)\n", product.median_ns / 1e3, product.single_ns / 1e3);
    program_flush();
    record_steps(run, forced == NULL ? "product-steps" : "product-shapes", &s, times, &product);
    device_free(s.a), device_free(s.b), device_free(s.r);
    device_free(s.words[0]), device_free(s.words[1]);
    convolving_close(&s.whole), convolving_close(&s.high);
}
