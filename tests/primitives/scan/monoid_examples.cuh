// monoid_examples.cuh: the operator of example_best_segment, for kernels. Includes device.cuh and
// monoid_examples.h.
#ifndef TESTS_PRIMITIVES_SCAN_MONOID_EXAMPLES_CUH_
#define TESTS_PRIMITIVES_SCAN_MONOID_EXAMPLES_CUH_

#include "primitives/cuda/device.cuh"
#include "tests/primitives/scan/monoid_examples.h"

// [Koike15], section 4.4: sums that may be empty are clamped at 0.
struct BestSegment {
    using Value = example_segment;
    static constexpr bool kCommutative = false;
    HOST_DEVICE static Value Identity() { return {0, 0, 0, 0}; }
    HOST_DEVICE static int32_t Larger(int32_t a, int32_t b) { return a > b ? a : b; }
    HOST_DEVICE static Value Of(int32_t x) {
        const int32_t clamped = Larger(x, 0);
        return {clamped, x, clamped, clamped};
    }
    HOST_DEVICE static Value Combine(const Value &y, const Value &z) {
        return {Larger(Larger(y.best, z.best), y.suffix + z.prefix), y.total + z.total,
                Larger(z.suffix, y.suffix + z.total), Larger(y.prefix, y.total + z.prefix)};
    }
};

struct SegmentOf {
    const int32_t *x;
    DEVICE example_segment operator()(uint64_t i) const { return BestSegment::Of(x[i]); }
};

#endif  // TESTS_PRIMITIVES_SCAN_MONOID_EXAMPLES_CUH_
