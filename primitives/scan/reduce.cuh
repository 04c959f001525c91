// reduce.cuh: the product of every row under an associative operator: kernels and launch, for
// reduce.cu and skeletons.cuh. Long rows are cut into chunks, one a block, and the block that ends
// last combines the chunks' products; short rows are done by groups of lanes, many rows to a warp.
//
// AGPU counts (n elements, b words a transfer, p cores, k chunks): time O(n / p + log b + log k),
// I/O n / b + 2 k, one launch, one shared word a warp: the ordered reduction of [Koike15] K12 by
// its order of combination and by its costs, with a lane's registers in place of the pipeline's
// rows.
#ifndef PRIMITIVES_SCAN_REDUCE_CUH_
#define PRIMITIVES_SCAN_REDUCE_CUH_

#include <algorithm>
#include <type_traits>

#include "primitives/cuda/block.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/scan/tile.cuh"

// What a sequence holds: the operator's values, or elements of a type that it names, M::Element,
// whose value is M::Of(element).
template <class M, class = void>
struct ElementsOf {
    using Element = typename M::Value;
    DEVICE static const Element &Of(const Element &x) { return x; }
};
template <class M>
struct ElementsOf<M, std::void_t<typename M::Element>> {
    using Element = typename M::Element;
    DEVICE static typename M::Value Of(const Element &x) { return M::Of(x); }
};

constexpr unsigned kReduceWarps = 16;
constexpr unsigned kReduceThreads = kReduceWarps * kWarp;
// Groups of 16 bytes that a lane loads before it uses the first.
constexpr unsigned kReduceUnroll = 4;
// Chunks of all rows together. As many as the device runs at once are best while latency counts;
// for long inputs more, so that blocks that end early find work. Trials on an H200, of which no
// records are kept: 1024, 2048 and 4096 chunks of 2^28 words take the same time within 1 %, that of
// reading them; 2^24 words 19.6 us in 1024 chunks, 22.8 us in 4096.
constexpr unsigned kReduceMaxChunks = 1024;
constexpr unsigned kReduceBlocksEach = 4;  // resident on a multiprocessor
constexpr uint64_t kReduceLongBytes = 32 << 20;
// A chunk is at least this long, so that a short row is one block's.
constexpr unsigned kReduceMinChunkBytes = 16 << 10;

template <class M>
struct ReduceData {
    const typename ElementsOf<M>::Element *in;
    typename M::Value *out;
    uint64_t n, rows;
    uint64_t chunk;              // elements of a chunk: a multiple of a warp's step
    unsigned chunks;             // of each row
    bool vectors;                // every row begins on a 16-byte boundary
    uint32_t *finished;          // a counter for each row
    typename M::Value *partial;  // chunks for each row
};

// folded[u] = the product of the group of 16 bytes at position at + u stride, identities standing
// beyond the end. vectors: groups are aligned.
template <class M>
DEVICE void FoldGroups(const typename ElementsOf<M>::Element *row, uint64_t at, uint64_t stride,
                       uint64_t end, bool vectors, typename M::Value (&folded)[kReduceUnroll]) {
    using E = ElementsOf<M>;
    using Group = Vector<typename E::Element>;
    if (vectors && at + (kReduceUnroll - 1) * stride + Group::kSize <= end) {
        Group v[kReduceUnroll];
#pragma unroll
        for (unsigned u = 0; u < kReduceUnroll; u++) {
            v[u] = *(const Group *)(row + at + u * stride);
        }
#pragma unroll
        for (unsigned u = 0; u < kReduceUnroll; u++) {
            folded[u] = E::Of(v[u].x[0]);
#pragma unroll
            for (unsigned e = 1; e < Group::kSize; e++) {
                folded[u] = M::Combine(folded[u], E::Of(v[u].x[e]));
            }
        }
        return;
    }
#pragma unroll
    for (unsigned u = 0; u < kReduceUnroll; u++) {
        folded[u] = M::Identity();
#pragma unroll
        for (unsigned e = 0; e < Group::kSize; e++) {
            const uint64_t i = at + u * stride + e;
            folded[u] = M::Combine(folded[u], i < end ? E::Of(row[i]) : M::Identity());
        }
    }
}

// The product of row[first..end) in warp 0, by the whole block. Where the operator commutes, warps
// go through the chunk side by side and every lane keeps its own product. Where it does not, each
// warp has a stretch of its own and combines its lanes at every step, so that the order is kept.
template <class M>
DEVICE typename M::Value ReduceChunk(const typename ElementsOf<M>::Element *row, uint64_t first,
                                     uint64_t end, bool vectors,
                                     typename M::Value (&shared)[kReduceWarps]) {
    using Value = typename M::Value;
    constexpr unsigned kVector = Vector<typename ElementsOf<M>::Element>::kSize;
    constexpr unsigned kVectorRow = kWarp * kVector;
    constexpr unsigned kStep = kReduceUnroll * kVectorRow;
    const unsigned warp = threadIdx.x / kWarp;
    const uint64_t steps = (end - first + kStep - 1) / kStep;
    const uint64_t each = (steps + kReduceWarps - 1) / kReduceWarps;
    uint64_t step = M::kCommutative ? warp : warp * each;
    const uint64_t last = M::kCommutative ? steps : (step + each < steps ? step + each : steps);
    const uint64_t stride = M::kCommutative ? kReduceWarps : 1;
    Value product = M::Identity();
    for (; step < last; step += stride) {
        Value folded[kReduceUnroll];
        FoldGroups<M>(row, first + step * kStep + Lane() * kVector, kVectorRow, end, vectors,
                      folded);
#pragma unroll
        for (unsigned u = 0; u < kReduceUnroll; u++) {
            product = M::Combine(product, M::kCommutative ? folded[u] : WarpReduce<M>(folded[u]));
        }
    }
    if (M::kCommutative) {
        product = WarpReduce<M>(product);
    }
    return BlockReduce<M, kReduceWarps>(product, shared);
}

// One block for each chunk of each row.
template <class M>
__global__ void __launch_bounds__(kReduceThreads) ReduceChunksKernel(const ReduceData<M> d) {
    using Value = typename M::Value;
    struct Shared {
        Value product[kReduceWarps];
        uint32_t is_last;
    };
    SHARED(Shared, s);
    WaitForKernelBefore();
    const uint64_t r = blockIdx.x / d.chunks;
    const uint64_t c = blockIdx.x % d.chunks;
    const uint64_t first = c * d.chunk;
    const uint64_t end = first + d.chunk < d.n ? first + d.chunk : d.n;
    Value product =
        ReduceChunk<M>(d.in + r * d.n, first < end ? first : end, end, d.vectors, s.product);
    if (d.chunks > 1) {
        Value *partial = d.partial + r * d.chunks;
        if (threadIdx.x == 0) {
            partial[c] = product;
            // Releases this block's product; the last one acquires all others', and the barrier
            // hands that on to its other threads.
            s.is_last = AddAcquireRelease(d.finished + r, 1) == d.chunks - 1;
        }
        __syncthreads();
        if (s.is_last == 0) {
            return;
        }
        // Neighbouring chunks to each thread.
        constexpr unsigned kEach = kReduceMaxChunks / kReduceThreads;
        product = M::Identity();
#pragma unroll
        for (unsigned k = 0; k < kEach; k++) {
            const unsigned i = kEach * threadIdx.x + k;
            product = M::Combine(product, i < d.chunks ? partial[i] : M::Identity());
        }
        product = BlockReduce<M, kReduceWarps>(WarpReduce<M>(product), s.product);
        if (threadIdx.x == 0) {
            d.finished[r] = 0;  // ready for the next launch
        }
    }
    if (threadIdx.x == 0) {
        d.out[r] = product;
    }
}
static_assert(kReduceMaxChunks % kReduceThreads == 0,
              "the last block takes as many chunks in each thread");

// kLanes lanes for each row: rows of a few groups.
template <class M, unsigned kLanes>
__global__ void __launch_bounds__(kReduceThreads) ReduceRowsKernel(const ReduceData<M> d) {
    using Value = typename M::Value;
    using Element = typename ElementsOf<M>::Element;
    constexpr unsigned kVector = Vector<Element>::kSize;
    const uint64_t row = ((uint64_t)blockIdx.x * kReduceThreads + threadIdx.x) / kLanes;
    const unsigned lane = Lane() % kLanes;
    WaitForKernelBefore();
    Value product = M::Identity();
    // All lanes of a warp take the same number of steps: they exchange values in each.
    const Element *begin = d.in + (row < d.rows ? row * d.n : 0);
    constexpr unsigned kStep = kLanes * kVector;
    for (uint64_t at = 0; at < d.n; at += kReduceUnroll * kStep) {
        Value folded[kReduceUnroll];
        FoldGroups<M>(begin, at + lane * kVector, kStep, d.n, d.vectors, folded);
#pragma unroll
        for (unsigned u = 0; u < kReduceUnroll; u++) {
            product = M::Combine(product,
                                 M::kCommutative ? folded[u] : GroupReduce<M, kLanes>(folded[u]));
        }
    }
    if (M::kCommutative) {
        product = GroupReduce<M, kLanes>(product);
    }
    if (lane == 0 && row < d.rows) {
        d.out[row] = product;
    }
}

// Lanes for a row of n elements: the fewest that hold it in two groups each, at least 2.
template <class M>
unsigned LanesFor(uint64_t n) {
    unsigned lanes = 2;
    while (lanes < kWarp && 2 * lanes * Vector<typename ElementsOf<M>::Element>::kSize < n) {
        lanes *= 2;
    }
    return lanes;
}

template <class M, unsigned kLanes>
cudaError_t LaunchRows(const ReduceData<M> &d, cudaStream_t stream) {
    const uint64_t blocks = (d.rows * kLanes + kReduceThreads - 1) / kReduceThreads;
    auto kernel = ReduceRowsKernel<M, kLanes>;
    return LaunchEarly(kernel, (unsigned)blocks, kReduceThreads, 0, stream, d);
}

// Reduction<M>: out[r] = the product of in[r n .. r n + n) for r < rows < 2^31; n rows <= 2^34.
template <class M>
struct Reduction {
    using Value = typename M::Value;
    using Element = typename ElementsOf<M>::Element;

    static constexpr size_t WorkspaceBytes() {
        return kReduceMaxChunks * (sizeof(uint32_t) + std::max(sizeof(Value), sizeof(uint64_t)));
    }

    // A row this short is a group's; longer ones are a block's or several blocks'.
    static bool Short(uint64_t n, uint64_t rows) {
        return n * sizeof(Element) <= (16 << 10) && rows > 1;
    }

    // Chunks of each row, none shorter than kReduceMinChunkBytes.
    static unsigned ChunksFor(uint64_t n, uint64_t rows, unsigned multiprocessors) {
        const uint64_t blocks =
            n * rows * sizeof(Element) > kReduceLongBytes
                ? kReduceMaxChunks
                : std::min(kReduceMaxChunks, multiprocessors * kReduceBlocksEach);
        const uint64_t by_length = n * sizeof(Element) / kReduceMinChunkBytes;
        const uint64_t by_rows = blocks / std::max<uint64_t>(rows, 1);
        return (unsigned)std::max<uint64_t>(1, std::min(by_length, by_rows));
    }

    // Requires rows > 0 and a workspace of WorkspaceBytes.
    static cudaError_t Run(Value *out, const Element *in, uint64_t n, uint64_t rows,
                           void *workspace, cudaStream_t stream) {
        ReduceData<M> d = {};
        d.in = in;
        d.out = out;
        d.n = n;
        d.rows = rows;
        d.vectors = (uintptr_t)in % 16 == 0 && (rows == 1 || n * sizeof(Element) % 16 == 0);
        d.finished = (uint32_t *)workspace;
        d.partial = (Value *)(d.finished + kReduceMaxChunks);
        if (Short(n, rows)) {
            switch (LanesFor<M>(n)) {
                case 2:
                    return LaunchRows<M, 2>(d, stream);
                case 4:
                    return LaunchRows<M, 4>(d, stream);
                case 8:
                    return LaunchRows<M, 8>(d, stream);
                case 16:
                    return LaunchRows<M, 16>(d, stream);
                default:
                    return LaunchRows<M, 32>(d, stream);
            }
        }
        constexpr uint64_t kGrain = kWarp * Vector<Element>::kSize;
        int multiprocessors = 0;
        const cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
        if (e != cudaSuccess) {
            return e;
        }
        d.chunks = ChunksFor(n, rows, (unsigned)multiprocessors);
        d.chunk = ((n + d.chunks - 1) / d.chunks + kGrain - 1) / kGrain * kGrain;
        auto kernel = ReduceChunksKernel<M>;
        return LaunchEarly(kernel, (unsigned)(rows * d.chunks), kReduceThreads, 0, stream, d);
    }
};

#endif  // PRIMITIVES_SCAN_REDUCE_CUH_
