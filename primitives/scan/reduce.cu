// reduce.cu: reduce.h on a device. Long rows are cut into chunks, one a block, and the block that
// ends last combines the chunks' products; short rows are done by groups of lanes, many rows to a
// warp.
//
// AGPU counts (n elements, b words a transfer, p cores, k chunks): time O(n / p + log b + log k),
// I/O n / b + 2 k, one launch, one shared word a warp: the ordered reduction of [Koike15] K12 by
// its order of combination and by its costs, with a lane's registers in place of the pipeline's
// rows.
#include "primitives/scan/reduce.h"

#include <algorithm>

#include "primitives/cuda/block.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/scan/monoid.cuh"
#include "primitives/scan/tile.cuh"

namespace {

constexpr uint64_t kMaxSize = UINT64_C(1) << 34;
constexpr unsigned kWarps = 16;
constexpr unsigned kThreads = kWarps * kWarp;
// Groups of 16 bytes that a lane loads before it uses the first.
constexpr unsigned kUnroll = 4;
// Chunks of all rows together. As many as the device runs at once are best while latency counts;
// for long inputs more, so that blocks that end early find work. Trials on an H200, of which no
// records are kept: 1024, 2048 and 4096 chunks of 2^28 words take the same time within 1 %, that of
// reading them; 2^24 words 19.6 us in 1024 chunks, 22.8 us in 4096.
constexpr unsigned kMaxChunks = 1024;
constexpr unsigned kBlocksEach = 4;  // resident on a multiprocessor
constexpr uint64_t kLongBytes = 32 << 20;
// A chunk is at least this long, so that a short row is one block's.
constexpr unsigned kMinChunkBytes = 16 << 10;

template <class M>
struct ReduceData {
    const typename M::Value *in;
    typename M::Value *out;
    uint64_t n, rows;
    uint64_t chunk;              // elements of a chunk: a multiple of a warp's step
    unsigned chunks;             // of each row
    bool vectors;                // every row begins on a 16-byte boundary
    uint32_t *finished;          // a counter for each row
    typename M::Value *partial;  // chunks for each row
};

template <class M>
DEVICE typename M::Value Fold(const Vector<typename M::Value> &v) {
    typename M::Value folded = v.x[0];
#pragma unroll
    for (unsigned e = 1; e < Vector<typename M::Value>::kSize; e++) {
        folded = M::Combine(folded, v.x[e]);
    }
    return folded;
}

// folded[u] = the product of the group of 16 bytes at position at + u stride, identities standing
// beyond the end. vectors: groups are aligned.
template <class M>
DEVICE void FoldGroups(const typename M::Value *row, uint64_t at, uint64_t stride, uint64_t end,
                       bool vectors, typename M::Value (&folded)[kUnroll]) {
    using Value = typename M::Value;
    constexpr unsigned kVector = Vector<Value>::kSize;
    Vector<Value> v[kUnroll];
    if (vectors && at + (kUnroll - 1) * stride + kVector <= end) {
#pragma unroll
        for (unsigned u = 0; u < kUnroll; u++) {
            v[u] = *(const Vector<Value> *)(row + at + u * stride);
        }
    } else {
#pragma unroll
        for (unsigned u = 0; u < kUnroll; u++) {
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                const uint64_t i = at + u * stride + e;
                v[u].x[e] = i < end ? row[i] : M::Identity();
            }
        }
    }
#pragma unroll
    for (unsigned u = 0; u < kUnroll; u++) {
        folded[u] = Fold<M>(v[u]);
    }
}

// The product of row[first..end) in warp 0, by the whole block. Where the operator commutes, warps
// go through the chunk side by side and every lane keeps its own product. Where it does not, each
// warp has a stretch of its own and combines its lanes at every step, so that the order is kept.
template <class M>
DEVICE typename M::Value ReduceChunk(const typename M::Value *row, uint64_t first, uint64_t end,
                                     bool vectors, typename M::Value (&shared)[kWarps]) {
    using Value = typename M::Value;
    constexpr unsigned kVectorRow = kWarp * Vector<Value>::kSize;
    constexpr unsigned kStep = kUnroll * kVectorRow;
    const unsigned warp = threadIdx.x / kWarp;
    const uint64_t steps = (end - first + kStep - 1) / kStep;
    const uint64_t each = (steps + kWarps - 1) / kWarps;
    uint64_t step = M::kCommutative ? warp : warp * each;
    const uint64_t last = M::kCommutative ? steps : (step + each < steps ? step + each : steps);
    const uint64_t stride = M::kCommutative ? kWarps : 1;
    Value product = M::Identity();
    for (; step < last; step += stride) {
        Value folded[kUnroll];
        FoldGroups<M>(row, first + step * kStep + Lane() * Vector<Value>::kSize, kVectorRow, end,
                      vectors, folded);
#pragma unroll
        for (unsigned u = 0; u < kUnroll; u++) {
            product = M::Combine(product, M::kCommutative ? folded[u] : WarpReduce<M>(folded[u]));
        }
    }
    if (M::kCommutative) {
        product = WarpReduce<M>(product);
    }
    return BlockReduce<M, kWarps>(product, shared);
}

// One block for each chunk of each row.
template <class M>
__global__ void __launch_bounds__(kThreads) ReduceChunksKernel(const ReduceData<M> d) {
    using Value = typename M::Value;
    struct Shared {
        Value product[kWarps];
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
        constexpr unsigned kEach = kMaxChunks / kThreads;
        product = M::Identity();
#pragma unroll
        for (unsigned k = 0; k < kEach; k++) {
            const unsigned i = kEach * threadIdx.x + k;
            product = M::Combine(product, i < d.chunks ? partial[i] : M::Identity());
        }
        product = BlockReduce<M, kWarps>(WarpReduce<M>(product), s.product);
        if (threadIdx.x == 0) {
            d.finished[r] = 0;  // ready for the next launch
        }
    }
    if (threadIdx.x == 0) {
        d.out[r] = product;
    }
}
static_assert(kMaxChunks % kThreads == 0, "the last block takes as many chunks in each thread");

// kLanes lanes for each row: rows of a few groups.
template <class M, unsigned kLanes>
__global__ void __launch_bounds__(kThreads) ReduceRowsKernel(const ReduceData<M> d) {
    using Value = typename M::Value;
    constexpr unsigned kVector = Vector<Value>::kSize;
    const uint64_t row = ((uint64_t)blockIdx.x * kThreads + threadIdx.x) / kLanes;
    const unsigned lane = Lane() % kLanes;
    WaitForKernelBefore();
    Value product = M::Identity();
    // All lanes of a warp take the same number of steps: they exchange values in each.
    const Value *begin = d.in + (row < d.rows ? row * d.n : 0);
    constexpr unsigned kStep = kLanes * kVector;
    for (uint64_t at = 0; at < d.n; at += kUnroll * kStep) {
        Value folded[kUnroll];
        FoldGroups<M>(begin, at + lane * kVector, kStep, d.n, d.vectors, folded);
#pragma unroll
        for (unsigned u = 0; u < kUnroll; u++) {
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
    while (lanes < kWarp && 2 * lanes * Vector<typename M::Value>::kSize < n) {
        lanes *= 2;
    }
    return lanes;
}

template <class M, unsigned kLanes>
cudaError_t LaunchRows(const ReduceData<M> &d, cudaStream_t stream) {
    const uint64_t blocks = (d.rows * kLanes + kThreads - 1) / kThreads;
    auto kernel = ReduceRowsKernel<M, kLanes>;
    return LaunchEarly(kernel, (unsigned)blocks, kThreads, 0, stream, d);
}

// A row this short is a group's; longer ones are a block's or several blocks'.
template <class M>
bool Short(const reduce_job *job) {
    return job->n * sizeof(typename M::Value) <= (16 << 10) && job->rows > 1;
}

// Chunks of each row, none shorter than kMinChunkBytes.
template <class M>
unsigned ChunksFor(const reduce_job *job, unsigned multiprocessors) {
    const uint64_t bytes = job->n * job->rows * sizeof(typename M::Value);
    const uint64_t blocks =
        bytes > kLongBytes ? kMaxChunks : std::min(kMaxChunks, multiprocessors * kBlocksEach);
    const uint64_t by_length = job->n * sizeof(typename M::Value) / kMinChunkBytes;
    const uint64_t by_rows = blocks / std::max<uint64_t>(job->rows, 1);
    return (unsigned)std::max<uint64_t>(1, std::min(by_length, by_rows));
}

bool Valid(const reduce_job *job) {
    return (unsigned)job->op < MONOID_KINDS && (job->n == 0 || job->rows <= kMaxSize / job->n) &&
           job->rows < (UINT64_C(1) << 31);
}

template <class M>
cudaError_t Run(const reduce_job *job, void *out, const void *in, void *workspace,
                cudaStream_t stream) {
    using Value = typename M::Value;
    ReduceData<M> d = {};
    d.in = (const Value *)in;
    d.out = (Value *)out;
    d.n = job->n;
    d.rows = job->rows;
    d.vectors = (uintptr_t)in % 16 == 0 && (job->rows == 1 || job->n * sizeof(Value) % 16 == 0);
    d.finished = (uint32_t *)workspace;
    d.partial = (Value *)(d.finished + kMaxChunks);
    if (Short<M>(job)) {
        switch (LanesFor<M>(job->n)) {
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
    constexpr uint64_t kGrain = kWarp * Vector<Value>::kSize;
    int multiprocessors = 0;
    const cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e != cudaSuccess) {
        return e;
    }
    d.chunks = ChunksFor<M>(job, (unsigned)multiprocessors);
    d.chunk = ((job->n + d.chunks - 1) / d.chunks + kGrain - 1) / kGrain * kGrain;
    auto kernel = ReduceChunksKernel<M>;
    return LaunchEarly(kernel, (unsigned)(job->rows * d.chunks), kThreads, 0, stream, d);
}

}  // namespace

size_t reduce_workspace_bytes(const reduce_job *job) {
    return Valid(job) ? kMaxChunks * (sizeof(uint32_t) + sizeof(uint64_t)) : 0;
}

result reduce_device(const reduce_job *job, void *out, const void *in, void *workspace,
                     size_t bytes, cuda_stream stream) {
    if (!Valid(job) || bytes < reduce_workspace_bytes(job)) {
        return RESULT_REFUSED;
    }
    if (job->rows == 0) {
        return RESULT_OK;
    }
    cudaError_t e = cudaSuccess;
    WithMonoid(job->op, [&](auto m) { e = Run<decltype(m)>(job, out, in, workspace, stream); });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
