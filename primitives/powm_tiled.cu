// powm_tiled.cu: powm_device.h: powers in tiles, products on tensor cores, one warp for each power.
// Includes launch.cuh, powers.cuh and tiled_ring.cuh.
#include <algorithm>

#include "primitives/launch.cuh"
#include "primitives/powers.cuh"
#include "primitives/tiled_ring.cuh"

namespace powm {
namespace {

// Of a multiprocessor.
template <unsigned kTiles>
constexpr unsigned kBlocks = std::min<unsigned>(POWM_DEVICE_TILES / kTiles,
                                                POWM_DEVICE_TILED_BLOCKS);

// ForEachPower: one(i, slot) for the powers of the calling warp, which is a block.
template <class Ring, class F>
DEVICE void ForEachPower(const Job &job, F one) {
    DYNAMIC_SHARED(typename Ring::Shared, own);
    own->rows.Clear();
    own->modulus.Clear();
    own->inverse.Clear();
    __syncwarp();
    for (uint64_t i = blockIdx.x; i < job.batch.count; i += gridDim.x) {
        one(i, own);
        __syncwarp();
    }
}

template <unsigned kTiles>
__global__ void __launch_bounds__(kWarp, kBlocks<kTiles>)
    TiledOddKernel(const __grid_constant__ Job job) {
    using Ring = TiledOddRing<kTiles>;
    ForEachPower<Ring>(job, [&](uint64_t i, typename Ring::Shared *own) {
        OddPower(OddPowers<Ring>(job, LaneGroup(Ring::kLanes), own, blockIdx.x), i, true);
    });
}

template <unsigned kTiles>
__global__ void __launch_bounds__(kWarp, kBlocks<kTiles>)
    TiledEvenKernel(const __grid_constant__ Job job) {
    using Ring = TiledLowRing<kTiles>;
    ForEachPower<Ring>(job, [&](uint64_t i, typename Ring::Shared *own) {
        EvenPower(LowPowers<Ring>(job, LaneGroup(Ring::kLanes), own, blockIdx.x), i, true);
    });
}

template <unsigned kTiles>
result Run(const Job &job, cudaStream_t stream) {
    constexpr size_t kBytes = sizeof(TiledRingShared<kTiles>);
    cudaError_t e = AllowShared(TiledOddKernel<kTiles>, kBytes);
    if (e == cudaSuccess) {
        e = AllowShared(TiledEvenKernel<kTiles>, kBytes);
    }
    if (e == cudaSuccess) {
        e = Launch(TiledOddKernel<kTiles>, job.plan.blocks, kWarp, kBytes, stream, job);
    }
    if (e == cudaSuccess) {
        e = Launch(TiledEvenKernel<kTiles>, job.plan.blocks, kWarp, kBytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result TiledPowers(const Job &job, device_stream stream) {
    switch (job.plan.tiles) {
        case 2:
            return Run<2>(job, stream);
        case 3:
            return Run<3>(job, stream);
        case 4:
            return Run<4>(job, stream);
        case 6:
            return Run<6>(job, stream);
        case 8:
            return Run<8>(job, stream);
        case 12:
            return Run<12>(job, stream);
        case 16:
            return Run<16>(job, stream);
        default:
            return RESULT_REFUSED;
    }
}

}  // namespace powm
