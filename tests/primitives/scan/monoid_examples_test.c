// monoid_examples_test.c: the examples against one loop each.
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/monoid_examples.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

static const size_t sizes[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 4096, 65537, 300000};
enum { SIZES = sizeof sizes / sizeof sizes[0], LONGEST = 300000 };

typedef struct {
    char *in, *other, *out, *workspace;
    uint64_t *host;
} buffers;

static bool setup(buffers *b) {
    const size_t bytes = example_workspace_bytes(LONGEST);
    b->in = device_alloc(8 * LONGEST);
    b->other = device_alloc(8 * LONGEST);
    b->out = device_alloc(8 * LONGEST);
    b->workspace = device_alloc(bytes);
    b->host = malloc(8 * LONGEST);
    return b->in != NULL && b->other != NULL && b->out != NULL && b->workspace != NULL &&
           device_fill(b->workspace, 0, bytes);
}

static void teardown(buffers *b) {
    device_free(b->in);
    device_free(b->other);
    device_free(b->out);
    device_free(b->workspace);
    free(b->host);
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

// Bentley's loop: the best segment that ends here, and the best of all. Catches an order of lanes,
// warps or blocks that is not the sequence's, halves of a value that are mixed up in a shuffle, and
// segments that are not allowed to cross a border.
TEST(MonoidExamples, BestSegment) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(1);
    for (size_t k = 0; k < 2 * SIZES; k++) {
        const size_t n = sizes[k / 2];
        int32_t *x = (int32_t *)b.host;
        int64_t best = 0, here = 0, total = 0, prefix = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (int32_t)gen_below(&g, 2001) - (k % 2 ? 1000 : 1010);
            here = larger(here + x[i], 0);
            best = larger(best, here);
            total += x[i];
            prefix = larger(prefix, total);
        }
        SCOPED_TRACE("n = %zu", n);
        example_segment got;
        EXPECT_TRUE(device_upload(b.in, x, n * sizeof *x));
        EXPECT_EQ(example_best_segment((example_segment *)b.out, (const int32_t *)b.in, n,
                                       b.workspace, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&got, b.out, sizeof got));
        EXPECT_EQ(got.best, best);
        EXPECT_EQ(got.total, total);
        EXPECT_EQ(got.suffix, here);
        EXPECT_EQ(got.prefix, prefix);
    }
    teardown(&b);
}

// Catches a lower digit that overrules a higher one: numbers that differ in one digit, in two that
// contradict each other, or not at all.
TEST(MonoidExamples, Compare) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(2);
    for (size_t k = 0; k < 3 * SIZES; k++) {
        const size_t n = sizes[k / 3], differing = k % 3;
        for (size_t i = 0; i < n; i++) {
            b.host[i] = gen_u64(&g) >> 1;
        }
        EXPECT_TRUE(device_upload(b.in, b.host, 8 * n));
        const size_t high = gen_below(&g, n), low = gen_below(&g, high + 1);
        if (differing > 0) {
            b.host[low]--;
            b.host[high] = b.host[high] + 2;
        }
        EXPECT_TRUE(device_upload(b.other, b.host, 8 * n));
        int32_t got = 7;
        const char *first = differing < 2 ? b.in : b.other,
                   *second = differing < 2 ? b.other : b.in;
        EXPECT_EQ(example_compare((int32_t *)b.out, (const uint64_t *)first,
                                  (const uint64_t *)second, n, b.workspace, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&got, b.out, sizeof got));
        EXPECT_EQ(got, differing == 0 ? 0 : differing == 1 ? -1 : 1);
    }
    teardown(&b);
}

// Catches an inclusive scan in place of the exclusive one, and a count that leaves the last one
// out.
TEST(MonoidExamples, Compact) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(3);
    uint32_t *got = malloc(4 * LONGEST), *want = malloc(4 * LONGEST);
    for (size_t k = 0; k < 3 * SIZES; k++) {
        const size_t n = sizes[k / 3];
        uint32_t *x = (uint32_t *)b.host, kept = 0, count = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = gen_below(&g, 4) < k % 3 * 2 ? (uint32_t)gen_u64(&g) | 1 : 0;
            if (x[i] != 0) {
                want[kept++] = x[i];
            }
        }
        SCOPED_TRACE("n = %zu", n);
        EXPECT_TRUE(device_upload(b.in, x, 4 * n));
        EXPECT_TRUE(device_fill(b.workspace, 0, example_workspace_bytes(LONGEST)));
        EXPECT_EQ(example_compact((uint32_t *)b.out, (uint32_t *)b.other, (const uint32_t *)b.in, n,
                                  b.workspace, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&count, b.other, sizeof count));
        EXPECT_EQ(count, kept);
        EXPECT_TRUE(kept == 0 || device_download(got, b.out, 4 * kept));
        EXPECT_EQ(memcmp(got, want, 4 * kept), 0);
    }
    free(got);
    free(want);
    teardown(&b);
}
