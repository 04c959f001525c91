// radix.cuh: least-significant-digit radix sort, 8 bits a pass, one sweep over memory for each pass
// [AdinetsMerrill22]: a tile is ranked in shared memory while the tiles before it publish their
// counts of each digit. Includes instructions.cuh and schedule.cuh.
//
// AGPU counts (N items, b a transfer, B bytes of a key, T a tile): I/O (N / b) (1 + 2 B) and 2^8
// words a tile and pass; time O((N / p) B); multiplicity M / T.
//
// Progress and memory order of the look-back are those of lookback.cuh: tiles are numbered in the
// order in which blocks draw, a tile publishes its counts before it waits for any other, and count
// and tag are one word of 32 bits.
#ifndef PRIMITIVES_SORT_RADIX_CUH_
#define PRIMITIVES_SORT_RADIX_CUH_

#include "primitives/cuda/instructions.cuh"
#include "primitives/sort/schedule.cuh"

// A word of status: a count below 2^30, and what it counts.
constexpr uint32_t kRadixTile = 1u << 30, kRadixPrefix = 1u << 31;
constexpr uint32_t kRadixCount = (1u << 30) - 1;
static_assert(kRadixMaxSize == kRadixCount + 1, "a word of status holds every count");

// At the front of the workspace; zero at the start of a sort.
struct RadixCounters {
    uint32_t histogram[8][kRadix];  // of each pass
    uint32_t draws[8];
};
static_assert(sizeof(RadixCounters) <= kRadixCounterBytes, "plans count with that");

template <class K, class V>
struct RadixPass {
    SortData<K, V> d;
    uint32_t n, tiles;
    unsigned byte;              // of the key: the digit
    bool stable;                // false: items of a digit may take any order, pads aside
    const uint32_t *histogram;  // of the digit, all keys
    uint32_t *draws;
    uint32_t *status, *next_status;  // kRadix words a tile; the latter are cleared
};

// One byte of the key: one instruction for 32 bits.
DEVICE unsigned RadixDigit(uint32_t key, unsigned byte) {
    return __byte_perm(key, 0, 0x4440 + byte);
}
DEVICE unsigned RadixDigit(uint64_t key, unsigned byte) {
    return RadixDigit((uint32_t)(byte < 4 ? key : key >> 32), byte % 4);
}

// --- Histograms of all digits --------------------------------------------------------------------
// kCopies lanes count apart from each other, each in banks of its own. Digits of kGroup passes
// share 256 bytes, so that one byte permutation makes an address of a key's digit and a lane.
constexpr unsigned kRadixHistogramThreads = 1024;
template <class K>
struct RadixHistogram {
    static constexpr unsigned kPasses = sizeof(K), kCopies = 128 / kPasses, kGroup = kPasses / 2;
    static_assert(4 * kCopies * kGroup == 256, "the digit is the second byte of an offset");
    uint32_t count[kPasses / kGroup][kRadix][kGroup][kCopies];  // 128 KiB

    // Where lane `lane` counts the digit of pass p.
    DEVICE uint32_t *Place(K key, unsigned p, unsigned lane) {
        const uint32_t word = (uint32_t)(p < 4 ? key : key >> (8 * sizeof(K) - 32));
        const uint32_t offset = __byte_perm(word, 4 * (lane % kCopies), 0x5504 + p % 4 * 16);
        return (uint32_t *)((char *)count[p / kGroup][0][p % kGroup] + offset);
    }
};

template <class K, bool kMapped>
__global__ void __launch_bounds__(kRadixHistogramThreads)
    RadixHistogramKernel(const K *keys, uint32_t n, SortOrder<K> order, RadixCounters *counters,
                         uint32_t *status, uint32_t words) {
    using Histogram = RadixHistogram<K>;
    constexpr unsigned kPasses = Histogram::kPasses, kCopies = Histogram::kCopies;
    constexpr unsigned kWords = sizeof(Histogram) / 4;
    DYNAMIC_SHARED(Histogram, h);
    for (unsigned i = threadIdx.x; i < kWords; i += kRadixHistogramThreads) {
        ((uint32_t *)h)[i] = 0;
    }
    WaitForKernelBefore();
    __syncthreads();
    const uint32_t first = blockIdx.x * kRadixHistogramThreads + threadIdx.x;
    const uint32_t stride = gridDim.x * kRadixHistogramThreads;
    constexpr unsigned kUnroll = 8;
    for (uint64_t at = first; at < n; at += (uint64_t)kUnroll * stride) {
        K key[kUnroll];
#pragma unroll
        for (unsigned u = 0; u < kUnroll; u++) {
            const uint64_t i = at + (uint64_t)u * stride;
            key[u] = i < n ? keys[i] : 0;
        }
#pragma unroll
        for (unsigned u = 0; u < kUnroll; u++) {
            const K mapped = kMapped ? order.Map(key[u]) : key[u];
            if (at + (uint64_t)u * stride < n) {
#pragma unroll
                for (unsigned p = 0; p < kPasses; p++) {
                    atomicAdd(h->Place(mapped, p, Lane()), 1u);
                }
            }
        }
    }
    for (uint64_t i = first; i < words; i += stride) {
        status[i] = 0;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kPasses * kRadix; i += kRadixHistogramThreads) {
        const unsigned p = i / kRadix, digit = i % kRadix;
        uint32_t sum = 0;
        for (unsigned c = 0; c < kCopies; c++) {
            sum += h->count[p / Histogram::kGroup][digit][p % Histogram::kGroup]
                           [(c + Lane()) % kCopies];
        }
        if (sum > 0) {
            atomicAdd(&counters->histogram[p][digit], sum);
        }
    }
}

// --- Passes --------------------------------------------------------------------------------------
template <class K, class V, unsigned kBlock, unsigned kItems>
struct RadixShared {
    static constexpr unsigned kThreads = kBlock, kWarps = kThreads / kWarp;
    static constexpr unsigned kTile = kThreads * kItems;
    union {
        uint32_t count[kWarps][kRadix];  // of each warp; then where its next of a digit goes
        K keys[kTile];
        V values[kTile];
    };
    uint32_t start[kRadix];  // where a digit's items go in the output, less their place in the tile
    uint32_t totals[kRadix / kWarp];
    uint32_t tile;
};
template <class K, unsigned kBlock, unsigned kItems>
struct RadixShared<K, NoValue, kBlock, kItems> {
    static constexpr unsigned kThreads = kBlock, kWarps = kThreads / kWarp;
    static constexpr unsigned kTile = kThreads * kItems;
    union {
        uint32_t count[kWarps][kRadix];
        K keys[kTile];
    };
    uint32_t start[kRadix];
    uint32_t totals[kRadix / kWarp];
    uint32_t tile;
};

// The exclusive sum of one value of each of threads 0 .. kRadix - 1, which are full warps. All
// threads of the block call it. One barrier.
DEVICE uint32_t RadixScan(uint32_t v, uint32_t (&totals)[kRadix / kWarp]) {
    uint32_t sum = v;
#pragma unroll
    for (unsigned by = 1; by < kWarp; by *= 2) {
        const uint32_t lower = ShuffleUp(sum, by);
        sum += Lane() >= by ? lower : 0;
    }
    const unsigned warp = threadIdx.x / kWarp;
    if (warp < kRadix / kWarp && Lane() == kWarp - 1) {
        totals[warp] = sum;
    }
    __syncthreads();
    uint32_t before = 0;
#pragma unroll
    for (unsigned w = 0; w < kRadix / kWarp; w++) {
        before += w < warp ? totals[w] : 0;
    }
    return before + sum - v;
}

// How many items with this thread's digit stand in tiles before `tile`, or go before them because
// their digits are lower. Waits. Several words are read at once, because latencies would add up.
DEVICE uint32_t RadixLookBack(const uint32_t *status, uint32_t tile, unsigned digit) {
    constexpr unsigned kAhead = 4;
    uint32_t before = 0;
    for (uint32_t t = tile;;) {  // tiles below t are to be looked at; tile 0 has kRadixPrefix
        uint32_t word[kAhead];
#pragma unroll
        for (unsigned k = 0; k < kAhead; k++) {
            word[k] = t > k ? LoadRelaxed(status + (uint64_t)(t - 1 - k) * kRadix + digit) : 0;
        }
#pragma unroll
        for (unsigned k = 0; k < kAhead; k++) {
            for (Spin spin; word[k] == 0; spin.Pause()) {
                word[k] = LoadRelaxed(status + (uint64_t)(t - 1 - k) * kRadix + digit);
            }
            before += word[k] & kRadixCount;
            if ((word[k] & kRadixPrefix) != 0) {
                return before;
            }
        }
        t -= kAhead;
    }
}

// The tile of a block: its number, its first item, and how many of its places hold items.
struct RadixTile {
    uint32_t number, first, valid;
};

// The items at places from, from + 32, .. of the tile; the largest key where there are none.
template <bool kMapped, class K, class V, unsigned kItems>
DEVICE void RadixLoad(const RadixPass<K, V> &p, const RadixTile &tile, unsigned from,
                      K (&key)[kItems]) {
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const uint32_t at = from + i * kWarp;
        key[i] = at < tile.valid ? p.d.keys_in[tile.first + at] : (K)0 - 1;
        if (kMapped && at < tile.valid) {
            key[i] = p.d.in.Map(key[i]);
        }
    }
}

// rank[i] = the place of a lane's item i among its warp's items of the same digit, which count[]
// counts, all 0 before. Not stable: items of a digit take any order, for one addition each.
template <class K, unsigned kItems>
DEVICE void RadixRank(bool stable, unsigned byte, uint32_t (&count)[kRadix], const K (&key)[kItems],
                      uint32_t (&rank)[kItems]) {
    const unsigned below = (1u << Lane()) - 1, above = ~below << 1;
    if (!stable) {
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            rank[i] = atomicAdd(&count[RadixDigit(key[i], byte)], 1u);
        }
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const unsigned digit = RadixDigit(key[i], byte);
        const unsigned same = MatchBits<kRadixBits>(digit);
        const uint32_t before = count[digit];
        rank[i] = before + (unsigned)__popc(same & below);
        __syncwarp();
        if ((same & above) == 0) {  // the last of them
            count[digit] = rank[i] + 1;
        }
        __syncwarp();
    }
}

// What thread d < kRadix holds about digit d: the tile's items of it, and where they begin in the
// tile.
struct RadixSums {
    uint32_t total, place;
};

// Tells the tiles that follow how many items of each digit this one has, and turns the warps'
// counts into where in the tile each warp's items of a digit begin. Two barriers, one at the end.
template <class K, class V, class Shared>
DEVICE RadixSums RadixSumUp(const RadixPass<K, V> &p, uint32_t tile, Shared *s) {
    const unsigned digit = threadIdx.x;
    uint32_t total = 0;
    if (digit < kRadix) {
#pragma unroll
        for (unsigned w = 0; w < Shared::kWarps; w++) {
            total += s->count[w][digit];
        }
        const uint64_t word = (uint64_t)tile * kRadix + digit;
        if (tile > 0) {
            StoreRelaxed(p.status + word, kRadixTile | total);
        }
        if (p.next_status != nullptr) {
            p.next_status[word] = 0;
        }
    }
    const uint32_t place = RadixScan(total, s->totals);
    if (digit < kRadix) {
        uint32_t sum = place;
#pragma unroll
        for (unsigned w = 0; w < Shared::kWarps; w++) {
            const uint32_t of_warp = s->count[w][digit];
            s->count[w][digit] = sum;
            sum += of_warp;
        }
    }
    __syncthreads();
    return {total, place};
}

// Finds where the digit's items of the tile go, and tells the tiles that follow. digit_start: for
// tile 0, where the digit begins among all items.
template <class K, class V>
DEVICE uint32_t RadixStart(const RadixPass<K, V> &p, uint32_t tile, uint32_t digit_start,
                           const RadixSums &sums) {
    const unsigned digit = threadIdx.x;
    const uint32_t before = tile == 0 ? digit_start : RadixLookBack(p.status, tile, digit);
    StoreRelaxed(p.status + (uint64_t)tile * kRadix + digit, kRadixPrefix | (before + sums.total));
    return before - sums.place;
}

// Values follow their keys: from place from + 32 i of the input by rank to places to[i].
template <class K, class V, class Shared, unsigned kItems>
DEVICE void RadixMoveValues(const RadixPass<K, V> &p, const RadixTile &tile, unsigned from,
                            Shared *s, const uint32_t (&rank)[kItems],
                            const uint32_t (&to)[kItems]) {
    V value[kItems];
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const uint32_t at = from + i * kWarp;
        value[i] = at < tile.valid ? p.d.values_in[tile.first + at] : 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        s->values[rank[i]] = value[i];
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const unsigned at = i * Shared::kThreads + threadIdx.x;
        if (at < tile.valid) {
            p.d.values_out[to[i]] = s->values[at];
        }
    }
}

// One tile a block. The first pass over keys alone need not be stable, but filler items come last.
// kMapped: keys are mapped as they come or go, in the first and the last pass over signed and
// floating-point ones.
template <class K, class V, unsigned kThreads, unsigned kItems, unsigned kBlocks, bool kMapped>
__global__ void __launch_bounds__(kThreads, kBlocks) RadixPassKernel(const RadixPass<K, V> p) {
    using Shared = RadixShared<K, V, kThreads, kItems>;
    DYNAMIC_SHARED(Shared, s);
    const unsigned thread = threadIdx.x, warp = thread / kWarp;
    WaitForKernelBefore();
    if (thread == 0) {
        s->tile = atomicAdd(p.draws, 1u);
    }
    for (unsigned i = Lane(); i < kRadix; i += kWarp) {
        s->count[warp][i] = 0;
    }
    __syncthreads();
    const uint32_t first = s->tile * Shared::kTile;
    const RadixTile tile = {s->tile, first,
                            p.n - first < Shared::kTile ? p.n - first : Shared::kTile};
    const unsigned from = warp * kWarp * kItems + Lane();
    K key[kItems];
    RadixLoad<kMapped>(p, tile, from, key);
    uint32_t rank[kItems];
    RadixRank(p.stable || tile.valid < Shared::kTile, p.byte, s->count[warp], key, rank);
    __syncthreads();
    const RadixSums sums = RadixSumUp(p, tile.number, s);
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        rank[i] += s->count[warp][RadixDigit(key[i], p.byte)];
    }
    uint32_t digit_start = 0;
    if (tile.number == 0) {
        digit_start = RadixScan(thread < kRadix ? p.histogram[thread] : 0, s->totals);
    }
    __syncthreads();  // counts are read; keys take their place
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        s->keys[rank[i]] = key[i];
    }
    if (thread < kRadix) {
        s->start[thread] = RadixStart(p, tile.number, digit_start, sums);
    }
    __syncthreads();
    uint32_t to[kItems];
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const unsigned at = i * kThreads + thread;
        const K k = s->keys[at];
        to[i] = s->start[RadixDigit(k, p.byte)] + at;
        if (at < tile.valid) {
            p.d.keys_out[to[i]] = kMapped ? p.d.out.Back(k) : k;
        }
    }
    if constexpr (SortItem<K, V>::kHasValue) {
        RadixMoveValues(p, tile, from, s, rank, to);
    }
}

#endif  // PRIMITIVES_SORT_RADIX_CUH_
