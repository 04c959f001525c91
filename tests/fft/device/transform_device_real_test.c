// transform_device_real_test.c: transforms of reals on a device, or under the kernel emulation,
// against complex ones of the whole data by the reference.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "fft/index_digit/reference.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/device/transform_fixture.h"
#include "tests/support/device.h"

// The exact result of one problem, by the reference on n complex items.
static void reference(const fft_id_problem *reals, const double *x, double *y) {
    const uint8_t n = reals->exponent[0];
    const fft_id_problem problem = transform_problem(FFT_ID_COMPLEX_F64, reals->direction, n, 1);
    const bool forward = problem.direction == FFT_ID_FORWARD;
    const size_t length = (size_t)1 << n;
    fft_id_plan plan;
    EXPECT_TRUE(fft_id_make(&plan, &problem, (fft_id_tuple){n < 4 ? n : 4, n, 0}, FFT_ID_AFTER) ==
                NULL);
    fft_id_complex *in = malloc(16 * length), *out = malloc(16 * length);
    fft_id_complex *space = malloc(16 * (fft_id_reference_items(&plan) + 1));
    for (size_t i = 0; i < length; i++) {
        const size_t k = i <= length / 2 ? i : length - i;
        const bool real = k == 0 || k == length / 2;
        in[i] = forward ? (fft_id_complex){x[i], 0}
                        : (fft_id_complex){x[2 * k], real     ? 0
                                                     : k == i ? x[2 * k + 1]
                                                              : -x[2 * k + 1]};
    }
    EXPECT_TRUE(fft_id_reference(&plan, in, out, space) == NULL);
    for (size_t i = 0; i < length; i++) {
        if (!forward) {
            y[i] = out[i].re;
        } else if (i <= length / 2) {
            y[2 * i] = out[i].re, y[2 * i + 1] = out[i].im;
        }
    }
    free(in), free(out), free(space);
}

static void truth(const fft_id_plan *plan, const double *x, double *y) {
    const uint64_t batch = plan->problem.batch;
    const size_t in = transform_numbers(plan, false), out = transform_numbers(plan, true);
    for (uint64_t i = 0; i < batch; i++) {
        reference(&plan->problem, x + i * (in / batch), y + i * (out / batch));
    }
}

static void check(const fft_id_plan *plan, uint64_t seed) { transform_check(plan, seed, truth); }

// problem_of: one of the four kinds of problems.
static fft_id_problem problem_of(bool f64, bool forward, unsigned n, uint64_t batch) {
    return transform_problem(f64 ? FFT_ID_REAL_F64 : FFT_ID_REAL_F32,
                             forward ? FFT_ID_FORWARD : FFT_ID_INVERSE, n, batch);
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

// exact_reals: the transform of one problem's n/2 + 1 frequencies, in long double.
static void exact_reals(const double *x, const long double *cosines, size_t n, long double *y) {
    for (size_t j = 0; j < n; j++) {
        y[j] = x[0] + (j % 2 ? -x[n] : x[n]);
        for (size_t k = 1; k < n / 2; k++) {
            const size_t turn = j * k % n;
            y[j] += 2 * (x[2 * k] * cosines[turn] - x[2 * k + 1] * cosines[(turn + 3 * n / 4) % n]);
        }
    }
}

// Errors of short transforms from frequencies to reals, in the 2-norm. There are enough problems
// for chance to be a third of a percent. The limits are one percent above the errors for inputs on
// the benchmark's grid, 2^-53, where cuFFT has 1.573e-16, 1.624e-16, 1.688e-16 and 1.971e-16 on an
// H200. Catches pairs joined by rounded sums or roots, and the constant of the eighth turn without
// its rest.
TEST(TransformDeviceReal, ErrorsOfFewFrequencies) {
    if (!device_ready() || LDBL_MANT_DIG < 64) {
        SKIP("no device, or long double is no wider than double");
    }
    static const double most[] = {1.595e-16, 1.58e-16, 1.695e-16, 1.965e-16};
    for (unsigned n = 6; n <= 9; n++) {
        const size_t length = (size_t)1 << n, batch = 98304 >> n;
        const fft_id_problem p = problem_of(true, false, n, batch);
        fft_id_plan plan;
        ASSERT_TRUE(fft_device_plan(&plan, &p));
        double *const x = transform_input(&plan, n), *const y = malloc(8 * length * batch);
        long double *const want = malloc(2 * length * sizeof *want), *const cosines = want + length;
        for (size_t i = 0; i < (length + 2) * batch; i++) {
            x[i] = ldexp(rint(ldexp(x[i], 53)), -53);
        }
        transform_run(&plan, x, y, false);
        for (size_t i = 0; i < length; i++) {
            cosines[i] = cosl(6.283185307179586476925286766559005768L * i / length);
        }
        long double errors = 0, norm = 0;
        for (size_t i = 0; i < length * batch; i++) {
            if (i % length == 0) {
                exact_reals(x + i / length * (length + 2), cosines, length, want);
            }
            const long double exact = want[i % length];
            errors += (y[i] - exact) * (y[i] - exact), norm += exact * exact;
        }
        EXPECT_TRUE(sqrtl(errors / norm) <= most[n - 6]);
        free(x), free(y), free(want);
    }
}

// Lengths and batches up to the greatest have plans. Catches a row that names no kernel.
TEST(TransformDeviceReal, AllLengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    transform_expect_plans(FFT_ID_REAL_F64, 2);
    transform_expect_plans(FFT_ID_REAL_F32, 2);
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
        double *x = transform_input(&there, n);
        double *z = malloc(8 * (reals + 10)), *y = malloc(8 * reals);
        transform_run(&there, x, z, false);
        transform_run(&again, z, y, false);
        for (size_t i = 0; i < reals; i++) {
            y[i] = ldexp(y[i], -(int)n);
        }
        EXPECT_TRUE(transform_distance(y, x, reals) <= 2 * transform_tolerance(&there));
        free(x), free(y), free(z);
    }
}

// Values that come out exactly: an impulse, a constant, the fastest alternation. Catches signs of
// the items that have no partner.
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
        transform_run(&plan, x, y, false);
        for (size_t k = 0; k <= length / 2; k++) {
            EXPECT_TRUE(y[2 * k] == 1 && y[2 * k + 1] == 0);
        }
        for (unsigned alternates = 0; alternates < 2; alternates++) {
            for (size_t i = 0; i < length; i++) {
                x[i] = alternates && i % 2 ? -1 : 1;
            }
            transform_run(&plan, x, y, false);
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
