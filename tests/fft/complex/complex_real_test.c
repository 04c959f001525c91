// Real transforms against the definition.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/complex/fixture.h"

typedef struct {
    fft_real_plan plan;
    void *tables, *workspace, *team_memory;
    fft_real_run run;
} real_with;

static void real_open(real_with *w, fft_float type, uint64_t n, uint64_t batch, uint64_t distance,
                      cpu_simd simd, unsigned threads) {
    ASSERT_TRUE(fft_real_make(&w->plan, type, n, batch, 2 * distance, distance) == NULL);
    w->tables = complex_alloc(fft_real_table_bytes(&w->plan));
    w->workspace = complex_alloc(fft_real_workspace_bytes(&w->plan, threads));
    w->team_memory = complex_alloc(team_bytes(threads));
    fft_real_tables(fft_complex_variant(simd, type), &w->plan, w->tables);
    w->run = (fft_real_run){.ops = fft_complex_variant(simd, type),
                            .plan = &w->plan,
                            .tables = w->tables,
                            .workspace = w->workspace,
                            .team = threads > 1 ? team_start(w->team_memory, threads) : NULL};
}

static void real_close(real_with *w) {
    team_stop(w->run.team);
    free(w->tables);
    free(w->workspace);
    free(w->team_memory);
}

// The half spectrum by the definition; of long lengths the first and last of it and some between.
static double half_spectrum_error(fft_float type, const void *x, const void *spectrum, uint64_t n) {
    fft_reference_point *const in = complex_alloc(n * sizeof *in);
    long double error = 0, norm = 0;
    for (uint64_t j = 0; j < n; j++) {
        in[j] = (fft_reference_point){complex_get(type, x, j), 0};
        norm += in[j].re * in[j].re;
    }
    const uint64_t step = n > 5000 ? n / 31 : 1;
    for (uint64_t k = 0; k <= n / 2; k += step) {
        const fft_reference_point want = fft_reference_at(in, n, k, 0, false);
        const long double re = complex_get(type, spectrum, 2 * k) - want.re;
        const long double im = complex_get(type, spectrum, 2 * k + 1) - want.im;
        error += re * re + im * im;
    }
    free(in);
    return (double)sqrtl(error / (norm * (long double)n));
}

// Forward against the definition, back against n times the input.
static void expect_real(fft_float type, uint64_t n, unsigned variant, void *first) {
    const complex_variants here = complex_variants_here();
    const uint64_t floats = n + 2;
    gen g = gen_seed(n);
    real_with w;
    real_open(&w, type, n, 1, n / 2 + 1, here.simd[variant], 1 + variant);
    void *const x = complex_alloc(complex_bytes(type, floats));
    void *const spectrum = complex_alloc(complex_bytes(type, floats));
    void *const back = complex_alloc(complex_bytes(type, floats));
    complex_random(&g, type, x, floats);
    fft_real_forward(&w.run, x, spectrum);
    const double unit = complex_unit(type);
    const double bound = (complex_bound(&w.plan.half) + 6) * unit;  // one level more, and 1 / 2
    if (variant == 0) {
        EXPECT_TRUE(half_spectrum_error(type, x, spectrum, n) <= bound);
        memcpy(first, spectrum, complex_bytes(type, floats));
    } else {
        EXPECT_TRUE(memcmp(first, spectrum, complex_bytes(type, floats)) == 0);
    }
    EXPECT_EQ(complex_get(type, spectrum, 1), 0.0);
    EXPECT_EQ(complex_get(type, spectrum, n + 1), 0.0);
    fft_real_inverse(&w.run, spectrum, back);
    long double error = 0, norm = 0;
    for (uint64_t j = 0; j < n; j++) {
        const long double want = complex_get(type, x, j);
        const long double d = complex_get(type, back, j) / (long double)n - want;
        error += d * d;
        norm += want * want;
    }
    EXPECT_TRUE(sqrtl(error / norm) <= 2 * bound);
    fft_real_forward(&w.run, x, x);  // in place
    EXPECT_TRUE(memcmp(x, spectrum, complex_bytes(type, floats)) == 0);
    fft_real_inverse(&w.run, x, x);
    EXPECT_TRUE(memcmp(x, back, complex_bytes(type, n)) == 0);
    real_close(&w);
    free(x);
    free(spectrum);
    free(back);
}

// Mutations: the sign of the odd part, w^k of the wrong k, a mirror off by one, the middle point
// h / 2 done twice, a vector that reaches its own mirror, the ends' imaginary parts.
TEST(ComplexReal, EqualsTheDefinition) {
    static const uint64_t lengths[] = {
        2,  4,  6,  8,  10,  12,  14,  16,  18,   20,   24,   30,      32,      40,     48,
        50, 54, 64, 96, 126, 128, 256, 420, 1024, 2250, 4096, 1 << 15, 1 << 17, 5 << 16};
    const unsigned variants = complex_variants_here().count;
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (unsigned type = 0; type < FFT_FLOATS; type++) {
            void *const first = complex_alloc(8 * (lengths[i] + 2));
            for (unsigned v = 0; v < variants; v++) {
                SCOPED_TRACE("length %llu, type %u, variant %u", (unsigned long long)lengths[i],
                             type, v);
                expect_real((fft_float)type, lengths[i], v, first);
            }
            free(first);
        }
    }
}

// Mutations: one distance for the other, the parts of a transform counted wrong.
TEST(ComplexReal, Batches) {
    static const uint64_t lengths[] = {6, 64, 1 << 14};
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const uint64_t n = lengths[i], batch = 5, distance = n / 2 + 3;
        SCOPED_TRACE("length %llu", (unsigned long long)n);
        real_with all, one;
        real_open(&all, FFT_F64, n, batch, distance, CPU_PORTABLE, 2);
        real_open(&one, FFT_F64, n, 1, distance, CPU_PORTABLE, 1);
        const uint64_t floats = 2 * distance * batch;
        double *const x = complex_alloc(floats * 8), *const y = complex_alloc(floats * 8);
        double *const want = complex_alloc(floats * 8);
        gen g = gen_seed(n);
        complex_random(&g, FFT_F64, x, floats);
        memcpy(y, x, floats * 8);
        memcpy(want, x, floats * 8);
        for (uint64_t b = 0; b < batch; b++) {
            fft_real_forward(&one.run, x + 2 * distance * b, want + 2 * distance * b);
        }
        fft_real_forward(&all.run, x, y);
        EXPECT_TRUE(memcmp(y, want, floats * 8) == 0);
        for (uint64_t b = 0; b < batch; b++) {
            fft_real_inverse(&one.run, want + 2 * distance * b, want + 2 * distance * b);
        }
        fft_real_inverse(&all.run, y, y);
        EXPECT_TRUE(memcmp(y, want, floats * 8) == 0);
        real_close(&all);
        real_close(&one);
        free(x);
        free(y);
        free(want);
    }
}
