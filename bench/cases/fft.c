// fft.c: complex and real transforms of doubles against FFTW, forward, natural order, out of
// place; checked against it, and both measured against plain radix 2 in long double.
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/cases/cases.h"
#include "bench/fftw.h"
#include "fft/complex/complex.h"
#include "fft/complex/reference.h"
#include "tests/support/gen.h"

// transform: both sides of a row. values: n complex or n real doubles; spectrum: `points` complex.
typedef struct {
    bool real;
    uint64_t n, points;
    fft_complex_plan plan;
    fft_real_plan real_plan;
    fft_complex_run run;
    fft_real_run real_run;
    double *values, *ours, *theirs;
    void *tables, *workspace, *team_memory;
    bench_fftw fftw;
    void *fftw_plan;
} transform;

static bool available(void) {
    bench_fftw fftw;
    return bench_fftw_load(&fftw);
}

// Large pages where the system has them: both sides' arrays alike.
static void *array(uint64_t bytes) {
    const size_t page = (size_t)1 << 21, room = (size_t)((bytes + page) / page * page);
    void *const p = aligned_alloc(page, room);
    if (p != NULL) {
        madvise(p, room, MADV_HUGEPAGE);
        memset(p, 0, room);
    }
    return p;
}

static void finish(bench_state *s) {
    transform *const t = s->own;
    team_stop(t->real ? t->real_run.team : t->run.team);
    if (t->fftw_plan != NULL) {
        t->fftw.destroy_plan(t->fftw_plan);
    }
    void *const arrays[] = {t->values,    t->ours,        t->theirs, t->tables,
                            t->workspace, t->team_memory, t};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
    s->own = NULL;
}

static bool fail(bench_state *s, const char *why) {
    snprintf(s->error, sizeof s->error, "%s", why);
    return false;
}

static void describe(bench_state *s, const fft_complex_plan *p, cpu_simd simd) {
    size_t at = (size_t)snprintf(s->plan, sizeof s->plan, "%u lanes, %llu x %llu, radices",
                                 (unsigned)p->lanes, (unsigned long long)p->rows,
                                 (unsigned long long)p->columns);
    for (unsigned q = 0; q < p->passes_n; q++) {
        at += (size_t)snprintf(s->plan + at, sizeof s->plan - at, " %u", (unsigned)p->radix[q]);
    }
    s->engine = "fft";
    s->variant = cpu_simd_name(simd);
}

// The variant asked for by name, or the widest; ifma is avx512 here.
static cpu_simd simd_of(const bench_state *s) {
    const char *const name = s->options.variant;
    cpu_simd simd = cpu_best_simd(cpu_detect());
    while (name != NULL && simd > CPU_PORTABLE && strcmp(name, "ifma") != 0 &&
           strcmp(name, cpu_simd_name(simd)) != 0) {
        simd--;
    }
    return simd;
}

static bool make_plan(transform *t, unsigned threads, uint64_t *tables, uint64_t *workspace) {
    if (t->real) {
        const bool ok = fft_real_make(&t->real_plan, FFT_F64, t->n, 1, t->n, t->points) == NULL;
        *tables = ok ? fft_real_table_bytes(&t->real_plan) : 0;
        *workspace = ok ? fft_real_workspace_bytes(&t->real_plan, threads) : 0;
        return ok;
    }
    const fft_complex_problem problem = {
        .type = FFT_F64, .order = FFT_NATURAL, .length = t->n, .batch = 1, .distance = t->n};
    const bool ok = fft_complex_make(&t->plan, &problem) == NULL;
    *tables = ok ? fft_complex_table_bytes(&t->plan) : 0;
    *workspace = ok ? fft_complex_workspace_bytes(&t->plan, threads) : 0;
    return ok;
}

static bool prepare_any(bench_state *s, const bench_row *row, bool real) {
    transform *const t = calloc(1, sizeof *t);
    const unsigned threads = s->options.threads > 0 ? s->options.threads : 1;
    const cpu_simd simd = simd_of(s);
    uint64_t tables, workspace;
    if (t == NULL || !bench_fftw_load(&t->fftw)) {
        free(t);
        return fail(s, "no memory, or no FFTW");
    }
    s->own = t;
    t->real = real;
    t->n = row->an;
    t->points = real ? t->n / 2 + 1 : t->n;
    if (!make_plan(t, threads, &tables, &workspace)) {
        return fail(s, "no plan");
    }
    const uint64_t doubles = 2 * t->points;
    t->values = array(doubles * sizeof(double));
    t->ours = array(doubles * sizeof(double));
    t->theirs = array(doubles * sizeof(double));
    t->tables = array(tables);
    t->workspace = array(workspace);
    t->team_memory = array(team_bytes(threads));
    if (!t->values || !t->ours || !t->theirs || !t->tables || !t->workspace || !t->team_memory) {
        return fail(s, "no memory");
    }
    team *const members = threads > 1 ? team_start(t->team_memory, threads) : NULL;
    const fft_complex_ops *const ops = fft_complex_variant(simd, FFT_F64);
    t->run = (fft_complex_run){ops, &t->plan, t->tables, t->workspace, members};
    t->real_run = (fft_real_run){ops, &t->real_plan, t->tables, t->workspace, members};
    describe(s, real ? &t->real_plan.half : &t->plan, simd);
    if (real) {
        fft_real_tables(ops, &t->real_plan, t->tables);
        t->fftw_plan = t->fftw.plan_dft_r2c_1d((int)t->n, t->values, t->theirs, BENCH_FFTW_MEASURE);
    } else {
        fft_complex_tables(ops, &t->plan, t->tables);
        t->fftw_plan = t->fftw.plan_dft_1d((int)t->n, t->values, t->theirs, BENCH_FFTW_FORWARD,
                                           BENCH_FFTW_MEASURE);
    }
    gen g = gen_seed(1);
    for (uint64_t i = 0; i < (real ? t->n : doubles); i++) {  // planning has written them
        t->values[i] = (double)(int64_t)gen_u64(&g) * 0x1p-63;
    }
    return t->fftw_plan != NULL || fail(s, "FFTW has no plan");
}

static bool prepare_complex(bench_state *s, const bench_row *row) {
    return prepare_any(s, row, false);
}
static bool prepare_real(bench_state *s, const bench_row *row) { return prepare_any(s, row, true); }

static bool ours(void *state) {
    const transform *const t = ((bench_state *)state)->own;
    if (t->real) {
        fft_real_forward(&t->real_run, t->values, t->ours);
    } else {
        fft_complex_execute(&t->run, FFT_FORWARD, t->values, t->ours);
    }
    return true;
}

static bool theirs(void *state) {
    const transform *const t = ((bench_state *)state)->own;
    t->fftw.execute(t->fftw_plan);
    return true;
}

// |x - y| / |y| in the L2 norm over the points.
static double distance(const double *x, const fft_reference_point *y, uint64_t points) {
    long double error = 0, norm = 0;
    for (uint64_t i = 0; i < points; i++) {
        const long double re = x[2 * i] - y[i].re, im = x[2 * i + 1] - y[i].im;
        error += re * re + im * im;
        norm += y[i].re * y[i].re + y[i].im * y[i].im;
    }
    return (double)sqrtl(error / norm);
}

// expect: the errors of both sides against the reference.
static bool expect(bench_state *s) {
    const transform *const t = s->own;
    fft_reference_point *const x = array(t->n * sizeof *x), *const w = array(t->n * sizeof *w);
    const bool ok = x != NULL && w != NULL;
    if (ok) {
        for (uint64_t i = 0; i < t->n; i++) {
            x[i] = t->real ? (fft_reference_point){t->values[i], 0}
                           : (fft_reference_point){t->values[2 * i], t->values[2 * i + 1]};
        }
        fft_reference_roots(w, t->n);
        fft_reference_radix2(x, w, t->n);
        ours(s);
        theirs(s);
        s->error_l2 = distance(t->ours, x, t->points);
        s->rival_error_l2 = distance(t->theirs, x, t->points);
    }
    free(x);
    free(w);
    return ok || fail(s, "no memory for the reference");
}

// Two right spectra differ by at most both sides' errors: 4 u a level of ours (complex.h), and room
// for as much of the rival's.
static bool check(void *state) {
    bench_state *const s = state;
    const transform *const t = s->own;
    const double bound = 8 * (log2((double)t->n) + 2) * 0x1p-53;
    double error = 0, norm = 0;
    for (uint64_t i = 0; i < 2 * t->points; i++) {
        error += (t->ours[i] - t->theirs[i]) * (t->ours[i] - t->theirs[i]);
        norm += t->theirs[i] * t->theirs[i];
    }
    if (!(error <= bound * bound * norm)) {
        snprintf(s->error, sizeof s->error, "WRONG: relative distance %g from FFTW's",
                 sqrt(error / norm));
        return false;
    }
    return true;
}

// Fused operations of levels of radix 2: 6 a butterfly (complex.h); a real transform has one level
// of 4 on half the points.
static double operations(const bench_row *row) {
    return 3.0 * (double)row->an * log2((double)row->an);
}
static double real_operations(const bench_row *row) {
    const double half = (double)row->an / 2;
    return 3 * half * log2(half) + 4 * half;
}

// What both cases say alike.
#define TRANSFORM_CASE                                                                            \
    .unit = UNIT_POINTS, .rival = "FFTW", .available = available, .ours = ours, .theirs = theirs, \
    .expect = expect, .check = check, .finish = finish, .work = WORK_OPERATIONS

const bench_case bench_case_fft = {
    .name = "fft",
    .op = "forward",
    .prepare = prepare_complex,
    .operations = operations,
    TRANSFORM_CASE,
};

const bench_case bench_case_rfft = {
    .name = "rfft",
    .op = "forward real",
    .prepare = prepare_real,
    .operations = real_operations,
    TRANSFORM_CASE,
};
