// limbs_kernel.cuh: radix 2^w, one block for each tile. A block draws a tile, its warps make limbs
// (limbs_warp.cuh), and carries ripple through the block and by look-back (ripple.cuh). For short
// numbers; wave_kernel.cuh is for long ones. Instantiated in device.cu.
#ifndef CARRY_LIMBS_KERNEL_CUH_
#define CARRY_LIMBS_KERNEL_CUH_

#include "carry/limbs_warp.cuh"

constexpr unsigned kLimbsWarps = 8;

template <unsigned kWords>
__global__ void __launch_bounds__(kLimbsWarps *kWarp, kWords <= 4 ? 4 : 3)
    CarryLimbsKernel(const CarryData d, const LookBack<CarryStates> look_back) {
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
    const unsigned warp_of_block = threadIdx.x / kWarp;
    const uint32_t number = d.Number(at.tile);
    const Warp warp(d, d.Row(at.tile),
                    ((uint64_t)number * kLimbsWarps + warp_of_block) * Warp::kItems);
    typename Warp::Limbs b;
    carry_state mine;
    if (d.stage != 0) {
        uint64_t *const stage = stages + warp_of_block * d.stage;
        warp.Fetch(stage);
        CopyWait<0>();
        __syncwarp();
        mine = warp.template TakeWords<true>(stage, b);
    } else {
        mine = warp.template TakeWords<false>(nullptr, b);
    }
    Ripple ripple;
    const carry_state state = ripple.Tile(mine, s.ripple);
    const unsigned into = Ripple::Before(look_back, at, state, number == 0);
    b.AddCarry(ripple.Into(into, s.ripple));
    warp.Store(b);
}

#endif  // CARRY_LIMBS_KERNEL_CUH_
