// cg_loop_test.c: a loop on the device makes the iterations that the host would ask for.
#include "bench/studies/cg_loop.h"

#include <stdlib.h>
#include <string.h>

#include "bench/studies/cg_matrix.h"
#include "bench/studies/host_wait.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { SIDE = 40, MOST = 500 };

// Iterations one by one, the host looking at the residual after each; returns how many.
static unsigned iterate(host_waiter *waiter, const cg_job *job, double tolerance) {
    const cuda_stream stream = host_wait_stream(waiter);
    double tau = 0;
    unsigned ran = 0;
    EXPECT_EQ(cg_start(job, stream), RESULT_OK);
    do {
        EXPECT_EQ(cg_step(job, stream), RESULT_OK);
        EXPECT_TRUE(host_wait_for(waiter, HOST_BLOCKS, &tau, cg_residual(job), sizeof tau));
    } while (++ran < MOST && tau > tolerance);
    return ran;
}

// The same kernels in the same order give the same bits. Run twice: the first count must not stay.
// Catches: an iteration too many or too few, a test before the first one, a limit that is not kept,
// a graph that works once.
TEST(CgLoop, SolvesInOneGraph) {
    if (!device_ready()) {
        SKIP("no device");
    }
    cg_host m = cg_host_grid(SIDE);
    const size_t bytes = m.n * sizeof(double);
    double *b = malloc(bytes), *want = malloc(bytes), *got = malloc(bytes);
    for (uint32_t i = 0; i < m.n; i++) {
        b[i] = 1 + i % 7;
    }
    double *db = device_alloc(bytes), *dx = device_alloc(bytes);
    uint32_t *count = device_alloc(sizeof *count), ran = 0;
    cg_matrix matrix;
    ASSERT_TRUE(device_upload(db, b, bytes) && cg_matrix_upload(&matrix, &m, CG_ELL));
    cg_job job = {matrix, CG_MERGED, db, dx, NULL};
    job.workspace = device_alloc(cg_workspace_bytes(&job));
    const unsigned limits[] = {MOST, 5, 1};
    host_waiter *const waiter = host_wait_open();
    ASSERT_TRUE(waiter != NULL);
    const unsigned needed = iterate(waiter, &job, 1e-8);
    EXPECT_TRUE(needed > 5 && needed < MOST);
    EXPECT_TRUE(device_download(want, dx, bytes));
    for (unsigned k = 0; k < 3; k++) {
        cg_loop *loop = NULL;
        ASSERT_EQ(cg_loop_make(&loop, &job, limits[k], 1e-8, count, host_wait_stream(waiter)),
                  RESULT_OK);
        for (unsigned twice = 0; twice < 2; twice++) {
            device_fill(dx, 0xA5, bytes);
            EXPECT_EQ(cg_loop_run(loop, host_wait_stream(waiter)), RESULT_OK);
            EXPECT_TRUE(host_wait_for(waiter, HOST_POLLS, &ran, count, sizeof ran) &&
                        device_download(got, dx, bytes));
            EXPECT_EQ(ran, needed < limits[k] ? needed : limits[k]);
            EXPECT_EQ(memcmp(got, want, bytes) == 0, needed <= limits[k]);
        }
        cg_loop_free(loop);
    }
    host_wait_close(waiter);
    cg_matrix_free(&matrix);
    cg_host_free(&m);
    device_free(job.workspace), device_free(count), device_free(db), device_free(dx);
    free(b), free(want), free(got);
}
