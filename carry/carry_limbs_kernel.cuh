// carry_limbs_kernel.cuh: radix 2^w, a block for each tile: it draws a tile, its warps make limbs
// (carry_limbs_warp.cuh), and carries ripple through the block and by look-back (carry_ripple.cuh).
// For numbers of few tiles; carry_wave_kernel.cuh is for long ones. Where coefficients come from is
// a parameter: words in memory here, what other rooms' kernels compute there.
#ifndef CARRY_CARRY_LIMBS_KERNEL_CUH_
#define CARRY_CARRY_LIMBS_KERNEL_CUH_

#include "carry/carry_limbs_warp.cuh"

constexpr unsigned kLimbsWarps = 8;

// WordsSource: coefficients that are words in memory, by way of shared memory where they fit.
template <unsigned kWords>
struct WordsSource {
    using Warp = LimbsWarp<kWords>;

    DEVICE carry_state Take(const Warp &warp, uint64_t *stages, typename Warp::Limbs &b) const {
        if (warp.d.stage == 0) {
            return warp.template TakeWords<false>(nullptr, b);
        }
        uint64_t *const stage = stages + threadIdx.x / kWarp * warp.d.stage;
        warp.Fetch(stage);
        CopyWait<0>();
        __syncwarp();
        return warp.template TakeWords<true>(stage, b);
    }
};

// Source: Take(warp, stages, b), stages being the dynamic shared memory, makes the lane's limbs b
// and returns what they do to a carry, by LimbsWarp::Take.
template <unsigned kWords, class Source>
__global__ void __launch_bounds__(kLimbsWarps *kWarp, kWords <= 4 ? 4 : 3)
    CarryLimbsKernel(const CarryData d, const Source source,
                     const LookBack<CarryStates> look_back) {
    using Warp = LimbsWarp<kWords>;
    using Ripple = CarryRipple<kLimbsWarps>;
    struct Shared {
        typename Ripple::Shared ripple;
        Place at;
    };
    SHARED(Shared, s);
    DYNAMIC_SHARED(uint64_t, stages);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const uint32_t number = d.Number(at.tile);
    const Warp warp(d, d.Row(at.tile), (uint64_t)number * kLimbsWarps + threadIdx.x / kWarp);
    typename Warp::Limbs b;
    const carry_state mine = source.Take(warp, stages, b);
    Ripple ripple;
    const carry_state state = ripple.Tile(mine, s.ripple);
    const unsigned into = Ripple::Before(look_back, at, state, number == 0);
    b.AddCarry(ripple.Into(into, s.ripple));
    warp.Store(b);
}

#endif  // CARRY_CARRY_LIMBS_KERNEL_CUH_
