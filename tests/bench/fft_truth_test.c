// fft_truth_test.c: the transforms that a benchmark's results are held against, by the reference
// executor of index-digit plans; and errors, by results that are off by a known amount.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fft/truth.h"
#include "fft/index_digit/reference.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { LG = 10, LENGTH = 1 << LG, BATCH = 3, ITEMS = BATCH * (LENGTH + 2) };

static fft_id_complex input[ITEMS], output[ITEMS], room[4 * LENGTH];
static double scalars[2 * ITEMS];
static float singles[2 * ITEMS];

static bool make_truth(fft_truth *t) {
    t->items = device_alloc(fft_truth_bytes(LG, BATCH));
    t->roots = device_alloc(FFT_TRUTH_ROOTS_BYTES);
    t->sums = device_alloc(FFT_TRUTH_SUMS_BYTES);
    return t->items != NULL && t->roots != NULL && t->sums != NULL && fft_truth_roots(t);
}

static void free_truth(const fft_truth *t) {
    device_free(t->items);
    device_free(t->roots);
    device_free(t->sums);
}

// take: an array's items to `scalars`, whatever their precision.
static bool take(const fft_truth_array *x) {
    const size_t bytes = fft_truth_array_bytes(x);
    if (!x->single) {
        return device_download(scalars, x->items, bytes);
    }
    const bool ok = device_download(singles, x->items, bytes);
    for (size_t i = 0; i < bytes / 4; i++) {
        scalars[i] = singles[i];
    }
    return ok;
}

static bool give(const fft_truth_array *y) {
    const size_t bytes = fft_truth_array_bytes(y);
    if (!y->single) {
        return device_upload(y->items, scalars, bytes);
    }
    for (size_t i = 0; i < bytes / 4; i++) {
        singles[i] = (float)scalars[i];
    }
    return device_upload(y->items, singles, bytes);
}

static size_t reversed(size_t i, unsigned n) {
    size_t r = 0;
    for (unsigned d = 0; d < n; d++) {
        r |= (i >> d & 1) << (n - 1 - d);
    }
    return r;
}

// spread: `scalars` as an array of that form to complex numbers; gather: back.
static void spread(const fft_truth_array *x, fft_id_complex *to) {
    const size_t n = (size_t)1 << x->lg;
    for (size_t b = 0; b < x->batch; b++) {
        for (size_t k = 0; k < n; k++) {
            const double *s;
            switch (x->form) {
                case FFT_TRUTH_COMPLEX:
                    s = scalars + 2 * (b * n + (x->reversed ? reversed(k, x->lg) : k));
                    to[b * n + k] = (fft_id_complex){s[0], s[1]};
                    break;
                case FFT_TRUTH_REAL:
                    to[b * n + k] = (fft_id_complex){scalars[b * n + k], 0};
                    break;
                case FFT_TRUTH_HALF:
                    s = scalars + 2 * (b * (n / 2 + 1) + (k <= n / 2 ? k : n - k));
                    to[b * n + k] = (fft_id_complex){s[0], k <= n / 2 ? s[1] : -s[1]};
                    break;
            }
        }
    }
}

static void gather(const fft_truth_array *y, const fft_id_complex *from) {
    const size_t n = (size_t)1 << y->lg;
    const size_t numbers = y->form == FFT_TRUTH_HALF ? n / 2 + 1 : n;
    for (size_t b = 0; b < y->batch; b++) {
        for (size_t k = 0; k < numbers; k++) {
            const fft_id_complex v = from[b * n + k];
            const size_t at = b * numbers + (y->reversed ? reversed(k, y->lg) : k);
            if (y->form == FFT_TRUTH_REAL) {
                scalars[at] = v.re;
            } else {
                scalars[2 * at] = v.re;
                scalars[2 * at + 1] = v.im;
            }
        }
    }
}

// exact_error: of `scalars` as the transform of `input`, by a DFT in long double.
static double exact_error(const fft_truth_array *y, bool inverse) {
    const size_t n = (size_t)1 << y->lg, numbers = y->form == FFT_TRUTH_HALF ? n / 2 + 1 : n;
    const long double turn = (inverse ? 2 : -2) * 3.141592653589793238462643383279502884L;
    long double errors = 0, squares = 0;
    for (size_t i = 0; i < y->batch * numbers; i++) {
        const size_t b = i / numbers, k = i % numbers;
        const size_t at = b * numbers + (y->reversed ? reversed(k, y->lg) : k);
        long double re = 0, im = 0;
        for (size_t j = 0; j < n; j++) {
            const long double angle = turn * (long double)(j * k % n) / (long double)n;
            const fft_id_complex v = input[b * n + j];
            re += v.re * cosl(angle) - v.im * sinl(angle);
            im += v.re * sinl(angle) + v.im * cosl(angle);
        }
        const double *got = scalars + (y->form == FFT_TRUTH_REAL ? at : 2 * at);
        im = y->form == FFT_TRUTH_REAL ? 0 : im;
        squares += re * re + im * im;
        re -= y->single ? (float)got[0] : got[0];
        im -= y->form == FFT_TRUTH_REAL ? 0 : y->single ? (float)got[1] : got[1];
        errors += re * re + im * im;
    }
    return (double)sqrtl(errors / squares);
}

// check: the error of the reference's transform of x, rounded to y's precision, is told right; so
// is that of the same with one number changed.
static void check(const fft_truth *t, const fft_truth_array *x, const fft_truth_array *y,
                  bool inverse) {
    ASSERT_TRUE(fft_truth_random(x, 5) && take(x));
    spread(x, input);
    fft_id_plan plan;
    fft_id_problem problem = {.element = FFT_ID_COMPLEX_F64,
                              .direction = inverse ? FFT_ID_INVERSE : FFT_ID_FORWARD,
                              .exponent = {(uint8_t)x->lg},
                              .batch = x->batch};
    const fft_id_tuple tuple = {(uint8_t)(x->lg < 5 ? x->lg : 5), (uint8_t)x->lg, 0};
    ASSERT_EQ(fft_id_make(&plan, &problem, tuple, FFT_ID_AFTER), NULL);
    ASSERT_EQ(fft_id_reference(&plan, input, output, room), NULL);
    ASSERT_TRUE(fft_truth_make(t, x, inverse));
    gather(y, output);
    ASSERT_TRUE(give(y));
    const double unit = y->single ? 0x1p-24 : 0x1p-53, error = fft_truth_error(t, y);
    if (x->lg <= 6) {
        EXPECT_TRUE(fabs(error - exact_error(y, inverse)) < 0.005 * unit);
    } else {
        EXPECT_TRUE(error > 0.1 * unit && error < 3 * unit);
    }

    const size_t n = fft_truth_array_bytes(y) / (y->single ? 4 : 8);
    double norm = 0;
    for (size_t i = 0; i < n; i++) {
        norm += scalars[i] * scalars[i];
    }
    scalars[n - 1] += 0.125 * sqrt(norm);
    ASSERT_TRUE(give(y));
    EXPECT_TRUE(fabs(fft_truth_error(t, y) - 0.125) < 1e-6);
    scalars[0] = NAN;
    ASSERT_TRUE(give(y));
    EXPECT_FALSE(fft_truth_error(t, y) >= 0);
}

static const struct {
    fft_truth_form in, out;
} forms[] = {{FFT_TRUTH_COMPLEX, FFT_TRUTH_COMPLEX},
             {FFT_TRUTH_REAL, FFT_TRUTH_HALF},
             {FFT_TRUTH_HALF, FFT_TRUTH_REAL}};

// Mutations: a root's sign, table or exponent; a level's halves exchanged; a mirrored number not
// conjugated; an error taken at another number, of one part alone, or not over the last problem.
TEST(FftTruth, AgreesWithTheReference) {
    if (!device_ready()) {
        SKIP("no device");
    }
    fft_truth t;
    ASSERT_TRUE(make_truth(&t));
    void *in = device_alloc(sizeof scalars), *out = device_alloc(sizeof scalars);
    ASSERT_TRUE(in != NULL && out != NULL);
    for (unsigned i = 0; i < 3 * 2 * 2 * 2; i++) {
        const bool single = i / 3 % 2, inverse = forms[i % 3].in == FFT_TRUTH_HALF || i / 6 % 2;
        const bool rev = forms[i % 3].in == FFT_TRUTH_COMPLEX && i / 12;
        for (unsigned lg = 2; lg <= LG; lg += 4) {
            SCOPED_TRACE("form %u, single %d, inverse %d, lg %u", i % 3, single, inverse, lg);
            const fft_truth_array x = {in, forms[i % 3].in, single, rev, lg, BATCH};
            const fft_truth_array y = {out, forms[i % 3].out, single, rev, lg, BATCH};
            check(&t, &x, &y, inverse);
        }
    }
    device_free(in);
    device_free(out);
    free_truth(&t);
}

// Arrays of numbers that are each their own transform, by which two results are compared. Catches a
// level too many, an error over the first number alone.
TEST(FftTruth, OfLengthOneIsItsOwn) {
    if (!device_ready()) {
        SKIP("no device");
    }
    fft_truth t;
    ASSERT_TRUE(make_truth(&t));
    void *in = device_alloc(sizeof scalars);
    ASSERT_TRUE(in != NULL);
    const fft_truth_array x = {in, FFT_TRUTH_COMPLEX, false, false, 0, 1001};
    ASSERT_TRUE(fft_truth_random(&x, 9) && take(&x) && fft_truth_make(&t, &x, false));
    EXPECT_EQ(fft_truth_error(&t, &x), 0.0);
    double norm = 0;
    for (size_t i = 0; i < 2 * 1001; i++) {
        norm += scalars[i] * scalars[i];
    }
    scalars[2001] += 0.25 * sqrt(norm);
    ASSERT_TRUE(give(&x));
    EXPECT_TRUE(fabs(fft_truth_error(&t, &x) - 0.25) < 1e-6);
    device_free(in);
    free_truth(&t);
}

// Floats are the doubles rounded, and doubles have bits that floats have not: short numbers would
// make sums exact. Catches numbers of their own, and short ones.
TEST(FftTruth, PrecisionsGetTheSameNumbers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static double wide[2 * ITEMS];
    void *in = device_alloc(sizeof scalars);
    ASSERT_TRUE(in != NULL);
    fft_truth_array x = {in, FFT_TRUTH_HALF, false, false, LG, BATCH};
    ASSERT_TRUE(fft_truth_random(&x, 1) && take(&x));
    const size_t n = fft_truth_array_bytes(&x) / 8;
    memcpy(wide, scalars, sizeof scalars);
    x.single = true;
    ASSERT_TRUE(fft_truth_random(&x, 1) && take(&x));
    size_t rounded = 0, longer = 0;
    for (size_t i = 0; i < n; i++) {
        rounded += (double)(float)wide[i] == scalars[i];
        longer += wide[i] != scalars[i];
    }
    EXPECT_EQ(rounded, n);
    EXPECT_TRUE(longer > n / 2);
    EXPECT_EQ(scalars[1], 0.0);
    EXPECT_EQ(scalars[LENGTH + 1], 0.0);
    EXPECT_TRUE(scalars[3] != 0.0);
    device_free(in);
}
