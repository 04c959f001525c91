// fixture.c: fixture.h.
#include "tests/fft/complex/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

complex_variants complex_variants_here(void) {
    complex_variants v = {1, {CPU_PORTABLE}};
    const cpu_features f = cpu_detect();
    if (f.avx2) {
        v.simd[v.count++] = CPU_AVX2;
    }
    if (f.avx512) {
        v.simd[v.count++] = CPU_AVX512;
    }
    return v;
}

void *complex_alloc(uint64_t bytes) {
    const size_t room = (size_t)((bytes + 127) / 64 * 64);
    void *const p = aligned_alloc(64, room);
    if (p == NULL) {
        fprintf(stderr, "no memory for a test\n");
        exit(1);
    }
    memset(p, 0xa5, room);
    return p;
}

double complex_get(fft_float type, const void *array, uint64_t i) {
    return type == FFT_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

void complex_set(fft_float type, void *array, uint64_t i, double value) {
    if (type == FFT_F64) {
        ((double *)array)[i] = value;
    } else {
        ((float *)array)[i] = (float)value;
    }
}

uint64_t complex_bytes(fft_float type, uint64_t floats) { return floats * fft_float_bytes(type); }

void complex_random(gen *g, fft_float type, void *array, uint64_t floats) {
    for (uint64_t i = 0; i < floats; i++) {
        complex_set(type, array, i, (double)(gen_u64(g) >> 40) * 0x1p-23 - 1);
    }
}

fft_reference_point *complex_exact(fft_float type, const void *array, uint64_t points) {
    fft_reference_point *const x = complex_alloc(points * sizeof *x);
    for (uint64_t i = 0; i < points; i++) {
        x[i].re = complex_get(type, array, 2 * i);
        x[i].im = complex_get(type, array, 2 * i + 1);
    }
    return x;
}

void complex_open(complex_with *w, const fft_complex_problem *problem, cpu_simd simd,
                  unsigned threads) {
    const char *const why = problem->right_angle
                                ? fft_product_plan(&w->plan, problem->type, problem->length)
                                : fft_complex_make(&w->plan, problem);
    if (why != NULL) {
        fprintf(stderr, "refused: %s\n", why);
        exit(1);
    }
    const uint64_t bytes = problem->right_angle ? fft_product_workspace_bytes(&w->plan, threads)
                                                : fft_complex_workspace_bytes(&w->plan, threads);
    w->tables = complex_alloc(fft_complex_table_bytes(&w->plan));
    w->workspace = complex_alloc(bytes);
    w->team_memory = complex_alloc(team_bytes(threads));
    fft_complex_tables(fft_complex_variant(simd, problem->type), &w->plan, w->tables);
    w->run = (fft_complex_run){.ops = fft_complex_variant(simd, problem->type),
                               .plan = &w->plan,
                               .tables = w->tables,
                               .workspace = w->workspace,
                               .team = threads > 1 ? team_start(w->team_memory, threads) : NULL};
}

void complex_close(complex_with *w) {
    team_stop(w->run.team);
    free(w->tables);
    free(w->workspace);
    free(w->team_memory);
}

double complex_unit(fft_float type) { return type == FFT_F64 ? 0x1p-53 : 0x1p-24; }

double complex_bound(const fft_complex_plan *plan) {
    double bound = 0;
    for (unsigned q = 0; q < plan->passes_n; q++) {
        const double r = plan->radix[q];
        bound += plan->radix[q] % 2 == 0 ? 4 * log2(r) : r > 1 ? 3 + 2 * r * sqrt(r) : 0;
    }
    return bound;
}

double complex_error(fft_float type, const void *x, const fft_reference_point *y, uint64_t n) {
    long double error = 0, norm = 0;
    for (uint64_t i = 0; i < n; i++) {
        const long double re = complex_get(type, x, 2 * i) - y[i].re;
        const long double im = complex_get(type, x, 2 * i + 1) - y[i].im;
        error += re * re + im * im;
        norm += y[i].re * y[i].re + y[i].im * y[i].im;
    }
    return (double)(norm > 0 ? sqrtl(error / norm) : sqrtl(error));
}
