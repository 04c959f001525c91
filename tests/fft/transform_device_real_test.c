// transform_device_real_test.c: transforms of reals on a device, or under the kernel emulation,
// against complex ones of the whole data by the reference.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/index_digit_reference.h"
#include "fft/transform_device.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { ROOM = 256 };  // bytes beyond an array that must keep their pattern

typedef struct {
    size_t n, batch;
    bool f64, forward;
} shape;

static shape shape_of(const fft_id_plan *plan) {
    return (shape){(size_t)1 << plan->problem.exponent[0], plan->problem.batch,
                   plan->problem.element == FFT_ID_REAL_F64,
                   plan->problem.direction == FFT_ID_FORWARD};
}

// Numbers of the real side, or of the side of frequencies, in a batch.
static size_t numbers(shape s, bool frequencies) { return s.batch * (frequencies ? s.n + 2 : s.n); }

// Numbers are kept as doubles; on the way to the device they are rounded to the plan's type.
static bool upload(bool f64, void *to, double *x, size_t n) {
    if (f64) {
        return device_upload(to, x, 8 * n);
    }
    float *f = malloc(4 * n);
    for (size_t i = 0; i < n; i++) {
        x[i] = f[i] = (float)x[i];
    }
    const bool done = device_upload(to, f, 4 * n);
    free(f);
    return done;
}

static bool download(bool f64, double *y, const void *from, size_t n) {
    if (f64) {
        return device_download(y, from, 8 * n);
    }
    float *f = malloc(4 * n);
    const bool done = device_download(f, from, 4 * n);
    for (size_t i = 0; i < n; i++) {
        y[i] = f[i];
    }
    free(f);
    return done;
}

// Runs the plan from x to y. In place: in memory with room for the larger side.
static void run(const fft_id_plan *plan, double *x, double *y, bool in_place) {
    const shape s = shape_of(plan);
    const size_t in = numbers(s, !s.forward), out = numbers(s, s.forward), one = s.f64 ? 8 : 4;
    char *from = device_alloc(numbers(s, true) * one + ROOM), *to = from;
    void *workspace = device_alloc(fft_device_workspace_bytes(plan) + ROOM);
    void *tables = device_alloc(fft_device_table_bytes(plan) + ROOM);
    if (!in_place) {
        to = device_alloc(out * one + ROOM);
        EXPECT_TRUE(device_fill(to, 0xA5, out * one + ROOM));
    }
    EXPECT_TRUE(upload(s.f64, from, x, in));
    EXPECT_EQ(fft_device_tables(plan, tables, NULL), RESULT_OK);
    EXPECT_EQ(fft_device_transform(plan, from, to, workspace, tables, NULL), RESULT_OK);
    EXPECT_TRUE(download(s.f64, y, to, out));
    if (!in_place) {
        unsigned char beyond[ROOM];
        EXPECT_TRUE(device_download(beyond, to + out * one, ROOM));
        for (size_t i = 0; i < ROOM; i++) {
            EXPECT_EQ(beyond[i], 0xA5);
        }
        double *kept = malloc(8 * in);
        EXPECT_TRUE(download(s.f64, kept, from, in));
        EXPECT_EQ(memcmp(kept, x, 8 * in), 0);
        free(kept);
        device_free(to);
    }
    device_free(from), device_free(workspace), device_free(tables);
}

// The exact result of one problem, by the reference on n complex items.
static void reference(shape s, const double *x, double *y) {
    const fft_id_problem problem = {.element = FFT_ID_COMPLEX_F64,
                                    .direction = s.forward ? FFT_ID_FORWARD : FFT_ID_INVERSE,
                                    .exponent = {(uint8_t)__builtin_ctzll(s.n)},
                                    .batch = 1};
    const uint8_t n = problem.exponent[0];
    fft_id_plan plan;
    EXPECT_TRUE(fft_id_make(&plan, &problem, (fft_id_tuple){n < 4 ? n : 4, n, 0}, FFT_ID_AFTER) ==
                NULL);
    fft_id_complex *in = malloc(16 * s.n), *out = malloc(16 * s.n);
    fft_id_complex *space = malloc(16 * (fft_id_reference_items(&plan) + 1));
    for (size_t i = 0; i < s.n; i++) {
        const size_t k = i <= s.n / 2 ? i : s.n - i;
        const bool real = k == 0 || k == s.n / 2;
        in[i] = s.forward ? (fft_id_complex){x[i], 0}
                          : (fft_id_complex){x[2 * k], real     ? 0
                                                       : k == i ? x[2 * k + 1]
                                                                : -x[2 * k + 1]};
    }
    EXPECT_TRUE(fft_id_reference(&plan, in, out, space) == NULL);
    for (size_t i = 0; i < s.n; i++) {
        if (!s.forward) {
            y[i] = out[i].re;
        } else if (i <= s.n / 2) {
            y[2 * i] = out[i].re, y[2 * i + 1] = out[i].im;
        }
    }
    free(in), free(out), free(space);
}

static double distance(const double *y, const double *want, size_t n) {
    double d = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        d += (y[i] - want[i]) * (y[i] - want[i]);
        norm += want[i] * want[i];
    }
    return norm > 0 ? sqrt(d / norm) : sqrt(d);
}

// As of complex transforms of one level more, the one between pairs and reals.
static double tolerance(shape s) {
    return (s.f64 ? 0x1p-53 : 0x1p-24) * (2.5 + 0.5 * __builtin_ctzll(s.n));
}

static void check(const fft_id_plan *plan, uint64_t seed) {
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    SCOPED_TRACE("%s", spec);
    ASSERT_TRUE(fft_device_refusal(plan) == NULL);
    const shape s = shape_of(plan);
    const size_t in = numbers(s, !s.forward), out = numbers(s, s.forward);
    double *x = malloc(8 * in), *y = malloc(8 * out), *want = malloc(8 * out);
    gen g = gen_seed(seed);
    for (size_t i = 0; i < in; i++) {
        x[i] = (double)(int64_t)gen_u64(&g) * 0x1p-63;
    }
    run(plan, x, y, false);
    for (size_t i = 0; i < s.batch; i++) {
        reference(s, x + i * (in / s.batch), want + i * (out / s.batch));
    }
    EXPECT_TRUE(distance(y, want, out) <= tolerance(s));
    if (s.batch == 1) {
        run(plan, x, y, true);
        EXPECT_TRUE(distance(y, want, out) <= tolerance(s));
    }
    free(x), free(y), free(want);
}

static fft_id_problem problem_of(bool f64, bool forward, unsigned n, uint64_t batch) {
    return (fft_id_problem){.element = f64 ? FFT_ID_REAL_F64 : FFT_ID_REAL_F32,
                            .direction = forward ? FFT_ID_FORWARD : FFT_ID_INVERSE,
                            .exponent = {(uint8_t)n},
                            .batch = batch};
}

// Catches a wrong partner, a pair left out or taken twice, the lone items 0 and n/4 and n/2, a
// wrong root, problems that begin at the distance of the other side; tiles that are not full.
TEST(TransformDeviceReal, ChosenPlans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned n = 2; n <= (device_emulated() ? 14 : 18); n++) {
            const uint64_t batches[] = {1, 3, n < 7 ? 4099 >> n : 2};
            for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
                const fft_id_problem p = problem_of(kind & 1, kind & 2, n, batches[i]);
                fft_id_plan plan;
                ASSERT_TRUE(fft_device_plan(&plan, &p));
                check(&plan, 100 * n + i);
            }
        }
    }
}

// Plans of several passes, and kernels that no short problem's plan takes. Catches line 0 or the
// middle line taken wrongly, a mirror in the wrong tile, and lines of tiles of another problem.
TEST(TransformDeviceReal, SeveralPasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 7 : 0);
    static const struct {
        bool f64;
        uint8_t n, batch;
        fft_id_tuple tuple;
    } plans[] = {
        {true, 15, 2, {4, 10, 3}},  {true, 15, 1, {4, 11, 4}},  {true, 16, 3, {4, 10, 2}},
        {true, 17, 1, {4, 12, 4}},  {true, 18, 1, {4, 11, 2}},  {true, 18, 2, {4, 12, 3}},
        {false, 15, 2, {4, 11, 4}}, {false, 16, 1, {4, 12, 4}}, {false, 16, 3, {4, 11, 3}},
        {false, 17, 1, {4, 13, 5}}, {false, 18, 1, {4, 12, 3}}, {false, 19, 1, {5, 13, 4}},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        for (unsigned forward = 0; forward < 2; forward++) {
            const fft_id_problem p = problem_of(plans[i].f64, forward, plans[i].n, plans[i].batch);
            fft_id_plan plan;
            EXPECT_TRUE(fft_id_make(&plan, &p, plans[i].tuple, FFT_ID_AFTER) == NULL);
            check(&plan, i);
        }
    }
    device_order(0);
}

// Lengths and batches up to the greatest have plans. Catches a row that names no kernel.
TEST(TransformDeviceReal, AllLengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned n = 2; n <= 33; n++) {
            for (uint64_t batch = 1; batch <= 64; batch *= 8) {
                const fft_id_problem p = problem_of(kind & 1, kind & 2, n, batch);
                fft_id_plan plan;
                SCOPED_TRACE("2^%u x %u", n, (unsigned)batch);
                EXPECT_TRUE(fft_device_plan(&plan, &p));
            }
        }
    }
}

// Forth and back gives n times the reals.
TEST(TransformDeviceReal, RoundTrip) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned n = 2; n <= 16; n += 7) {
        const fft_id_problem forth = problem_of(true, true, n, 5),
                             back = problem_of(true, false, n, 5);
        const size_t reals = (size_t)5 << n;
        fft_id_plan there, again;
        ASSERT_TRUE(fft_device_plan(&there, &forth) && fft_device_plan(&again, &back));
        double *x = malloc(8 * reals), *z = malloc(8 * (reals + 10)), *y = malloc(8 * reals);
        gen g = gen_seed(n);
        for (size_t i = 0; i < reals; i++) {
            x[i] = (double)(int64_t)gen_u64(&g) * 0x1p-63;
        }
        run(&there, x, z, false);
        run(&again, z, y, false);
        for (size_t i = 0; i < reals; i++) {
            y[i] = ldexp(y[i], -(int)n);
        }
        EXPECT_TRUE(distance(y, x, reals) <= 2 * tolerance(shape_of(&there)));
        free(x), free(y), free(z);
    }
}

// Values that come out exactly: an impulse, a constant, the fastest alternation. Catches signs of the
// items that have no partner.
TEST(TransformDeviceReal, ExactValues) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned n = 2; n <= 15; n++) {
        const size_t length = (size_t)1 << n;
        const fft_id_problem p = problem_of(true, true, n, 1);
        fft_id_plan plan;
        ASSERT_TRUE(fft_device_plan(&plan, &p));
        double *x = calloc(length, 8), *y = malloc(8 * (length + 2));
        x[0] = 1;
        run(&plan, x, y, false);
        for (size_t k = 0; k <= length / 2; k++) {
            EXPECT_TRUE(y[2 * k] == 1 && y[2 * k + 1] == 0);
        }
        for (unsigned alternates = 0; alternates < 2; alternates++) {
            for (size_t i = 0; i < length; i++) {
                x[i] = alternates && i % 2 ? -1 : 1;
            }
            run(&plan, x, y, false);
            for (size_t k = 0; k <= length / 2; k++) {
                EXPECT_TRUE(y[2 * k] == (k == (alternates ? length / 2 : 0) ? (double)length : 0));
                EXPECT_TRUE(y[2 * k + 1] == 0);
            }
        }
        free(x), free(y);
    }
}

// In place with a batch, whose problems would overlap, is refused, and nothing is written.
TEST(TransformDeviceReal, InPlaceBatch) {
    for (unsigned forward = 0; forward < 2; forward++) {
        const fft_id_problem p = problem_of(true, forward, 4, 2);
        fft_id_plan plan;
        if (device_ready() && fft_device_plan(&plan, &p)) {
            char nothing[1];
            EXPECT_EQ(fft_device_transform(&plan, nothing, nothing, NULL, NULL, NULL),
                      RESULT_REFUSED);
        }
    }
}
