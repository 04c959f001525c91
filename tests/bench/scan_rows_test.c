// scan_rows_test.c: the papers' scans of short rows are scans.
#include "bench/primitives/scan_rows.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { MOST = 3 * 4096 + 2048, SEED = 4 };

static void check(const scan_rows_job *j) {
    SCOPED_TRACE("%s n = %d, rows = %d, threads = %u", scan_rows_names[j->form], (int)j->n,
                 (int)j->rows, j->threads);
    scan_rows_job job = *j;
    ASSERT_TRUE(device_fill(job.out, 0xA5, 4 * MOST));
    EXPECT_TRUE(scan_rows_enqueue(&job, NULL));
    EXPECT_EQ(device_scan_errors(MONOID_SUM_U32, false, job.out, job.n * job.rows, job.n, SEED), 0);
}

// Catches a row that takes the sum of the one before it, a level left out, a barrier left out
// between levels, blocks with fewer rows than places, and warps' sums taken across rows.
TEST(ScanRows, EveryFormAndLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    uint32_t *in = device_alloc(4 * MOST), *out = device_alloc(4 * MOST);
    ASSERT_TRUE(in != NULL && out != NULL && device_random(MONOID_SUM_U32, in, MOST, SEED));
    for (unsigned form = 0; form < SCAN_ROWS_FORMS; form++) {
        for (unsigned n = 64; n <= (form == SCAN_ROWS_KS ? 1024 : 2048); n *= 2) {
            for (uint64_t seed = 0; seed < 3; seed++) {
                const unsigned threads = form <= SCAN_ROWS_KS ? 0
                                         : seed == 0          ? (n > 128 ? n / 4 : 32)
                                                              : 256u << seed;
                const scan_rows_job job = {
                    in, out, n, seed == 0 ? 1 : MOST / n, (scan_rows_form)form, threads};
                device_order(seed);
                check(&job);
            }
        }
    }
    device_order(0);
    device_free(in);
    device_free(out);
}

// Catches blocks taken for warps, all multiprocessors for one, and jobs that are not looked at.
TEST(ScanRows, WarpsOfAMultiprocessor) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned form = SCAN_ROWS_LF_NAIVE; form < SCAN_ROWS_FORMS; form++) {
        for (unsigned threads = 32; threads <= 1024; threads *= 2) {
            const scan_rows_job job = {NULL, NULL, 64, 1, (scan_rows_form)form, threads};
            const unsigned warps = scan_rows_warps(&job);
            EXPECT_TRUE(warps > 0 && warps % (threads / 32) == 0);
            EXPECT_TRUE(device_emulated() || warps <= 64);
        }
    }
    const scan_rows_job one_row = {NULL, NULL, 64, 1, SCAN_ROWS_LF, 64};
    const scan_rows_job short_block = {NULL, NULL, 1024, 1, SCAN_ROWS_LF_TUNED, 128};
    EXPECT_EQ(scan_rows_warps(&one_row), 0);
    EXPECT_EQ(scan_rows_warps(&short_block), 0);
}

TEST(ScanRows, RefusesWhatItCannotDo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const scan_rows_job bad[] = {
        {NULL, NULL, 96, 1, SCAN_ROWS_LF, 0},           {NULL, NULL, 32, 1, SCAN_ROWS_LF, 0},
        {NULL, NULL, 4096, 1, SCAN_ROWS_LF, 0},         {NULL, NULL, 2048, 1, SCAN_ROWS_KS, 0},
        {NULL, NULL, 1024, 1, SCAN_ROWS_LF_TUNED, 128}, {NULL, NULL, 64, 1, SCAN_ROWS_KS_TUNED, 16},
        {NULL, NULL, 64, 1, SCAN_ROWS_KS_NAIVE, 2048},  {NULL, NULL, 64, 1, SCAN_ROWS_FORMS, 64}};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        scan_rows_job job = bad[i];
        EXPECT_FALSE(scan_rows_enqueue(&job, NULL));
    }
}
