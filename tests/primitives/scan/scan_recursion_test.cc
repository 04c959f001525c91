// scan_recursion_test.cc: three-kernel's recursion and its chunks of many tiles, which through
// scan.h need 2^27 and 2^22 elements, under the kernel emulation, which makes do with few if told
// for how many blocks to cut. In C++, because the schedule is.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "primitives/scan/monoid.cuh"
#include "primitives/scan/three_kernel.cuh"

namespace {

using Schedule = ScanThreeKernel<AffineU32>;
using Value = AffineU32::Value;

// Without a pattern: products of regular slopes over a tile are near 1, and then products commute.
Value Element(uint64_t i) {
    uint64_t z = i * 0x9E3779B97F4A7C15;
    z = (z ^ z >> 31) * 0xBF58476D1CE4E5B9;
    z ^= z >> 32;
    return {(uint32_t)z | 1, (uint32_t)(z >> 32)};
}

// Scans n elements with the schedule for a device that runs `blocks` blocks at once.
void Check(uint64_t n, uint64_t blocks) {
    std::vector<Value> x(n), y(n);
    for (uint64_t i = 0; i < n; i++) {
        x[i] = Element(i);
    }
    const size_t bytes = Schedule::WorkspaceBytes(n, 1);
    std::vector<char> workspace(bytes + 64, 0x5A);  // as aligned as operator new makes it: 16
    const ScanData<AffineU32> d = {x.data(), y.data(), n, n, false, true};
    ASSERT_EQ(Schedule::Scan(d, (Value *)workspace.data(), blocks, kChunkTiles, nullptr),
              cudaSuccess);
    Value want = AffineU32::Identity();
    for (uint64_t i = 0; i < n; i++) {
        want = AffineU32::Combine(want, x[i]);
        ASSERT_EQ(memcmp(&want, &y[i], sizeof want), 0) << i;
    }
    for (size_t i = bytes; i < workspace.size(); i++) {
        ASSERT_EQ(workspace[i], 0x5A);
    }
}

constexpr uint64_t kTile = Schedule::kTile;

// Catches totals of one level written over another level's, a workspace stated too small for two
// levels, and a level that is left out.
TEST(ScanRecursion, TwoLevelsOfTotals) {
    // kTile + 4 chunks: two chunks of totals.
    Check(kTile * kTile + 3 * kTile + 5, uint64_t{1} << 40);
}

// Catches a tile that does not take what the one before it in its chunk hands on, or takes it in
// the wrong order, a buffer filled again before it was read, and warps that are a tile ahead of
// warp 0.
TEST(ScanRecursion, ChunksOfManyTiles) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        emulation::Order(seed);
        Check(100 * kTile + 77, 1);   // chunks of 32 tiles
        Check(100 * kTile + 77, 33);  // of 3
    }
    emulation::Order(0);
}

}  // namespace
