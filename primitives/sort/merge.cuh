// merge.cuh: one pass of the multiway merge: 2^w sorted runs become one, tile of output by
// tile, each element read and written once. Includes rows.cuh.
//
// [Koike15, 6.4] merges by a tree of buffers in shared memory that refill each other, which leaves
// one group of threads to each merge, and parts long runs by separators. Here every tile of output
// is found exactly, by selection among the runs (SortCutsKernel), so all tiles are alike and
// independent; within a tile the pieces are merged two by two along merge paths [GreenEtAl12].
//
// AGPU counts of a pass over N items in tiles of T, b a transfer, D = 2^w: I/O 2 N / b, and 2 D
// words and O(D log(N D / T)) loads a tile; time O((N / p) log D (log E + log(T) / E)) for E items
// a thread; multiplicity M / T. Passes: log2(n / T) / w, which is the bound of [Koike15, 6.3] with
// D for M / b.
#ifndef PRIMITIVES_SORT_MERGE_CUH_
#define PRIMITIVES_SORT_MERGE_CUH_

#include "primitives/sort/rows.cuh"

template <class K, class V>
struct SortMerge {
    SortData<K, V> d;  // keys mapped, except in the last pass's output
    uint64_t n;        // elements of a row
    uint64_t tiles;    // of all rows
    uint64_t tiles_of_row;
    unsigned tile;  // a power of two
    uint64_t run;   // length of the runs: tile times a power of two
    unsigned log_ways;
    unsigned log_probes;      // log2 of the lanes that look for a run's cut
    uint64_t *cuts;           // for each tile and run: where in the row its piece begins. NULL: of
                              // two runs, not ragged; blocks find it themselves
    const uint64_t *offsets;  // ragged segments
    uint64_t segments;

    // Runs that tile `index` of a row is merged from: where the first begins, and run w's bounds.
    DEVICE uint64_t Group(uint64_t index) const {
        return (index * tile >> log_ways) / run * run << log_ways;
    }
    DEVICE uint64_t RunBegin(uint64_t group, unsigned w) const {
        return group + w * run < n ? group + w * run : n;
    }
};

constexpr unsigned kSortCutsThreads = 128;

template <class T>
DEVICE T SortFromLane(T v, unsigned lane, unsigned width) {
    return FromBits<T>(__shfl_sync(kAllLanes, ToBits(v), (int)lane, (int)width));
}
DEVICE uint32_t SortGroupSum(uint32_t v, unsigned lanes) {
    for (unsigned by = 1; by < lanes; by *= 2) {
        v += ShuffleXor(v, by);
    }
    return v;
}
DEVICE uint32_t SortLarger(uint32_t a, uint32_t b) { return a > b ? a : b; }

// A group of ways 2^log_probes lanes narrows the runs' cuts for `left` items in all. Its lane
// `lane` has those of run lane / 2^log_probes, from low .. high. Items are ordered by key, run and
// place, so the answer is one.
//
// Each step probes what is still open in each run, N items in all, at 2^log_probes places.
//   below of a probe: for each run, the items up to its last probe that is not larger: that many
//           are certainly not larger; if left < below, the probe and what follows it in its run
//           stays right.
//   above of a probe: for each run, the items from its first probe that is not smaller: that many
//           are certainly not smaller, at most N - above are; if left > N - above, the probe and
//           what comes before it goes left.
// Progress: the largest probe's below is the sum B of all items up to the last probes, the smallest
// one's above is the sum A of all items from the first probes. A run's last probe is not before its
// first, so A + B >= N + the number of open runs; so left < B, or left >= B > N - A.
template <class K>
DEVICE uint32_t SortSelect(const K *run, uint32_t low, uint32_t high, uint32_t left, unsigned lane,
                           unsigned ways, unsigned log_probes) {
    const unsigned probes = 1u << log_probes, lanes = ways << log_probes, j = lane % probes;
    while (__any_sync(kAllLanes, left > 0)) {
        const bool open = low < high;
        // Below high: (2 j + 1) / (2 probes) < 1.
        const uint32_t at =
            low + (uint32_t)((uint64_t)(high - low) * (2 * j + 1) >> (log_probes + 1));
        const K key = open ? run[at] : 0;
        const uint32_t lower = open ? at - low + 1 : 0, upper = open ? high - at : 0;
        uint32_t below = 0, above = 0;
        for (unsigned v = 0; v < lanes; v += probes) {
            uint32_t most_below = 0, most_above = 0;  // of run v / probes
            for (unsigned u = v; u < v + probes; u++) {
                const K other = SortFromLane(key, u, lanes);
                const uint32_t other_lower = SortFromLane(lower, u, lanes);
                const uint32_t other_upper = SortFromLane(upper, u, lanes);
                const bool not_larger = other < key || (other == key && u <= lane);
                const bool not_smaller = other > key || (other == key && u >= lane);
                most_below = SortLarger(most_below, not_larger ? other_lower : 0);
                most_above = SortLarger(most_above, not_smaller ? other_upper : 0);
            }
            below += most_below;
            above += most_above;
        }
        const uint32_t size = SortGroupSum(j == 0 ? high - low : 0, lanes);
        const bool stays = open && left < below, goes = open && left > size - above;
        uint32_t taken = goes ? lower : 0, kept = stays ? upper : 0;
        for (unsigned by = 1; by < probes; by *= 2) {
            taken = SortLarger(taken, ShuffleXor(taken, by));
            kept = SortLarger(kept, ShuffleXor(kept, by));
        }
        low += taken;
        high -= kept;
        left -= SortGroupSum(j == 0 ? taken : 0, lanes);
    }
    return low;
}

// Ragged: everything of segments before the one of `place` goes left, everything of later ones
// right; low .. high becomes what is between.
template <class K, class V>
DEVICE void SortWithinSegment(const SortMerge<K, V> &m, uint64_t place, uint64_t *low,
                              uint64_t *high) {
    uint64_t first = 0, size = m.segments;  // the last segment that begins at or before place
    while (size > 1) {
        const uint64_t half = size / 2;
        const bool later = m.offsets[first + half] <= place;
        first = later ? first + half : first;
        size = later ? size - half : half;
    }
    const uint64_t begin = m.offsets[first], end = m.offsets[first + 1];
    *low = begin > *low ? (begin < *high ? begin : *high) : *low;
    *high = end < *high ? (end > *low ? end : *low) : *high;
}

// A group of 2^(log_ways + log_probes) lanes for each tile.
template <class K, class V, bool kRagged>
__global__ void __launch_bounds__(kSortCutsThreads) SortCutsKernel(const SortMerge<K, V> m) {
    const unsigned ways = 1u << m.log_ways, log_lanes = m.log_ways + m.log_probes;
    const unsigned lane = threadIdx.x % (1u << log_lanes), w = lane >> m.log_probes;
    const uint64_t index = ((uint64_t)blockIdx.x * kSortCutsThreads + threadIdx.x) >> log_lanes;
    const bool exists = index < m.tiles, first = lane % (1u << m.log_probes) == 0;
    const uint64_t in_row = exists ? index % m.tiles_of_row : 0;
    const uint64_t group = m.Group(in_row), place = in_row * m.tile;
    const uint64_t begin = m.RunBegin(group, w);
    uint64_t low = begin, high = m.RunBegin(group, w + 1);
    WaitForKernelBefore();
    if constexpr (kRagged) {
        SortWithinSegment(m, place, &low, &high);
    }
    // Of a row, below 2^32 each.
    const uint32_t skipped = (uint32_t)(low - begin), open = (uint32_t)(high - begin);
    const uint32_t left =
        (uint32_t)(place - group) - SortGroupSum(first ? skipped : 0, 1u << log_lanes);
    const K *run = m.d.keys_in + (exists ? index / m.tiles_of_row * m.n + begin : 0);
    const uint32_t cut =
        SortSelect(run, skipped, open, exists ? left : 0, lane, ways, m.log_probes);
    if (exists && first) {
        m.cuts[(index << m.log_ways) + w] = begin + cut;
    }
}

// A tile's pieces, one behind another in shared memory.
struct SortPieces {
    static constexpr unsigned kMax = 1u << kSortMaxLogWays;
    unsigned bound[kMax + 1];  // where each begins in the tile
    uint32_t source[kMax];     // where in the row, less its bound, modulo 2^32
    unsigned pieces;           // that are not empty
    uint64_t pair_cuts[2];     // of two runs: where in the first one the tile begins and ends
};

// How many of the first `steps` items of the merge of a[0..a_size) and b[0..b_size) are a's, which
// come first where keys are equal. Called by a full warp, all lanes alike; about log2(steps) / 5
// loads, one after the other.
template <class K>
DEVICE uint64_t SortPairCut(const K *a, uint64_t a_size, const K *b, uint64_t b_size,
                            uint64_t steps) {
    uint64_t low = steps > b_size ? steps - b_size : 0, high = steps < a_size ? steps : a_size;
    while (low < high) {
        // The least i of low .. high with b[steps - 1 - i] < a[i], or high. Lanes look at the last
        // places of their stretches.
        const uint64_t stretch = (high - low + kWarp - 1) / kWarp;
        const uint64_t i = low + (Lane() + 1) * stretch - 1;
        const bool found = i >= high || b[steps - 1 - i] < a[i];
        const unsigned which = (unsigned)__ffs((int)__ballot_sync(kAllLanes, found));
        if (which == 0) {  // the last stretch ends at high exactly
            return high;
        }
        const uint64_t last = low + which * stretch - 1;
        low += (which - 1) * stretch;
        high = last < high ? last : high;
    }
    return low;
}

// SortFindPieces of two runs, without cuts in memory. Called by all threads.
template <class K, class V>
DEVICE void SortFindPair(const SortMerge<K, V> &m, uint64_t index, SortPieces *pieces) {
    const uint64_t in_row = index % m.tiles_of_row, group = m.Group(in_row);
    const uint64_t middle = m.RunBegin(group, 1), end = m.RunBegin(group, 2);
    const K *const row = m.d.keys_in + index / m.tiles_of_row * m.n;
    const uint64_t first = in_row * m.tile - group;
    const uint64_t last = first + m.tile < end - group ? first + m.tile : end - group;
    const unsigned which = threadIdx.x / kWarp;
    if (which < 2) {
        const uint64_t cut = SortPairCut(row + group, middle - group, row + middle, end - middle,
                                         which == 0 ? first : last);
        if (Lane() == 0) {
            pieces->pair_cuts[which] = cut;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const uint64_t from_a = pieces->pair_cuts[0], from_b = first - from_a;
        const unsigned length_a = (unsigned)(pieces->pair_cuts[1] - from_a);
        const unsigned length = (unsigned)(last - first);
        pieces->bound[0] = 0, pieces->bound[1] = length_a, pieces->bound[2] = length;
        pieces->source[0] = (uint32_t)(group + from_a);
        pieces->source[1] = (uint32_t)(middle + from_b) - length_a;
        pieces->pieces = (length_a > 0 ? 1u : 0u) + (length_a < length ? 1u : 0u);
    }
}

// Called by the first warp.
template <class K, class V>
DEVICE void SortFindPieces(const SortMerge<K, V> &m, uint64_t index, SortPieces *pieces) {
    const unsigned ways = 1u << m.log_ways, w = Lane();
    const uint64_t in_row = index % m.tiles_of_row, group = m.Group(in_row);
    uint64_t begin = 0;
    unsigned length = 0;
    if (w < ways) {
        const bool last = in_row + 1 == m.tiles_of_row || m.Group(in_row + 1) != group;
        const uint64_t *cut = m.cuts + (index << m.log_ways) + w;
        begin = cut[0];
        length = (unsigned)((last ? m.RunBegin(group, w + 1) : cut[ways]) - begin);
    }
    unsigned upto = length;
    for (unsigned by = 1; by < kWarp; by *= 2) {
        const unsigned lower = ShuffleUp(upto, by);
        upto += w >= by ? lower : 0;
    }
    if (w < ways) {
        pieces->bound[w + 1] = upto;
        pieces->source[w] = (uint32_t)begin - (upto - length);
    }
    const unsigned some = __ballot_sync(kAllLanes, length > 0);
    if (w == 0) {
        pieces->bound[0] = 0;
        pieces->pieces = (unsigned)__popc(some);
    }
}

// Thread t's E items, from place E t on, of the merge of pieces 2 s q .. 2 s q + s - 1 with the s
// pieces after them, for all q; from the lower pieces where keys are equal. One by one, because a
// thread's items may go over the end of a pair. Where they do not, sorting them in registers as a
// bitonic run (those of the upper pieces backwards) was tried: 8 to 11 % slower on an H200.
template <class Shared, class Item, unsigned E>
DEVICE void SortMergePieces(const Shared &items, const SortPieces *pieces, unsigned s,
                            unsigned length, Item (&x)[E]) {
    const unsigned from = threadIdx.x * E;
    if (from >= length) {
        return;
    }
    const unsigned *bound = pieces->bound;
    while (bound[2 * s] <= from) {
        bound += 2 * s;
    }
    unsigned a_end = bound[s], b_end = bound[2 * s];
    const unsigned steps = from - bound[0];  // along the merge path
    unsigned low = steps > b_end - a_end ? steps - (b_end - a_end) : 0;
    unsigned high = steps < a_end - bound[0] ? steps : a_end - bound[0];
    while (low < high) {
        const unsigned mid = (low + high) / 2;
        const bool right = items.Key(a_end + steps - 1 - mid) < items.Key(bound[0] + mid);
        (right ? high : low) = right ? mid : mid + 1;
    }
    unsigned a = bound[0] + low, b = a_end + steps - low;
    Item head_a = items.Load(a), head_b = items.Load(b);  // may be those behind the last
#pragma unroll
    for (unsigned i = 0; i < E; i++) {
        while (from + i == b_end && b_end < length) {  // the next pair, from its beginning
            bound += 2 * s;
            a = bound[0], b = a_end = bound[s], b_end = bound[2 * s];
            head_a = items.Load(a), head_b = items.Load(b);
        }
        const bool take_b = a >= a_end || (b < b_end && head_b.key < head_a.key);
        x[i] = take_b ? head_b : head_a;
        a += take_b ? 0 : 1, b += take_b ? 1 : 0;
        (take_b ? head_b : head_a) = items.Load(take_b ? b : a);
    }
}

template <class K, class V, bool kRagged, unsigned kThreadsOfBlock>
struct SortMergeTypes {
    using Wide = typename SortWidened<K, kRagged>::Key;
    using Item = SortItem<Wide, V>;
    using Shared = SharedItems<Wide, V>;
    static constexpr unsigned kBytes = sizeof(Wide) + (SortItem<K, V>::kHasValue ? sizeof(V) : 0);
    static constexpr unsigned kThreads = kThreadsOfBlock;
    static constexpr unsigned E = SortItemsFor(kBytes), kTile = E * kThreads;
    // On a multiprocessor: 32 warps where an item is one register.
    static constexpr unsigned kBlocks = (kBytes <= 4 ? 1024 : kBytes <= 8 ? 768 : 512) / kThreads;
    // A tile's items and E behind the last, which may be read and are not used.
    static constexpr unsigned kPlaces = kTile + E;
    struct Places {
        SortPieces pieces;
        SegmentMap<kTile> map;  // only if ragged
    };
    static size_t SharedBytes() { return Shared::Bytes(kPlaces) + sizeof(Places); }
};

// Puts the tile's pieces one behind another: places t, t + kThreads, .. of `length`.
template <class K, class V, bool kRagged, class Types>
DEVICE void SortGatherPieces(const SortMerge<K, V> &m, uint64_t row, uint32_t origin,
                             unsigned length, const typename Types::Places *places,
                             const typename Types::Shared &items) {
    constexpr unsigned E = Types::E;
    const K *const keys = m.d.keys_in + row;
    const SortPieces &pieces = places->pieces;
    typename Types::Item x[E];
    unsigned w = 0;
#pragma unroll
    for (unsigned i = 0; i < E; i++) {
        const unsigned place = threadIdx.x + i * Types::kThreads;
        if (place < length) {
            while (place >= pieces.bound[w + 1]) {
                w++;
            }
            const uint32_t from = pieces.source[w] + place;
            x[i].key = keys[from];
            if constexpr (kRagged) {  // what lies outside the tile is of its first or last segment
                const uint32_t last = from - origin < length ? from - origin : length - 1;
                x[i].key |= (typename Types::Wide)(from < origin ? 0 : places->map.Start(last))
                            << 8 * sizeof(K);
            }
            if constexpr (SortItem<K, V>::kHasValue) {
                x[i].value = m.d.values_in[row + from];
            }
        }
    }
#pragma unroll
    for (unsigned i = 0; i < E; i++) {
        if (threadIdx.x + i * Types::kThreads < length) {
            items.Store(threadIdx.x + i * Types::kThreads, x[i]);
        }
    }
}

// One tile of output a block.
template <class K, class V, bool kRagged, unsigned kThreads>
__global__ void __launch_bounds__(kThreads, (SortMergeTypes<K, V, kRagged, kThreads>::kBlocks))
    SortMergeKernel(const SortMerge<K, V> m) {
    using Types = SortMergeTypes<K, V, kRagged, kThreads>;
    constexpr unsigned E = Types::E, kTile = Types::kTile;
    DYNAMIC_SHARED(char, bytes);
    const auto items = Types::Shared::In(bytes, Types::kPlaces);
    auto *const places = (typename Types::Places *)(bytes + Types::Shared::Bytes(Types::kPlaces));
    const SortPieces *pieces = &places->pieces;
    const uint64_t index = blockIdx.x, in_row = index % m.tiles_of_row;
    const uint64_t row = index / m.tiles_of_row * m.n;
    const uint32_t origin = (uint32_t)in_row * kTile;
    const uint64_t after = m.n - origin;
    const unsigned t = threadIdx.x, length = after < kTile ? (unsigned)after : kTile;
    WaitForKernelBefore();
    if (!kRagged && m.cuts == nullptr) {
        SortFindPair(m, index, &places->pieces);
    } else if (t < kWarp) {
        SortFindPieces(m, index, &places->pieces);
    }
    if constexpr (kRagged) {
        places->map.Build(m.offsets, m.segments, origin);
    } else {
        __syncthreads();
    }
    SortGatherPieces<K, V, kRagged, Types>(m, row, origin, length, places, items);
    __syncthreads();
    const unsigned ways = pieces->pieces == 1 ? 1 : 1u << m.log_ways;  // one piece is sorted
    for (unsigned s = 1; s < ways; s *= 2) {
        typename Types::Item x[E];
        SortMergePieces(items, pieces, s, length, x);
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            items.Store(t * E + i, x[i]);
        }
        __syncthreads();
    }
    SortWrite<E>(m.d, items, row + origin, length, t, Types::kThreads);
}

#endif  // PRIMITIVES_SORT_MERGE_CUH_
