// pass_kernels.h: the arguments of a pass kernel, and the list of the kernels that were built.
// transform_passes.cu launches them; the files of kernels/ instantiate them.
// Includes <stdint.h>.
#ifndef FFT_DEVICE_COMPLEX_PASS_KERNELS_H_
#define FFT_DEVICE_COMPLEX_PASS_KERNELS_H_

#include <stddef.h>
#include <stdint.h>

// Where a pass finds and leaves lines. Rows: a line's points are side by side. Columns: points of
// neighbouring lines are. kStageIn, kStageOut: memory and registers go different ways, by one more
// exchange; for nodes that leave too few digits to the lanes. kRealOut, kRealIn: this pass, the
// last or the first one, also turns frequencies of pairs of reals into those of the reals, or back.
// kReversedOut, kReversedIn: of a transform to reversed order, or back from it: every item is
// stored where it was loaded.
// kWarpsApart: of three nodes and more, from the second on the first one's digits of the frequency
// end the thread's number, so that they tell warps apart and exchanges stay within warps.
enum PassMode : unsigned {
    kRows = 0,
    kColumnsIn = 1,
    kColumnsOut = 2,
    kStageIn = 4,
    kStageOut = 8,
    kRealOut = 16,
    kRealIn = 32,
    kReversedOut = 64,
    kReversedIn = 128,
    kWarpsApart = 256
};
// A mode's bits from this one on: digits of the rank, for tiles spread over a cluster of blocks.
constexpr unsigned kSpreadShift = 9;

constexpr unsigned kMaxNodes = 4;

// PassSide, counted in items: the problems of a batch begin `distance` apart; by columns a line's
// items stand `step` apart.
struct PassSide {
    uint64_t step, distance;
};

// PassJob: n digits of a problem, of which `before` are consumed by earlier passes and `after` are
// left to later ones: n = before + q + after. Line l of the pass is (batch, frequency so far, point
// left), in this order from the top: line r of its problem is l mod 2^(before + after).
// Columns: point j of the line is at (r >> after) 2^(q + after) + r mod 2^after + j step in its
// problem, and frequency k at r + k step. In several passes these steps are 2^after and 2^(n - q),
// so that columns out with after = 0 is the transposing store of the last pass. Rows: at r 2^q + j
// or k. Of reals both sides have items, on the one pairs, on the other frequencies.
// In reversed order line r by columns is that of the memory above and below it: both sides have
// their items where columns in have points, with digits of j and k in reverse order. From reversed
// order memory has digits of the frequency below those of points, so `before` and `after` change
// places: r mod 2^after is the frequency so far.
struct PassJob {
    const void *in;  // complex items of the kernel's type
    void *out;
    PassSide from, to;
    // For every node but the last: 2^(digits left before it) roots exp(-2 pi i k t / 2^(that)) at
    // [k][t], t the digits left after it.
    const void *node_roots[kMaxNodes - 1];
    const void *wide_roots;  // of a PassEntry that has some: their table
    uint64_t lines;          // of all problems together
    uint8_t before, after, n;
    bool swap_in, swap_out;  // parts change places: both make a transform its inverse
};

// PassEntry: a kernel and what is needed to find and to launch it: a tile for each 2^lg_lines
// lines. nodes: the nodes' digits, one hexadecimal digit each, the first one at the top. s: digits
// of a tile.
struct PassEntry {
    unsigned nodes, s, mode;
    unsigned lg_lines, threads, cluster;  // a tile's blocks, 1 or more, and each one's threads
    size_t shared_bytes;
    unsigned wide_roots;  // WideRoots of pairs k < wide_roots, -i w^k, w of order 4 wide_roots
    void (*kernel)(PassJob);
};

struct PassEntries {
    const PassEntry *entry;
    size_t n;
};

// The lists, a file of kernels/ each, for Real = float and double. They are short because the time
// that nvcc takes for a file grows with the square of its kernels. Kernels that differ only in
// their tiles are in one list, the smaller tile first.
template <class Real>
PassEntries RowPasses();
template <class Real>
PassEntries FirstPasses();
template <class Real>
PassEntries LastPasses();
template <class Real>
PassEntries RealToPasses();
template <class Real>
PassEntries RealFromPasses();
template <class Real>
PassEntries RealColumnPasses();
template <class Real>
PassEntries ReversedToPasses();
template <class Real>
PassEntries ReversedFromPasses();
template <class Real>
PassEntries ReversedColumnPasses();

#endif  // FFT_DEVICE_COMPLEX_PASS_KERNELS_H_
