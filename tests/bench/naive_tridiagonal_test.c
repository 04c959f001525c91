// naive_tridiagonal_test.c: the benchmark's reductions, slow and for short systems, solve
// tridiagonal systems.
#include <math.h>
#include <stdlib.h>

#include "bench/tridiagonal/naive.h"
#include "bench/tridiagonal/rows.h"
#include "bench/tridiagonal/wang_mou_radix.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/fixture.h"
#include "tests/support/device.h"

static double get(tridiagonal_type t, const void *array, size_t i) {
    return t == TRIDIAGONAL_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

// `batch` times the same system: a, b, c, d of each, on the device. What is not read is NaN.
static void upload(const system_rows *s, const tridiagonal_job *job, char *array[5]) {
    double *const fields[] = {s->a, s->b, s->c, s->d};
    const size_t width = job->type == TRIDIAGONAL_F32 ? 4 : 8, elements = job->n * job->batch;
    char *const host = malloc(elements * width);
    for (unsigned k = 0; k < 4; k++) {
        for (size_t at = 0; at < elements; at++) {
            const size_t i = at % job->n;
            const bool read = (k != 0 || i > 0) && (k != 2 || i + 1 < job->n);
            const double v = read ? fields[k][i] : (double)NAN;
            if (job->type == TRIDIAGONAL_F32) {
                ((float *)host)[at] = (float)v;
            } else {
                ((double *)host)[at] = v;
            }
        }
        ASSERT_TRUE(device_upload(array[k], host, elements * width));
    }
    free(host);
}

static void check(const naive_tridiagonal *naive, const tridiagonal_job *job, bool in_place) {
    const size_t width = job->type == TRIDIAGONAL_F32 ? 4 : 8, elements = job->n * job->batch;
    system_rows s;
    gen g = gen_seed(job->n);
    ASSERT_TRUE(system_alloc(&s, job->n));
    system_fill(&s, naive->redundant ? MATRIX_LAPLACE : MATRIX_STRONG, job->type, &g);
    ASSERT_TRUE(!naive->redundant || system_solve(&s));
    char *array[5];
    for (unsigned k = 0; k < 5; k++) {
        array[k] = device_alloc(elements * width);
    }
    upload(&s, job, array);
    ASSERT_TRUE(device_fill(array[4], 0xFF, elements * width));  // NaN
    const size_t bytes = naive->bytes(job);
    naive_tridiagonal_job j = {*job,     array[0],
                               array[1], array[2],
                               array[3], in_place ? array[3] : array[4],
                               NULL,     bytes > 0 ? bytes - 1 : 0};
    EXPECT_TRUE(bytes == 0 || !naive->enqueue(&j, NULL));
    j.workspace = device_alloc(bytes);
    j.workspace_bytes = bytes;
    EXPECT_TRUE(naive->enqueue(&j, NULL));
    char *const host = malloc(elements * width);
    double *const x = malloc(job->n * sizeof *x);
    ASSERT_TRUE(device_download(host, j.x, elements * width));
    // Dominant by rows: two eliminations a step, 16 units each (docs/proofs/tridiagonal.md, 3).
    const double unit = width == 4 ? 0x1p-24 : 0x1p-53;
    for (size_t k = 0; k < job->batch; k++) {
        for (size_t i = 0; i < job->n; i++) {
            x[i] = get(job->type, host, k * job->n + i);
        }
        if (naive->redundant) {  // the condition number is below n^2 / 2
            EXPECT_TRUE(system_error(&s, x) <= 16 * (double)(job->n * job->n) * unit);
        } else {
            EXPECT_TRUE(system_residual(&s, x) <= 16 * 2 * (log2((double)job->n) + 1) * unit);
        }
    }
    free(host);
    free(x);
    device_free(j.workspace);
    for (unsigned k = 0; k < 5; k++) {
        device_free(array[k]);
    }
    system_free(&s);
}

enum { CONTENDERS = NAIVE_TRIDIAGONALS + TRIDIAGONAL_ROWS + WANG_MOU_RADICES };

static const naive_tridiagonal *contender(unsigned k) {
    if (k < NAIVE_TRIDIAGONALS) {
        return &naive_tridiagonals[k];
    }
    k -= NAIVE_TRIDIAGONALS;
    return k < TRIDIAGONAL_ROWS ? &tridiagonal_rows[k] : &wang_mou_radices[k - TRIDIAGONAL_ROWS];
}

// Catches a step too few, a neighbour of another system, a system's end taken for a row, the wrong
// one of two buffers at the end, a lane that takes another system's row in a shuffle, and rows that
// a warp takes over in the wrong order.
TEST(NaiveTridiagonal, EveryContenderSolves) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[] = {1,  2,  3,   4,   5,   8,    31,   33,  63,
                                   64, 65, 127, 128, 300, 1000, 1024, 1025};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned which = 0; which < 2 * CONTENDERS; which++) {
            const naive_tridiagonal *naive = contender(which / 2);
            SCOPED_TRACE("%s n = %d", naive->name, (int)sizes[i]);
            const tridiagonal_job job = {which % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, sizes[i],
                                         sizes[i] < 100 ? 37 : 3, 1, sizes[i]};
            if (sizes[i] <= naive->longest[job.type]) {
                device_order(i % 4);
                check(naive, &job, i % 2 == 1);
            } else {
                naive_tridiagonal_job j = {.job = job};
                EXPECT_FALSE(naive->enqueue(&j, NULL));
            }
        }
    }
    device_order(0);
}

// Catches nodes with fewer tiles than they have places, and tiles whose first or last row is
// another's.
TEST(NaiveTridiagonal, LongSystemsInEveryRadix) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const bool small = device_emulated() || getenv("LONGMUL_SMALL") != NULL;
    const size_t sizes[] = {2048, 3000, 4097, 9000, small ? 17000 : 1 << 19};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned which = 0; which < 2 * WANG_MOU_RADICES; which++) {
            SCOPED_TRACE("%s n = %d", wang_mou_radices[which / 2].name, (int)sizes[i]);
            const tridiagonal_job job = {which % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, sizes[i], 2,
                                         1, sizes[i]};
            device_order(i);
            check(&wang_mou_radices[which / 2], &job, i % 2 == 1);
        }
    }
    device_order(0);
}
