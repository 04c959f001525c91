// naive_test.c: the benchmark's slow scans are scans.
#include <stdlib.h>

#include "bench/primitives/naive.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Catches an odd number of levels that ends in the wrong buffer, a share's end cut to the tile, and
// a prefix shifted by a lane or a share.
TEST(Naive, EveryContenderScans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { MOST = 1 << 20, SEED = 3 };
    static const uint64_t sizes[] = {1, 2, 3, 31, 513, 544, 545, 4096, 70001, MOST};
    uint32_t *in = device_alloc(4 * MOST), *out = device_alloc(4 * MOST);
    void *workspace = device_alloc(4 * MOST);
    ASSERT_TRUE(in != NULL && out != NULL && workspace != NULL);
    ASSERT_TRUE(device_random(MONOID_SUM_U32, in, MOST, SEED));
    const size_t count = sizeof sizes / sizeof sizes[0] - (device_emulated() ? 1 : 0);
    for (size_t i = 0; i < count * NAIVE_SCANS; i++) {
        const naive_scan *naive = &naive_scans[i % NAIVE_SCANS];
        const uint64_t n = sizes[i / NAIVE_SCANS];
        SCOPED_TRACE("%s n = %d", naive->name, (int)n);
        naive_job job = {in, out, n, workspace, naive->bytes(n)};
        ASSERT_TRUE(device_fill(out, 0xA5, 4 * MOST));
        EXPECT_TRUE(naive->enqueue(&job, NULL));
        EXPECT_EQ(device_scan_errors(MONOID_SUM_U32, false, out, n, n, SEED), 0);
        job.workspace_bytes--;
        EXPECT_FALSE(naive->enqueue(&job, NULL));
    }
    device_free(in);
    device_free(out);
    device_free(workspace);
}
