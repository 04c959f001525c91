// reads_test.c: both kinds of loads read the same elements.
#include "bench/primitives/reads.h"

#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { THREADS = 512, LG_MOST = 10 };

// Sums of small integers are exact. Catches: a place of another thread, a part that is left out or
// stored elsewhere, a table of another length.
TEST(Reads, EveryElement) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { ALL = THREADS * READS_STORES };
    double *host = malloc(8 << LG_MOST), *got = malloc(8 * ALL);
    for (unsigned i = 0; i < 1 << LG_MOST; i++) {
        host[i] = i * i + 1;
    }
    double *table = device_alloc(8 << LG_MOST), *out = device_alloc(8 * ALL);
    ASSERT_TRUE(device_upload(table, host, 8 << LG_MOST));
    for (unsigned lg = 1; lg <= LG_MOST; lg += 3) {
        for (unsigned read_only = 0; read_only < 2; read_only++) {
            reads_job job = {table, out, lg, THREADS, read_only != 0};
            device_fill(out, 0xA5, 8 * ALL);
            ASSERT_TRUE(reads_enqueue(&job, NULL));
            ASSERT_TRUE(device_download(got, out, 8 * ALL));
            for (unsigned i = 0; i < ALL; i++) {
                double want = 0;
                const unsigned each = READS_EACH / READS_STORES, part = i / THREADS;
                for (unsigned k = 0; k < each; k++) {
                    const uint64_t at = READS_EACH * (i % THREADS) + part * each + k;
                    want += host[at * UINT64_C(0x9E3779B97F4A7C15) >> (64 - lg)];
                }
                ASSERT_EQ(got[i], want);
            }
        }
    }
    reads_job bad = {table, out, 0, THREADS, false};
    EXPECT_FALSE(reads_enqueue(&bad, NULL));
    bad = (reads_job){table, out, 4, THREADS + 1, false};
    EXPECT_FALSE(reads_enqueue(&bad, NULL));
    device_free(table), device_free(out);
    free(host), free(got);
}
