// device.cuh: what a .cu file includes instead of CUDA's headers. nvcc sees CUDA itself; a host
// compiler sees the emulation (emulation/), so that the same kernels run in tests without a device.
// Every instruction that C++ does not have stands here once, beside its twin for the host.
//
//   LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...)   cudaGetLastError tells
//   LaunchCooperative(kernel, grid, block, shared_bytes, stream, arguments...)
//                                  the same with all blocks resident at once, or an error
//   ResidentBlocks(kernel, block, shared_bytes, &blocks)
//                                  how many blocks a cooperative launch may have
//   SHARED(Type, name);            name is a Type & to the block's own object, not initialised
//   DYNAMIC_SHARED(Type, name);    Type *name: the launch's shared_bytes
#ifndef PRIMITIVES_DEVICE_CUH_
#define PRIMITIVES_DEVICE_CUH_

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)

#include <cuda_runtime.h>

#define LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
    kernel<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__)
#define SHARED(Type, name) __shared__ Type name
#define DYNAMIC_SHARED(Type, name)                       \
    extern __shared__ __align__(16) char name##_bytes[]; \
    Type *const name = reinterpret_cast<Type *>(name##_bytes)

#else

#include "primitives/emulation/keywords.h"
#include "primitives/emulation/runtime.h"

#define LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
    emulation::LaunchKernel(grid, block, shared_bytes, stream, [&] { kernel(__VA_ARGS__); })
#define SHARED(Type, name)            \
    static const char name##_key = 0; \
    Type &name = *static_cast<Type *>(emulation::Shared(&name##_key, sizeof(Type)))
#define DYNAMIC_SHARED(Type, name) \
    Type *const name = static_cast<Type *>(emulation::DynamicShared())

#endif

#if defined(__CUDACC__)
template <class... P, class... A>
cudaError_t LaunchCooperative(void (*kernel)(P...), unsigned grid, unsigned block,
                              size_t shared_bytes, cudaStream_t stream, A... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    cudaLaunchAttribute together;
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.attrs = &together;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

// ResidentBlocks asks the driver how many blocks of so many threads and dynamic shared bytes the
// present device runs at once: at least 1, or an error. Some hundred nanoseconds, so it is asked
// where a cooperative launch follows, and its answer is kept nowhere.
template <class K>
cudaError_t ResidentBlocks(K kernel, unsigned block, size_t shared_bytes, unsigned *blocks) {
    int device = 0, multiprocessors = 0, each = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) {
        e = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    }
    if (e == cudaSuccess) {
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)block, shared_bytes);
    }
    *blocks = (unsigned)multiprocessors * (unsigned)each;
    return e == cudaSuccess && *blocks == 0 ? cudaErrorCooperativeLaunchTooLarge : e;
}
#else
template <class K, class... A>
cudaError_t LaunchCooperative(K kernel, unsigned grid, unsigned block, size_t shared_bytes,
                              cudaStream_t stream, A... arguments) {
    if (grid > emulation::Resident(block)) {
        return cudaErrorCooperativeLaunchTooLarge;
    }
    LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...);
    return cudaGetLastError();
}

template <class K>
cudaError_t ResidentBlocks(K, unsigned block, size_t, unsigned *blocks) {
    *blocks = (unsigned)emulation::Resident(block);
    return cudaSuccess;
}
#endif

#define HOST_DEVICE __host__ __device__ __forceinline__
#define DEVICE __device__ __forceinline__

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;

DEVICE unsigned Lane() { return threadIdx.x % kWarp; }

// --- Words that several blocks read and write ----------------------------------------------------
// Relaxed: one word is read or written as a whole, at the device's level of cache; nothing is said
// of other words. Acquire and release order the thread's other accesses after and before it.

struct alignas(16) Word128 {
    uint64_t lo, hi;
};

DEVICE uint32_t LoadRelaxed(const uint32_t *p) {
#if defined(__CUDACC__)
    uint32_t v;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
#else
    emulation::Interleave();
    return *p;
#endif
}

DEVICE uint64_t LoadRelaxed(const uint64_t *p) {
#if defined(__CUDACC__)
    uint64_t v;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
#else
    emulation::Interleave();
    return *p;
#endif
}

DEVICE Word128 LoadRelaxed(const Word128 *p) {
#if defined(__CUDACC__)
    Word128 v;
    asm volatile("{ .reg .b128 w; ld.relaxed.gpu.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
                 : "=l"(v.lo), "=l"(v.hi)
                 : "l"(p)
                 : "memory");
    return v;
#else
    emulation::Interleave();
    return *p;
#endif
}

DEVICE void StoreRelaxed(uint32_t *p, uint32_t v) {
#if defined(__CUDACC__)
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
#else
    *p = v;
    emulation::Interleave();
#endif
}

DEVICE void StoreRelaxed(uint64_t *p, uint64_t v) {
#if defined(__CUDACC__)
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
#else
    *p = v;
    emulation::Interleave();
#endif
}

DEVICE void StoreRelaxed(Word128 *p, Word128 v) {
#if defined(__CUDACC__)
    asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.b128 [%0], w; }" ::"l"(p),
                 "l"(v.lo), "l"(v.hi)
                 : "memory");
#else
    *p = v;
    emulation::Interleave();
#endif
}

// AddAcquireRelease adds v and returns what was there. What this thread wrote before is visible to
// whoever reads the sum by the same function afterwards.
DEVICE uint32_t AddAcquireRelease(uint32_t *p, uint32_t v) {
#if defined(__CUDACC__)
    uint32_t old;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
#else
    return atomicAdd(p, v);
#endif
}

// CopyAsync16 copies 16 aligned bytes from global to shared memory without passing through
// registers. The copies that a thread has asked for since its last CopyCommit are one group;
// CopyWait<k> waits until at most the k newest groups of the calling thread are under way.
DEVICE void CopyAsync16(void *shared, const void *global) {
#if defined(__CUDACC__)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global)
                 : "memory");
#else
    emulation::CopyAsync(shared, global, 16);
#endif
}

DEVICE void CopyCommit() {
#if defined(__CUDACC__)
    asm volatile("cp.async.commit_group;" ::: "memory");
#else
    emulation::CopyCommit();
#endif
}

template <unsigned kGroups>
DEVICE void CopyWait() {
#if defined(__CUDACC__)
    asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
#else
    emulation::CopyWait(kGroups);
#endif
}

// SpinPause stands between two polls of a word that another block writes.
DEVICE void SpinPause(unsigned nanoseconds) {
#if defined(__CUDACC__)
    if (nanoseconds > 0) {
        __nanosleep(nanoseconds);
    }
#else
    (void)nanoseconds;
    emulation::Pause();
#endif
}

// GiveUp ends the kernel with an error.
DEVICE void GiveUp() {
#if defined(__CUDACC__)
    __trap();
#else
    abort();
#endif
}

// Spin counts the polls of one wait. A proof of progress stands beside each; debug builds and the
// emulation, which cannot tell a warp's poll from its progress, end the kernel with an error where
// it was wrong (a predecessor died, a workspace was not clear). LONGMUL_SPIN_POLLS is the bound,
// for tests: by default a minute or more on a device, seconds under emulation.
#if !defined(LONGMUL_SPIN_POLLS)
#if defined(__CUDACC__)
#define LONGMUL_SPIN_POLLS (1u << 26)
#else
#define LONGMUL_SPIN_POLLS (1u << 15)
#endif
#endif

struct Spin {
#if !defined(NDEBUG) || !defined(__CUDACC__)
    uint32_t polls = 0;
#endif

    // Pause stands between two polls.
    DEVICE void Pause() {
#if !defined(NDEBUG) || !defined(__CUDACC__)
        if (++polls > LONGMUL_SPIN_POLLS) {
            GiveUp();
        }
#endif
        SpinPause(0);
    }
};

#endif  // PRIMITIVES_DEVICE_CUH_
