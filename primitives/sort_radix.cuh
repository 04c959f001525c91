// sort_radix.cuh: least-significant-digit radix sort, 8 bits a pass, one sweep over memory for
// each pass [AdinetsMerrill22]: a tile is ranked in shared memory while the tiles before it tell
// how many of each digit they have. Includes sort_schedule.cuh.
//
// AGPU counts (N items, b a transfer, B bytes of a key, T a tile): I/O (N / b) (1 + 2 B) and 2^8
// words a tile and pass; time O((N / p) B); multiplicity M / T.
//
// Progress and memory order of the look-back are those of lookback.cuh: tiles are numbered in the
// order in which blocks draw, a tile publishes its counts before it waits for anybody, and count
// and tag are one word of 32 bits.
#ifndef PRIMITIVES_SORT_RADIX_CUH_
#define PRIMITIVES_SORT_RADIX_CUH_

#include "primitives/sort_schedule.cuh"

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
template <class K, class V, unsigned kThreads, unsigned kItems>
struct RadixShared {
    static constexpr unsigned kWarps = kThreads / kWarp, kTile = kThreads * kItems;
    union {
        uint32_t count[kWarps][kRadix];  // of each warp; then where its next of a digit goes
        K keys[kTile];
        V values[kTile];
    };
    uint32_t start[kRadix];  // where a digit's items go in the output, less their place in the tile
    uint32_t totals[kRadix / kWarp];
    uint32_t tile;
};
template <class K, unsigned kThreads, unsigned kItems>
struct RadixShared<K, NoValue, kThreads, kItems> {
    static constexpr unsigned kWarps = kThreads / kWarp, kTile = kThreads * kItems;
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

// One tile a block. The first pass over keys alone need not be stable, so that ranks come from one
// addition each; but items that stand for none come last. kMapped: keys are mapped as they come or
// go, in the first and the last pass over signed and floating-point ones.
template <class K, class V, unsigned kThreads, unsigned kItems, unsigned kBlocks, bool kMapped>
__global__ void __launch_bounds__(kThreads, kBlocks) RadixPassKernel(const RadixPass<K, V> p) {
    using Shared = RadixShared<K, V, kThreads, kItems>;
    constexpr bool kHasValue = SortItem<K, V>::kHasValue;
    constexpr unsigned kWarps = Shared::kWarps, kTile = Shared::kTile;
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
    const uint32_t tile = s->tile;
    const uint32_t first = tile * kTile, valid = p.n - first < kTile ? p.n - first : kTile;
    const uint32_t from = warp * kWarp * kItems + Lane();

    K key[kItems];
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const uint32_t at = from + i * kWarp;
        key[i] = at < valid ? p.d.keys_in[first + at] : (K)0 - 1;
        if (kMapped && at < valid) {
            key[i] = p.d.in.Map(key[i]);
        }
    }
    uint32_t rank[kItems];  // among the warp's items of the digit
    const unsigned below = (1u << Lane()) - 1, above = ~below << 1;
    __syncwarp();
    if (p.stable || valid < kTile) {
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            const unsigned digit = RadixDigit(key[i], p.byte);
            const unsigned same = MatchBits<kRadixBits>(digit);
            const uint32_t before = s->count[warp][digit];
            rank[i] = before + (unsigned)__popc(same & below);
            __syncwarp();
            if ((same & above) == 0) {  // the last of them
                s->count[warp][digit] = rank[i] + 1;
            }
            __syncwarp();
        }
    } else {
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            rank[i] = atomicAdd(&s->count[warp][RadixDigit(key[i], p.byte)], 1u);
        }
    }
    __syncthreads();

    // Thread d < kRadix looks after digit d.
    uint32_t total = 0;
    if (thread < kRadix) {
#pragma unroll
        for (unsigned w = 0; w < kWarps; w++) {
            total += s->count[w][thread];
        }
        if (tile > 0) {
            StoreRelaxed(p.status + (uint64_t)tile * kRadix + thread, kRadixTile | total);
        }
        if (p.next_status != nullptr) {
            p.next_status[(uint64_t)tile * kRadix + thread] = 0;
        }
    }
    const uint32_t place = RadixScan(total, s->totals);
    if (thread < kRadix) {
        uint32_t sum = place;
#pragma unroll
        for (unsigned w = 0; w < kWarps; w++) {
            const uint32_t of_warp = s->count[w][thread];
            s->count[w][thread] = sum;
            sum += of_warp;
        }
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        rank[i] += s->count[warp][RadixDigit(key[i], p.byte)];
    }
    // Tile 0 begins where the digit does among all keys.
    uint32_t digit_start = 0;
    if (tile == 0) {
        digit_start = RadixScan(thread < kRadix ? p.histogram[thread] : 0, s->totals);
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        s->keys[rank[i]] = key[i];
    }
    if (thread < kRadix) {
        const uint32_t before = tile == 0 ? digit_start : RadixLookBack(p.status, tile, thread);
        StoreRelaxed(p.status + (uint64_t)tile * kRadix + thread, kRadixPrefix | (before + total));
        s->start[thread] = before - place;
    }
    __syncthreads();
    uint32_t to[kItems];
#pragma unroll
    for (unsigned i = 0; i < kItems; i++) {
        const unsigned at = i * kThreads + thread;
        const K k = s->keys[at];
        to[i] = s->start[RadixDigit(k, p.byte)] + at;
        if (at < valid) {
            p.d.keys_out[to[i]] = kMapped ? p.d.out.Back(k) : k;
        }
    }
    if constexpr (kHasValue) {
        V value[kItems];
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            const uint32_t at = from + i * kWarp;
            value[i] = at < valid ? p.d.values_in[first + at] : 0;
        }
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            s->values[rank[i]] = value[i];
        }
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            const unsigned at = i * kThreads + thread;
            if (at < valid) {
                p.d.values_out[to[i]] = s->values[at];
            }
        }
    }
}

#endif  // PRIMITIVES_SORT_RADIX_CUH_
