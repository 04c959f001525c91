// scan_large_test.c: scans and reductions of billions of elements on a device, and what is refused.
#include <stdlib.h>

#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/monoid_fixture.h"
#include "tests/support/device.h"

// Scans in place, so that one buffer of the device's memory is enough, and reduces what was there.
static void check_large(void *x, const scan_job *job) {
    const uint32_t seed = 77;
    const uint64_t size = job->n * job->rows;
    SCOPED_TRACE("%s %s n = %llu, rows = %llu", scan_variant_name(job->variant),
                 monoid_name(job->op), (unsigned long long)job->n, (unsigned long long)job->rows);
    const reduce_job reduce = {.op = job->op, .n = size, .rows = 1};
    const size_t scan_bytes = scan_workspace_bytes(job);
    const size_t reduce_bytes = reduce_workspace_bytes(&reduce);
    void *scanning = device_alloc(scan_bytes), *reducing = device_alloc(reduce_bytes);
    void *product = device_alloc(8);
    ASSERT_TRUE(scanning != NULL && reducing != NULL && product != NULL);
    ASSERT_TRUE(device_fill(scanning, 0, scan_bytes));
    ASSERT_TRUE(device_fill(reducing, 0, reduce_bytes));
    ASSERT_TRUE(device_random(job->op, x, size, seed));
    EXPECT_EQ(reduce_device(&reduce, product, x, reducing, reduce_bytes, NULL), RESULT_OK);
    EXPECT_EQ(scan_device(job, x, x, scanning, scan_bytes, NULL), RESULT_OK);
    EXPECT_EQ(device_scan_errors(job->op, job->exclusive, x, size, job->n, seed), 0);
    if (job->rows == 1 && !job->exclusive) {
        const size_t bytes = monoid_bytes(job->op);
        uint64_t reduced = 0, last = 0;
        EXPECT_TRUE(device_download(&reduced, product, bytes));
        EXPECT_TRUE(device_download(&last, (char *)x + (size - 1) * bytes, bytes));
        EXPECT_EQ(reduced, last);
    }
    device_free(scanning);
    device_free(reducing);
    device_free(product);
}

// Catches positions, tile and group numbers that are cut to 32 bits, a recursion of three-kernel
// that ends too early, and chunk counts beyond a kernel's. What the device's memory cannot hold is
// left out, but 2^31 elements it must hold.
TEST(ScanLarge, BillionsOfElements) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const bool few = device_emulated() || getenv("LONGMUL_SMALL") != NULL;
    const unsigned least = few ? 15 : 31, most = few ? 17 : 33;
    static const monoid ops[] = {MONOID_MAP3, MONOID_SUM_U32};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = least; k <= most; k++) {
            const uint64_t size = (UINT64_C(1) << k) + 12347;
            void *x = device_alloc((size_t)size * monoid_bytes(ops[i]));
            ASSERT_TRUE(x != NULL || k > least);
            for (unsigned v = 0; v < SCAN_VARIANTS && x != NULL; v++) {
                const scan_job job = {.op = ops[i], .variant = (scan_variant)v, .rows = 1};
                scan_job one = job, halves = job, many = job;
                one.n = size;
                halves.n = size / 2;  // not a multiple of 16 bytes
                halves.rows = 2;
                halves.exclusive = true;
                many.n = 1000;
                many.rows = size / 1000;
                check_large(x, &one);
                check_large(x, &halves);
                check_large(x, &many);
            }
            device_free(x);
        }
    }
}

// Catches a job taken on with too little memory, an unknown operator, and a size that overflows.
TEST(ScanLarge, RefusesWhatItCannotDo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    scan_job job = {.op = MONOID_SUM_U32, .n = 100000, .rows = 1};
    const size_t bytes = scan_workspace_bytes(&job);
    EXPECT_TRUE(bytes > 0);
    EXPECT_EQ(scan_device(&job, NULL, NULL, NULL, bytes - 1, NULL), RESULT_REFUSED);
    job.n = UINT64_C(1) << 33;
    job.rows = UINT64_C(1) << 40;
    EXPECT_EQ(scan_workspace_bytes(&job), 0);
    EXPECT_EQ(scan_device(&job, NULL, NULL, NULL, 1 << 20, NULL), RESULT_REFUSED);
    job = (scan_job){.op = MONOID_KINDS, .n = 1, .rows = 1};
    EXPECT_FALSE(scan_valid(&job));
    job = (scan_job){.op = MONOID_SUM_U32, .variant = SCAN_VARIANTS, .n = 1, .rows = 1};
    EXPECT_FALSE(scan_valid(&job));
    // Nothing to do is done, without looking at the operands.
    job = (scan_job){.op = MONOID_SUM_U32, .n = 0, .rows = 5};
    EXPECT_EQ(scan_device(&job, NULL, NULL, NULL, scan_workspace_bytes(&job), NULL), RESULT_OK);
}
