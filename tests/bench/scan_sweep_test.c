// scan_sweep_test.c: every K and every alpha that is swept scans.
#include "bench/primitives/scan_sweep.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Catches a chunk that is not handed on, an alpha without kernels, a workspace stated too small and
// a K above the number of tiles.
TEST(ScanSweep, EveryParameterScans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { MOST = 1 << 17, ROOM = 1 << 16, SEED = 5 };
    static const uint64_t sizes[] = {1, 4097, 70001, MOST};
    uint32_t *in = device_alloc(4 * MOST), *out = device_alloc(4 * MOST);
    void *workspace = device_alloc(ROOM);
    ASSERT_TRUE(in != NULL && out != NULL && workspace != NULL);
    ASSERT_TRUE(device_random(MONOID_SUM_U32, in, MOST, SEED));
    for (unsigned p = 0; p < SCAN_SWEEP_ALPHAS + 6; p++) {
        for (unsigned i = 0; i < 4; i++) {
            const unsigned alpha = p < SCAN_SWEEP_ALPHAS ? scan_sweep_alphas[p] : 0;
            scan_sweep_job job = {
                in,    out,       sizes[i], alpha > 0 ? 0 : 1u << (p - SCAN_SWEEP_ALPHAS),
                alpha, workspace, 0};
            SCOPED_TRACE("k = %u, alpha = %u, n = %d", job.k, job.alpha, (int)job.n);
            job.workspace_bytes = scan_sweep_bytes(&job);
            ASSERT_TRUE(job.workspace_bytes <= ROOM);
            ASSERT_TRUE(device_fill(out, 0xA5, 4 * MOST));
            EXPECT_TRUE(scan_sweep_enqueue(&job, NULL));
            EXPECT_EQ(device_scan_errors(MONOID_SUM_U32, false, out, job.n, job.n, SEED), 0);
            EXPECT_TRUE(scan_sweep_warps(&job) > 0);
            job.workspace_bytes--;
            EXPECT_FALSE(scan_sweep_enqueue(&job, NULL));
        }
    }
    const scan_sweep_job bad[] = {{in, out, 1, 0, 2, workspace, ROOM},
                                  {in, out, 1, 1, 17, workspace, ROOM},
                                  {in, out, 1, 0, 0, workspace, ROOM}};
    for (unsigned i = 0; i < 3; i++) {
        EXPECT_EQ(scan_sweep_bytes(&bad[i]), 0);
    }
    device_free(in);
    device_free(out);
    device_free(workspace);
}
