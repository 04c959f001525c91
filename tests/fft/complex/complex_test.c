// Complex transforms against the definition: lengths, orders, directions, types, variants, batches,
// threads; what the plan promises; the tables' accuracy.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/complex/fixture.h"

// Every radix first, in the middle and last; every remainder of the power of 2; idle lanes; more
// columns than a vector and a part of one.
static const uint64_t lengths[] = {1,   2,   3,   4,   5,   6,   7,   8,   9,    10,   12,  14,
                                   15,  16,  20,  21,  24,  25,  27,  28,  30,   32,   35,  36,
                                   40,  42,  48,  49,  56,  60,  63,  64,  72,   96,   105, 120,
                                   128, 135, 243, 256, 343, 360, 512, 625, 1000, 1024, 1536};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

// The transform of `in` by its definition, in the plan's order where that is the output's.
static fft_reference_point *definition(const fft_complex_plan *plan, fft_direction direction,
                                       const fft_reference_point *in) {
    const uint64_t n = plan->problem.length;
    fft_reference_point *const out = complex_alloc(n * sizeof *out);
    fft_reference_point *const natural = complex_alloc(n * sizeof *out);
    const bool inverse = direction == FFT_INVERSE;
    for (uint64_t i = 0; i < n; i++) {
        natural[inverse ? fft_complex_frequency(plan, i) : i] = in[i];
    }
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t k = inverse ? i : fft_complex_frequency(plan, i);
        out[i] = fft_reference_at(natural, n, k, 0, inverse);
    }
    free(natural);
    return out;
}

static void expect_equals_definition(fft_float type, fft_order order, fft_direction direction,
                                     uint64_t n) {
    const complex_variants here = complex_variants_here();
    gen g = gen_seed(n);
    void *const in = complex_alloc(complex_bytes(type, 2 * n));
    void *const out = complex_alloc(complex_bytes(type, 2 * n));
    void *const first = complex_alloc(complex_bytes(type, 2 * n));
    complex_random(&g, type, in, 2 * n);
    fft_reference_point *const x = complex_exact(type, in, n), *want = NULL;
    for (unsigned v = 0; v < here.count; v++) {
        SCOPED_TRACE("length %llu, %s, variant %s", (unsigned long long)n,
                     type == FFT_F64 ? "F64" : "F32", cpu_simd_name(here.simd[v]));
        const fft_complex_problem problem = {type, order, false, n, 1, n};
        complex_with w;
        complex_open(&w, &problem, here.simd[v], 1);
        fft_complex_execute(&w.run, direction, in, out);
        if (v == 0) {
            want = definition(&w.plan, direction, x);
            const double error = complex_error(type, out, want, n);
            EXPECT_TRUE(error <= complex_bound(&w.plan) * complex_unit(type));
            memcpy(first, out, complex_bytes(type, 2 * n));
        } else {  // bit for bit: the operations do not depend on the variant
            EXPECT_TRUE(memcmp(first, out, complex_bytes(type, 2 * n)) == 0);
        }
        fft_complex_execute(&w.run, direction, in, in);
        EXPECT_TRUE(memcmp(first, in, complex_bytes(type, 2 * n)) == 0);
        for (uint64_t i = 0; i < n; i++) {
            complex_set(type, in, 2 * i, (double)x[i].re);
            complex_set(type, in, 2 * i + 1, (double)x[i].im);
        }
        complex_close(&w);
    }
    free(in);
    free(out);
    free(first);
    free(x);
    free(want);
}

typedef struct {
    fft_float type;
    fft_order order;
    fft_direction direction;
    const char *name;
} kind;
static const kind kinds[] = {
    {FFT_F64, FFT_NATURAL, FFT_FORWARD, "F64NaturalForward"},
    {FFT_F64, FFT_NATURAL, FFT_INVERSE, "F64NaturalInverse"},
    {FFT_F64, FFT_REVERSED, FFT_FORWARD, "F64ReversedForward"},
    {FFT_F64, FFT_REVERSED, FFT_INVERSE, "F64ReversedInverse"},
    {FFT_F32, FFT_NATURAL, FFT_FORWARD, "F32NaturalForward"},
    {FFT_F32, FFT_NATURAL, FFT_INVERSE, "F32NaturalInverse"},
    {FFT_F32, FFT_REVERSED, FFT_FORWARD, "F32ReversedForward"},
    {FFT_F32, FFT_REVERSED, FFT_INVERSE, "F32ReversedInverse"},
};

static void kind_label(char *text, size_t bytes, const kind *k) {
    snprintf(text, bytes, "%s", k->name);
}

// Mutations: a twiddle of the wrong node, quarter turns exchanged, a sign of i, a DFT's constant, a
// child at the wrong place, a lane too many, columns past a vector left out, real and imaginary
// parts not exchanged for the natural inverse, in place read after it was written.
TEST_EACH(Complex, EqualsTheDefinition, kind, kinds, kind_label) {
    for (unsigned i = 0; i < LENGTHS; i++) {
        expect_equals_definition(p->type, p->order, p->direction, lengths[i]);
    }
}

// long_case: lengths of several rows, where a plane's rows, strips and their ends come in. Some
// outputs by the definition; all of them by Parseval's sum, which catches any that is lost.
typedef struct {
    uint64_t length;
} long_case;
static const long_case long_cases[] = {
    {1 << 16}, {1 << 17}, {3 << 15}, {1 << 18}, {4096 * 105}, {343 * 625}, {59049 * 3}, {5 << 17},
};

static void long_label(char *text, size_t bytes, const long_case *c) {
    snprintf(text, bytes, "%llu", (unsigned long long)c->length);
}

static long double sum_of_squares(const double *x, uint64_t n) {
    long double sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum += (long double)x[i] * x[i];
    }
    return sum;
}

static void expect_long(const long_case *c, fft_order order, fft_direction direction) {
    enum { SAMPLES = 5 };
    const complex_variants here = complex_variants_here();
    const uint64_t n = c->length, bytes = 2 * n * sizeof(double);
    gen g = gen_seed(n);
    double *const in = complex_alloc(bytes), *const out = complex_alloc(bytes);
    double *const first = complex_alloc(bytes);
    complex_random(&g, FFT_F64, in, 2 * n);
    for (unsigned v = 0; v < here.count; v++) {
        SCOPED_TRACE("variant %s", cpu_simd_name(here.simd[v]));
        const fft_complex_problem problem = {FFT_F64, order, false, n, 1, n};
        complex_with w;
        complex_open(&w, &problem, here.simd[v], 1 + v);
        EXPECT_TRUE(w.plan.rows > 1);
        fft_complex_execute(&w.run, direction, in, out);
        if (v > 0) {
            EXPECT_TRUE(memcmp(first, out, bytes) == 0);
        } else {
            const bool inverse = direction == FFT_INVERSE;
            fft_reference_point *const x = complex_alloc(n * sizeof *x);
            memcpy(first, out, bytes);
            for (uint64_t i = 0; i < n; i++) {
                const uint64_t at = inverse ? fft_complex_address(&w.plan, i) : i;
                x[i] = (fft_reference_point){in[2 * at], in[2 * at + 1]};
            }
            const double bound = complex_bound(&w.plan) * 0x1p-53;
            const double norm = (double)sqrtl(sum_of_squares(out, 2 * n));
            for (unsigned i = 0; i < SAMPLES; i++) {
                const uint64_t k = gen_below(&g, n);
                const uint64_t at = inverse ? k : fft_complex_address(&w.plan, k);
                const fft_reference_point want = fft_reference_at(x, n, k, 0, inverse);
                EXPECT_TRUE(fabs(out[2 * at] - (double)want.re) <= bound * norm);
                EXPECT_TRUE(fabs(out[2 * at + 1] - (double)want.im) <= bound * norm);
            }
            const long double ratio = sum_of_squares(out, 2 * n) / sum_of_squares(in, 2 * n);
            EXPECT_TRUE(fabsl(ratio / (long double)n - 1) <= 3 * bound);
            free(x);
        }
        complex_close(&w);
    }
    free(in);
    free(out);
    free(first);
}

// Mutations: a strip's end, the stride of rows, the frequency of a row, a strip or a row left out
// or done twice, a thread's buffer shared.
TEST_EACH(Complex, LongLengths, long_case, long_cases, long_label) {
    expect_long(p, FFT_NATURAL, FFT_FORWARD);
    expect_long(p, FFT_NATURAL, FFT_INVERSE);
    expect_long(p, FFT_REVERSED, FFT_FORWARD);
    expect_long(p, FFT_REVERSED, FFT_INVERSE);
}

// All of a long transform against plain radix 2. Mutation: any point of any row.
TEST(Complex, EqualsPlainRadix2) {
    const uint64_t n = 1 << 17;
    const fft_complex_problem problem = {FFT_F64, FFT_NATURAL, false, n, 1, n};
    const complex_variants here = complex_variants_here();
    gen g = gen_seed(7);
    complex_with w;
    complex_open(&w, &problem, here.simd[here.count - 1], 2);
    double *const x = complex_alloc(2 * n * sizeof *x);
    complex_random(&g, FFT_F64, x, 2 * n);
    fft_reference_point *const want = complex_exact(FFT_F64, x, n);
    fft_reference_point *const roots = complex_alloc(n * sizeof *roots);
    fft_reference_roots(roots, n);
    fft_reference_radix2(want, roots, n);
    fft_complex_execute(&w.run, FFT_FORWARD, x, x);
    EXPECT_TRUE(complex_error(FFT_F64, x, want, n) <= complex_bound(&w.plan) * 0x1p-53);
    complex_close(&w);
    free(x);
    free(want);
    free(roots);
}

// An impulse gives the roots of unity, and one at 0 exact ones; a constant gives n exactly, and at
// most rounding elsewhere. Mutation: a table's entry off by an ulp or two.
TEST(Complex, ImpulsesAndConstants) {
    for (unsigned i = 0; i < LENGTHS; i++) {
        const uint64_t n = lengths[i];
        SCOPED_TRACE("length %llu", (unsigned long long)n);
        const fft_complex_problem problem = {FFT_F64, FFT_NATURAL, false, n, 1, n};
        complex_with w;
        complex_open(&w, &problem, CPU_PORTABLE, 1);
        double *const x = complex_alloc(2 * n * sizeof *x), *const y =
                                                                complex_alloc(2 * n * sizeof *y);
        memset(x, 0, 2 * n * sizeof *x);
        x[0] = 1;
        fft_complex_execute(&w.run, FFT_FORWARD, x, y);
        for (uint64_t k = 0; k < n; k++) {
            EXPECT_EQ(y[2 * k], 1.0);
            EXPECT_EQ(y[2 * k + 1], 0.0);
        }
        const uint64_t j = n - 1;
        x[0] = 0;
        x[2 * j] = 1;
        fft_complex_execute(&w.run, FFT_FORWARD, x, y);
        fft_reference_point *const impulse = complex_exact(FFT_F64, x, n);
        for (uint64_t k = 0; k < n; k++) {
            const fft_reference_point want = fft_reference_at(impulse, n, k, 0, false);
            EXPECT_TRUE(hypot(y[2 * k] - (double)want.re, y[2 * k + 1] - (double)want.im) <=
                        complex_bound(&w.plan) * 0x1p-53);
        }
        for (uint64_t k = 0; k < 2 * n; k++) {
            x[k] = k % 2 == 0 ? 1 : 0;
        }
        fft_complex_execute(&w.run, FFT_FORWARD, x, y);
        EXPECT_EQ(y[0], (double)n);
        for (uint64_t k = 1; k < n; k++) {
            EXPECT_TRUE(hypot(y[2 * k], y[2 * k + 1]) <=
                        complex_bound(&w.plan) * 0x1p-53 * (double)n);
        }
        complex_close(&w);
        free(impulse);
        free(x);
        free(y);
    }
}

// A batch is what its items are by themselves, and touches nothing between them. Mutations:
// distance taken for length, the last task's items, a worker's plane shared.
TEST(Complex, BatchesWithDistances) {
    static const uint64_t some[] = {1, 6, 8, 12, 120, 1024, 1 << 16};
    for (unsigned i = 0; i < sizeof some / sizeof some[0]; i++) {
        for (unsigned threads = 1; threads <= 3; threads++) {
            const uint64_t n = some[i], batch = n < 2000 ? 2 * (8192 / n) + 3 : 3, gap = 5;
            SCOPED_TRACE("length %llu, %u threads", (unsigned long long)n, threads);
            const uint64_t floats = 2 * batch * (n + gap);
            const fft_complex_problem all = {FFT_F64, FFT_NATURAL, false, n, batch, n + gap};
            const fft_complex_problem one = {FFT_F64, FFT_NATURAL, false, n, 1, n};
            const complex_variants here = complex_variants_here();
            gen g = gen_seed(n);
            complex_with wa, w1;
            complex_open(&wa, &all, here.simd[here.count - 1], threads);
            complex_open(&w1, &one, here.simd[here.count - 1], 1);
            double *const x = complex_alloc(floats * 8), *const y = complex_alloc(floats * 8);
            double *const want = complex_alloc(floats * 8);
            complex_random(&g, FFT_F64, x, floats);
            memcpy(y, x, floats * 8);
            memcpy(want, x, floats * 8);
            for (uint64_t b = 0; b < batch; b++) {
                const uint64_t at = 2 * b * (n + gap);
                fft_complex_execute(&w1.run, FFT_INVERSE, x + at, want + at);
            }
            fft_complex_execute(&wa.run, FFT_INVERSE, x, y);
            EXPECT_TRUE(memcmp(y, want, floats * 8) == 0);
            complex_close(&wa);
            complex_close(&w1);
            free(x);
            free(y);
            free(want);
        }
    }
}

// Inputs stay as they are, and unaligned arrays are read and written right. Mutation: an aligned
// load of the caller's points.
TEST(Complex, InputKeptAndUnaligned) {
    const complex_variants here = complex_variants_here();
    const uint64_t n = 24 * 64;
    for (unsigned v = 0; v < here.count; v++) {
        const fft_complex_problem problem = {FFT_F32, FFT_NATURAL, false, n, 1, n};
        complex_with w;
        complex_open(&w, &problem, here.simd[v], 1);
        float *const x = complex_alloc(8 * n + 64), *const y = complex_alloc(8 * n + 64);
        float *const copy = complex_alloc(8 * n + 64);
        gen g = gen_seed(v);
        complex_random(&g, FFT_F32, x, 2 * n + 1);
        memcpy(copy, x, 8 * n + 4);
        fft_complex_execute(&w.run, FFT_FORWARD, x + 1, y + 1);
        EXPECT_TRUE(memcmp(x, copy, 8 * n + 4) == 0);
        fft_complex_execute(&w.run, FFT_FORWARD, x + 1, x + 1);
        EXPECT_TRUE(memcmp(x + 1, y + 1, 8 * n) == 0);
        complex_close(&w);
        free(x);
        free(y);
        free(copy);
    }
}

// Points and planes so long that they are written past the caches, aligned and not; back from
// there is where it began. Mutations: an alignment that is not asked for, a fence, a plane's cells
// streamed to the wrong place.
TEST(Complex, StreamedThereAndBack) {
    const uint64_t n = 1 << 21, bytes = 2 * n * sizeof(double);
    const fft_complex_problem problem = {FFT_F64, FFT_NATURAL, false, n, 1, n};
    const complex_variants here = complex_variants_here();
    gen g = gen_seed(21);
    double *const x = complex_alloc(bytes), *const y = complex_alloc(bytes + 64);
    double *const first = complex_alloc(bytes);
    complex_random(&g, FFT_F64, x, 2 * n);
    for (unsigned v = 0; v < here.count; v++) {
        complex_with w;
        complex_open(&w, &problem, here.simd[v], 2);
        double *const spectrum = v == 0 ? first : y + v - 1;  // aligned for avx2, not for avx512
        fft_complex_execute(&w.run, FFT_FORWARD, x, spectrum);
        EXPECT_TRUE(memcmp(first, spectrum, bytes) == 0);
        fft_complex_execute(&w.run, FFT_INVERSE, spectrum, spectrum);
        long double error = 0;
        for (uint64_t i = 0; i < 2 * n; i++) {
            const long double d = spectrum[i] / (double)n - x[i];
            error += d * d;
        }
        EXPECT_TRUE(sqrtl(error / sum_of_squares(x, 2 * n)) <=
                    2 * complex_bound(&w.plan) * 0x1p-53);
        if (v == 0) {
            fft_complex_execute(&w.run, FFT_FORWARD, x, first);
        }
        complex_close(&w);
    }
    free(x);
    free(y);
    free(first);
}
