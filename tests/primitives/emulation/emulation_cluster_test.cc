// emulation_cluster_test.cc: clusters under the emulation: what their blocks are promised, and that
// a kernel that breaks their rules is stopped. In C++, because kernels are.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "primitives/cuda/cluster.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

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
TEST(EmulationCluster, BlocksReachEachOther) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        emulation::Order(seed);
        for (unsigned cluster : {1, 2, 3, 8, 16}) {
            EXPECT_EQ(WrongInClusters(cluster, true), 0u);
            EXPECT_GT(WrongInClusters(cluster, false), 0u);
        }
    }
    emulation::Order(0);
}

// Block 0 arrives and then does what block 1 waits for before it arrives. One thread ends without
// arriving. Half of each block ends without waiting, in block 1 only after a while, when all may
// have arrived. The remaining threads count in count[2] that none was missing when they went on.
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
TEST(EmulationCluster, BarrierInHalves) {
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
TEST(EmulationCluster, BlocksAreResidentTogether) {
    uint32_t count = 0;
    LaunchCluster(MeetInClusterKernel, dim3(16, 2), 1024, 16, 0, nullptr, &count);
    EXPECT_EQ(count, 2u * 16 * 1024);
}

// Catches shapes that no device takes.
TEST(EmulationCluster, RefusesImpossibleLaunches) {
    uint32_t flag = 0;
    for (unsigned cluster : {0, 3}) {
        EXPECT_EQ(LaunchCluster(ClusterHalvesKernel, 4, 32, cluster, 0, nullptr, &flag),
                  cudaErrorInvalidConfiguration);
    }
    LaunchCluster(ClusterHalvesKernel, 17, 32, 17, 0, nullptr, &flag);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
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

// A cluster of two blocks of one thread. Block 1 arrives once. It ends when block 0 has read its
// word, or waits for ever if block 0 does not.
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

// Catches rules that are not enforced. The messages name the thread and who waits where.
TEST(EmulationClusterDeathTest, BrokenRulesEndTheProcess) {
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

}  // namespace
