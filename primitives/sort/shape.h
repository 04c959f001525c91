// shape.h: tiles and workspaces of the device's sorts, which plans and kernels share. C++;
// includes the C library only.
#ifndef PRIMITIVES_SORT_SHAPE_H_
#define PRIMITIVES_SORT_SHAPE_H_

#include <cstddef>
#include <cstdint>

// --- Rows in shared memory, and tiles of the multiway merge --------------------------------------
// How many items a thread takes, by the bytes of an item: key (widened for ragged segments) and
// value. As many as its registers hold beside those of its neighbours.
constexpr unsigned SortItemsFor(unsigned bytes) { return bytes <= 8 ? 16 : bytes <= 16 ? 8 : 4; }
// The largest block; 1024 threads have 64 registers each.
constexpr unsigned SortMaxThreads(unsigned bytes) { return bytes <= 4 ? 1024 : 512; }
constexpr unsigned kSortMaxLogWays = 3;  // log2 of the runs that a merge joins at once, at most
constexpr uint64_t kSortMergeMaxRow = UINT64_C(1) << 32;
// How the multiway merge works. 2 ways: a block finds its own two pieces, so that a pass is one
// launch; short arrays wait for launches and searches more than for memory. 8 ways: a launch more
// for the cuts, and a third of the passes through memory. 256 threads: twice as many blocks.
struct SortMergeShape {
    unsigned threads, log_ways;  // 256 or 512; 1 .. kSortMaxLogWays
};
constexpr bool SortMergeShapeValid(SortMergeShape s) {
    return (s.threads == 256 || s.threads == 512) && s.log_ways >= 1 &&
           s.log_ways <= kSortMaxLogWays;
}
constexpr SortMergeShape kSortRaggedShape = {512, kSortMaxLogWays};
// The first line that has the item's bytes and n / 2^log_size <= 1 is taken. `sort_bench merge`
// measures every shape and bench/primitives/merge_tune.py prints these lines from its records
// (h200-sort-merge.jsonl).
struct SortMergeLine {
    unsigned bytes, log_size;
    SortMergeShape shape;
};
constexpr SortMergeLine kSortMergeLines[] = {
    {4, 18, {256, 1}},  {4, 20, {512, 1}},  {4, 24, {512, 3}},  {4, 34, {256, 2}},
    {8, 18, {256, 1}},  {8, 20, {512, 1}},  {8, 22, {256, 2}},  {8, 24, {256, 3}},
    {8, 34, {256, 2}},  {16, 20, {256, 1}}, {16, 22, {256, 3}}, {16, 24, {512, 3}},
    {16, 26, {256, 3}}, {16, 34, {256, 2}},
};
// log2 of the lanes that look for the cut of a run. A warp for each tile while tiles are few and
// the search is waited for; one lane for each run where they are many and its instructions count.
constexpr unsigned kSortMaxLogLanes = 5;  // of a tile: log_ways + log_probes
constexpr unsigned SortLogProbes(uint64_t tiles, unsigned log_ways) {
    return tiles <= 4096 ? kSortMaxLogLanes - log_ways : 0;
}
// Whether a plan's cuts come from a launch of their own, and are kept in the workspace.
constexpr bool SortCutsApart(unsigned log_ways, bool ragged) { return log_ways > 1 || ragged; }
constexpr unsigned SortWideBytes(unsigned key_bytes, bool ragged) {
    return ragged ? 2 * key_bytes : key_bytes;
}

// --- Radix ---------------------------------------------------------------------------------------
constexpr unsigned kRadixBits = 8, kRadix = 1u << kRadixBits;
constexpr uint64_t kRadixMaxSize = UINT64_C(1) << 30;  // a word of status counts below that
// Histograms of up to 8 digits and numbers drawn by up to 8 launches, 32 bits each.
constexpr size_t kRadixCounterBytes = (8 * kRadix * 4 + 8 * 4 + 255) / 256 * 256;
struct RadixShape {
    unsigned threads, items, blocks;  // of a block, of a thread, on a multiprocessor
};
// Long tiles, because a tile's sums over 256 digits cost the same however long it is, as far as two
// blocks share the registers without spills. Trials on an H200 (no records kept) gave 2^28 keys of
// 4 bytes 58.6 G/s with 26 items, 57.3 with 24 and 54.0 with 22.
constexpr RadixShape RadixShapeFor(unsigned key_bytes, unsigned value_bytes) {
    return key_bytes == 8     ? RadixShape{384, 16, 2}
           : value_bytes == 0 ? RadixShape{384, 26, 2}
           : value_bytes == 4 ? RadixShape{512, 16, 2}
                              : RadixShape{512, 14, 2};
}

// --- Workspaces ----------------------------------------------------------------------------------
constexpr size_t SortAligned(size_t bytes) { return (bytes + 255) / 256 * 256; }
constexpr uint64_t SortCeil(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
// log2 of the next power of two.
constexpr unsigned SortLog(uint64_t n) {
    unsigned log = 0;
    while ((UINT64_C(1) << log) < n) {
        log++;
    }
    return log;
}

#endif  // PRIMITIVES_SORT_SHAPE_H_
