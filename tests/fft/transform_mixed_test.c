// transform_mixed_test.c: transforms on a device, or under the kernel emulation, of lengths with
// factors 3, 5 and 7, against sums in long double.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/transform_device.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

typedef struct {
    long double re, im;
} wide;

static wide times(wide a, wide b) {
    return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static bool is_f64(const fft_id_plan *plan) { return plan->problem.element == FFT_ID_COMPLEX_F64; }

// The truth: sums of n products up to n = 400, by the least prime factor of n above that. root:
// those of order `order`, a multiple of n; x: every stride-th item.
static void truth(wide *y, const wide *x, size_t n, size_t stride, const wide *root, size_t order) {
    size_t p = n <= 400 ? n : 2;
    while (n % p != 0) {
        p++;
    }
    const size_t m = n / p;
    wide *part = malloc(sizeof *part * n);
    for (size_t i = 0; i < p; i++) {
        if (m == 1) {
            part[i] = x[i * stride];
        } else {
            truth(part + i * m, x + i * stride, m, stride * p, root, order);
        }
    }
    for (size_t k = 0; k < n; k++) {
        wide sum = {0, 0};
        for (size_t i = 0; i < p; i++) {
            const wide term = times(part[i * m + k % m], root[i * k % n * (order / n)]);
            sum.re += term.re, sum.im += term.im;
        }
        y[k] = sum;
    }
    free(part);
}

static wide *roots_of(size_t n, bool inverse) {
    wide *root = malloc(sizeof *root * n);
    for (size_t k = 0; k < n; k++) {
        const long double turn = 6.283185307179586476925286766559005768L;
        const long double angle = turn * (long double)k / (long double)n;
        root[k] = (wide){cosl(angle), inverse ? sinl(angle) : -sinl(angle)};
    }
    return root;
}

// store, load: items of the plan's type.
static void store(const fft_id_plan *plan, char *to, size_t i, wide *x) {
    if (is_f64(plan)) {
        const double item[2] = {(double)x->re, (double)x->im};
        memcpy(to + sizeof item * i, item, sizeof item);
        *x = (wide){item[0], item[1]};
    } else {
        const float item[2] = {(float)x->re, (float)x->im};
        memcpy(to + sizeof item * i, item, sizeof item);
        *x = (wide){item[0], item[1]};
    }
}

static wide load(const fft_id_plan *plan, const char *from, size_t i) {
    double f64[2];
    float f32[2];
    if (is_f64(plan)) {
        memcpy(f64, from + sizeof f64 * i, sizeof f64);
        return (wide){f64[0], f64[1]};
    }
    memcpy(f32, from + sizeof f32 * i, sizeof f32);
    return (wide){f32[0], f32[1]};
}

// distance: of a batch of results to the truth of x, relative in the 2-norm.
static double distance(const fft_id_plan *plan, const char *y, const wide *x) {
    const size_t n = fft_id_length(&plan->problem);
    wide *root = roots_of(n, plan->problem.direction == FFT_ID_INVERSE);
    wide *want = malloc(sizeof *want * n);
    long double d = 0, norm = 0;
    for (size_t b = 0; b < plan->problem.batch; b++) {
        truth(want, x + b * n, n, 1, root, n);
        for (size_t k = 0; k < n; k++) {
            const wide got = load(plan, y, b * n + k);
            const long double re = got.re - want[k].re, im = got.im - want[k].im;
            d += re * re + im * im;
            norm += want[k].re * want[k].re + want[k].im * want[k].im;
        }
    }
    free(root), free(want);
    return (double)sqrtl(d / norm);
}

enum { ROOM = 256 };

// Runs the plan, out of place or in place, and returns the result's distance; what lies beyond the
// output must keep its pattern, and the input its values unless it is the output.
static double error_of(const fft_id_plan *plan, uint64_t seed, bool in_place) {
    const size_t n = fft_id_length(&plan->problem) * plan->problem.batch;
    const size_t bytes = (is_f64(plan) ? 16 : 8) * n;
    wide *x = malloc(sizeof *x * n);
    char *in = malloc(bytes + ROOM), *out = malloc(bytes + ROOM);
    gen g = gen_seed(seed);
    for (size_t i = 0; i < n; i++) {
        x[i].re = (long double)(int64_t)gen_u64(&g) * 0x1p-63L;
        x[i].im = (long double)(int64_t)gen_u64(&g) * 0x1p-63L;
        store(plan, in, i, &x[i]);
    }
    const size_t workspace_bytes = fft_device_workspace_bytes(plan);
    const size_t table_bytes = fft_device_table_bytes(plan);
    EXPECT_EQ(workspace_bytes, fft_id_passes(plan) > 1 ? bytes : 0);
    char *from = device_alloc(bytes + ROOM), *to = in_place ? from : device_alloc(bytes + ROOM);
    char *workspace = device_alloc(workspace_bytes + ROOM);
    char *tables = device_alloc(table_bytes + ROOM);
    EXPECT_TRUE(device_fill(to, 0xA5, bytes + ROOM));
    EXPECT_TRUE(device_fill(workspace, 0xA5, workspace_bytes + ROOM));
    EXPECT_TRUE(device_fill(tables, 0xA5, table_bytes + ROOM));
    EXPECT_TRUE(device_upload(from, in, bytes));
    EXPECT_EQ(fft_device_tables(plan, tables, NULL), RESULT_OK);
    EXPECT_EQ(fft_device_transform(plan, from, to, workspace, tables, NULL), RESULT_OK);
    const struct {
        const char *at;
        size_t bytes;
    } ends[] = {{to, bytes}, {workspace, workspace_bytes}, {tables, table_bytes}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        EXPECT_TRUE(device_download(out, ends[i].at + ends[i].bytes, ROOM));
        for (size_t k = 0; k < ROOM; k++) {
            EXPECT_EQ((unsigned char)out[k], 0xA5);
        }
    }
    if (!in_place) {
        EXPECT_TRUE(device_download(out, from, bytes));
        EXPECT_EQ(memcmp(in, out, bytes), 0);
    }
    EXPECT_TRUE(device_download(out, to, bytes));
    const double d = distance(plan, out, x);
    device_free(in_place ? NULL : to), device_free(from);
    device_free(workspace), device_free(tables);
    free(x), free(in), free(out);
    return d;
}

// An item passes log2 N levels of radix 2, or fewer of larger radices; 0.5 u a level is above what
// transforms of independent roundings show, and far below what any wrong root or place gives.
static double tolerance(const fft_id_plan *plan) {
    const double u = is_f64(plan) ? 0x1p-53 : 0x1p-24;
    return u * (2 + 0.5 * log2((double)fft_id_length(&plan->problem)));
}

static void check(const fft_id_plan *plan, uint64_t seed, bool in_place) {
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    SCOPED_TRACE("%s", spec);
    const char *why = fft_device_refusal(plan);
    if (why != NULL) {
        FAIL("refused: %s", why);
    }
    const double error = error_of(plan, seed, in_place);
    if (!(error <= tolerance(plan))) {
        FAIL("errs by %g u", error / (is_f64(plan) ? 0x1p-53 : 0x1p-24));
    }
}

// problem_of: false where the length is a power of two or has other prime factors.
static bool problem_of(fft_id_problem *problem, uint64_t n, uint64_t batch, unsigned variant) {
    *problem = (fft_id_problem){
        .element = variant & 1 ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64,
        .direction = variant & 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD,
        .batch = batch,
    };
    return fft_id_set_length(problem, n) == NULL && fft_id_mixed(problem);
}

// Mutations: a constant or a sign of any node; a point or a frequency of a node of two factors; a
// table's order; a digit of the places; lines of a tile that is not full; rows' addresses.
TEST(TransformMixed, EveryShortLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 3 : 0);
    for (unsigned n = 3; n <= 400; n++) {
        for (unsigned variant = 0; variant < 4; variant++) {
            const uint64_t batches[] = {1, 3, n < 40 ? 70 : 2, n < 10 ? 701 : 5};
            fft_id_problem problem;
            fft_id_plan plan;
            if (problem_of(&problem, n, batches[(variant + n) % 4], variant)) {
                EXPECT_TRUE(fft_device_plan(&plan, &problem));
                check(&plan, n, (variant + n / 2) % 2 != 0);
            }
        }
    }
    device_order(0);
}

// Tiles so small that short lengths take two passes to five. Mutations: twiddles between passes,
// where columns begin, lines that cross a frequency's or a problem's end, the workspace's turn.
TEST(TransformMixed, SeveralPasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const fft_id_tuple tuples[] = {{3, 3, 0}, {3, 4, 1}, {3, 6, 2}, {4, 5, 1},
                                          {4, 7, 2}, {4, 7, 3}, {4, 9, 5}, {3, 8, 4}};
    device_order(device_emulated() ? 5 : 0);
    unsigned passes[8] = {0}, at = 0;
    for (unsigned n = 9; n <= 5000; n++) {
        fft_id_problem problem;
        if (!problem_of(&problem, n, 1 + n % 3, n % 4) || (n > 200 && n % 4 != 0 && n % 7 != 3) ||
            (n > 1000 && n % 5 > 1)) {
            continue;
        }
        fft_id_plan plan;
        const fft_id_tuple tuple = tuples[at++ % (sizeof tuples / sizeof *tuples)];
        ASSERT_EQ(fft_id_make(&plan, &problem, tuple, FFT_ID_AFTER), NULL);
        passes[fft_id_passes(&plan) < 7 ? fft_id_passes(&plan) : 7]++;
        check(&plan, n, n % 2);
    }
    for (unsigned i = 1; i <= 5; i++) {
        EXPECT_TRUE(passes[i] > 0);
    }
    device_order(0);
}

// The plans that are chosen: in one pass up to a tile, then in two and in three. Mutations: a tile
// larger than its memory, a table beyond its end.
TEST(TransformMixed, ChosenPlans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        uint64_t n;
        unsigned passes[2];  // of doubles, of floats
    } lengths[] = {
        {3000, {1, 1}},
        {6561, {1, 1}},
        {7680, {1, 1}},
        {8750, {2, 1}},
        {15000, {2, 1}},
        {16807, {2, 2}},
        {100000, {2, 2}},
        {3 << 20, {2, 2}},
        {823543, {2, 2}},
        {4782969, {2, 2}},
        {25165824, {3, 3}},
        {1000000000, {3, 3}},
        {(uint64_t)7 << 30, {3, 3}},
    };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (unsigned variant = 0; variant < 2; variant++) {
            SCOPED_TRACE("%llu points", (unsigned long long)lengths[i].n);
            fft_id_problem problem;
            fft_id_plan plan;
            ASSERT_TRUE(problem_of(&problem, lengths[i].n, 1, variant));
            ASSERT_TRUE(fft_device_plan(&plan, &problem));
            EXPECT_EQ(fft_id_passes(&plan), lengths[i].passes[variant]);
            EXPECT_TRUE(fft_device_refusal(&plan) == NULL);
            if (lengths[i].n <= (device_emulated() ? 20000 : 1000000)) {
                check(&plan, i, variant);
            }
        }
    }
}

// What there are no kernels for is refused, and nothing is written.
TEST(TransformMixed, Refusals) {
    fft_id_problem problem = {.element = FFT_ID_COMPLEX_F64, .batch = 1};
    static const uint64_t lengths[] = {
        0, 1, 11, 13, 2 * 3 * 11, (uint64_t)1 << 40, (uint64_t)3 << 32};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        EXPECT_TRUE(fft_id_set_length(&problem, lengths[i]) != NULL);
    }
    EXPECT_TRUE(strstr(fft_id_set_length(&problem, 13), "prime factor") != NULL);
    static const struct {
        const char *spec, *why;
    } refused[] = {
        {"rf64:fwd:nat:2^1*3^1x1:p4,s4,x0:g6", "complex items in natural order"},
        {"cf64:fwd:rev:2^1*3^1x1:p4,s4,x0:g6", "complex items in natural order"},
        {"cf64:fwd:nat:2^3*3^1x1:p4,s5,x0:g3,s8<", "twiddles after nodes"},
        {"cf64:fwd:nat:2^2*5^1x1:p5,s5,x0:g20", "2^4 points"},
        {"cf64:fwd:nat:2^2*5^1x1:p4,s15,x0:g4>,s5", "2^14"},
        {"cf64:fwd:nat:2^3*3^4*5^2x1:p4,s14,x0:g15>,s15>,s9>,s8", "shared memory"},
        {"cf64:fwd:nat:2^1*7^1x1:p3,s9,x6:g2>,g7", "lines side by side"},
        {"cf64:fwd:nat:2^0*3^1x9000000000:p2,s2,x0:g3", "blocks"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        SCOPED_TRACE("%s", refused[i].spec);
        fft_id_plan plan;
        const char *why = fft_id_parse(&plan, refused[i].spec);
        if (why == NULL) {
            why = fft_device_refusal(&plan);
            EXPECT_EQ(fft_device_table_bytes(&plan), 0);
            EXPECT_EQ(fft_device_workspace_bytes(&plan), 0);
            EXPECT_TRUE(fft_device_transform(&plan, NULL, NULL, NULL, NULL, NULL) != RESULT_OK);
            EXPECT_TRUE(fft_device_tables(&plan, NULL, NULL) != RESULT_OK);
        }
        ASSERT_TRUE(why != NULL);
        if (device_ready()) {
            EXPECT_TRUE(strstr(why, refused[i].why) != NULL);
        }
    }
}
