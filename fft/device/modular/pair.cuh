// pair.cuh: the kernel of the inverse columns of two pieces that are side by side in one
// tile and are joined between lanes. Includes columns.cuh and warp.cuh.
#ifndef FFT_DEVICE_MODULAR_PAIR_CUH_
#define FFT_DEVICE_MODULAR_PAIR_CUH_

#include "fft/device/modular/columns.cuh"
#include "primitives/cuda/warp.cuh"

// Exchanges stay within warps where they can: up to 3 % faster on an H200 with tiles of 2^13
// points, as long with smaller ones.
constexpr unsigned ModularPairMode(unsigned spread) {
    return kColumnsIn | kColumnsOut | kWarpsApart | spread << kSpreadShift;
}
template <unsigned kNodes, unsigned kS, unsigned kSpread>
using ModularPairShape = PassShape<kNodes, kS, ModularPairMode(kSpread)>;

// ModularPair: lines 0 .. 2^kSide - 1 of the tile are columns of piece 0, the others the same
// columns of piece 1. Lines are a thread's lowest digits in the first layout and in the last one,
// so that a lane has items of one piece and the lane that differs in digit kSide the same of the
// other.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kSpread>
struct ModularPair : ModularColumns<kNodes, kS, kLgColumns, ModularPairMode(kSpread), kBack> {
    using Base = ModularColumns<kNodes, kS, kLgColumns, ModularPairMode(kSpread), kBack>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::kQ, Base::part, Base::thread, Base::v;
    static constexpr unsigned kSide = Shape::kX - 1;
    static constexpr unsigned kHalf = kItems / 2;
    static_assert(1u << kSide < kWarp, "both lanes are in one warp");

    DEVICE static constexpr bool LinesAreLowest() {
        for (unsigned i = 0; i < Shape::kX; i++) {
            if (Base::template ThreadLine<0>::kMap.to[i] != (int)i ||
                Base::template ThreadLine<Base::kLast>::kMap.to[i] != (int)i) {
                return false;
            }
        }
        return true;
    }
    static_assert(LinesAreLowest(), "a lane's piece is the same in both layouts");

    // Two pieces are sum and difference, whose halves are in the tables. Each lane joins half of
    // the items, those of register kHalf part on: sums come first, differences after them.
    DEVICE void Join() {
#pragma unroll
        for (unsigned r = 0; r < kHalf; r++) {
            const double kept = part == 0 ? v[r] : v[r + kHalf];
            const double sent = part == 0 ? v[r + kHalf] : v[r];
            const double got = ShuffleXor(sent, 1u << kSide);
            v[r] = kept + got;
            v[r + kHalf] = part == 0 ? kept - got : got - kept;
        }
    }

    // What Join has left to blocks 0 and 1 of the coefficients.
    DEVICE void WriteJoined(double *plane) const {
        double *const sums = plane + Base::FirstColumn();
        double *const differences = sums + ((size_t)1 << (kQ + kLgColumns));
        const unsigned point = Base::RowOfThread() + (part == 0 ? 0 : Base::RowOf(kHalf));
#pragma unroll
        for (unsigned r = 0; r < kHalf; r++) {
            const unsigned row = (0u - (point + Base::RowOf(r))) % (1u << kQ);
            sums[(size_t)row << kLgColumns] = v[r];
            differences[(size_t)row << kLgColumns] = v[r + kHalf];
        }
    }
};

// Inverse columns of one tile of both pieces and prime, and the join, in place. Grid: x blocks of a
// tile, then tiles, then items of a batch, y primes.
// Cost a point: 3.6 operations on doubles a level, 15 for both twiddles and the twist, 1 and half a
// shuffle for the join; reads and writes 8 bytes.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kSpread>
__global__ void __launch_bounds__(ModularPairShape<kNodes, kS, kSpread>::kThreads,
                                  1024 / ModularPairShape<kNodes, kS, kSpread>::kThreads)
    ModularPairKernel(const __grid_constant__ ModularColumnsJob job) {
    using Pair = ModularPair<kNodes, kS, kLgColumns, kSpread>;
    DYNAMIC_SHARED(double, shared);
    const unsigned plane_i = blockIdx.y, prime = job.first + plane_i;
    const unsigned part = threadIdx.x >> Pair::kSide & 1;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    // `column` plus a line is the line's column: lines of piece 1 begin at 2^kSide.
    constexpr unsigned kTiles = 1u << (kLgColumns - Pair::kSide);
    const unsigned of_items = blockIdx.x >> kSpread;
    const unsigned tile = of_items % kTiles, item = of_items / kTiles;
    const unsigned thread = Pair::ThreadOf(threadIdx.x);
    Pair c = {{{{{shared, thread, {}}, job.prime[prime], {}, 0}},
               job,
               tables,
               part,
               (tile << Pair::kSide) - (part << Pair::kSide)}};
    for (unsigned i = 0; i + 1 < Pair::Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    WaitForKernelBefore();
    double *const plane = job.PlaneOf(0, item, plane_i);
    // Before the plane: loads are answered in their order, and these are in a cache.
    const typename Pair::OwnFactors own = c.LoadOwn();
    c.Read(plane);
    c.TwiddleBack(own);
    c.Back();
    c.template Twist<true>();  // of piece 0 by 1, which reduces
    c.Join();
    LetKernelAfterBegin();
    c.WriteJoined(plane);
    c.Leave();
}

#endif  // FFT_DEVICE_MODULAR_PAIR_CUH_
