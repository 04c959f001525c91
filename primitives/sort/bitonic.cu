// bitonic.cu: the plain form of the bitonic sort, for comparison and for rows of any length:
// one comparison a thread and stage. Stages within a tile run in shared memory with a barrier after
// each; wider ones are a launch each, over all of memory [Koike15, 6.2.1].
//
// With Q = log2(n / tile): the tiles first, then for each level above them one launch for its flip,
// one for each stride of a tile or more, one for the strides within tiles: 1 + Q (Q + 3) / 2
// launches. AGPU counts: I/O 2 N / b for each, time O((N / p) log^2 n), multiplicity M / T.
// Items behind a row's end would be larger than all others and so never move: they are left out.
#include "primitives/sort/schedule.cuh"

namespace {

template <class K, class V>
struct Bitonic {
    SortData<K, V> d;
    uint64_t n;
    unsigned log_row;  // of the row with the items that are left out
    unsigned log_tile;
    unsigned first, last;  // levels to be done within tiles
    bool flips;            // false: `first` is the end of a level whose flip is wider than a tile
};

// The places of the pair of number p at a stage: the flip of runs of 2^level, or 2^(level - 1)
// apart.
struct Pair {
    uint64_t low, high;
};
HOST_DEVICE Pair PairOf(uint64_t p, unsigned level, bool flip) {
    const uint64_t half = UINT64_C(1) << (level - 1), in_half = p & (half - 1);
    const uint64_t run = (p >> (level - 1)) << level;
    return {run + in_half, flip ? run + 2 * half - 1 - in_half : run + half + in_half};
}

template <class K, class V>
DEVICE SortItem<K, V> Read(const SortData<K, V> &d, uint64_t i) {
    SortItem<K, V> x;
    x.key = d.in.Map(d.keys_in[i]);
    if constexpr (SortItem<K, V>::kHasValue) {
        x.value = d.values_in[i];
    }
    return x;
}
template <class K, class V>
DEVICE void Write(const SortData<K, V> &d, uint64_t i, const SortItem<K, V> &x) {
    d.keys_out[i] = d.out.Back(x.key);
    if constexpr (SortItem<K, V>::kHasValue) {
        d.values_out[i] = x.value;
    }
}

constexpr unsigned kThreads = 512;

// Half as many threads as a tile has items, at most kThreads; a tile a block.
template <class K, class V>
__global__ void __launch_bounds__(kThreads) BitonicTilesKernel(const Bitonic<K, V> b) {
    using Item = SortItem<K, V>;
    DYNAMIC_SHARED(Item, x);
    const unsigned tile = 1u << b.log_tile, log_tiles = b.log_row - b.log_tile;
    const uint64_t row = (uint64_t)blockIdx.x >> log_tiles;
    const uint64_t in_row = (blockIdx.x & ((UINT64_C(1) << log_tiles) - 1)) << b.log_tile;
    const uint64_t begin = row * b.n + in_row;
    const unsigned length = in_row >= b.n         ? 0
                            : b.n - in_row < tile ? (unsigned)(b.n - in_row)
                                                  : tile;
    WaitForKernelBefore();
    for (unsigned i = threadIdx.x; i < length; i += blockDim.x) {
        x[i] = Read(b.d, begin + i);
    }
    __syncthreads();
    for (unsigned level = b.first; level <= b.last; level++) {
        for (unsigned stage = level < b.log_tile ? level : b.log_tile; stage > 0; stage--) {
            const bool flip = b.flips && stage == level;
            for (unsigned p = threadIdx.x; p < tile / 2; p += blockDim.x) {
                const Pair at = PairOf(p, stage, flip);
                if (at.high < length) {
                    SortCompare(x[at.low], x[at.high]);
                }
            }
            __syncthreads();
        }
    }
    for (unsigned i = threadIdx.x; i < length; i += blockDim.x) {
        Write(b.d, begin + i, x[i]);
    }
}

// One pair a thread, in the output.
template <class K, class V>
__global__ void __launch_bounds__(kThreads)
    BitonicStageKernel(const Bitonic<K, V> b, uint64_t pairs, unsigned level, bool flip) {
    const uint64_t p = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    WaitForKernelBefore();
    const uint64_t row = p >> (b.log_row - 1) << b.log_row;
    const Pair at = PairOf(p, level, flip);
    if (p < pairs && at.high - row < b.n) {
        const uint64_t gap = (row >> b.log_row) * b.n - row;  // modulo 2^64
        SortItem<K, V> low = Read(b.d, at.low + gap), high = Read(b.d, at.high + gap);
        if (high.key < low.key) {
            Write(b.d, at.low + gap, high);
            Write(b.d, at.high + gap, low);
        }
    }
}

template <class K, class V>
cudaError_t RunTiles(const Bitonic<K, V> &b, uint64_t rows, cudaStream_t stream) {
    const unsigned tile = 1u << b.log_tile;
    const size_t bytes = tile * sizeof(SortItem<K, V>);
    const cudaError_t e = AllowShared(BitonicTilesKernel<K, V>, bytes);
    const unsigned threads = tile / 2 < 32 ? 32 : tile / 2 > kThreads ? kThreads : tile / 2;
    return e != cudaSuccess
               ? e
               : LaunchEarly(BitonicTilesKernel<K, V>, (unsigned)(rows << (b.log_row - b.log_tile)),
                             threads, bytes, stream, b);
}

template <class K, class V>
cudaError_t Run(const SortCall &c) {
    Bitonic<K, V> b = {};
    b.d = SortDataOf<K, V>(c);
    b.n = c.job->n;
    b.log_row = SortLog(b.n);
    b.log_tile = SortLog(c.plan->tile);
    b.first = 1, b.last = b.log_tile, b.flips = true;
    cudaError_t e = RunTiles(b, c.job->rows, c.stream);
    b.d.keys_in = b.d.keys_out, b.d.values_in = b.d.values_out;
    b.flips = false;
    const uint64_t pairs = c.job->rows << (b.log_row > 0 ? b.log_row - 1 : 0);
    for (unsigned level = b.log_tile + 1; e == cudaSuccess && level <= b.log_row; level++) {
        for (unsigned stage = level; e == cudaSuccess && stage > b.log_tile; stage--) {
            e = LaunchEarly(BitonicStageKernel<K, V>, (unsigned)SortCeil(pairs, kThreads), kThreads,
                            0, c.stream, b, pairs, stage, stage == level);
        }
        b.first = b.last = level;
        e = e == cudaSuccess ? RunTiles(b, c.job->rows, c.stream) : e;
    }
    return e;
}

}  // namespace

cudaError_t SortByBitonic(const SortCall &call) {
    return WithSortTypes(call.job, [&](auto types) {
        using T = decltype(types);
        return Run<typename T::Key, typename T::Value>(call);
    });
}
