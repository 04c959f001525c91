// monoid.cuh: the operators of monoid.h as types, for host and device. A monoid M has
//   M::Value                 1, 4 or 8 bytes, no padding
//   M::Identity()            the neutral element
//   M::Combine(first, then)  associative; `first` stands lower in the sequence
//   M::kCommutative          Combine(a, b) == Combine(b, a), so that a reduction may reorder
#ifndef PRIMITIVES_SCAN_MONOID_CUH_
#define PRIMITIVES_SCAN_MONOID_CUH_

#include <cstdint>

#include "primitives/scan/monoid.h"
#include "primitives/words/host_device.h"

template <class T>
struct Sum {
    using Value = T;
    static constexpr bool kCommutative = true;
    HOST_DEVICE static Value Identity() { return 0; }
    HOST_DEVICE static Value Combine(Value first, Value then) { return first + then; }
};

struct MaxU32 {
    using Value = uint32_t;
    static constexpr bool kCommutative = true;
    HOST_DEVICE static Value Identity() { return 0; }
    HOST_DEVICE static Value Combine(Value first, Value then) {
        return first > then ? first : then;
    }
};

struct AffineU32 {
    struct alignas(8) Value {
        uint32_t slope, offset;
    };
    static constexpr bool kCommutative = false;
    HOST_DEVICE static Value Identity() { return {1, 0}; }
    // then(first(x)) = then.slope (first.slope x + first.offset) + then.offset
    HOST_DEVICE static Value Combine(Value first, Value then) {
        return {then.slope * first.slope, then.slope * first.offset + then.offset};
    }
};

struct Map3 {
    using Value = uint8_t;
    static constexpr bool kCommutative = false;
    HOST_DEVICE static Value Identity() { return MONOID_MAP3_IDENTITY; }
    HOST_DEVICE static unsigned Image(unsigned f, unsigned i) { return f >> 2 * i & 3; }
    HOST_DEVICE static Value Combine(Value first, Value then) {
        return (Value)(Image(then, Image(first, 0)) | Image(then, Image(first, 1)) << 2 |
                       Image(then, Image(first, 2)) << 4);
    }
};

struct SumMod61 {
    using Value = uint64_t;
    static constexpr bool kCommutative = true;
    HOST_DEVICE static Value Identity() { return 0; }
    // Both below p, so the sum is below 2^62 and one subtraction brings it below p again.
    HOST_DEVICE static Value Combine(Value first, Value then) {
        const uint64_t sum = first + then;
        return sum >= MONOID_MOD61 ? sum - MONOID_MOD61 : sum;
    }
};

// WithMonoid calls f(M()) for the type M that m names; false if m names none.
template <class F>
bool WithMonoid(monoid m, F f) {
    switch (m) {
        case MONOID_SUM_U32:
            return f(Sum<uint32_t>()), true;
        case MONOID_SUM_U64:
            return f(Sum<uint64_t>()), true;
        case MONOID_SUM_F32:
            return f(Sum<float>()), true;
        case MONOID_SUM_F64:
            return f(Sum<double>()), true;
        case MONOID_MAX_U32:
            return f(MaxU32()), true;
        case MONOID_AFFINE_U32:
            return f(AffineU32()), true;
        case MONOID_MAP3:
            return f(Map3()), true;
        case MONOID_SUM_MOD61:
            return f(SumMod61()), true;
        default:
            return false;
    }
}

#endif  // PRIMITIVES_SCAN_MONOID_CUH_
