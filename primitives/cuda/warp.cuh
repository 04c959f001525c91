// warp.cuh: what the 32 lanes of a warp do together. Every function is called by all lanes of a
// full warp, converged or not; none uses shared memory. Valid on: any device, the emulation; values
// of 1, 4, 8 or 16 bytes, 16 in twice as many shuffles.
//
//   function               result                                            shuffles
//   Broadcast              one lane's value, in all lanes                    1
//   WarpScan               inclusive, lane order                             5
//   WarpScanFrom           the same within runs of lanes                     5
//   GroupReduce            each aligned group of lanes in order              log2(lanes)
//   WarpReduce             lanes 0..31 in order, result in all lanes         5
//   WarpReduceBackward     lanes 31..0 in order, result in all lanes         5
#ifndef PRIMITIVES_CUDA_WARP_CUH_
#define PRIMITIVES_CUDA_WARP_CUH_

#include <cstring>

#include "primitives/cuda/device.cuh"

// A value of 1, 4 or 8 bytes as the integer that shuffles and status words carry.
template <size_t kBytes>
struct BitsOf {
    using Type = uint32_t;
};
template <>
struct BitsOf<8> {
    using Type = unsigned long long;
};
template <class T>
using Bits = typename BitsOf<sizeof(T)>::Type;

template <class T>
HOST_DEVICE Bits<T> ToBits(T v) {
    Bits<T> bits = 0;
    memcpy(&bits, &v, sizeof v);
    return bits;
}

template <class T>
HOST_DEVICE T FromBits(Bits<T> bits) {
    T v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

// What shuffle makes of a value of 1, 4, 8 or 16 bytes: of the two halves of 16 by themselves.
template <class T, class F>
DEVICE T Shuffled(T v, F shuffle) {
    if constexpr (sizeof(T) == 16) {
        unsigned long long half[2];
        memcpy(half, &v, sizeof v);
        half[0] = shuffle(half[0]);
        half[1] = shuffle(half[1]);
        memcpy(&v, half, sizeof v);
        return v;
    } else {
        return FromBits<T>(shuffle(ToBits(v)));
    }
}

template <class T>
DEVICE T Broadcast(T v, unsigned lane) {
    return Shuffled(v, [=](auto bits) { return __shfl_sync(kAllLanes, bits, (int)lane); });
}

template <class T>
DEVICE T ShuffleUp(T v, unsigned by) {
    return Shuffled(v, [=](auto bits) { return __shfl_up_sync(kAllLanes, bits, by); });
}

template <class T>
DEVICE T ShuffleXor(T v, unsigned mask) {
    return Shuffled(v, [=](auto bits) { return __shfl_xor_sync(kAllLanes, bits, (int)mask); });
}

// The circuit by which the warps of a monoid scan. Kogge-Stone: 5 steps, each lane one operation in
// each.
template <class M>
struct WarpCircuit {
    DEVICE static typename M::Value Scan(typename M::Value v, unsigned start) {
#pragma unroll
        for (unsigned by = 1; by < kWarp; by *= 2) {
            const typename M::Value lower = ShuffleUp(v, by);
            if (Lane() >= start + by) {
                v = M::Combine(lower, v);
            }
        }
        return v;
    }
};

// LadnerFischer<M> is M, but its warps scan by Ladner and Fischer's circuit of least depth, which
// is Sklansky's: in step k every lane of the right half of a group of 2^(k+1) takes the last lane
// of the left half. 5 steps, half of the lanes active in each.
template <class M>
struct LadnerFischer : M {};

template <class M>
struct WarpCircuit<LadnerFischer<M>> {
    DEVICE static typename M::Value Scan(typename M::Value v, unsigned start) {
#pragma unroll
        for (unsigned half = 1; half < kWarp; half *= 2) {
            const unsigned last = (Lane() & ~(2 * half - 1)) + half - 1;
            const typename M::Value left = Broadcast(v, last);
            // A left half that ends before the run has nothing of it.
            if ((Lane() & half) != 0 && last >= start) {
                v = M::Combine(left, v);
            }
        }
        return v;
    }
};

// WarpScanFrom returns the product of lanes start..Lane(), where start <= Lane() is the same for
// all lanes of a run and runs are consecutive.
template <class M>
DEVICE typename M::Value WarpScanFrom(typename M::Value v, unsigned start) {
    return WarpCircuit<M>::Scan(v, start);
}

template <class M>
DEVICE typename M::Value WarpScan(typename M::Value v) {
    return WarpScanFrom<M>(v, 0);
}

// GroupReduce combines the kLanes lanes of each aligned group in order; the result is in all of
// them. Neighbouring groups of 1, 2, 4, ... lanes exchange their products; the lower group's stands
// first.
template <class M, unsigned kLanes>
DEVICE typename M::Value GroupReduce(typename M::Value v) {
#pragma unroll
    for (unsigned group = 1; group < kLanes; group *= 2) {
        const typename M::Value other = ShuffleXor(v, group);
        v = (Lane() & group) != 0 ? M::Combine(other, v) : M::Combine(v, other);
    }
    return v;
}

template <class M>
DEVICE typename M::Value WarpReduce(typename M::Value v) {
    return GroupReduce<M, kWarp>(v);
}

template <class M>
DEVICE typename M::Value WarpReduceBackward(typename M::Value v) {
#pragma unroll
    for (unsigned group = 1; group < kWarp; group *= 2) {
        const typename M::Value other = ShuffleXor(v, group);
        v = (Lane() & group) != 0 ? M::Combine(v, other) : M::Combine(other, v);
    }
    return v;
}

#endif  // PRIMITIVES_CUDA_WARP_CUH_
