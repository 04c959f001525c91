// blocks_test.c: a barrier among more blocks than run at once gives up, and no other does.
#include "bench/studies/blocks.h"

#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { POLLS_EMULATED = 500, POLLS = 1 << 14 };

static const blocks_shape shapes[] = {{32, 0}, {256, 0}, {128, 32 << 10}, {1024, 0}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

// The formulas, the driver and what happens agree. Catches: an allocation unit that is wrong for
// this device, shared memory of the kernel's own that is forgotten, a barrier that gives up early,
// one that waits on.
TEST(Blocks, DeadlockIsWhatTheFormulasSay) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned s = 0; s < SHAPES; s++) {
        SCOPED_TRACE("%u threads, %u bytes", shapes[s].threads, shapes[s].shared);
        residency_device device;
        residency_kernel kernel;
        uint32_t driver = 0, gave_up = 0;
        ASSERT_EQ(blocks_resident(shapes[s], &device, &kernel, &driver), RESULT_OK);
        EXPECT_EQ(residency_blocks(&device, &kernel), driver);
        uint32_t *count = device_alloc(4);
        void *workspace = device_alloc(8 * (size_t)(driver + 1));
        for (uint32_t grid = driver; grid <= driver + 1; grid++) {
            const uint32_t polls = device_emulated() ? POLLS_EMULATED : POLLS;
            ASSERT_EQ(blocks_meet(shapes[s], grid, polls, count, workspace, NULL), RESULT_OK);
            ASSERT_TRUE(device_download(&gave_up, count, 4));
            EXPECT_EQ(gave_up > 0, residency_deadlocks(&device, &kernel, grid));
        }
        device_free(count);
        device_free(workspace);
    }
}

// Every block starts once. Catches: a log with gaps, a rank given twice.
TEST(Blocks, OrderIsAPermutation) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { GRID = 200 };
    static uint32_t started[GRID], place[GRID];
    uint32_t *log = device_alloc(sizeof started), *at = device_alloc(sizeof place);
    uint32_t *counter = device_alloc(4);
    for (unsigned seed = 0; seed < 2; seed++) {
        device_order(seed);
        device_fill(counter, 0, 4);
        ASSERT_EQ(blocks_order(shapes[0], GRID, 3, log, at, counter, NULL), RESULT_OK);
        ASSERT_TRUE(device_download(started, log, sizeof started) &&
                    device_download(place, at, sizeof place));
        bool seen[GRID] = {false};
        for (unsigned b = 0; b < GRID; b++) {
            ASSERT_TRUE(started[b] < GRID && !seen[started[b]]);
            seen[started[b]] = true;
        }
        // The emulation starts blocks in the order of their numbers, or at random.
        if (device_emulated()) {
            EXPECT_EQ(blocks_disorder(started, GRID).overtakers > 0, seed > 0);
        }
    }
    device_order(0);
    device_free(log), device_free(at), device_free(counter);
}
