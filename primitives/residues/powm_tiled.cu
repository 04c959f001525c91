// powm_tiled.cu: powm_device.h: powers in tiles, products on tensor cores, one warp for each power.
// Includes launch.cuh, powers_modulo.cuh and tiled_ring.cuh.
#include <algorithm>

#include "primitives/cuda/launch.cuh"
#include "primitives/residues/powers_modulo.cuh"
#include "primitives/residues/tiled_ring.cuh"

namespace powm {
namespace {

// --- Products that are called --------------------------------------------------------------------
// A product is some thousand instructions: a kernel has it once. The kernel's dynamic shared memory
// is the warp's TiledRingShared.
#if defined(__CUDACC__)
#define DEVICE_CALL __device__ __noinline__
#else
#define DEVICE_CALL inline
#endif

template <unsigned kTiles>
DEVICE_CALL void TiledProduct(unsigned row) {
    DYNAMIC_SHARED(TiledRingShared<kTiles>, shared);
    using Ring = TiledRing<kTiles>;
    Ring(LaneGroup(Ring::kLanes), shared).RowProduct(row);
}

template <unsigned kTiles>
DEVICE_CALL void TiledProductLow() {
    DYNAMIC_SHARED(TiledRingShared<kTiles>, shared);
    using Ring = TiledRing<kTiles>;
    Ring(LaneGroup(Ring::kLanes), shared).RowProductLow();
}

#undef DEVICE_CALL

// TiledLowRing: modulo R.
template <unsigned kTiles>
struct TiledLowRing : TiledRing<kTiles> {
    using Base = TiledRing<kTiles>;
    using Base::TiledRing;
    using typename Base::Digits;

    // MultiplyLow: r = a b mod R, where b is the factor; r may be a.
    DEVICE void MultiplyLow(Digits &r, const Digits &a) const {
        __syncwarp();
        this->Put(Base::kValue, a);
        __syncwarp();
        TiledProductLow<kTiles>();
        this->Get(r);
    }
    DEVICE void Product(Digits &r, const Digits &a) const { MultiplyLow(r, a); }

    // Square: r = r^(2^times) mod R. The factor is lost.
    DEVICE void Square(Digits &r, unsigned times) const {
#pragma unroll 1
        for (; times > 0; times--) {
            this->PutFactor(r);
            MultiplyLow(r, r);
        }
    }
};

// TiledOddRing: modulo M.
template <unsigned kTiles>
struct TiledOddRing : TiledLowRing<kTiles> {
    using Base = TiledLowRing<kTiles>;
    using Base::shared;
    using Base::TiledLowRing;
    using typename Base::Digits;

    // SetModulus: M = m, 1 for 0: modulo either all is 0. The rows are lost.
    DEVICE void SetModulus(const Digits &of) const {
        Digits m, zero, inverse;
#pragma unroll
        for (unsigned j = 0; j < Base::kEach; j++) {
            m[j] = of[j] | (this->Place(j) == 0 ? 1 : 0);
            shared.m[this->Place(j)] = m[j];
            zero[j] = 0;
        }
        RingInverse(*this, inverse, m);
        this->Subtract(inverse, zero, inverse);
        MakeShifts(shared.modulus, m);
        MakeShifts(shared.inverse, inverse);
    }
    DEVICE void MakeShifts(TiledShifts<kTiles> &shifts, const Digits &r) const {
        __syncwarp();
        this->Put(Base::kValue, r);
        __syncwarp();
        shifts.Make(shared.rows.Row(Base::kValue));
        __syncwarp();
    }

    // Multiply: r = a b / R mod M, where b is the factor; r may be a. Ensures: r < R; r < 2 M where
    // a b < R M; r <= M for b = 1.
    DEVICE void Multiply(Digits &r, const Digits &a) const {
        __syncwarp();
        this->Put(Base::kValue, a);
        __syncwarp();
        TiledProduct<kTiles>(Base::kFactor);
        this->Get(r);
    }
    DEVICE void Product(Digits &r, const Digits &a) const { Multiply(r, a); }

    // Square: r = r^(2^times), forms. The factor stays.
    DEVICE void Square(Digits &r, unsigned times) const {
        __syncwarp();
        this->Put(Base::kValue, r);
        __syncwarp();
#pragma unroll 1
        for (; times > 0; times--) {
            TiledProduct<kTiles>(Base::kValue);
        }
        this->Get(r);
    }
};

// --- Kernels -------------------------------------------------------------------------------------

// Of a multiprocessor.
template <unsigned kTiles>
constexpr unsigned kBlocks = std::min<unsigned>(POWM_DEVICE_TILES / kTiles,
                                                POWM_DEVICE_TILED_BLOCKS);

// ForEachPower: one(i, shared) for the powers of the calling warp, which is a block.
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

result TiledPowers(const Job &job, cuda_stream stream) {
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
