// sort_papers_test.c: the papers' sorts of short rows and by d-way merges, against qsort.
#include <stdlib.h>
#include <string.h>

#include "bench/primitives/sort_dway.h"
#include "bench/primitives/sort_rows.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/sort/fixture.h"
#include "tests/support/device.h"

enum { MOST = 1 << 15 };

// Fills in[0 .. n rows) on the device and in x.
static void fill(uint32_t *in, uint32_t *x, sort_pattern pattern, uint64_t seed, size_t size) {
    gen g = gen_seed(seed);
    sort_fill(&g, pattern, SORT_U32, x, size);
    EXPECT_TRUE(device_upload(in, x, 4 * size));
}

static void expect_sorted(const uint32_t *out, const uint32_t *x, uint64_t n, uint64_t rows) {
    const sort_job job = {SORT_U32, 0, n, rows, false};
    uint32_t *got = malloc(4 * n * rows);
    EXPECT_TRUE(device_download(got, out, 4 * n * rows));
    EXPECT_EQ(sort_first_wrong(&job, false, x, got, NULL, NULL), SIZE_MAX);
    free(got);
}

// Catches a direction that is turned, a stage left out or of the wrong stride, a barrier left out,
// and a block that takes rows of its neighbour.
TEST(SortPapers, RowsByEveryForm) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { KEYS = 3 * 4096 };
    uint32_t *in = device_alloc(4 * KEYS), *out = device_alloc(4 * KEYS), *x = malloc(4 * KEYS);
    ASSERT_TRUE(in != NULL && out != NULL);
    for (unsigned form = 0; form < SORT_ROWS_FORMS; form++) {
        for (unsigned k = 2; k <= (form == SORT_ROWS_NAIVE ? 11u : 12u); k++) {
            for (unsigned pattern = 0; pattern < SORT_PATTERNS; pattern += k < 9 ? 1 : 3) {
                const uint64_t n = UINT64_C(1) << k, rows = k < 8 ? 37 : k < 11 ? 3 : 1;
                sort_rows_job job = {in, pattern % 2 ? out : in, n, rows, (sort_rows_form)form};
                SCOPED_TRACE("%s n = %u, pattern %s", sort_rows_names[form], 1u << k,
                             sort_pattern_name((sort_pattern)pattern));
                fill(in, x, (sort_pattern)pattern, k, n * rows);
                device_order(pattern);
                EXPECT_TRUE(sort_rows_enqueue(&job, NULL));
                expect_sorted(job.out, x, n, rows);
            }
        }
    }
    device_order(0);
    const sort_rows_job bad[] = {{in, out, 2, 1, SORT_ROWS_NAIVE},
                                 {in, out, 96, 1, SORT_ROWS_R4},
                                 {in, out, 4096, 1, SORT_ROWS_NAIVE},
                                 {in, out, 8192, 1, SORT_ROWS_R4},
                                 {in, out, 64, 1, SORT_ROWS_FORMS}};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sort_rows_job job = bad[i];
        EXPECT_FALSE(sort_rows_enqueue(&job, NULL));
    }
    device_free(in);
    device_free(out);
    free(x);
}

// Catches a child refilled that was not the one to be, a run's end taken for its neighbour's keys,
// equal keys cut twice or never, passes that end in the workspace, and fewer runs than ways.
TEST(SortPapers, DWayMergesOfEveryWidth) {
    if (!device_ready()) {
        SKIP("no device");
    }
    uint32_t *in = device_alloc(4 * MOST), *out = device_alloc(4 * MOST), *x = malloc(4 * MOST);
    ASSERT_TRUE(in != NULL && out != NULL);
    static const unsigned shapes[][2] = {{5, 5}, {9, 5}, {12, 5}, {13, 7}, {15, 9}};  // lg n, run
    for (unsigned lg_ways = 1; lg_ways <= 8; lg_ways++) {
        for (unsigned i = 0; i < 5; i++) {
            for (unsigned pattern = i % 2; pattern < SORT_PATTERNS; pattern += i < 2 ? 1 : 3) {
                const uint64_t n = UINT64_C(1) << shapes[i][0];
                sort_dway_job job = {in, out, n, lg_ways, shapes[i][1], NULL, 0};
                job.workspace_bytes = sort_dway_cost(&job).workspace_bytes;
                job.workspace = device_alloc(job.workspace_bytes + 8);
                SCOPED_TRACE("n = 2^%u, runs of 2^%u, %u ways, %s", shapes[i][0], shapes[i][1],
                             1u << lg_ways, sort_pattern_name((sort_pattern)pattern));
                fill(in, x, (sort_pattern)pattern, lg_ways, n);
                ASSERT_TRUE(device_fill(job.workspace, 0x5A, job.workspace_bytes + 8));
                EXPECT_TRUE(sort_dway_enqueue(&job, NULL));
                expect_sorted(out, x, n, 1);
                char guard[8];
                EXPECT_TRUE(device_download(guard, (char *)job.workspace + job.workspace_bytes, 8));
                EXPECT_EQ(guard[0], 0x5A);
                job.workspace_bytes--;
                EXPECT_FALSE(sort_dway_enqueue(&job, NULL));
                device_free(job.workspace);
            }
        }
    }
    const sort_dway_job bad[] = {{in, out, 64, 0, 5, NULL, 0},
                                 {in, out, 64, 9, 5, NULL, 0},
                                 {in, out, 96, 1, 5, NULL, 0},
                                 {in, out, 16, 1, 5, NULL, 0},
                                 {in, out, 64, 1, 4, NULL, 0}};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EXPECT_EQ(sort_dway_cost(&bad[i]).workspace_bytes, 0);
    }
    device_free(in);
    device_free(out);
    free(x);
}

// 2^28 keys, runs of 2^13, 4 ways: 8 merges after the first sweep.
TEST(SortPapers, CostsWhatItsHeaderSays) {
    const sort_dway_job job = {NULL, NULL, UINT64_C(1) << 28, 2, 13, NULL, 0};
    const sort_dway_costs c = sort_dway_cost(&job);
    EXPECT_EQ(c.passes, 8);
    EXPECT_TRUE(c.bytes >= UINT64_C(9) << 31 && c.bytes < UINT64_C(10) << 31);
}
