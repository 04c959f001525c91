// inner_kernels.cu: the kernels of the inner pass, which splits parts of an outer pass again where
// they are longer than rows times columns can be. It is an outer pass from residues, in place.
#include "fft/device/modular/outer.cuh"

namespace {

// Where a block's tile begins. Grid: x tiles, y primes x pieces, pieces fastest, z operands.
template <unsigned kNodes>
struct InnerPlace {
    unsigned piece, prime;
    double *x;

    DEVICE explicit InnerPlace(const ModularOuterJob &job) {
        const unsigned pieces = job.parts >> Outer<kNodes>::kQ, plane_i = blockIdx.y / pieces;
        piece = blockIdx.y % pieces;
        prime = job.first + plane_i;
        x = job.operand[blockIdx.z].plane + job.Plane(plane_i) +
            ((size_t)piece << (job.lg + Outer<kNodes>::kQ)) +
            ((size_t)blockIdx.x << Outer<kNodes>::Shape::kX);
    }
};

// Cost a point: 3.6 operations on doubles a level, 5 for the twist, 16 bytes.
template <unsigned kNodes>
__global__ void __launch_bounds__(kModularOuterThreads, kSplitBlocks<kNodes>)
    ModularInnerSplitKernel(const __grid_constant__ ModularOuterJob job) {
    using Tile = Outer<kNodes>;
    DYNAMIC_SHARED(double, shared);
    const InnerPlace<kNodes> at(job);
    Tile c = OuterTile<kNodes>(job, at.prime, shared);
    WaitForKernelBefore();
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        c.v[r] = at.x[((size_t)c.template Row<false>(r) << job.lg) + c.FirstLine()];
    }
    c.template Twist<false>(OuterTwist<kNodes, false>(job, at.prime, at.piece));
    c.Forward();
    c.Reduce();
    double *to =
        at.x + ((size_t)MoveBits<typename Tile::LastThreads>(c.thread) << job.lg) + c.LastLine();
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        to[(size_t)MoveBits<typename Tile::LastRegisters>(r) << job.lg] = c.v[r];
    }
}

// The same back. Cost: the same.
template <unsigned kNodes>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularInnerGatherKernel(const __grid_constant__ ModularOuterJob job) {
    using Tile = Outer<kNodes>;
    DYNAMIC_SHARED(double, shared);
    const InnerPlace<kNodes> at(job);
    Tile c = OuterTile<kNodes>(job, at.prime, shared);
    WaitForKernelBefore();
    Gather<kNodes>(c, at.x, job.lg, OuterTwist<kNodes, true>(job, at.prime, at.piece));
#pragma unroll
    for (unsigned r = 0; r < Tile::kItems; r++) {
        at.x[((size_t)c.template Row<true>(r) << job.lg) + c.FirstLine()] = c.v[r];
    }
}

template <unsigned kLg>
constexpr ModularInnerEntry Entry() {
    constexpr unsigned kNodes = kModularOuterNodes[kLg];
    return {ModularOuterS(kNodes) - kLg,
            NodesOf(kNodes) > 1 ? sizeof(double) << ModularOuterS(kNodes) : 0,
            ModularInnerSplitKernel<kNodes>, ModularInnerGatherKernel<kNodes>};
}

constexpr ModularInnerEntry kEntries[] = {Entry<1>(), Entry<2>(), Entry<3>(), Entry<4>(),
                                          Entry<5>(), Entry<6>(), Entry<7>()};
static_assert(sizeof kEntries / sizeof *kEntries == FFT_MODULAR_LG_OUTER, "an entry for each");

}  // namespace

const ModularInnerEntry *ModularInnerOf(unsigned lg) { return &kEntries[lg - 1]; }
