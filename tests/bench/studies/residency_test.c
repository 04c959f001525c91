// residency_test.c: how many blocks run at once, against the paper's numbers and by hand.
#include "bench/studies/residency.h"

#include "bench/studies/blocks.h"
#include "tests/ctest/ctest.h"

// The paper's Jacobi kernel: 32 threads of 39 registers and 33 rows of 33 floats on Keplers of 14
// and 15 multiprocessors. Catches: a limit left out, units that round down, the paper's slips (4353
// bytes, registers in units of 265).
TEST(Residency, ThePapersExample) {
    const residency_kernel kernel = {32, 39, 4 * 32 * 33};
    const residency_device k20 = residency_kepler(14), k40 = residency_kepler(15);
    EXPECT_EQ(residency_most(&k20), 14 * 16);
    EXPECT_EQ(residency_blocks(&k20, &kernel), 154);
    EXPECT_EQ(residency_blocks(&k40, &kernel), 165);
}

// One limit at a time decides. Catches: warps rounded down, a warp unit that is not applied, the
// system's kilobyte forgotten, a block that does not fit taken for one that does.
TEST(Residency, EachLimit) {
    const residency_device h = residency_hopper(132);
    const struct {
        residency_kernel kernel;
        uint32_t each;
    } cases[] = {
        {{1, 16, 0}, 32},          // blocks
        {{1024, 32, 0}, 2},        // warps
        {{1000, 32, 0}, 2},        // warps, the last one in part
        {{96, 168, 0}, 4},         // registers: 12 warps of 5376 in units of 4, 3 each
        {{128, 255, 0}, 2},        // registers: 8 warps
        {{1024, 65, 0}, 0},        // registers of one block: 28 warps fit
        {{256, 32, 56 << 10}, 4},  // shared: 57 KiB of 228 each
        {{256, 32, (56 << 10) + 1}, 3},
        {{256, 32, 227 << 10}, 1},
        {{256, 32, (227 << 10) + 1}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        SCOPED_TRACE("case %d", (int)i);
        const uint32_t blocks = residency_blocks(&h, &cases[i].kernel);
        EXPECT_EQ(blocks, 132 * cases[i].each);
        EXPECT_FALSE(blocks > 0 && residency_deadlocks(&h, &cases[i].kernel, blocks));
        EXPECT_TRUE(residency_deadlocks(&h, &cases[i].kernel, blocks + 1));
    }
}

// Catches: an order of blocks that counts pairs, or only neighbours, or looks the wrong way.
TEST(Order, Inversions) {
    const uint32_t in_order[] = {0, 1, 2, 3}, swapped[] = {0, 2, 1, 3}, last_first[] = {1, 2, 3, 0};
    EXPECT_EQ(blocks_disorder(in_order, 4).overtakers, 0);
    const blocks_inversions one = blocks_disorder(swapped, 4), far = blocks_disorder(last_first, 4);
    EXPECT_TRUE(one.overtakers == 1 && one.farthest == 1);
    EXPECT_TRUE(far.overtakers == 1 && far.farthest == 3);
}
