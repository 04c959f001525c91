// fft_test.c: the transforms of longmul/fft.h against sums.
#include "longmul/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { BATCH = 3 };
static const long double TWO_PI = 6.283185307179586476925286766559005768L;

static bool is_real(longmul_element e) { return e == LONGMUL_REAL_F64 || e == LONGMUL_REAL_F32; }
static bool is_double(longmul_element e) {
    return e == LONGMUL_COMPLEX_F64 || e == LONGMUL_REAL_F64;
}

// Numbers of one transform: of the side with elements (reals or complex), or of frequencies.
static size_t numbers(longmul_element e, uint64_t n, bool frequencies) {
    return !is_real(e) ? 2 * n : frequencies ? n + 2 : n;
}

// Numbers to device memory and back, as the element has them.
static void put(longmul_element e, void *to, const double *x, size_t count) {
    float *narrow = malloc(count * sizeof *narrow);
    for (size_t i = 0; i < count; i++) {
        narrow[i] = (float)x[i];
    }
    ASSERT_TRUE(is_double(e) ? device_upload(to, x, 8 * count)
                             : device_upload(to, narrow, 4 * count));
    free(narrow);
}

static void get(longmul_element e, double *x, const void *from, size_t count) {
    float *narrow = malloc(count * sizeof *narrow);
    ASSERT_TRUE(is_double(e) ? device_download(x, from, 8 * count)
                             : device_download(narrow, from, 4 * count));
    for (size_t i = 0; !is_double(e) && i < count; i++) {
        x[i] = (double)narrow[i];
    }
    free(narrow);
}

// y = the transforms of x by a fresh plan, with tables and workspace of exactly their size.
static void run(longmul_element e, int inverse, uint64_t n, uint64_t batch, const double *x,
                double *y, bool in_place) {
    longmul_fft plan;
    const char *why = "";
    ASSERT_EQ(longmul_fft_make(&plan, e, inverse, n, batch, &why), LONGMUL_OK);
    EXPECT_TRUE(why == NULL);
    const size_t table_bytes = longmul_fft_table_bytes(&plan);
    const size_t bytes = longmul_fft_workspace_bytes(&plan);
    const size_t from = batch * numbers(e, n, inverse), to = batch * numbers(e, n, !inverse);
    const size_t most = 8 * (from > to ? from : to);
    char *in = device_alloc(most), *out = in_place ? in : device_alloc(most);
    char *tables = device_alloc(table_bytes + 1);
    char *workspace = bytes > 0 ? device_alloc(bytes) : NULL;
    put(e, in, x, from);
    EXPECT_EQ(longmul_fft_tables(&plan, tables, table_bytes, NULL), LONGMUL_OK);
    EXPECT_EQ(longmul_fft_run(&plan, out, in, tables, workspace, bytes, NULL), LONGMUL_OK);
    get(e, y, out, to);
    if (table_bytes > 0) {
        EXPECT_EQ(longmul_fft_tables(&plan, tables, table_bytes - 1, NULL), LONGMUL_REFUSED);
    }
    if (bytes > 0) {
        EXPECT_EQ(longmul_fft_run(&plan, out, in, tables, workspace, bytes - 1, NULL),
                  LONGMUL_REFUSED);
    }
    device_free(in), device_free(tables), device_free(workspace);
    if (!in_place) {
        device_free(out);
    }
}

// Frequency k of one forward transform of complex or real numbers.
static void frequency(bool real, const double *x, uint64_t n, uint64_t k, long double sum[2]) {
    sum[0] = sum[1] = 0;
    for (uint64_t j = 0; j < n; j++) {
        const long double angle = TWO_PI * (long double)(j * k % n) / (long double)n;
        const long double c = cosl(angle), s = -sinl(angle);
        const long double re = (long double)(real ? x[j] : x[2 * j]);
        const long double im = real ? 0 : (long double)x[2 * j + 1];
        sum[0] += re * c - im * s;
        sum[1] += re * s + im * c;
    }
}

// Random transforms against sums, then back: n x.
static void check(longmul_element e, uint64_t n, bool in_place) {
    SCOPED_TRACE("element %d, n = %u", (int)e, (unsigned)n);
    const uint64_t batch = in_place && is_real(e) ? 1 : BATCH;
    const size_t each = numbers(e, n, false), spectrum = numbers(e, n, true);
    double *x = malloc(8 * batch * each), *y = malloc(8 * batch * spectrum);
    double *back = malloc(8 * batch * each), error = 0, size = 0, way = 0;
    gen g = gen_seed(n);
    for (size_t i = 0; i < batch * each; i++) {
        x[i] = (double)(int64_t)(gen_u64(&g) >> 44) / (1 << 19) - 1;  // exact as a float
    }
    run(e, 0, n, batch, x, y, in_place);
    for (uint64_t b = 0; b < batch; b++) {
        for (uint64_t k = 0; k < spectrum / 2; k++) {
            long double want[2];
            frequency(is_real(e), x + b * each, n, k, want);
            for (unsigned part = 0; part < 2; part++) {
                const double apart = y[b * spectrum + 2 * k + part] - (double)want[part];
                error += apart * apart;
                size += (double)(want[part] * want[part]);
            }
        }
    }
    // Half a unit in the last place for each of up to 12 levels.
    const double tolerance = is_double(e) ? 12 * 0x1p-53 : 12 * 0x1p-24;
    EXPECT_TRUE(sqrt(error) <= tolerance * sqrt(size));
    run(e, 1, n, batch, y, back, in_place);
    for (size_t i = 0; i < batch * each; i++) {
        way = fmax(way, fabs(back[i] / (double)n - x[i]));
    }
    EXPECT_TRUE(way <= 8 * tolerance);
    free(x), free(y), free(back);
}

// Edges of lengths and batches. Catches: directions exchanged, the element of another number, a
// scaled inverse, reals taken for pairs, a batch whose distance is that of the other side.
TEST(LongmulFft, TransformsAndComesBack) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t lengths[] = {2, 4, 6, 8, 64, 210, 256, 360};
    for (unsigned e = 0; e < LONGMUL_ELEMENTS; e++) {
        for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            if (lengths[i] > 2 || !is_real((longmul_element)e)) {
                check((longmul_element)e, lengths[i], i % 2 == 1);
            }
        }
    }
    check(LONGMUL_COMPLEX_F64, 105, false);
}

// A one in the second transform, of more points than a pass takes. Catches: workspace or tables
// that do not arrive, problems that mix.
TEST(LongmulFft, SeveralPasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 1 << 15, AT = 12345 };
    double *x = calloc(2 * 2 * N, sizeof *x), *y = malloc(2 * 2 * N * sizeof *y), worst = 0;
    x[2 * N + 2 * AT] = 1;
    longmul_fft plan;
    ASSERT_EQ(longmul_fft_make(&plan, LONGMUL_COMPLEX_F64, 0, N, 2, NULL), LONGMUL_OK);
    EXPECT_TRUE(longmul_fft_workspace_bytes(&plan) > 0);
    run(LONGMUL_COMPLEX_F64, 0, N, 2, x, y, false);
    for (uint64_t k = 0; k < N; k++) {
        const long double angle = TWO_PI * (long double)(k * AT % N) / N;
        worst = fmax(worst, fabs(y[2 * N + 2 * k] - (double)cosl(angle)));
        worst = fmax(worst, fabs(y[2 * N + 2 * k + 1] + (double)sinl(angle)));
        worst = fmax(worst, fmax(fabs(y[2 * k]), fabs(y[2 * k + 1])));
    }
    EXPECT_TRUE(worst < 15 * 0x1p-53);
    free(x), free(y);
}

// All lengths without a prime factor above 7. Catches: a refusal of what there are kernels for.
TEST(LongmulFft, EveryLengthHasAPlan) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t most = UINT64_C(1) << 33;
    longmul_fft plan;
    for (uint64_t sevens = 1; sevens <= most; sevens *= 7) {
        for (uint64_t fives = sevens; fives <= most; fives *= 5) {
            for (uint64_t threes = fives; threes <= most; threes *= 3) {
                for (uint64_t n = threes; n <= most; n *= 2) {
                    const longmul_status want = n >= 2 ? LONGMUL_OK : LONGMUL_REFUSED;
                    const longmul_status reals =
                        n >= 4 && n % 2 == 0 ? LONGMUL_OK : LONGMUL_REFUSED;
                    ASSERT_EQ(longmul_fft_make(&plan, LONGMUL_COMPLEX_F32, 1, n, 3, NULL), want);
                    ASSERT_EQ(longmul_fft_make(&plan, LONGMUL_REAL_F64, 0, n, 1, NULL), reals);
                }
            }
        }
    }
}

// Catches: a length that is taken for another one, a sentence that is missing or stays, a plan that
// keeps what it was, and one that runs though none was made.
TEST(LongmulFft, RefusesWithASentence) {
    static const struct {
        int element;
        uint64_t n, batch;
        const char *says;
    } refused[] = {{LONGMUL_COMPLEX_F64, 0, 1, "2 to 2^33"},
                   {LONGMUL_COMPLEX_F64, 1, 1, "2 to 2^33"},
                   {LONGMUL_COMPLEX_F32, 11, 1, "prime factor"},
                   {LONGMUL_COMPLEX_F32, (UINT64_C(1) << 33) + 1, 1, "2 to 2^33"},
                   {LONGMUL_REAL_F64, 2, 1, "4"},
                   {LONGMUL_REAL_F32, 9, 1, "odd"},
                   {LONGMUL_COMPLEX_F64, 8, 0, "batch"},
                   {LONGMUL_COMPLEX_F64, 8, UINT64_C(1) << 46, "2^48"},
                   {LONGMUL_ELEMENTS, 8, 1, "element"},
                   {-1, 8, 1, "element"}};
    longmul_fft plan;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *why = NULL;
        memset(&plan, 0xA5, sizeof plan);
        (void)longmul_fft_make(&plan, LONGMUL_COMPLEX_F64, 0, 1 << 15, 1, NULL);  // to be forgotten
        EXPECT_EQ(longmul_fft_make(&plan, (longmul_element)refused[i].element, 0, refused[i].n,
                                   refused[i].batch, &why),
                  LONGMUL_REFUSED);
        EXPECT_TRUE(why != NULL && strstr(why, refused[i].says) != NULL);
        EXPECT_EQ(longmul_fft_workspace_bytes(&plan), 0);
        EXPECT_EQ(longmul_fft_table_bytes(&plan), 0);
    }
    if (device_ready()) {
        EXPECT_EQ(longmul_fft_run(&plan, NULL, NULL, NULL, NULL, 0, NULL), LONGMUL_REFUSED);
        EXPECT_EQ(longmul_fft_tables(&plan, NULL, 0, NULL), LONGMUL_REFUSED);
        // Of reals in place the second transform would begin within the first one's result.
        char *both = device_alloc(4096);
        ASSERT_EQ(longmul_fft_make(&plan, LONGMUL_REAL_F64, 0, 16, 2, NULL), LONGMUL_OK);
        EXPECT_EQ(longmul_fft_run(&plan, both, both, both + 2048, NULL, SIZE_MAX, NULL),
                  LONGMUL_REFUSED);
        device_free(both);
    }
}
