// look_back_test.c: the look-back protocol without a scan, with many more blocks than fit at once
// and with delays at every step.
#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/cuda/look_back_kernels.h"
#include "tests/support/device.h"

enum { TILES_ON_DEVICE = 6000, RUNS_ON_DEVICE = 1000, TILES_EMULATED = 300, RUNS_EMULATED = 12 };

// then(first(x)): slopes in the low halves, offsets in the high ones.
static uint64_t compose(uint64_t first, uint64_t then) {
    const uint32_t slope = (uint32_t)then * (uint32_t)first;
    const uint32_t offset = (uint32_t)then * (uint32_t)(first >> 32) + (uint32_t)(then >> 32);
    return (uint64_t)offset << 32 | slope;
}

// What before[0..tiles) must become in a run of that seed.
static void expect_products(uint64_t *want, uint32_t tiles, uint32_t seed) {
    want[0] = 1;
    for (uint32_t t = 1; t < tiles; t++) {
        want[t] = compose(want[t - 1], look_back_element(t - 1, seed));
    }
}

// Catches a tag read apart from its value, a window composed in the wrong order or twice, a prefix
// taken for a product, words of the launch before, counters that are not reset, and, by never
// ending, tile numbers that do not follow the order in which blocks start.
TEST(LookBack, OneAnswerWhateverTheDelays) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint32_t tiles = device_emulated() ? TILES_EMULATED : TILES_ON_DEVICE;
    const bool few = device_emulated() || getenv("LONGMUL_SMALL") != NULL;
    const uint32_t runs = few ? RUNS_EMULATED : RUNS_ON_DEVICE;
    const size_t bytes = look_back_bytes(tiles);
    uint64_t *want = malloc(8 * tiles), *got = malloc(8 * tiles);
    void *workspace = device_alloc(bytes), *before = device_alloc(8 * tiles);
    ASSERT_TRUE(workspace != NULL && before != NULL && device_fill(workspace, 0, bytes));
    for (uint32_t run = 0; run < runs; run++) {
        SCOPED_TRACE("run %u", run);
        device_order(run);
        expect_products(want, tiles, run);
        ASSERT_TRUE(device_fill(before, 0xA5, 8 * tiles));
        // Fewer tiles now and then leave words of an older launch behind the last one.
        const uint32_t n = run % 5 == 4 ? tiles / 2 : tiles;
        ASSERT_TRUE(look_back_run(before, workspace, n, run % 4 * 700, run));
        ASSERT_TRUE(device_download(got, before, 8 * tiles));
        ASSERT_LIMBS_EQ(got, want, n);
    }
    device_order(0);
    device_free(workspace);
    device_free(before);
    free(want);
    free(got);
}
