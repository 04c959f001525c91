// rows.cuh: the kernel that sorts rows in a block's shared memory, several short rows to a block.
// It is all of the comb sort, and it sorts the tiles of the multiway merge. Includes network.cuh,
// schedule.cuh and segments.cuh.
//
// AGPU counts for rows of n items, N in all: I/O 2 N / b; time (N / p) log n (log n + 1) / 2
// comparisons, as every bitonic sort; multiplicity M / n blocks. Barriers as network.cuh says.
#ifndef PRIMITIVES_SORT_ROWS_CUH_
#define PRIMITIVES_SORT_ROWS_CUH_

#include "primitives/sort/network.cuh"
#include "primitives/sort/schedule.cuh"
#include "primitives/sort/segments.cuh"

template <class K, class V>
struct SortRows {
    SortData<K, V> d;
    uint64_t n;             // elements of a row
    uint64_t tiles;         // of all rows
    unsigned tiles_of_row;  // cut at multiples of the tile
    unsigned log_tile;
    const uint64_t *offsets;  // of ragged segments, cut without regard to them
    uint64_t segments;
};

// SortWrite stores places t, t + threads, .. of `items` in shared memory, those below length, to
// `begin` on.
template <unsigned E, class K, class V, class Shared>
DEVICE void SortWrite(const SortData<K, V> &d, const Shared &items, uint64_t begin, unsigned length,
                      unsigned t, unsigned threads) {
#pragma unroll
    for (unsigned i = 0; i < E; i++) {
        const unsigned place = t + i * threads;
        if (place < length) {
            const auto y = items.Load(place);
            d.keys_out[begin + place] = d.out.Back((K)y.key);
            if constexpr (SortItem<K, V>::kHasValue) {
                d.values_out[begin + place] = y.value;
            }
        }
    }
}

// SortRead loads places t, t + threads, .. of the row or tile that begins at `begin`; filler items,
// which sort last, where there are none. map: of ragged segments.
template <bool kRagged, class K, class V, class Item, class Map, unsigned E>
DEVICE void SortRead(const SortData<K, V> &d, const Map *map, uint64_t begin, unsigned length,
                     unsigned t, unsigned threads, Item (&x)[E]) {
    using Wide = typename SortWidened<K, kRagged>::Key;
#pragma unroll
    for (unsigned i = 0; i < E; i++) {
        const unsigned place = t + i * threads;
        x[i].key = (Wide)0 - 1;
        if (place < length) {
            x[i].key = d.in.Map(d.keys_in[begin + place]);
            if constexpr (kRagged) {
                x[i].key |= (Wide)map->Start(place) << 8 * sizeof(K);
            }
        }
        if constexpr (Item::kHasValue) {
            x[i].value = place < length ? d.values_in[begin + place] : 0;
        }
    }
}

// A row's tile for each 2^log_tile / E threads. Shared: SharedItems of the block's items, then the
// map. Keys without values come in any order, so they are read straight into registers; filler
// items must not displace values, so they begin behind all others.
template <class K, class V, bool kRagged, unsigned E, unsigned kMaxThreads>
__global__ void __launch_bounds__(kMaxThreads, 1) SortRowsKernel(const SortRows<K, V> rows) {
    using Network = SortNetwork<typename SortWidened<K, kRagged>::Key, V, E>;
    using Item = typename Network::Item;
    DYNAMIC_SHARED(char, bytes);
    const unsigned tile = 1u << rows.log_tile, threads = tile / E;
    const unsigned t = threadIdx.x % threads, r = threadIdx.x / threads;
    const size_t row_bytes = Network::Shared::Bytes(tile);
    const auto row = Network::Shared::In(bytes + r * row_bytes, tile);
    const uint64_t index = (uint64_t)blockIdx.x * (blockDim.x / threads) + r;
    const uint64_t in_row = index % rows.tiles_of_row << rows.log_tile;
    const uint64_t begin = index / rows.tiles_of_row * rows.n + in_row;
    const uint64_t after = rows.n - in_row;
    const unsigned length = index >= rows.tiles ? 0 : after < tile ? (unsigned)after : tile;
    WaitForKernelBefore();
    // Ragged segments have one tile a block.
    auto *const map = (SegmentMap<E * kMaxThreads> *)(bytes + row_bytes);
    if constexpr (kRagged) {
        map->Build(rows.offsets, rows.segments, begin);
    }
    Item x[E];
    SortRead<kRagged>(rows.d, map, begin, length, t, threads, x);
    if constexpr (Item::kHasValue) {
#pragma unroll
        for (unsigned i = 0; i < E; i++) {
            row.Store(t + i * threads, x[i]);
        }
        __syncthreads();
        Network::LoadBlocked(row, x, t);
    }
    Network::Sort(row, x, t, rows.log_tile);
    Network::StoreBlocked(row, x, t);
    __syncthreads();
    SortWrite<E>(rows.d, row, begin, length, t, threads);
}

// RunSortRows enqueues it for tiles of 2^log_tile items.
template <class V, class K, bool kRagged>
cudaError_t RunSortRows(const SortRows<K, V> &rows, cudaStream_t stream) {
    using Wide = typename SortWidened<K, kRagged>::Key;
    using Shared = SharedItems<Wide, V>;
    constexpr unsigned kBytes = sizeof(Wide) + (SortItem<K, V>::kHasValue ? sizeof(V) : 0);
    constexpr unsigned E = SortItemsFor(kBytes), kMaxThreads = SortMaxThreads(kBytes);
    const unsigned tile = 1u << rows.log_tile;
    const unsigned threads = tile / E < 256 && !kRagged ? 256 : tile / E;
    const unsigned each = threads * E / tile;
    const size_t bytes =
        each * Shared::Bytes(tile) + (kRagged ? sizeof(SegmentMap<E * kMaxThreads>) : 0);
    auto kernel = SortRowsKernel<K, V, kRagged, E, kMaxThreads>;
    const cudaError_t e = AllowShared(kernel, bytes);
    return e != cudaSuccess ? e
                            : LaunchEarly(kernel, (unsigned)((rows.tiles + each - 1) / each),
                                          threads, bytes, stream, rows);
}

#endif  // PRIMITIVES_SORT_ROWS_CUH_
