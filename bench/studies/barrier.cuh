// barrier.cuh: a barrier among all blocks of a launch, without atomics [XiaoFeng10], with the
// fences that the paper leaves out. Includes device.cuh.
//
// Protocol. A block says in its own word of `in` which barrier it has reached. Block 0 reads all of
// them, and answers each block in its own word of `out`, so every word has one writer and one
// reader. Where block 0 gave up it answers none.
//
// Progress. Every block must be running, since one that waits keeps its place: the launch is
// cooperative, which the driver refuses where blocks do not all fit (residency.h). Then the lowest
// barrier that some block has not reached is reached by all. The form with a bound needs no proof:
// it gives up.
//
// Memory order. A fence before a block's word and one behind the answer make what any thread wrote
// before the barrier visible to all threads behind it.
#ifndef BENCH_STUDIES_BARRIER_CUH_
#define BENCH_STUDIES_BARRIER_CUH_

#include "primitives/cuda/device.cuh"

struct GridBarrier {
    uint32_t *in, *out;  // a word for each block, zero before a launch and after it

    static constexpr size_t Bytes(unsigned blocks) { return 2 * sizeof(uint32_t) * blocks; }

    __host__ static GridBarrier In(void *workspace, unsigned blocks) {
        return {(uint32_t *)workspace, (uint32_t *)workspace + blocks};
    }

    // Waits until *word >= goal; false after `most` polls, 0 for no bound.
    DEVICE static bool Await(const uint32_t *word, uint32_t goal, uint32_t most) {
        Spin spin;
        for (uint32_t polls = 0; LoadRelaxed(word) < goal; spin.Pause()) {
            if (most > 0 && ++polls >= most) {
                return false;
            }
        }
        return true;
    }

    // Wait is barrier number goal, 1, 2, ... in each launch, called by all threads of all blocks.
    // The bound is for experiments with too many blocks: false, in all threads of the block, where
    // it gave up.
    DEVICE bool Wait(uint32_t goal, uint32_t most) const {
        bool came = true;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            StoreRelaxed(in + blockIdx.x, goal);
        }
        if (blockIdx.x == 0) {
            for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
                came = Await(in + b, goal, most) && came;
            }
            came = __syncthreads_and(came) != 0;
            __threadfence();
            for (unsigned b = threadIdx.x; came && b < gridDim.x; b += blockDim.x) {
                StoreRelaxed(out + b, goal);
            }
        }
        if (threadIdx.x == 0) {
            came = Await(out + blockIdx.x, goal, most) && came;
        }
        came = __syncthreads_and(came) != 0;
        __threadfence();
        return came;
    }

    // Leave clears the block's words behind its last barrier, whose answer says that block 0 has
    // read them.
    DEVICE void Leave() const {
        if (threadIdx.x == 0) {
            StoreRelaxed(in + blockIdx.x, 0u);
            StoreRelaxed(out + blockIdx.x, 0u);
        }
    }
};

#endif  // BENCH_STUDIES_BARRIER_CUH_
