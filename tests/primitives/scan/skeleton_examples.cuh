// skeleton_examples.cuh: the operators of skeleton_examples.h, for kernels. Includes device.cuh,
// skeleton_examples.h and monoid_examples.cuh.
#ifndef TESTS_PRIMITIVES_SCAN_SKELETON_EXAMPLES_CUH_
#define TESTS_PRIMITIVES_SCAN_SKELETON_EXAMPLES_CUH_

#include "primitives/cuda/device.cuh"
#include "tests/primitives/scan/monoid_examples.cuh"
#include "tests/primitives/scan/skeleton_examples.h"

struct Argmax {
    using Value = skeleton_place;
    static constexpr bool kCommutative = true;
    HOST_DEVICE static Value Identity() { return {INT32_MIN, UINT32_MAX}; }
    HOST_DEVICE static Value Combine(Value first, Value then) {
        const bool lower = then.value == first.value && then.index < first.index;
        return then.value > first.value || lower ? then : first;
    }
};

// Does not say whether it commutes.
struct Affine {
    using Value = skeleton_map;
    HOST_DEVICE static Value Identity() { return {1, 0}; }
    HOST_DEVICE static Value Combine(Value first, Value then) {
        return {then.slope * first.slope, then.slope * first.offset + then.offset};
    }
};

struct Carry {
    using Value = uint8_t;
    HOST_DEVICE static Value Identity() { return SKELETON_PROPAGATE; }
    HOST_DEVICE static Value Combine(Value first, Value then) {
        return then == SKELETON_PROPAGATE ? first : then;
    }
};

struct Matrix {
    using Value = skeleton_matrix;
    HOST_DEVICE static Value Identity() { return {{1, 0, 0, 1}}; }
    HOST_DEVICE static Value Combine(const Value &a, const Value &b) {
        return {{a.x[0] * b.x[0] + a.x[1] * b.x[2], a.x[0] * b.x[1] + a.x[1] * b.x[3],
                 a.x[2] * b.x[0] + a.x[3] * b.x[2], a.x[2] * b.x[1] + a.x[3] * b.x[3]}};
    }
};

struct Segment : BestSegment {
    using Element = int32_t;
};

struct IsOdd {
    DEVICE bool operator()(uint32_t x) const { return x % 2 != 0; }
    DEVICE bool operator()(const skeleton_parcel &x) const { return x.weight % 2 != 0; }
};

#endif  // TESTS_PRIMITIVES_SCAN_SKELETON_EXAMPLES_CUH_
