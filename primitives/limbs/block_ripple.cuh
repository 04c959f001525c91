// block_ripple.cuh: one block adds 1 to a long number, or subtracts it, and reads limbs only as far
// as the carry goes. Includes warp.cuh. Valid on: any device, the emulation.
#ifndef PRIMITIVES_LIMBS_BLOCK_RIPPLE_CUH_
#define PRIMITIVES_LIMBS_BLOCK_RIPPLE_CUH_

#include "primitives/cuda/warp.cuh"

// Threads of the block; limbs that a thread looks at together.
constexpr unsigned kRippleThreads = 256, kRippleEach = 4;
constexpr unsigned kRippleTile = kRippleThreads * kRippleEach;

// BlockRipple: the block's own object. Every member is called by all its threads.
struct BlockRipple {
    unsigned stops[kRippleThreads / kWarp];

    // The first limb of [from, to) that is not `passes`, or `to`.
    DEVICE uint64_t First(const uint64_t *p, uint64_t from, uint64_t to, uint64_t passes) {
        for (uint64_t base = from; base < to; base += kRippleTile) {
            unsigned stop = kRippleTile;
#pragma unroll
            for (unsigned k = kRippleEach; k-- > 0;) {
                const unsigned i = threadIdx.x * kRippleEach + k;
                stop = base + i < to && p[base + i] != passes ? i : stop;
            }
            const unsigned lanes = __ballot_sync(kAllLanes, stop < kRippleTile);
            const unsigned first =
                Broadcast(stop, lanes == 0 ? 0 : (unsigned)__ffs((int)lanes) - 1);
            if (Lane() == 0) {
                stops[threadIdx.x / kWarp] = first;
            }
            __syncthreads();
            unsigned least = kRippleTile;
            for (const unsigned mine : stops) {
                least = mine < least ? mine : least;
            }
            __syncthreads();
            if (least < kRippleTile) {
                return base + least;
            }
        }
        return to;
    }

    // Limbs [from, to) += step, which is 1, 0 or -1. Returns what leaves the top.
    DEVICE int Step(uint64_t *p, uint64_t from, uint64_t to, int step) {
        if (step == 0) {
            return 0;
        }
        const uint64_t passes = step > 0 ? ~UINT64_C(0) : 0, at = First(p, from, to, passes);
        for (uint64_t i = from + threadIdx.x; i < at; i += kRippleThreads) {
            p[i] = ~passes;
        }
        if (threadIdx.x == 0 && at < to) {
            p[at] += (uint64_t)(int64_t)step;
        }
        __syncthreads();
        return at < to ? 0 : step;
    }
};

#endif  // PRIMITIVES_LIMBS_BLOCK_RIPPLE_CUH_
