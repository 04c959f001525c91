// keywords.h: CUDA C++'s keywords, built-in variables, warp operations, atomics and integer
// intrinsics for the host emulation, each with the meaning that the programming guide gives it.
// Included through primitives/cuda/device.cuh only.
#ifndef PRIMITIVES_EMULATION_KEYWORDS_H_
#define PRIMITIVES_EMULATION_KEYWORDS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "primitives/emulation/scheduler.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__

#define threadIdx (emulation::current->thread)
#define blockIdx (emulation::BlockIndex())
#define blockDim (emulation::BlockSize())
#define gridDim (emulation::GridSize())

// --- Barriers ------------------------------------------------------------------------------------
inline void __syncthreads() { emulation::Barrier(false); }
inline int __syncthreads_count(int p) { return (int)emulation::Barrier(p != 0); }
inline int __syncthreads_or(int p) { return emulation::Barrier(p != 0) > 0; }
inline int __syncthreads_and(int p) { return emulation::Barrier(p == 0) == 0; }
inline void __syncwarp(unsigned mask = ~0u) { emulation::Meet(emulation::Op::kSync, mask, 0, 0); }
inline void __threadfence() {}
inline void __threadfence_block() {}

// --- Warp operations -----------------------------------------------------------------------------
namespace emulation {

template <class T>
inline uint64_t ToWord(T v) {
    static_assert(sizeof(T) <= 8 && std::is_arithmetic<T>::value, "shuffles take numbers");
    uint64_t word = 0;
    memcpy(&word, &v, sizeof v);
    return word;
}

template <class T>
inline T Shuffle(unsigned mask, T v, unsigned from) {
    const uint64_t word = Meet(Op::kShuffle, mask, ToWord(v), from);
    T r;
    memcpy(&r, &word, sizeof r);
    return r;
}

inline uint32_t Reduce(Op op, unsigned mask, uint32_t v) { return (uint32_t)Meet(op, mask, v, 0); }

}  // namespace emulation

template <class T>
inline T __shfl_sync(unsigned mask, T v, int from, int width = 32) {
    const unsigned lane = emulation::current->lane;
    const unsigned within = (unsigned)width - 1;
    return emulation::Shuffle(mask, v, (lane & ~within) | ((unsigned)from & within));
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32) {
    const unsigned lane = emulation::current->lane;
    const bool inside = (lane & ((unsigned)width - 1)) >= by;
    return emulation::Shuffle(mask, v, inside ? lane - by : lane);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32) {
    const unsigned lane = emulation::current->lane;
    const bool inside = (lane & ((unsigned)width - 1)) + by < (unsigned)width;
    return emulation::Shuffle(mask, v, inside ? lane + by : lane);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32) {
    const unsigned lane = emulation::current->lane;
    const unsigned from = lane ^ (unsigned)bits;
    const bool inside = from < (lane & ~((unsigned)width - 1)) + (unsigned)width;
    return emulation::Shuffle(mask, v, inside ? from : lane);
}
inline unsigned __ballot_sync(unsigned mask, int p) {
    return (unsigned)emulation::Meet(emulation::Op::kBallot, mask, p != 0, 0);
}
inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
inline int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, p == 0) == 0; }
template <class T>
inline unsigned __match_any_sync(unsigned mask, T v) {
    return (unsigned)emulation::Meet(emulation::Op::kMatchAny, mask, emulation::ToWord(v), 0);
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T v, int *all) {
    const uint64_t word = emulation::ToWord(v);
    const unsigned equal = (unsigned)emulation::Meet(emulation::Op::kMatchAll, mask, word, 0);
    *all = equal != 0;
    return equal;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned v) {
    return emulation::Reduce(emulation::Op::kAdd, mask, v);
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned v) {
    return emulation::Reduce(emulation::Op::kMin, mask, v);
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned v) {
    return emulation::Reduce(emulation::Op::kMax, mask, v);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned v) {
    return emulation::Reduce(emulation::Op::kAnd, mask, v);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned v) {
    return emulation::Reduce(emulation::Op::kOr, mask, v);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned v) {
    return emulation::Reduce(emulation::Op::kXor, mask, v);
}

// --- Atomics: one thread runs at a time, so each is an ordinary access ---------------------------
namespace emulation {

template <class T, class F>
inline T Exchange(T *p, F changed) {
    Interleave();
    const T old = *p;
    *p = changed(old);
    return old;
}

template <class T>
struct Same {
    using Type = T;
};
// The second operand's type does not take part in deduction, as with CUDA's overloads.
template <class T>
using As = typename Same<T>::Type;

}  // namespace emulation

template <class T>
inline T atomicAdd(T *p, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T old) { return (T)(old + v); });
}
template <class T>
inline T atomicExch(T *p, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T) { return v; });
}
template <class T>
inline T atomicCAS(T *p, emulation::As<T> expected, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T old) { return old == expected ? v : old; });
}
template <class T>
inline T atomicMin(T *p, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T old) { return v < old ? v : old; });
}
template <class T>
inline T atomicMax(T *p, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T old) { return v > old ? v : old; });
}
template <class T>
inline T atomicAnd(T *p, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T old) { return (T)(old & v); });
}
template <class T>
inline T atomicOr(T *p, emulation::As<T> v) {
    return emulation::Exchange(p, [=](T old) { return (T)(old | v); });
}

// --- Arithmetic and cached accesses --------------------------------------------------------------
using std::max;
using std::min;
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
// Byte i of the result is byte (selector >> 4 i) % 8 of high:low.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const uint64_t both = (uint64_t)high << 32 | low;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        r |= (unsigned)(both >> 8 * (selector >> 4 * i & 7) & 0xFF) << 8 * i;
    }
    return r;
}
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __ffs(unsigned v) { return __builtin_ffs((int)v); }
inline int __clz(unsigned v) { return v == 0 ? 32 : __builtin_clz(v); }
inline int __clzll(unsigned long long v) { return v == 0 ? 64 : __builtin_clzll(v); }
inline unsigned __brev(unsigned v) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++) {
        r |= (v >> i & 1) << (31 - i);
    }
    return r;
}

#endif  // PRIMITIVES_EMULATION_KEYWORDS_H_
