// outer_kernels.cu: the kernels of the outer pass: a piece's parts from its digits, and its blocks
// of coefficients from its parts, by tiles of columns of 2^lg_outer elements of a piece.
#include "fft/device/modular/outer.cuh"

namespace {

// Grid: x primes fastest, which share their words, then tiles; y operands. A block does a tile of
// every piece, so that a digit becomes a residue once, unless there are more digits than a piece
// has points: then each piece folds them its own way.
// Cost a point: 2.5 operations on doubles for the digit, once or for each piece, 3.6 a level, 5 for
// the twist; reads its word once for each prime, writes 8 bytes a prime.
template <unsigned kNodes, unsigned kDigits>
__global__ void __launch_bounds__(kModularOuterThreads, kSplitBlocks<kNodes>)
    ModularSplitKernel(const __grid_constant__ ModularOuterJob job) {
    using Tile = Outer<kNodes>;
    DYNAMIC_SHARED(double, shared);
    const unsigned pieces = job.parts >> Tile::kQ, lg = job.lg;
    const unsigned plane_i = blockIdx.x % job.primes, prime = job.first + plane_i;
    const unsigned column = blockIdx.x / job.primes << Tile::Shape::kX;
    const ModularDigits &a = job.operand[blockIdx.y];
    Tile c = OuterTile<kNodes>(job, prime, shared);
    const bool folds = a.count > 1u << (lg + Tile::kQ);
    const unsigned first = column + c.FirstLine() + (c.RowOfThread() << lg);
    const unsigned last = column + (1u << Tile::Shape::kX) - 1 + (((1u << Tile::kQ) - 1) << lg);
    double *to = a.plane + job.Plane(plane_i) +
                 ((size_t)MoveBits<typename Tile::LastThreads>(c.thread) << lg) + column +
                 c.LastLine();
    double digits[Tile::kItems];
    WaitForKernelBefore();
#pragma unroll 1
    for (unsigned piece = 0; piece < pieces; piece++) {
        if (piece == 0 || folds) {
            ModularFold<kDigits, Tile::kItems, false>(
                digits, a, 1u << (lg + Tile::kQ), c.prime, piece, column, last, first,
                [lg](unsigned r) { return Tile::RowOf(r) << lg; });
        }
#pragma unroll
        for (unsigned r = 0; r < Tile::kItems; r++) {
            c.v[r] = digits[r];
        }
        if (piece > 0) {
            c.template Twist<false>(OuterTwist<kNodes, false>(job, prime, piece));
            if (NodesOf(kNodes) > 1) {
                __syncthreads();  // the tile is in use no more
            }
        }
        c.Forward();
        c.Reduce();
#pragma unroll
        for (unsigned r = 0; r < Tile::kItems; r++) {
            to[(size_t)MoveBits<typename Tile::LastRegisters>(r) << lg] = c.v[r];
        }
        to += (size_t)1 << (lg + Tile::kQ);
    }
}

// Blocks of coefficients of one piece, in place. Grid: x tiles, y primes x pieces, pieces fastest.
// Cost a point: 3.6 operations on doubles a level, 5 for the twist, 16 bytes.
template <unsigned kNodes>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularGatherKernel(const __grid_constant__ ModularOuterJob job) {
    using Tile = Outer<kNodes>;
    DYNAMIC_SHARED(double, shared);
    const unsigned pieces = job.parts >> Tile::kQ, piece = blockIdx.y % pieces, lg = job.lg;
    const unsigned plane_i = blockIdx.y / pieces, prime = job.first + plane_i;
    double *x = job.operand[0].plane + job.Plane(plane_i) + ((size_t)piece << (lg + Tile::kQ)) +
                ((size_t)blockIdx.x << Tile::Shape::kX);
    Tile c = OuterTile<kNodes>(job, prime, shared);
    WaitForKernelBefore();
    Gather<kNodes>(c, x, lg, piece > 0 ? OuterTwist<kNodes, true>(job, prime, piece) : nullptr);
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        x[((size_t)c.template Row<true>(r) << lg) + c.FirstLine()] = c.v[r];
    }
}

// The same of two pieces and their join: sum and difference, whose halves are in the tables. Grid:
// x tiles, y primes.
template <unsigned kNodes>
__global__ void __launch_bounds__(kModularOuterThreads, kJoinBlocks<kNodes>)
    ModularGatherJoinKernel(const __grid_constant__ ModularOuterJob job) {
    using Tile = Outer<kNodes>;
    DYNAMIC_SHARED(double, shared);
    const unsigned lg = job.lg, prime = job.first + blockIdx.y;
    const size_t piece = (size_t)1 << (lg + Tile::kQ);
    double *x =
        job.operand[0].plane + job.Plane(blockIdx.y) + ((size_t)blockIdx.x << Tile::Shape::kX);
    Tile c = OuterTile<kNodes>(job, prime, shared);
    WaitForKernelBefore();
    Gather<kNodes>(c, x + piece, lg, OuterTwist<kNodes, true>(job, prime, 1));
    double other[Tile::kItems];
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        other[r] = c.v[r];
    }
    if (NodesOf(kNodes) > 1) {
        __syncthreads();  // the tile is in use no more
    }
    Gather<kNodes>(c, x, lg, nullptr);
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        double *to = x + ((size_t)c.template Row<true>(r) << lg) + c.FirstLine();
        to[0] = c.v[r] + other[r];
        to[piece] = c.v[r] - other[r];
    }
}

template <unsigned kLg>
constexpr ModularOuterEntry Entry() {
    constexpr unsigned kNodes = kModularOuterNodes[kLg];
    return {
        kLg,
        ModularOuterS(kNodes) - kLg,
        NodesOf(kNodes) > 1 ? sizeof(double) << ModularOuterS(kNodes) : 0,
        {ModularSplitKernel<kNodes, kWholeDigits>, ModularSplitKernel<kNodes, kBalancedDigits>,
         ModularSplitKernel<kNodes, kShortDigits>, ModularSplitKernel<kNodes, kTwoChunkDigits>,
         ModularSplitKernel<kNodes, kThreeChunkDigits>, ModularSplitKernel<kNodes, kTwoWordDigits>},
        ModularGatherKernel<kNodes>,
        ModularGatherJoinKernel<kNodes>};
}

constexpr ModularOuterEntry kEntries[] = {Entry<1>(), Entry<2>(), Entry<3>(), Entry<4>(),
                                          Entry<5>(), Entry<6>(), Entry<7>()};
static_assert(sizeof kEntries / sizeof *kEntries == FFT_MODULAR_LG_OUTER, "an entry for each");

}  // namespace

const ModularOuterEntry *ModularOuterOf(unsigned lg) { return &kEntries[lg - 1]; }
