// reduce_study_test.c: the reductions of the study against one loop each.
#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/reduce_study.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

static const size_t sizes[] = {1,    2,    31,   32,   33,   63,    64,     65,    255,
                               1000, 1024, 1025, 4095, 4096, 65537, 262145, 300000};
enum { LONGEST = 300000 };

// How many of them: those up to 1025 where a sanitizer asks for small ones.
static size_t sizes_count(void) {
    return getenv("LONGMUL_SMALL") != NULL ? 12 : sizeof sizes / sizeof sizes[0];
}

typedef struct {
    char *in, *out, *workspace;
    int32_t *host;
} buffers;

static bool setup(buffers *b) {
    b->in = device_alloc(sizeof(int32_t) * LONGEST);
    b->out = device_alloc(sizeof(example_segment));
    b->workspace = device_alloc(study_workspace_bytes(LONGEST));
    b->host = malloc(sizeof(int32_t) * LONGEST);
    return b->in != NULL && b->out != NULL && b->workspace != NULL && b->host != NULL &&
           device_fill(b->workspace, 0xA5, study_workspace_bytes(LONGEST));
}

static void teardown(buffers *b) {
    device_free(b->in);
    device_free(b->out);
    device_free(b->workspace);
    free(b->host);
}

// Catches elements that are left out, taken twice or behind the end: a tree's level that is not
// full, a matrix of which two values share a place, a pipeline that is not emptied.
TEST(ReduceStudy, Sums) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(1);
    for (size_t k = 0; k < STUDY_FORMS * sizes_count(); k++) {
        const size_t n = sizes[k / STUDY_FORMS];
        uint32_t want = 0, got = 0;
        for (size_t i = 0; i < n; i++) {
            b.host[i] = (int32_t)(uint32_t)gen_u64(&g);
            want += (uint32_t)b.host[i];
        }
        SCOPED_TRACE("%s n = %zu", study_names[k % STUDY_FORMS], n);
        EXPECT_TRUE(device_upload(b.in, b.host, sizeof(int32_t) * n));
        EXPECT_EQ(study_sum((uint32_t *)b.out, (const uint32_t *)b.in, n,
                            (study_form)(k % STUDY_FORMS), b.workspace, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&got, b.out, sizeof got));
        EXPECT_EQ(got, want);
    }
    teardown(&b);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// Catches operands that change places, at any level, rows or runs in another order, and a form that
// does not keep the order but takes the job. With random orders, a barrier that is missing.
TEST(ReduceStudy, BestSegmentInOrder) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(2);
    for (size_t k = 0; k < STUDY_CASCADING * sizes_count(); k++) {
        const size_t n = sizes[k / STUDY_CASCADING];
        example_segment want = {0, 0, 0, 0}, got;
        for (size_t i = 0; i < n; i++) {
            const int32_t x = b.host[i] = (int32_t)gen_below(&g, 2001) - 1000;
            want.suffix = larger(want.suffix + x, 0);
            want.best = larger(want.best, want.suffix);
            want.total += x;
            want.prefix = larger(want.prefix, want.total);
        }
        const study_form form = (study_form)(k % STUDY_CASCADING);
        SCOPED_TRACE("%s n = %zu", study_names[form], n);
        device_order(n < 5000 ? k : 0);
        EXPECT_TRUE(device_upload(b.in, b.host, sizeof(int32_t) * n));
        EXPECT_EQ(study_best_segment((example_segment *)b.out, (const int32_t *)b.in, n, form,
                                     b.workspace, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&got, b.out, sizeof got));
        EXPECT_EQ(got.best, want.best);
        EXPECT_EQ(got.total, want.total);
        EXPECT_EQ(got.suffix, want.suffix);
        EXPECT_EQ(got.prefix, want.prefix);
    }
    device_order(0);
    for (unsigned form = STUDY_CASCADING; form < STUDY_FORMS; form++) {
        EXPECT_EQ(study_best_segment((example_segment *)b.out, (const int32_t *)b.in, 10,
                                     (study_form)form, b.workspace, NULL),
                  RESULT_REFUSED);
    }
    teardown(&b);
}
