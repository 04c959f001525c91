// outer.cuh: a tile of an outer pass, of columns of 2^lg_outer elements of a piece, for
// outer_kernels.cu and inner_kernels.cu. Includes kernels.h and lines.cuh.
#ifndef FFT_DEVICE_MODULAR_OUTER_CUH_
#define FFT_DEVICE_MODULAR_OUTER_CUH_

#include "fft/device/modular/kernels.h"

// Lines are columns; up to 16 parts are a thread's own.
template <unsigned kNodes>
using Outer = ModularLines<kNodes, ModularOuterS(kNodes), kColumnsIn | kColumnsOut, kBack>;

template <unsigned kNodes>
DEVICE Outer<kNodes> OuterTile(const ModularOuterJob &job, unsigned prime, double *shared) {
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Outer<kNodes> c = {{{shared, threadIdx.x, {}}, job.prime[prime], {}, 0}};
    for (unsigned i = 0; i + 1 < NodesOf(kNodes); i++) {
        c.node_roots[i] = tables + job.places.outer_nodes[i];
    }
    return c;
}

// The twist of a piece's elements, or its inverse.
template <unsigned kNodes, bool kInverse>
DEVICE const double *OuterTwist(const ModularOuterJob &job, unsigned prime, unsigned piece) {
    return job.tables + (size_t)prime * job.places.total + job.places.outer[kInverse] +
           (piece << Outer<kNodes>::kQ);
}

// Blocks of a multiprocessor, which say how many registers there are for the items of two pieces:
// by trials on an H200. A thread has 16 parts, or 8 and fewer; the gathering of 16 in one node,
// where no barrier keeps loads apart, would spill with more than two.
template <unsigned kNodes>
constexpr unsigned kSplitBlocks = RegisterDigits(kNodes) == 4 ? 3 : 4;
template <unsigned kNodes>
constexpr unsigned kJoinBlocks = NodesOf(kNodes) == 1 ? 2 : kSplitBlocks<kNodes>;

// A tile's columns of a piece from its parts: the same transform back, and the twist's inverse.
// parts: of the tile's first column. Items become elements, within 1.13 p.
template <unsigned kNodes>
DEVICE void Gather(Outer<kNodes> &c, const double *parts, unsigned lg, const double *twist) {
    using Tile = Outer<kNodes>;
    const double *from =
        parts + ((size_t)MoveBits<typename Tile::LastThreads>(c.thread) << lg) + c.LastLine();
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        c.v[r] = from[(size_t)MoveBits<typename Tile::LastRegisters>(r) << lg];
    }
    c.Back();
    if (twist != nullptr) {
        c.template Twist<true>(twist);
    } else {
        c.Reduce();
    }
}

#endif  // FFT_DEVICE_MODULAR_OUTER_CUH_
