// warp_limbs.cuh: numbers of up to 32 limbs, one in each lane of a warp, the lowest in lane 0. All
// lanes call every function. What leaves lane 31 is lost. Includes warp.cuh and word.h. Valid on:
// any device, the emulation.
#ifndef PRIMITIVES_LIMBS_WARP_LIMBS_CUH_
#define PRIMITIVES_LIMBS_WARP_LIMBS_CUH_

#include "primitives/cuda/warp.cuh"
#include "primitives/words/word.h"

// WarpSum: a + b, or a - b. Lanes that generate a carry and those that pass one on, added as
// numbers, carry as the limbs do.
template <bool kMinus>
DEVICE uint64_t WarpSum(uint64_t a, uint64_t b) {
    const uint64_t sum = kMinus ? a - b : a + b;
    const bool carries = kMinus ? a < b : sum < a;
    const bool passes = !carries && sum == (kMinus ? 0 : ~UINT64_C(0));
    const uint32_t generate = __ballot_sync(kAllLanes, carries);
    const uint32_t either = generate | __ballot_sync(kAllLanes, passes);
    const uint32_t into = (either + generate) ^ either ^ generate;
    const uint64_t bit = into >> Lane() & 1;
    return kMinus ? sum - bit : sum + bit;
}

// WarpLowProduct: the lowest `count` limbs of the product of {a, count} and {b, count}, count <= 8,
// which are in memory of the block; 0 in other lanes.
DEVICE uint64_t WarpLowProduct(const uint64_t *a, const uint64_t *b, unsigned count) {
    const unsigned lane = Lane();
    uint64_t c[3] = {};
    for (unsigned j = 0; j <= lane && lane < count; j++) {
        uint64_t high, carry = 0;
        const uint64_t low = word_mul(&high, a[j], b[lane - j]);
        c[0] = word_add(c[0], low, &carry);
        c[1] = word_add(c[1], high, &carry);
        c[2] += carry;
    }
    const uint64_t once = ShuffleUp(c[1], 1), twice = ShuffleUp(c[2], 2);
    const uint64_t sum = WarpSum<false>(c[0], lane < 1 ? 0 : once);
    const uint64_t all = WarpSum<false>(sum, lane < 2 ? 0 : twice);
    return lane < count ? all : 0;
}

#endif  // PRIMITIVES_LIMBS_WARP_LIMBS_CUH_
