// cluster.cuh: clusters: blocks that run together and can access each other's shared memory, on
// devices and under the emulation. Includes device.cuh.
//
// See LaunchCluster in launch.cuh; in any other launch each block is a cluster by itself. For
// compute capability 9.0 and above; code compiled for less ends with an error.
#ifndef PRIMITIVES_CUDA_CLUSTER_CUH_
#define PRIMITIVES_CUDA_CLUSTER_CUH_

#include "primitives/cuda/device.cuh"

// ClusterRank returns the calling block's number in its cluster: blockIdx.x modulo its size.
DEVICE unsigned ClusterRank() {
    unsigned rank = 0;
#if !defined(__CUDACC__)
    rank = emulation::ClusterRank();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#else
    GiveUp();
#endif
    return rank;
}

// ClusterShared returns where the block of that rank has what the calling block has at own, which
// is within a SHARED or DYNAMIC_SHARED object; ordinary loads, stores and atomics go there.
// Called after the cluster's first barrier, since a block's shared memory is there once the block
// has begun, and used before the block may have ended.
template <class T>
DEVICE T *ClusterShared(T *own, unsigned rank) {
    T *there = own;
#if !defined(__CUDACC__)
    there = static_cast<T *>(emulation::ClusterShared(own, rank));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
#else
    (void)rank;
    GiveUp();
#endif
    return there;
}

// The cluster's barrier, in two halves: each thread of each block that has not ended arrives, then
// waits until all have arrived; full warps, as at __syncthreads(). What a thread wrote before it
// arrived, to any memory, is visible to all threads of the cluster once they have waited. Between
// the halves a thread neither writes what others read before the barrier nor reads what they write.
// Arriving takes until the thread's earlier stores, global ones too, have come through; waiting
// drops what the multiprocessor's first cache holds.
// A block must not end while others may touch its shared memory: it waits at a barrier at which
// they arrive when they are done.
DEVICE void ClusterArrive() {
#if !defined(__CUDACC__)
    emulation::ClusterArrive();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#else
    GiveUp();
#endif
}

// ClusterArriveShared is ClusterArrive where others read, behind the barrier, nothing but what
// threads wrote to their own block's shared memory: it does not wait for the device's memory. Loads
// whose values the thread has used are over. Older toolkits do not know the fence.
DEVICE void ClusterArriveShared() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 13
    asm volatile(
        "fence.release.sync_restrict::shared::cta.cluster;"
        " barrier.cluster.arrive.relaxed.aligned;" ::
            : "memory");
#else
    ClusterArrive();
#endif
}

DEVICE void ClusterWait() {
#if !defined(__CUDACC__)
    emulation::ClusterWait();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    GiveUp();
#endif
}

// ClusterMail, in shared memory at the same place in every block of the cluster: counts what this
// block's shared memory is still to receive, by ClusterSend from other blocks and by plain stores
// of its own threads. For one delivery. No memory fence is waited for, neither by the thread that
// sends nor the one that waits. To send to the own block is possible and slower than a plain store.
struct alignas(8) ClusterMail {
    uint64_t state;  // an mbarrier object; under the emulation bytes, and threads from bit 32 on
};

// ClusterMailOpen: that many threads of the block will arrive, and that many bytes, below 2^20,
// will be sent. By all threads, before a barrier of the cluster behind which others send.
DEVICE void ClusterMailOpen(ClusterMail *own, uint32_t threads, uint32_t bytes) {
#if !defined(__CUDACC__)
    if (threadIdx.x == 0) {
        own->state = (uint64_t)threads << 32 | bytes;
    }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) {
        asm volatile(
            "mbarrier.init.shared::cta.b64 [%0], %1; fence.mbarrier_init.release.cluster;"
            " mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %2;" ::"r"(
                (uint32_t)__cvta_generic_to_shared(own)),
            "r"(threads), "r"(bytes)
            : "memory");
    }
#else
    (void)own, (void)threads, (void)bytes;
    GiveUp();
#endif
}

// ClusterSend stores v to what block `rank` has at own[i], and counts its bytes there. T has 8 or
// 16 bytes and is aligned to them.
template <class T>
DEVICE void ClusterSend(T *own, unsigned rank, unsigned i, const T &v, ClusterMail *mail) {
#if !defined(__CUDACC__)
    ClusterShared(own, rank)[i] = v;
    emulation::Interleave();
    ClusterShared(mail, rank)->state -= sizeof(T);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    static_assert(sizeof(T) == 8 || sizeof(T) == 16, "one store");
    uint32_t there, counted;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"((uint32_t)__cvta_generic_to_shared(own)), "r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(counted)
        : "r"((uint32_t)__cvta_generic_to_shared(mail)), "r"(rank));
    there += i * (uint32_t)sizeof(T);
    uint64_t word[2];
    memcpy(word, &v, sizeof(T));
    if constexpr (sizeof(T) == 16) {
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::
                "r"(there),
            "l"(word[0]), "l"(word[1]), "r"(counted)
            : "memory");
    } else {
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                there),
            "l"(word[0]), "r"(counted)
            : "memory");
    }
#else
    (void)own, (void)rank, (void)i, (void)v, (void)mail;
    GiveUp();
#endif
}

// ClusterMailArrive: what the thread has stored to its own block's shared memory is there.
DEVICE void ClusterMailArrive(ClusterMail *own) {
#if !defined(__CUDACC__)
    own->state -= (uint64_t)1 << 32;
    emulation::Interleave();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(own))
                 : "memory");
#else
    (void)own;
    GiveUp();
#endif
}

// ClusterMailWait returns once all threads have arrived and all bytes have come; both are visible
// then. Progress: blocks of a cluster run at once, and each sends everything before it waits here.
DEVICE void ClusterMailWait(ClusterMail *own) {
#if !defined(__CUDACC__)
    for (Spin spin; LoadRelaxed(&own->state) != 0;) {
        spin.Pause();
    }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    uint32_t come = 0;
    while (come == 0) {
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;"
            " selp.u32 %0, 1, 0, p; }"
            : "=r"(come)
            : "r"((uint32_t)__cvta_generic_to_shared(own))
            : "memory");
    }
#else
    (void)own;
    GiveUp();
#endif
}

#endif  // PRIMITIVES_CUDA_CLUSTER_CUH_
