// pass_mixed.h: what the kernel of a pass of lengths that are no power of two is told; between
// transform_mixed.cu, which launches it, and pass_mixed.cu, which instantiates it. Includes C's own
// headers.
#ifndef FFT_PASS_MIXED_H_
#define FFT_PASS_MIXED_H_

#include <stddef.h>
#include <stdint.h>

constexpr unsigned kMixedNodes = 14;          // of a pass
constexpr unsigned kMixedSharedMax = 232448;  // bytes of a block on compute capability 9.0
constexpr unsigned kMixedLgTile = 14;         // a tile has at most 2^that items, so has a line

// MixedDivisor: i / d as ((i + 1) m) >> 32 with m = (2^32 - 1) / d, for (i + 1) d <= 2^32: with
// m = (2^32 - 1 - e) / d, e < d, and i = q d it is at least q as long as q d (1 + e) < 2^32 - e;
// with i = q d + d - 1 it is below q + 1 since d m < 2^32.
struct MixedDivisor {
    uint32_t d, m;
};

// MixedNode: DFTs of `radix` points that stand `points` apart in the line: so many points are left
// after it, radix times as many before. roots: exp(-2 pi i k t / (radix points)) at [k][t], t <
// points; none of the last node, which has points = 1.
struct MixedNode {
    const void *roots;
    MixedDivisor points, groups;  // groups: DFTs of a line
    uint32_t radix;
};

// MixedJob: lines of L points of problems of N = before L after points. Line l of the pass is
// (batch, frequency so far, point left): l = (b before + K) after + T. Its point j is at
// (b before + K) L after + j after + T, its frequency k at b N + k before after + K after + T; it
// leaves times root k T of order L after. Rows in are columns of after = 1, and rows out those of
// before = 1 as well. A block has 2^lg_lines lines in shared memory; nodes work in place, so that
// the last one finds the DFT of frequencies c + k L / radix at points place[c] radix + k.
struct MixedJob {
    const void *in;  // complex items of the kernel's type
    void *out;
    uint16_t *place;
    uint64_t lines;                 // of all problems together
    uint64_t after, others, order;  // others = N / L, order = L after
    double inverse_after, inverse_others, inverse_order;
    uint32_t points, tile_items;  // L; of a tile in shared memory
    uint8_t lg_lines, nodes_n;
    bool columns_in, columns_out, twiddles;
    bool swap_in, swap_out;  // parts change places: both make a transform its inverse
    MixedNode node[kMixedNodes];
};

typedef void MixedKernel(MixedJob);

// Kernels are built for nodes of at most 8 and 16 points: the largest node decides how many
// registers all have, of doubles 80 and 128. A block may have as many threads as those allow.
constexpr unsigned kMixedMost[] = {8, 16};
constexpr unsigned MixedThreads(unsigned most) { return most == 8 ? 768 : 512; }

// The kernel for items of two doubles or floats, of so many nodes; and the one that fills a pass's
// roots and places: any number of threads in any number of blocks.
MixedKernel *MixedPassKernelOf(bool f64, unsigned most);
MixedKernel *MixedTablesKernelOf(bool f64);

// Lanes that shared memory serves together are 2^this, each with an item: so wide is a row of its
// banks. A tile has whole rows.
template <size_t kItemBytes>
constexpr unsigned kMixedBankBits = kItemBytes == 16 ? 3 : 4;

#endif  // FFT_PASS_MIXED_H_
