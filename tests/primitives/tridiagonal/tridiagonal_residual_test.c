// tridiagonal_residual_test.c: residuals on the device against the fixture's in long double.
#include <math.h>
#include <stdlib.h>

#include "primitives/tridiagonal/residual.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/solve.h"
#include "tests/support/device.h"

static void unknowns(const solve *s, size_t system, double *x) {
    for (size_t i = 0; i < s->plan.job.n; i++) {
        x[i] = solve_get(s, 4, solve_element(s, system, i));
    }
}

// Every system's residual and largest unknown.
static void expect_residuals(const solve *s) {
    const size_t n = (size_t)s->plan.job.n, batch = (size_t)s->plan.job.batch;
    double *const got = malloc(2 * batch * sizeof *got), *const x = malloc(n * sizeof *x);
    double *const device = device_alloc(2 * batch * sizeof *device);
    ASSERT_TRUE(device_fill(device, 0x7F, 2 * batch * sizeof *device));
    char *const *array = s->device;
    EXPECT_EQ(tridiagonal_residual(&s->plan.job, array[0], array[1], array[2], array[3], array[4],
                                   device, NULL),
              RESULT_OK);
    ASSERT_TRUE(device_download(got, device, 2 * batch * sizeof *got));
    // Three sums of at most three times the divisor: of floats in double, of doubles by the fixture
    // in 64 bits. Then the divisor, of two roundings, and the division.
    const double unit = s->plan.job.type == TRIDIAGONAL_F32 ? 0x1p-53 : 0x1p-64;
    for (size_t k = 0; k < batch; k++) {
        double most = 0;
        unknowns(s, k, x);
        for (size_t i = 0; i < n; i++) {
            most = fmax(most, isfinite(x[i]) ? fabs(x[i]) : (double)INFINITY);
        }
        const double want = system_residual(&s->systems[k], x);
        EXPECT_TRUE(got[batch + k] == most);
        EXPECT_TRUE(got[k] == want || fabs(got[k] - want) <= 4 * 0x1p-53 * want + 9 * unit);
    }
    device_free(device);
    free(got);
    free(x);
}

static void put_unknown(solve *s, size_t system, size_t row, double v) {
    const size_t width = s->plan.job.type == TRIDIAGONAL_F32 ? 4 : 8;
    solve_put(s, 4, solve_element(s, system, row), v);
    ASSERT_TRUE(device_upload(s->device[4], s->host[4], s->elements * width));
}

// Catches a neighbour that is not read or read across a system's end (NaN there), strides
// exchanged, rows that are left out at a warp's, a block's or a system's end, a norm of another
// system's unknowns, and a numerator of the type's own digits.
TEST(TridiagonalResidual, AgreesWithLongDouble) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[] = {1, 2, 31, 32, 33, 255, 257, 1000}, batches[] = {1, 3, 70};
    for (unsigned i = 0; i < 8 * 3 * 4; i++) {
        const size_t n = sizes[i % 8], batch = batches[i / 8 % 3];
        const tridiagonal_type type = i / 24 % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32;
        const tridiagonal_job job = solve_job(type, n, batch, i / 48 != 0, i % 3);
        const tridiagonal_plan plan = solve_plan(TRIDIAGONAL_PARTITION_PIVOT, job);
        SCOPED_TRACE("n %zu, batch %zu, type %u, %s", n, batch, (unsigned)type,
                     i / 48 ? "interleaved" : "strided");
        solve s;
        solve_open(&s, &plan, i % 2 ? MATRIX_UNIFORM : MATRIX_LAPLACE, i);
        solve_run(&s, false);
        expect_residuals(&s);
        put_unknown(&s, batch - 1, n - 1, 3);
        put_unknown(&s, 0, n / 2, -5);
        expect_residuals(&s);
        solve_close(&s);
    }
}

// Catches a NaN that no maximum keeps, in any unknown, and one that spreads to other systems.
TEST(TridiagonalResidual, NotFinite) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const double values[] = {NAN, -INFINITY, INFINITY};
    for (unsigned i = 0; i < 3; i++) {
        const tridiagonal_job job = solve_job(TRIDIAGONAL_F64, 100, 3, i == 1, 0);
        const tridiagonal_plan plan = solve_plan(TRIDIAGONAL_PARTITION_PIVOT, job);
        solve s;
        solve_open(&s, &plan, MATRIX_STRONG, i);
        solve_run(&s, false);
        put_unknown(&s, 1, 33 * i, values[i]);
        expect_residuals(&s);
        solve_close(&s);
    }
}

// Catches an empty job that touches memory it has not, and a job of no system that is taken.
TEST(TridiagonalResidual, EmptyAndRefused) {
    if (!device_ready()) {
        SKIP("no device");
    }
    double *const device = device_alloc(4 * sizeof *device), got[4];
    ASSERT_TRUE(device_fill(device, 0x7F, 4 * sizeof *device));
    tridiagonal_job job = {TRIDIAGONAL_F64, 0, 2, 1, 1};
    EXPECT_EQ(tridiagonal_residual(&job, NULL, NULL, NULL, NULL, NULL, device, NULL), RESULT_OK);
    ASSERT_TRUE(device_download(got, device, sizeof got));
    for (unsigned k = 0; k < 4; k++) {
        EXPECT_TRUE(got[k] == 0);
    }
    job = (tridiagonal_job){TRIDIAGONAL_F64, 5, 0, 1, 5};
    EXPECT_EQ(tridiagonal_residual(&job, NULL, NULL, NULL, NULL, NULL, NULL, NULL), RESULT_OK);
    job = (tridiagonal_job){TRIDIAGONAL_F64, 5, 1, 0, 5};
    EXPECT_EQ(tridiagonal_residual(&job, NULL, NULL, NULL, NULL, NULL, device, NULL),
              RESULT_REFUSED);
    device_free(device);
}
