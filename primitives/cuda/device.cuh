// device.cuh: what a .cu file includes instead of CUDA's headers. nvcc sees CUDA itself; a host
// compiler sees the emulation (emulation/), so that the same kernels run in tests without a device.
// Every instruction that C++ lacks is here once, beside its twin for the host; launches are in
// launch.cuh.
//
//   SHARED(Type, name);            name is a Type & to the block's own object, not initialised
//   DYNAMIC_SHARED(Type, name);    Type *name: the launch's shared_bytes
#ifndef PRIMITIVES_CUDA_DEVICE_CUH_
#define PRIMITIVES_CUDA_DEVICE_CUH_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "primitives/words/host_device.h"
#include "primitives/words/word.h"

#if defined(__CUDACC__)

#include <cuda_runtime.h>

#define SHARED(Type, name) __shared__ Type name
#define DYNAMIC_SHARED(Type, name)                       \
    extern __shared__ __align__(16) char name##_bytes[]; \
    Type *const name = reinterpret_cast<Type *>(name##_bytes)

#else

#include "primitives/emulation/keywords.h"
#include "primitives/emulation/runtime.h"

#define SHARED(Type, name)            \
    static const char name##_key = 0; \
    Type &name = *static_cast<Type *>(emulation::Shared(&name##_key, sizeof(Type)))
#define DYNAMIC_SHARED(Type, name) \
    Type *const name = static_cast<Type *>(emulation::DynamicShared())

#endif

#define DEVICE __device__ __forceinline__

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;

DEVICE unsigned Lane() { return threadIdx.x % kWarp; }

// WaitForKernelBefore: see LaunchEarly in launch.cuh. What earlier kernels of the stream wrote is
// visible then.
DEVICE void WaitForKernelBefore() {
#if !defined(__CUDACC__)
    emulation::WaitForKernelBefore();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// LetKernelAfterBegin: once a thread of each block has called it, or the block has ended, blocks of
// a kernel that was launched early may take the places that are free; they still wait for all of
// this kernel. Late in a kernel, after WaitForKernelBefore and before the last stores: blocks that
// wait take no block's place then, since all of this kernel's have begun.
DEVICE void LetKernelAfterBegin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// --- Words that several blocks read and write ----------------------------------------------------
// Relaxed: one word is read or written as a whole, at the device's level of cache; other words are
// not ordered. Acquire and release order the thread's other accesses after and before it.

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
// any thread that reads the sum by the same function afterwards.
DEVICE uint32_t AddAcquireRelease(uint32_t *p, uint32_t v) {
#if defined(__CUDACC__)
    uint32_t old;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
#else
    return atomicAdd(p, v);
#endif
}

// PrefetchDevice asks for what is around p in global memory to be brought to the device's level of
// cache. A hint; no thread waits for it.
DEVICE void PrefetchDevice(const void *p) {
#if defined(__CUDACC__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#else
    (void)*static_cast<const volatile char *>(p);  // it exists
#endif
}

// LoadReadOnly reads memory that is not written from this kernel's beginning to its end, nor the
// kernel before it if that lets this one begin early: the compiler may ask for it before stores and
// barriers that stand above.
DEVICE double LoadReadOnly(const double *p) {
#if defined(__CUDACC__)
    return __ldg(p);
#else
    return *p;
#endif
}

// CopyAsync16, CopyAsync8 and CopyAsync4 copy that many aligned bytes from global to shared memory
// without passing through registers. The copies that a thread has asked for since its last
// CopyCommit are one group; CopyWait<k> waits until at most the k newest groups of the calling
// thread are under way.
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

template <unsigned kBytes>
DEVICE void CopyAsyncSmall(void *shared, const void *global) {
#if defined(__CUDACC__)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global), "n"(kBytes)
                 : "memory");
#else
    emulation::CopyAsync(shared, global, kBytes);
#endif
}

DEVICE void CopyAsync8(void *shared, const void *global) { CopyAsyncSmall<8>(shared, global); }
DEVICE void CopyAsync4(void *shared, const void *global) { CopyAsyncSmall<4>(shared, global); }

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

// CopyWaitNewest(k) is CopyWait<k> for a k that is known late, 0 <= k < 8.
DEVICE void CopyWaitNewest(unsigned groups) {
    switch (groups) {
        case 0:
            return CopyWait<0>();
        case 1:
            return CopyWait<1>();
        case 2:
            return CopyWait<2>();
        case 3:
            return CopyWait<3>();
        case 4:
            return CopyWait<4>();
        case 5:
            return CopyWait<5>();
        case 6:
            return CopyWait<6>();
        default:
            return CopyWait<7>();
    }
}

// A block has barriers of its own by number, 1 .. 15, for `threads` of its threads (a multiple of
// 32): those that arrive go on at once, those that wait go on when all have come. Both order shared
// memory as __syncthreads() does. Called by full warps.
DEVICE void NamedBarrierArrive(unsigned barrier, unsigned threads) {
#if defined(__CUDACC__)
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
#else
    emulation::NamedBarrier(barrier, threads, false);
#endif
}

DEVICE void NamedBarrierWait(unsigned barrier, unsigned threads) {
#if defined(__CUDACC__)
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
#else
    emulation::NamedBarrier(barrier, threads, true);
#endif
}

// AddWords adds b[0..kN) and a carry of 0 or 1 to a[0..kN), words least significant first, and
// returns the carry out. Two instructions a word and two for every four, or three at the end;
// comparisons in place of the carry flag take ten a word.
template <unsigned kN>
DEVICE uint64_t AddWords(uint64_t *a, const uint64_t *b, uint64_t carry) {
#if defined(__CUDACC__)
    if constexpr (kN >= 4) {
        asm("{ .reg .u64 t; add.cc.u64 t, %4, -1; addc.cc.u64 %0, %0, %5; addc.cc.u64 %1, %1, %6;"
            " addc.cc.u64 %2, %2, %7; addc.cc.u64 %3, %3, %8; addc.u64 %4, 0, 0; }"
            : "+l"(a[0]), "+l"(a[1]), "+l"(a[2]), "+l"(a[3]), "+l"(carry)
            : "l"(b[0]), "l"(b[1]), "l"(b[2]), "l"(b[3]));
        return AddWords<kN - 4>(a + 4, b + 4, carry);
    } else if constexpr (kN == 3) {
        asm("{ .reg .u64 t; add.cc.u64 t, %3, -1; addc.cc.u64 %0, %0, %4; addc.cc.u64 %1, %1, %5;"
            " addc.cc.u64 %2, %2, %6; addc.u64 %3, 0, 0; }"
            : "+l"(a[0]), "+l"(a[1]), "+l"(a[2]), "+l"(carry)
            : "l"(b[0]), "l"(b[1]), "l"(b[2]));
    } else if constexpr (kN >= 1) {
        asm("{ .reg .u64 t; add.cc.u64 t, %1, -1; addc.cc.u64 %0, %0, %2; addc.u64 %1, 0, 0; }"
            : "+l"(a[0]), "+l"(carry)
            : "l"(b[0]));
        return AddWords<kN - 1>(a + 1, b + 1, carry);
    }
#else
    for (unsigned i = 0; i < kN; i++) {
        a[i] = word_add(a[i], b[i], &carry);
    }
#endif
    return carry;
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

#endif  // PRIMITIVES_CUDA_DEVICE_CUH_
