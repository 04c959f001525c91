// pass_mixed.h: the arguments of the kernel of a pass whose length is no power of two.
// transform_mixed.cu launches it; pass_mixed_entries.cu instantiates it. Includes C's own headers.
#ifndef FFT_DEVICE_COMPLEX_PASS_MIXED_H_
#define FFT_DEVICE_COMPLEX_PASS_MIXED_H_

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

// MixedNode: DFTs of `radix` points that stand `points` apart in the line: `points` are left after
// it, radix times as many before. roots: exp(-2 pi i k t / (radix points)) at [k][t], t < points;
// none of the last node, which has points = 1.
struct MixedNode {
    const void *roots;
    MixedDivisor points, groups;  // groups: DFTs of a line
    uint32_t radix;
};

// MixedSide: where items are: item i of problem b has its real part at b distance + i stride, its
// imaginary part `gap` further, all in numbers of the kernel's type. whole: the two are side by
// side and aligned, so that they move at once.
struct MixedSide {
    uint64_t stride, distance, gap;
    bool whole;
};

// MixedJob: lines of L points of problems of N = before L after points. Line l is that of problem b
// and of R = K after + T, K the frequency so far and T the point left: l = b (before after) + R,
// or, inner, R batch + b, so that lines that follow each other are those of problems that do. Its
// point j is item (K L + j) after + T, its frequency k item k before after + R; it leaves times
// root k T of order L after. columns: items of neighbouring lines are nearer to each other in
// memory than those of a line, so threads are numbered along lines. A block has 2^lg_lines lines in
// shared memory; nodes work in place, so that the last one finds the DFT of frequencies c + k L /
// radix at points place[c] radix + k.
struct MixedJob {
    const void *in;  // numbers of the kernel's type
    void *out;
    MixedSide from, to;
    uint16_t *place;
    uint64_t lines;                 // of all problems together
    uint64_t after, others, order;  // others = N / L, order = L after
    uint64_t around;                // what l is divided by first: others, or, inner, the batch
    double inverse_after, inverse_around, inverse_order;
    uint32_t points, tile_items;  // L; of a tile in shared memory
    uint8_t lg_lines, nodes_n;
    bool columns_in, columns_out, twiddles, inner;
    bool swap_in, swap_out;  // parts change places: both make a transform its inverse
    MixedNode node[kMixedNodes];
};

typedef void MixedKernel(MixedJob);

// MixedHalves: frequencies of `points` pairs of reals to those of the reals, or, back, the other
// way (half_spectrum.cuh); in may be out where from and to agree. A thread has items k and
// points - k of a problem, k < half = points / 2 + 1. inner: threads that follow each other have
// problems that do, not items.
struct MixedHalves {
    const void *in;
    void *out;
    MixedSide from, to;
    uint64_t points, half, batch, around;  // around: what a thread's number is divided by
    double inverse_around, inverse_order;  // order: 2 points
    bool inner;
};

typedef void MixedHalvesKernel(MixedHalves);

// Kernels are built for nodes of at most 8 and 16 points: the largest node decides how many
// registers all have, of doubles 80 and 128. A block may have as many threads as those allow.
constexpr unsigned kMixedMost[] = {8, 16};
constexpr unsigned MixedThreads(unsigned most) { return most == 8 ? 768 : 512; }

// The kernel for items of two doubles or floats, for nodes of at most that many points; and the one
// that fills a pass's roots and places: any number of threads in any number of blocks.
MixedKernel *MixedPassKernelOf(bool f64, unsigned most);
MixedKernel *MixedTablesKernelOf(bool f64);
// Blocks of kHalvesThreads, one thread for each of batch half pairs of items.
constexpr unsigned kHalvesThreads = 256;
MixedHalvesKernel *MixedHalvesKernelOf(bool f64, bool back);

// Lanes that shared memory serves together are 2^this, each with an item: so wide is a row of its
// banks. A tile has whole rows.
template <size_t kItemBytes>
constexpr unsigned kMixedBankBits = kItemBytes == 16 ? 3 : 4;

#endif  // FFT_DEVICE_COMPLEX_PASS_MIXED_H_
