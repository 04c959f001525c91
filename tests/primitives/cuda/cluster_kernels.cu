// cluster_kernels.cu: see cluster_kernels.h.
#include "tests/primitives/cuda/cluster_kernels.h"

#include "primitives/cuda/cluster.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

struct Outbox {
    uint32_t word[CLUSTER_MAX][CLUSTER_THREADS];  // by the rank that fetches
};

__global__ void __launch_bounds__(CLUSTER_THREADS)
    ExchangeKernel(uint32_t *sent, uint32_t *fetched, uint32_t cluster, uint32_t seed) {
    SHARED(Outbox, outbox);
    DYNAMIC_SHARED(uint32_t, inbox);  // by the rank that sends
    WaitForKernelBefore();
    const uint32_t rank = ClusterRank(), thread = threadIdx.x;
    ClusterArrive();
    ClusterWait();
    for (uint32_t round = 0; round < CLUSTER_ROUNDS; round++) {
        for (uint32_t to = 0; to < cluster; to++) {
            const uint32_t word = seed + (round << 24) + (blockIdx.x << 12) + (to << 8) + thread;
            ClusterShared(inbox + CLUSTER_THREADS * rank, to)[thread] = word;
            outbox.word[to][thread] = word;
        }
        ClusterArrive();
        const uint64_t at = (uint64_t)(round * gridDim.x + blockIdx.x) * cluster * CLUSTER_THREADS;
        ClusterWait();
        for (uint32_t from = 0; from < cluster; from++) {
            // Another thread's word than the one that this thread of that rank has written.
            const uint32_t other = CLUSTER_THREADS - 1 - thread;
            const uint64_t i = at + CLUSTER_THREADS * from + other;
            sent[i] = inbox[CLUSTER_THREADS * from + other];
            fetched[i] = ClusterShared(&outbox, from)->word[rank][other];
        }
        // No block writes or ends before all have read.
        ClusterArrive();
        ClusterWait();
    }
}

template <unsigned kParts>
struct alignas(4 * kParts) Letter {
    uint32_t part[kParts];
};

template <unsigned kParts>
__global__ void __launch_bounds__(CLUSTER_THREADS)
    MailKernel(uint32_t *got, uint32_t cluster, uint32_t seed) {
    SHARED(ClusterMail, mail);
    DYNAMIC_SHARED(Letter<kParts>, inbox);  // by the rank that sends
    WaitForKernelBefore();
    const uint32_t rank = ClusterRank(), thread = threadIdx.x, own = CLUSTER_THREADS * rank;
    const uint32_t bytes = (uint32_t)sizeof(Letter<kParts>) * (cluster - 1) * CLUSTER_THREADS;
    ClusterMailOpen(&mail, CLUSTER_THREADS, bytes);
    ClusterArriveShared();
    ClusterWait();
    for (uint32_t to = 0; to < cluster; to++) {
        Letter<kParts> letter;
        for (uint32_t p = 0; p < kParts; p++) {
            letter.part[p] = seed + (p << 24) + (blockIdx.x << 12) + (to << 8) + thread;
        }
        if (to == rank) {
            inbox[own + thread] = letter;
        } else {
            ClusterSend(inbox, to, own + thread, letter, &mail);
        }
    }
    ClusterMailArrive(&mail);
    ClusterMailWait(&mail);
    const uint32_t other = CLUSTER_THREADS - 1 - thread;
    for (uint32_t i = other; i < cluster * CLUSTER_THREADS; i += CLUSTER_THREADS) {
        for (uint32_t p = 0; p < kParts; p++) {
            got[(uint64_t)(p * gridDim.x + blockIdx.x) * cluster * CLUSTER_THREADS + i] =
                inbox[i].part[p];
        }
    }
}

template <unsigned kParts>
bool Mail(uint32_t *got, uint32_t blocks, uint32_t cluster, bool early, uint32_t seed) {
    const size_t bytes = sizeof(Letter<kParts>) * cluster * CLUSTER_THREADS;
    const cudaError_t error = early
                                  ? LaunchClusterEarly(MailKernel<kParts>, blocks, CLUSTER_THREADS,
                                                       cluster, bytes, nullptr, got, cluster, seed)
                                  : LaunchCluster(MailKernel<kParts>, blocks, CLUSTER_THREADS,
                                                  cluster, bytes, nullptr, got, cluster, seed);
    return error == cudaSuccess;
}

}  // namespace

bool cluster_launchable(void) {
    int major = 0;
    return DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major) == cudaSuccess && major >= 9;
}

bool cluster_exchange(uint32_t *sent, uint32_t *fetched, uint32_t blocks, uint32_t cluster,
                      bool early, uint32_t seed) {
    const size_t bytes = sizeof(uint32_t) * cluster * CLUSTER_THREADS;
    const cudaError_t error =
        early ? LaunchClusterEarly(ExchangeKernel, blocks, CLUSTER_THREADS, cluster, bytes, nullptr,
                                   sent, fetched, cluster, seed)
              : LaunchCluster(ExchangeKernel, blocks, CLUSTER_THREADS, cluster, bytes, nullptr,
                              sent, fetched, cluster, seed);
    return error == cudaSuccess;
}

bool cluster_mail(uint32_t *got, uint32_t parts, uint32_t blocks, uint32_t cluster, bool early,
                  uint32_t seed) {
    return parts == 2 ? Mail<2>(got, blocks, cluster, early, seed)
                      : Mail<4>(got, blocks, cluster, early, seed);
}
