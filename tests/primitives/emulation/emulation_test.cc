// emulation_test.cc: the emulation itself: what a warp, a block and a grid are promised, and that a
// kernel that breaks the rules is stopped. In C++, because kernels are.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "primitives/cuda/launch.cuh"

namespace {

__global__ void IndexKernel(uint32_t *out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1 + block;
}

// Catches a block left out or run twice when blocks outnumber those resident.
TEST(Emulation, EveryThreadRunsOnce) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        emulation::Order(seed);
        std::vector<uint32_t> out(5 * 3 * 2 * 60);
        Launch(IndexKernel, dim3(5, 3, 2), dim3(10, 3, 2), 0, nullptr, out.data());
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
        for (size_t i = 0; i < out.size(); i++) {
            ASSERT_EQ(out[i], 1 + i / 60) << i;
        }
    }
    emulation::Order(0);
}

__global__ void WarpKernel(uint64_t *out) {
    const unsigned lane = Lane();
    uint64_t *mine = out + 16 * lane;
    mine[0] = __shfl_sync(kAllLanes, uint64_t{1} << 40 | lane, 5);
    mine[1] = __shfl_up_sync(kAllLanes, lane, 3);
    mine[2] = __shfl_down_sync(kAllLanes, lane, 4, 8);
    mine[3] = __shfl_xor_sync(kAllLanes, lane, 17);
    mine[4] = __ballot_sync(kAllLanes, lane % 3 == 0);
    mine[5] = __match_any_sync(kAllLanes, lane / 10);
    int all;
    mine[6] = __match_all_sync(kAllLanes, lane / 32, &all);
    mine[7] = (uint64_t)all;
    // The two halves of a warp go their own ways, each at its own pace.
    const unsigned half = lane < 16 ? 0x0000FFFF : 0xFFFF0000;
    unsigned sum = lane;
    for (unsigned i = 0; i < 3 + lane / 16; i++) {
        sum = __reduce_add_sync(half, sum);
    }
    mine[8] = sum;
    mine[9] = __reduce_max_sync(half, lane);
    mine[10] = (uint64_t)__any_sync(half, lane == 20);
    mine[11] = (uint64_t)__all_sync(half, lane < 16);
    mine[12] = __ballot_sync(half, lane % 2 == 1);
    mine[13] = __reduce_min_sync(half, lane ^ 5);
    mine[14] = __reduce_and_sync(half, lane | 64);
    mine[15] = __match_all_sync(half, lane / 8, &all);
}

// Catches a result that a faster lane overwrites, lanes of one mask waiting for another's, and
// lanes outside the mask counted in a result.
TEST(Emulation, WarpOperations) {
    for (uint64_t seed = 0; seed < 8; seed++) {
        emulation::Order(seed);
        uint64_t out[32][16] = {};
        Launch(WarpKernel, 1, 32, 0, nullptr, &out[0][0]);
        for (unsigned lane = 0; lane < 32; lane++) {
            const bool upper = lane >= 16;
            EXPECT_EQ(out[lane][0], (uint64_t{1} << 40 | 5));
            EXPECT_EQ(out[lane][1], lane < 3 ? lane : lane - 3);
            EXPECT_EQ(out[lane][2], lane % 8 < 4 ? lane + 4 : lane);
            EXPECT_EQ(out[lane][3], lane ^ 17);
            EXPECT_EQ(out[lane][4], 0x49249249u);
            EXPECT_EQ(out[lane][5], lane < 10   ? 0x3FFu
                                    : lane < 20 ? 0xFFC00u
                                    : lane < 30 ? 0x3FF00000u
                                                : 0xC0000000u);
            EXPECT_EQ(out[lane][6], 0xFFFFFFFFu);
            EXPECT_EQ(out[lane][7], 1u);
            const uint32_t first = upper ? 376 : 120;  // 16 + .. + 31, 0 + .. + 15
            EXPECT_EQ(out[lane][8], upper ? first * 16 * 16 * 16 : first * 16 * 16);
            EXPECT_EQ(out[lane][9], upper ? 31u : 15u);
            EXPECT_EQ(out[lane][10], upper ? 1u : 0u);
            EXPECT_EQ(out[lane][11], upper ? 0u : 1u);
            EXPECT_EQ(out[lane][12], upper ? 0xAAAA0000u : 0x0000AAAAu);
            EXPECT_EQ(out[lane][13], upper ? 16u : 0u);
            EXPECT_EQ(out[lane][14], upper ? 80u : 64u);
            EXPECT_EQ(out[lane][15], 0u);
        }
    }
    emulation::Order(0);
}

struct Exchange {
    uint32_t word[96];
};

__global__ void BarrierKernel(uint32_t *out, bool with_barrier) {
    SHARED(Exchange, s);
    if (threadIdx.x >= 90) {
        return;  // threads that have ended are not waited for
    }
    s.word[threadIdx.x] = threadIdx.x;
    if (with_barrier) {
        __syncthreads();
    }
    out[threadIdx.x] = s.word[89 - threadIdx.x];
    const int odd = __syncthreads_count(threadIdx.x % 2);
    const int any = __syncthreads_or(threadIdx.x == 7);
    const int all = __syncthreads_and(threadIdx.x != 7);
    out[threadIdx.x] += 1000 * (uint32_t)odd + 100000 * (uint32_t)any + 1000000 * (uint32_t)all;
}

// Catches a barrier that lets somebody through early, or waits for threads that have ended; without
// the barrier the result must be wrong, or the emulation would hide a missing one.
TEST(Emulation, Barriers) {
    for (uint64_t seed = 0; seed < 8; seed++) {
        emulation::Order(seed);
        for (bool with_barrier : {true, false}) {
            uint32_t out[96] = {};
            unsigned wrong = 0;
            Launch(BarrierKernel, 1, 96, 0, nullptr, out, with_barrier);
            for (unsigned i = 0; i < 90; i++) {
                wrong += out[i] != 89 - i + 45000 + 100000;
            }
            EXPECT_EQ(wrong > 0, !with_barrier);
        }
    }
    emulation::Order(0);
}

__global__ void HandOverKernel(uint32_t *flag) {
    if (threadIdx.x == 0) {
        while (LoadRelaxed(flag) != blockIdx.x) {
            SpinPause(0);
        }
        StoreRelaxed(flag, blockIdx.x + 1);
    }
}

// Catches a block that polls and keeps the processor: the one it waits for must get on.
TEST(Emulation, BlocksWaitForEachOther) {
    uint32_t flag = 0;
    Launch(HandOverKernel, 40, 64, 0, nullptr, &flag);
    EXPECT_EQ(flag, 40u);
}

__global__ void CopyKernel(uint32_t *out, const uint32_t *in, bool wait) {
    DYNAMIC_SHARED(uint32_t, buffer);
    CopyAsync16(buffer + 4 * threadIdx.x, in + 4 * threadIdx.x);
    CopyCommit();
    if (wait) {
        CopyWait<0>();
    }
    out[threadIdx.x] = buffer[4 * threadIdx.x];
    CopyWait<0>();
}

// Catches a copy that is used before it was waited for: it must not be there yet.
TEST(Emulation, CopiesArriveWhenWaitedFor) {
    alignas(16) uint32_t in[128];
    uint32_t out[32];
    for (unsigned i = 0; i < 128; i++) {
        in[i] = i;
    }
    for (bool wait : {true, false}) {
        Launch(CopyKernel, 1, 32, sizeof in, nullptr, out, in, wait);
        for (unsigned i = 0; i < 32; i++) {
            EXPECT_EQ(out[i] == 4 * i, wait);
        }
    }
}

// Catches shapes that no device takes.
TEST(Emulation, RefusesImpossibleLaunches) {
    uint32_t flag = 0;
    Launch(HandOverKernel, 1, 1025, 0, nullptr, &flag);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    Launch(HandOverKernel, 0, 32, 0, nullptr, &flag);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    unsigned resident = 0;
    ASSERT_EQ(ResidentBlocks(HandOverKernel, 1024, 0, &resident), cudaSuccess);
    EXPECT_EQ(LaunchCooperative(HandOverKernel, resident + 1, 1024u, 0, nullptr, &flag),
              cudaErrorCooperativeLaunchTooLarge);
}

__global__ void DivergentBarrierKernel() {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        while (true) {
            SpinPause(0);
        }
    }
}

__global__ void HalfShuffleKernel() {
    if (threadIdx.x < 16) {
        __shfl_sync(kAllLanes, 1, 0);
    } else {
        __syncthreads();
    }
}

__global__ void WrongMaskKernel() { __ballot_sync(threadIdx.x == 0 ? ~0u : 0x7FFFFFFFu, 1); }

__global__ void OutsideMaskKernel() { __syncwarp(0xFFFF); }

// Catches rules that are not enforced. The messages name the thread and who waits where.
TEST(EmulationDeathTest, BrokenRulesEndTheProcess) {
    EXPECT_DEATH(Launch(DivergentBarrierKernel, 1, 64, 0, nullptr), "no progress");
    EXPECT_DEATH(Launch(HalfShuffleKernel, 1, 32, 0, nullptr), "deadlock");
    EXPECT_DEATH(Launch(WrongMaskKernel, 1, 32, 0, nullptr), "disagree");
    EXPECT_DEATH(Launch(OutsideMaskKernel, 1, 32, 0, nullptr), "leaves it out");
}

}  // namespace
