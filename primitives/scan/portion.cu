// portion.cu: portion.h for all operators: the chunks of three_kernel.cuh, with what stands before
// a row among what stands before its chunks.
#include "primitives/scan/portion.h"

#include <algorithm>

#include "primitives/scan/monoid.cuh"
#include "primitives/scan/three_kernel.cuh"

namespace {

constexpr unsigned kRowWarps = 8, kRowThreads = kRowWarps * kWarp;

// The totals of a row's chunks become what stands before each in the row; rows[r] = the row's. A
// block for each row.
template <class M>
__global__ void __launch_bounds__(kRowThreads)
    RowOfChunksKernel(typename M::Value *chunks, typename M::Value *rows, uint64_t each) {
    using Value = typename M::Value;
    struct Shared {
        Value warp[kRowWarps];
        Value all;
    };
    SHARED(Shared, s);
    Value *const row = chunks + blockIdx.x * each;
    const unsigned warp = threadIdx.x / kWarp;
    Value before = M::Identity();
    for (uint64_t first = 0; first < each; first += kRowThreads) {
        const uint64_t i = first + threadIdx.x;
        const Value inclusive = WarpScan<M>(i < each ? row[i] : M::Identity());
        if (Lane() == kWarp - 1) {
            s.warp[warp] = inclusive;
        }
        __syncthreads();
        if (warp == 0) {
            const Totals<M> t = ScanTotals<M, kRowWarps, false>(
                Lane() < kRowWarps ? s.warp[Lane() % kRowWarps] : M::Identity(), false);
            __syncwarp();
            if (Lane() < kRowWarps) {
                s.warp[Lane()] = t.before;
            }
            if (Lane() == 0) {
                s.all = t.all;
            }
        }
        __syncthreads();
        const Value left = ShuffleUp(inclusive, 1);
        const Value within = Lane() == 0 ? s.warp[warp] : M::Combine(s.warp[warp], left);
        if (i < each) {
            row[i] = M::Combine(before, within);
        }
        before = M::Combine(before, s.all);
        __syncthreads();  // all have read what the next round writes
    }
    if (threadIdx.x == 0) {
        rows[blockIdx.x] = before;
    }
}

// What stands before each chunk in its row begins with the totals of the members before. Nothing
// stands there yet if rows have one chunk each.
template <class M>
__global__ void __launch_bounds__(kRowThreads)
    MembersBeforeKernel(typename M::Value *chunks, const typename M::Value *totals,
                        unsigned members, uint64_t rows, uint64_t each) {
    const uint64_t i = (uint64_t)blockIdx.x * kRowThreads + threadIdx.x;
    if (i >= rows * each) {
        return;
    }
    typename M::Value before = M::Identity();
    for (unsigned m = 0; m < members; m++) {
        before = M::Combine(before, totals[m * rows + i / each]);
    }
    chunks[i] = each > 1 ? M::Combine(before, chunks[i]) : before;
}

template <class M>
__global__ void __launch_bounds__(kRowThreads)
    IdentityKernel(typename M::Value *totals, uint64_t rows) {
    const uint64_t i = (uint64_t)blockIdx.x * kRowThreads + threadIdx.x;
    if (i < rows) {
        totals[i] = M::Identity();
    }
}

unsigned BlocksFor(uint64_t items) { return (unsigned)((items + kRowThreads - 1) / kRowThreads); }

// The portions of one member, n > 0 elements each, cut into chunks as a scan of the same rows.
template <class M>
struct Portions {
    using Value = typename M::Value;
    using Three = ScanThreeKernel<M>;

    static size_t Bytes(uint64_t n, uint64_t rows) {
        return 16 + std::max<uint64_t>(1, Three::Quotient(n, Three::kTile)) * rows * sizeof(Value);
    }

    // At most n rows / kTile + rows chunks: 2^34 / 2^11 and fewer than 2^31 - 2^24 (Valid), which a
    // launch takes.
    static cudaError_t Cut(const scan_job *job, void *out, const void *in, void *workspace,
                           Chunks<M> *c) {
        int multiprocessors = 0;
        const cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
        const uint64_t size = job->n * job->rows,
                       blocks = (uint64_t)multiprocessors * kChunksPerMultiprocessor,
                       tiles = std::max<uint64_t>(
                           1, size / Three::kTile / std::max<uint64_t>(1, blocks));
        c->d = {(const Value *)in, (Value *)out, size, job->n, job->exclusive, false};
        c->stretch = job->n;
        c->length = Three::kTile * std::min(tiles, kChunkTiles);
        c->each = Three::Quotient(job->n, c->length);
        c->totals = (Value *)workspace;
        c->d.vectors = (uintptr_t)in % 16 == 0 && (out == nullptr || (uintptr_t)out % 16 == 0) &&
                       (job->rows == 1 || job->n % Three::Tile::kVector == 0);
        return e;
    }

    static cudaError_t Totals(const scan_job *job, Value *totals, const void *in, void *workspace,
                              cudaStream_t stream) {
        if (job->n == 0) {
            return Launch(IdentityKernel<M>, BlocksFor(job->rows), kRowThreads, 0, stream, totals,
                          job->rows);
        }
        Chunks<M> c;
        cudaError_t e = Cut(job, nullptr, in, workspace, &c);
        c.totals = c.each > 1 ? c.totals : totals;
        if (e == cudaSuccess) {
            e = Launch(ChunkTotalsKernel<M>, (unsigned)c.Count(), kChunkWarps * kWarp, 0, stream,
                       c);
        }
        return e != cudaSuccess || c.each == 1
                   ? e
                   : Launch(RowOfChunksKernel<M>, (unsigned)job->rows, kRowThreads, 0, stream,
                            c.totals, totals, c.each);
    }

    static cudaError_t Run(const scan_job *job, void *out, const void *in, const void *before,
                           unsigned members, void *workspace, cudaStream_t stream) {
        Chunks<M> c;
        cudaError_t e = Cut(job, out, in, workspace, &c);
        if (e == cudaSuccess) {
            e = Launch(MembersBeforeKernel<M>, BlocksFor(c.Count()), kRowThreads, 0, stream,
                       c.totals, (const Value *)before, members, job->rows, c.each);
        }
        return e == cudaSuccess ? Launch(ScanChunksKernel<M, false>, (unsigned)c.Count(),
                                         kChunkWarps * kWarp, 0, stream, c)
                                : e;
    }
};

bool Valid(const scan_job *job) {
    scan_job any = *job;
    any.variant = SCAN_THREE_KERNEL;
    return scan_valid(&any) && job->rows < (UINT64_C(1) << 31) - (UINT64_C(1) << 24);
}

result Answer(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

}  // namespace

size_t scan_portion_bytes(const scan_job *job) {
    size_t bytes = 0;
    if (Valid(job)) {
        WithMonoid(job->op,
                   [&](auto m) { bytes = Portions<decltype(m)>::Bytes(job->n, job->rows); });
    }
    return bytes;
}

result scan_portion_totals(const scan_job *job, void *totals, const void *in, void *workspace,
                           size_t bytes, cuda_stream stream) {
    if (!Valid(job) || bytes < scan_portion_bytes(job)) {
        return RESULT_REFUSED;
    }
    cudaError_t e = cudaSuccess;
    if (job->rows > 0) {
        WithMonoid(job->op, [&](auto m) {
            using P = Portions<decltype(m)>;
            e = P::Totals(job, (typename P::Value *)totals, in, workspace, stream);
        });
    }
    return Answer(e);
}

result scan_portion_run(const scan_job *job, void *out, const void *in, const void *before,
                        unsigned members, void *workspace, size_t bytes, cuda_stream stream) {
    if (!Valid(job) || bytes < scan_portion_bytes(job)) {
        return RESULT_REFUSED;
    }
    cudaError_t e = cudaSuccess;
    if (job->n * job->rows > 0) {
        WithMonoid(job->op, [&](auto m) {
            e = Portions<decltype(m)>::Run(job, out, in, before, members, workspace, stream);
        });
    }
    return Answer(e);
}
