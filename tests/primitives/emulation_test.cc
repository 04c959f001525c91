// emulation_test.cc: the emulation itself: what a warp, a block and a grid are promised, and that a
// kernel that breaks the rules is stopped. In C++, because kernels are.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "primitives/cluster.cuh"
#include "primitives/launch.cuh"

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
}

// Catches a result that a faster lane overwrites, and lanes of one mask waiting for another's.
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

constexpr unsigned kInCluster = 64;  // threads of a block

// Every block gives each of its cluster a word from each thread. in_time: waits where it must.
__global__ void ClusterKernel(uint32_t *out, unsigned cluster, bool in_time) {
    DYNAMIC_SHARED(uint32_t, received);
    const unsigned rank = ClusterRank();
    ClusterArrive();
    ClusterWait();
    for (unsigned to = 0; to < cluster; to++) {
        ClusterShared(received + threadIdx.x, to)[kInCluster * rank] = 100 * blockIdx.x + to;
    }
    ClusterArrive();
    if (in_time) {
        ClusterWait();
    }
    uint32_t *mine = out + blockIdx.x * cluster * kInCluster;
    for (unsigned i = kInCluster - 1 - threadIdx.x; i < cluster * kInCluster; i += kInCluster) {
        mine[i] = received[i];
    }
    if (!in_time) {
        ClusterWait();
    }
}

// Returns how many words are not those that were sent.
unsigned WrongInClusters(unsigned cluster, bool in_time) {
    const unsigned blocks = 3 * cluster;
    std::vector<uint32_t> out(blocks * cluster * kInCluster);
    EXPECT_EQ(LaunchCluster(ClusterKernel, blocks, kInCluster, cluster, 4 * cluster * kInCluster,
                            nullptr, out.data(), cluster, in_time),
              cudaSuccess);
    unsigned wrong = 0;
    for (unsigned i = 0; i < out.size(); i++) {
        const unsigned block = i / kInCluster / cluster, from = i / kInCluster % cluster;
        wrong += out[i] != 100 * (block / cluster * cluster + from) + block % cluster;
    }
    return wrong;
}

// Catches a barrier that lets somebody of the cluster through early, or mixes up clusters, ranks or
// blocks' memory; without the wait the result must be wrong, or the emulation would hide it.
TEST(Emulation, Clusters) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        emulation::Order(seed);
        for (unsigned cluster : {1, 2, 3, 8, 16}) {
            EXPECT_EQ(WrongInClusters(cluster, true), 0u);
            EXPECT_GT(WrongInClusters(cluster, false), 0u);
        }
    }
    emulation::Order(0);
}

// Block 0 arrives, and does afterwards what block 1 awaits before it arrives. One thread ends
// without having arrived, half of each block without waiting: in block 1 after a while, when all
// may have arrived. Whoever is left counts in count[2] that nobody was missing when it went on.
__global__ void ClusterHalvesKernel(uint32_t *count) {
    if (blockIdx.x == 0) {
        ClusterArrive();
        atomicAdd(count, 1);
    } else if (threadIdx.x < 63) {
        while (LoadRelaxed(count) < 64) {
            SpinPause(0);
        }
        atomicAdd(count, 1);
        ClusterArrive();
        SpinPause(0);
    }
    if (threadIdx.x < 32 || (blockIdx.x == 1 && threadIdx.x == 63)) {
        return;
    }
    ClusterWait();
    const bool all = LoadRelaxed(count) == 64 + 63;
    atomicAdd(count + 1, 1);
    ClusterArrive();
    ClusterWait();
    atomicAdd(count + 2, all && LoadRelaxed(count + 1) == 32 + 31);
}

// Catches an arrival that waits, and threads that have ended but are waited for, or of which the
// arrival still counts.
TEST(Emulation, ClusterBarrierInHalves) {
    for (uint64_t seed = 0; seed < 8; seed++) {
        emulation::Order(seed);
        uint32_t count[3] = {};
        LaunchCluster(ClusterHalvesKernel, 2, 64, 2, 0, nullptr, count);
        EXPECT_EQ(count[2], 32u + 31);
    }
    emulation::Order(0);
}

__global__ void MeetInClusterKernel(uint32_t *count) {
    atomicAdd(count, 1);
    ClusterArrive();
    ClusterWait();
    if (*count < 16 * 1024) {
        *count = 1u << 31;
    }
}

// Catches blocks of a cluster that are not resident together when they are large.
TEST(Emulation, ClustersAreResidentTogether) {
    uint32_t count = 0;
    LaunchCluster(MeetInClusterKernel, dim3(16, 2), 1024, 16, 0, nullptr, &count);
    EXPECT_EQ(count, 2u * 16 * 1024);
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
    for (unsigned cluster : {0, 3}) {
        EXPECT_EQ(LaunchCluster(ClusterHalvesKernel, 4, 32, cluster, 0, nullptr, &flag),
                  cudaErrorInvalidConfiguration);
    }
    LaunchCluster(ClusterHalvesKernel, 17, 32, 17, 0, nullptr, &flag);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
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

// Two streams: the second adds 1 to what the first has set, the first doubles that.
struct TwoStreams {
    cudaStream_t first = nullptr, second = nullptr;
    cudaEvent_t set = nullptr, added = nullptr;
    int value = 0;

    TwoStreams() {
        for (cudaStream_t *stream : {&first, &second}) {
            cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        }
        for (cudaEvent_t *event : {&set, &added}) {
            cudaEventCreateWithFlags(event, cudaEventDisableTiming);
        }
    }
    ~TwoStreams() {
        cudaStreamDestroy(first), cudaStreamDestroy(second);
        cudaEventDestroy(set), cudaEventDestroy(added);
    }

    void Enqueue(int to, bool second_follows, bool first_follows) {
        emulation::Enqueue(first, [this, to] { value = to; });
        cudaEventRecord(set, first);
        if (second_follows) {
            cudaStreamWaitEvent(second, set, 0);
        }
        emulation::Enqueue(second, [this] { value++; });
        cudaEventRecord(added, second);
        if (first_follows) {
            cudaStreamWaitEvent(first, added, 0);
        }
        emulation::Enqueue(first, [this] { value *= 2; });
    }
};

// Catches an event that counts for a later record of it, and streams that do what others should
// have done before, or that miss what they do not follow.
TEST(Emulation, StreamsFollowEvents) {
    unsigned late = 0, early = 0;
    for (uint64_t seed = 0; seed < 16; seed++) {
        emulation::Order(seed);
        TwoStreams s;
        s.Enqueue(10, true, true), s.Enqueue(20, true, true);
        cudaStreamSynchronize(s.first);
        EXPECT_EQ(s.value, 42);
        s.Enqueue(30, true, false);
        cudaStreamSynchronize(s.first);
        late += s.value != 62;
        cudaStreamSynchronize(s.second);
        s.Enqueue(40, false, true);
        cudaStreamSynchronize(s.first);
        early += s.value != 82;
    }
    emulation::Order(0);
    EXPECT_TRUE(late > 0 && early > 0) << late << " " << early;
}

// Catches work of a stream that follows into a graph and is done at once, or twice, or not by the
// graph; graphs that end before all such work is joined.
TEST(Emulation, GraphsHoldTheStreamsThatFollow) {
    TwoStreams s;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    s.Enqueue(10, true, true);
    EXPECT_EQ(cudaStreamEndCapture(s.first, &graph), cudaSuccess);
    cudaStreamSynchronize(s.first), cudaStreamSynchronize(s.second);
    EXPECT_EQ(s.value, 0);
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int run = 0; run < 2; run++) {
        s.value = 0;
        EXPECT_EQ(cudaGraphLaunch(exec, s.first), cudaSuccess);
        cudaStreamSynchronize(s.first);
        EXPECT_EQ(s.value, 22);
    }
    cudaGraphDestroy(graph), cudaGraphExecDestroy(exec);
    s.Enqueue(20, true, true);  // neither stream is the graph's any more
    cudaStreamSynchronize(s.first);
    EXPECT_EQ(s.value, 42);
    EXPECT_EQ(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    s.Enqueue(30, true, false);
    EXPECT_EQ(cudaStreamEndCapture(s.first, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
    cudaGetLastError();
}

enum class Broken {
    kNobodyComes,
    kArriveTwice,
    kNotArrived,
    kTooEarly,
    kNoSuchRank,
    kNotShared,
    kEnded,
    kWrittenAfterEnd,
    kNotWaited
};

// A cluster of two blocks of one thread. Block 1 arrives once, then ends once block 0 has reached
// for its word, or, where nobody comes, waits for ever.
__global__ void BrokenClusterKernel(uint32_t *flag, Broken rule) {
    SHARED(uint32_t, word);
    word = blockIdx.x;
    if (rule == Broken::kTooEarly) {
        *ClusterShared(&word, 1 - blockIdx.x) = 7;
    } else if (rule == Broken::kNotArrived) {
        ClusterWait();
    } else if (rule != Broken::kNotWaited) {
        WaitForKernelBefore();
    }
    ClusterArrive();
    ClusterWait();
    if (blockIdx.x == 1) {
        while (LoadRelaxed(flag) == 0) {
            SpinPause(0);
        }
        if (rule == Broken::kNobodyComes) {
            NamedBarrierWait(1, 64);
        }
        StoreRelaxed(flag, 2);
        return;
    }
    uint32_t *const theirs = ClusterShared(rule == Broken::kNotShared ? flag : &word,
                                           rule == Broken::kNoSuchRank ? 2 : 1);
    StoreRelaxed(flag, 1);
    ClusterArrive();
    if (rule == Broken::kArriveTwice) {
        ClusterArrive();
    }
    while (rule != Broken::kNobodyComes && LoadRelaxed(flag) < 2) {
        SpinPause(0);
    }
    if (rule == Broken::kEnded) {
        ClusterShared(&word, 1);
    } else if (rule == Broken::kWrittenAfterEnd) {
        *theirs = 7;
    }
    ClusterWait();
}

// As BrokenRulesEndTheProcess, in clusters.
TEST(EmulationDeathTest, BrokenRulesOfClusters) {
    const auto run = [](Broken rule) {
        uint32_t flag = 0;
        LaunchClusterEarly(BrokenClusterKernel, 2, 1, 2, 0, nullptr, &flag, rule);
    };
    EXPECT_DEATH(run(Broken::kNobodyComes), "deadlock(.|\n)*1 threads at the cluster's barrier");
    EXPECT_DEATH(run(Broken::kArriveTwice), "again before it waits");
    EXPECT_DEATH(run(Broken::kNotArrived), "has not arrived");
    EXPECT_DEATH(run(Broken::kTooEarly), "before the cluster's first barrier");
    EXPECT_DEATH(run(Broken::kNoSuchRank), "no block of that rank");
    EXPECT_DEATH(run(Broken::kNotShared), "outside the caller's shared memory");
    EXPECT_DEATH(run(Broken::kEnded), "of a block that has ended");
    EXPECT_DEATH(run(Broken::kWrittenAfterEnd), "written to the shared memory");
    EXPECT_DEATH(run(Broken::kNotWaited), "has not waited for the one before");
}

// Catches rules that are not enforced. The messages name the thread and who waits where.
TEST(EmulationDeathTest, BrokenRulesEndTheProcess) {
    EXPECT_DEATH(Launch(DivergentBarrierKernel, 1, 64, 0, nullptr), "no progress");
    EXPECT_DEATH(Launch(HalfShuffleKernel, 1, 32, 0, nullptr), "deadlock");
    EXPECT_DEATH(Launch(WrongMaskKernel, 1, 32, 0, nullptr), "disagree");
    EXPECT_DEATH(Launch(OutsideMaskKernel, 1, 32, 0, nullptr), "leaves it out");
}

}  // namespace
