// segments.cuh: finds where ragged segments begin within a tile, and widens keys by that, so that
// sorting the whole array sorts each segment. Includes item.cuh.
//
// A widened key is start * 2^bits + key, start < 2^16 being the place in the tile at which the
// key's segment begins, 0 for the one that goes on from before. Segments that are not empty begin
// at different places, so widened keys are ordered by segment first.
#ifndef PRIMITIVES_SORT_SEGMENTS_CUH_
#define PRIMITIVES_SORT_SEGMENTS_CUH_

#include "primitives/sort/item.cuh"

template <class K, bool kRagged>
struct SortWidened {
    using Key = K;
};
template <>
struct SortWidened<uint32_t, true> {
    using Key = unsigned long long;
};
template <>
struct SortWidened<uint64_t, true> {
    using Key = word_pair;
};

// SegmentAfter returns the first i with offsets[i] > place, or `count`. Called by a full warp, all
// lanes alike; about log2(count) / 5 loads, one after the other.
DEVICE uint64_t SegmentAfter(const uint64_t *offsets, uint64_t count, uint64_t place) {
    uint64_t low = 0, size = count;  // the answer is in low .. low + size
    while (size > 0) {
        const uint64_t step = (size + kWarp - 1) / kWarp;
        const uint64_t i = low + (Lane() + 1) * step - 1;  // the last of the lane's stretch
        const bool after = i >= low + size || offsets[i] > place;
        const unsigned stretches = (unsigned)__ffs((int)__ballot_sync(kAllLanes, after));
        if (stretches == 0) {  // the last stretch ends at low + size exactly and is not after
            return low + size;
        }
        const uint64_t first = low + (stretches - 1) * step;
        const uint64_t end = first + step - 1 < low + size ? first + step - 1 : low + size;
        low = first < low + size ? first : low + size;
        size = end - low;
    }
    return low;
}

// The starts of segments at places origin + 1 .. origin + kTile - 1, a bit each, in shared memory.
template <unsigned kTile>
struct SegmentMap {
    static constexpr unsigned kWords = kTile / 32, kSummary = (kWords + 31) / 32;
    static_assert(kTile % 32 == 0 && kTile <= 1u << 16, "starts have 16 bits");
    uint32_t starts[kWords];
    uint32_t any[kSummary];  // which words of starts are not 0

    // Build is called by all threads of a block, of full warps. Ends with a barrier.
    DEVICE void Build(const uint64_t *offsets, uint64_t rows, uint64_t origin) {
        for (unsigned i = threadIdx.x; i < kWords + kSummary; i += blockDim.x) {
            (i < kWords ? starts[i] : any[i - kWords]) = 0;
        }
        __syncthreads();
        const uint64_t first = SegmentAfter(offsets, rows, origin);
        for (uint64_t i = first + threadIdx.x; i < rows; i += blockDim.x) {
            const uint64_t place = offsets[i] - origin;
            if (place >= kTile) {
                break;  // and so are all that follow
            }
            atomicOr(&starts[place / 32], 1u << place % 32);
            atomicOr(&any[place / 1024], 1u << place / 32 % 32);
        }
        __syncthreads();
    }

    // Start returns where the segment of a place of the tile begins.
    DEVICE unsigned Start(unsigned place) const {
        const unsigned upto = starts[place / 32] & (kAllLanes >> (31 - place % 32));
        if (upto != 0) {
            return place / 32 * 32 + 31 - (unsigned)__clz((int)upto);
        }
        unsigned s = place / 1024;
        unsigned words = any[s] & ((1u << place / 32 % 32) - 1);
        while (words == 0 && s > 0) {
            words = any[--s];
        }
        if (words == 0) {
            return 0;
        }
        const unsigned w = s * 32 + 31 - (unsigned)__clz((int)words);
        return w * 32 + 31 - (unsigned)__clz((int)starts[w]);
    }
};

#endif  // PRIMITIVES_SORT_SEGMENTS_CUH_
