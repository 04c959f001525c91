// network.cuh: the comb form of Batcher's bitonic merge sort [Batcher68] over the registers, lanes
// and shared memory of the threads of a block. Independent of where rows lie in memory. Includes
// item.cuh.
//
// A row of 2^l items is spread over 2^(l - e) threads, E = 2^e each. In blocked order thread t
// holds places E t .. E t + E - 1. Merging runs of 2^(k-1) to runs of 2^k compares place i with
// 2^k - 1 - i of its run ("flip": both runs ascending, so no directions are needed), then places
// that are 2^(k-2), .., 2, 1 apart. BMCS [DieguezThesis18, 3.3.2] does two stages, of 4 items, on
// every exchange, and sorts the first 4 items in registers. With E = 16 it is 4 stages, and the
// first 4 external steps are the sort of a thread's own items.
//
//   bits of the place     exchanged by            cost for each item and stage
//   0 .. e - 1            registers               1 comparison
//   e .. e + 4            shuffles                1 comparison, 1 shuffle
//   e + 5 .. l - 1        shared memory           1 comparison, and 2 accesses for every e stages
//
// Why E - 1 - e' is right in SortNode: place i = e' S + j of a run of E S meets E S - 1 - i =
// (E - 1 - e') S + (S - 1 - j). A thread that takes its upper half of items with S - 1 - j in place
// of j holds both. The stages after it, E/2 S .. S apart, stay within a half and its j.
#ifndef PRIMITIVES_SORT_NETWORK_CUH_
#define PRIMITIVES_SORT_NETWORK_CUH_

#include "primitives/sort/item.cuh"

// Compares what is E/2, E/4, .., 1 apart, or from kFirst on down.
template <unsigned kFirst, unsigned E, class Item>
DEVICE void SortHalves(Item (&x)[E]) {
#pragma unroll
    for (unsigned stride = kFirst; stride > 0; stride /= 2) {
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            if ((i & stride) == 0) {
                SortCompare(x[i], x[i | stride]);
            }
        }
    }
}

// The flip of runs of K items.
template <unsigned K, unsigned E, class Item>
DEVICE void SortFlip(Item (&x)[E]) {
#pragma unroll
    for (unsigned i = 0; i < E; i++) {
        if ((i & (K / 2)) == 0) {
            SortCompare(x[i], x[i ^ (K - 1)]);
        }
    }
}

// Sorts a thread's own items: external steps 1 .. log2 E.
template <unsigned K, unsigned E, class Item>
DEVICE void SortThread(Item (&x)[E]) {
    if constexpr (K > 2) {
        SortThread<K / 2>(x);
    }
    SortFlip<K>(x);
    SortHalves<K / 4>(x);
}

template <class K, class V, unsigned E>
struct SortNetwork {
    using Item = SortItem<K, V>;
    using Shared = SharedItems<K, V>;
    static constexpr unsigned kLogItems = E == 16 ? 4 : E == 8 ? 3 : 2;
    static_assert(E == 1u << kLogItems, "4, 8 or 16 items a thread");
    static constexpr unsigned kLogWarp = kLogItems + 5;  // a warp's items

    // One merge to runs of 2^k items, kLogItems < k <= kLogWarp, by shuffles.
    DEVICE static void MergeLanes(Item (&x)[E], unsigned k) {
        const unsigned lanes = 1u << (k - kLogItems);
        const bool upper = (Lane() & lanes / 2) != 0;
#pragma unroll
        for (unsigned i = 0; i < E / 2; i++) {
            const Item low = SortShuffle(x[E - 1 - i], lanes - 1);
            const Item high = SortShuffle(x[i], lanes - 1);
            x[i] = SortKeep(x[i], low, upper);
            x[E - 1 - i] = SortKeep(x[E - 1 - i], high, upper);
        }
        CleanLanes(x, lanes / 4);
    }

    // Stages E lanes apart and below: the end of every merge.
    DEVICE static void CleanLanes(Item (&x)[E], unsigned lanes) {
        for (; lanes > 0; lanes /= 2) {
            const bool upper = (Lane() & lanes) != 0;
#pragma unroll
            for (unsigned i = 0; i < E; i++) {
                x[i] = SortKeep(x[i], SortShuffle(x[i], lanes), upper);
            }
        }
        SortHalves<E / 2>(x);
    }

    // log2 E stages of runs of 2^k items in shared memory, k > kLogWarp: the first ones of a merge,
    // with its flip, or later ones. Reads and writes the same places.
    DEVICE static void SortNode(const Shared &row, Item (&x)[E], unsigned t, unsigned k,
                                bool flip) {
        const unsigned s = 1u << (k - kLogItems);  // threads of a run, and its items' distance
        const unsigned j = t % s;
        const unsigned low = t / s * (E * s) + j;
        const unsigned high = flip ? t / s * (E * s) + (s - 1 - j) : low;
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            x[i] = row.Load((i < E / 2 ? low : high) + i * s);
        }
        if (flip) {
            SortFlip<E>(x);
            SortHalves<E / 4>(x);
        } else {
            SortHalves<E / 2>(x);
        }
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            row.Store((i < E / 2 ? low : high) + i * s, x[i]);
        }
    }

    DEVICE static void StoreBlocked(const Shared &row, const Item (&x)[E], unsigned t) {
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            row.Store(t * E + i, x[i]);
        }
    }
    DEVICE static void LoadBlocked(const Shared &row, Item (&x)[E], unsigned t) {
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            x[i] = row.Load(t * E + i);
        }
    }

    // Sort brings a row of 2^log_n items into blocked order: thread t of the row holds x before and
    // after. All threads of the block call it, with the same log_n >= kLogItems; rows of several
    // warps begin with a warp. `row`: shared memory for the row, not used if it fits into a warp.
    // Uses 1 + 2 to 3 (log_n - kLogWarp) barriers; no thread may touch `row` before.
    DEVICE static void Sort(const Shared &row, Item (&x)[E], unsigned t, unsigned log_n) {
        SortThread<E>(x);
        for (unsigned k = kLogItems + 1; k <= log_n && k <= kLogWarp; k++) {
            MergeLanes(x, k);
        }
        for (unsigned k = kLogWarp + 1; k <= log_n; k++) {
            StoreBlocked(row, x, t);
            __syncthreads();
            unsigned left = k;
            for (; left > kLogWarp; left -= kLogItems) {
                SortNode(row, x, t, left, left == k);
                __syncthreads();
            }
            LoadBlocked(row, x, t);
            CleanLanes(x, (1u << left) / (2 * E));
        }
    }
};

#endif  // PRIMITIVES_SORT_NETWORK_CUH_
