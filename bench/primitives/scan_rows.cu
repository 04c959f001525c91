// scan_rows.cu: see scan_rows.h.
#include "bench/primitives/scan_rows.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/monoid.cuh"
#include "primitives/scan/tile.cuh"

namespace {

using KoggeStone = Sum<uint32_t>;  // the circuit of a warp unless another is named
constexpr unsigned kEach = Vector<uint32_t>::kSize;

// The words x of a block become inclusive sums within rows of n, by Ladner and Fischer's circuit: a
// thread for each of its all / 2 nodes, a barrier a level. No level reads a word that it writes.
DEVICE void LadnerFischerLevels(uint32_t *x, unsigned n, unsigned all) {
    for (unsigned level = 0; 1u << level < n; level++) {
        const unsigned half = 1u << level;
        if (threadIdx.x < all / 2) {
            const unsigned right = (threadIdx.x >> level << (level + 1)) + half;
            x[right + (threadIdx.x & (half - 1))] += x[right - 1];
        }
        __syncthreads();
    }
}

// The same by Kogge and Stone's: a thread for each word, a barrier on either side of the writes.
DEVICE void KoggeStoneLevels(uint32_t *x, unsigned n) {
    for (unsigned by = 1; by < n; by *= 2) {
        const uint32_t left = (threadIdx.x & (n - 1)) >= by ? x[threadIdx.x - by] : 0;
        __syncthreads();
        x[threadIdx.x] += left;
        __syncthreads();
    }
}

// A block for each row, every exchange through shared memory. A thread's two elements of lf-sc are
// half a row apart, so that neighbours are in neighbouring banks.
__global__ void __launch_bounds__(1024)
    LadnerFischerKernel(uint32_t *out, const uint32_t *in, unsigned n) {
    DYNAMIC_SHARED(uint32_t, x);
    const uint64_t row = (uint64_t)blockIdx.x * n;
    for (unsigned i = threadIdx.x; i < n; i += n / 2) {
        x[i] = in[row + i];
    }
    __syncthreads();
    LadnerFischerLevels(x, n, n);
    for (unsigned i = threadIdx.x; i < n; i += n / 2) {
        out[row + i] = x[i];
    }
}

__global__ void __launch_bounds__(1024)
    KoggeStoneKernel(uint32_t *out, const uint32_t *in, unsigned n) {
    DYNAMIC_SHARED(uint32_t, x);
    const uint64_t at = (uint64_t)blockIdx.x * n + threadIdx.x;
    x[threadIdx.x] = in[at];
    __syncthreads();
    KoggeStoneLevels(x, n);
    out[at] = x[threadIdx.x];
}

// A thread's four elements, and their sums.
struct Four {
    Vector<uint32_t> v;

    DEVICE Four(const uint32_t *in, uint64_t at, uint64_t size) {
        v = at < size ? *(const Vector<uint32_t> *)(in + at) : Vector<uint32_t>{};
#pragma unroll
        for (unsigned e = 1; e < kEach; e++) {
            v.x[e] += v.x[e - 1];
        }
    }
    DEVICE uint32_t All() const { return v.x[kEach - 1]; }
    DEVICE void Store(uint32_t *out, uint64_t at, uint64_t size, uint32_t before) {
#pragma unroll
        for (unsigned e = 0; e < kEach; e++) {
            v.x[e] += before;
        }
        if (at < size) {
            *(Vector<uint32_t> *)(out + at) = v;
        }
    }
};

DEVICE uint64_t FirstOfThread() {
    return ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) * kEach;
}

// Several rows a block, sums of threads through shared memory.
template <bool kLadnerFischer>
__global__ void __launch_bounds__(1024)
    NaiveKernel(uint32_t *out, const uint32_t *in, unsigned n, uint64_t size) {
    DYNAMIC_SHARED(uint32_t, x);
    const uint64_t at = FirstOfThread();
    Four four(in, at, size);
    x[threadIdx.x] = four.All();
    __syncthreads();
    if (kLadnerFischer) {
        LadnerFischerLevels(x, n / kEach, blockDim.x);
    } else {
        KoggeStoneLevels(x, n / kEach);
    }
    four.Store(out, at, size, x[threadIdx.x] - four.All());
}

// Several rows a block, sums of threads by shuffles, of warps by one warp: 32 words of shared
// memory whatever the rows.
template <class M>
__global__ void __launch_bounds__(1024)
    TunedKernel(uint32_t *out, const uint32_t *in, unsigned n, uint64_t size) {
    struct Shared {
        uint32_t warps[kWarp];
    };
    SHARED(Shared, s);
    const unsigned lanes = n / kEach, warp = threadIdx.x / kWarp;
    const uint64_t at = FirstOfThread();
    Four four(in, at, size);
    const unsigned start = lanes < kWarp ? Lane() & ~(lanes - 1) : 0;
    const uint32_t inclusive = WarpScanFrom<M>(four.All(), start);
    uint32_t before = inclusive - four.All();
    if (lanes > kWarp) {
        if (Lane() == kWarp - 1) {
            s.warps[warp] = inclusive;
        }
        __syncthreads();
        if (warp == 0) {
            const uint32_t all = Lane() < blockDim.x / kWarp ? s.warps[Lane()] : 0;
            s.warps[Lane()] = WarpScanFrom<M>(all, Lane() & ~(lanes / kWarp - 1)) - all;
        }
        __syncthreads();
        before += s.warps[warp];
    }
    four.Store(out, at, size, before);
}

bool Valid(const scan_rows_job &j) {
    if (j.n < 64 || j.n > 2048 || (j.n & (j.n - 1)) != 0 || j.rows > (UINT64_C(1) << 34) / j.n) {
        return false;
    }
    if (j.form <= SCAN_ROWS_KS) {
        return j.form == SCAN_ROWS_LF || j.n <= 1024;
    }
    return j.form < SCAN_ROWS_FORMS && j.threads >= j.n / kEach && j.threads >= kWarp &&
           j.threads <= 1024 && (j.threads & (j.threads - 1)) == 0;
}

// Calls f with the kernel of a form with several rows a block, and its bytes of dynamic shared
// memory.
template <class F>
auto WithSeveral(const scan_rows_job &j, F f) {
    const size_t words = j.form <= SCAN_ROWS_KS_NAIVE ? j.threads : 0;
    return j.form == SCAN_ROWS_LF_NAIVE   ? f(NaiveKernel<true>, words * 4)
           : j.form == SCAN_ROWS_KS_NAIVE ? f(NaiveKernel<false>, words * 4)
           : j.form == SCAN_ROWS_LF_TUNED ? f(TunedKernel<LadnerFischer<Sum<uint32_t>>>, 0)
                                          : f(TunedKernel<KoggeStone>, 0);
}

}  // namespace

unsigned scan_rows_warps(const scan_rows_job *job) {
    unsigned blocks = 0;
    int multiprocessors = 0;
    if (job->form <= SCAN_ROWS_KS || !Valid(*job) ||
        DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) != cudaSuccess ||
        WithSeveral(*job, [&](auto kernel, size_t bytes) {
            return ResidentBlocks(kernel, job->threads, bytes, &blocks);
        }) != cudaSuccess) {
        return 0;
    }
    return blocks / (unsigned)multiprocessors * (job->threads / kWarp);
}

bool scan_rows_enqueue(void *job, cuda_stream stream) {
    const scan_rows_job &j = *(const scan_rows_job *)job;
    if (!Valid(j)) {
        return false;
    }
    const unsigned n = (unsigned)j.n;
    const uint64_t size = j.n * j.rows, of_block = (uint64_t)j.threads * kEach;
    if (size == 0) {
        return true;
    }
    cudaError_t e = cudaSuccess;
    switch (j.form) {
        case SCAN_ROWS_LF:
            e = Launch(LadnerFischerKernel, (unsigned)j.rows, n / 2, n * 4, stream, j.out, j.in, n);
            break;
        case SCAN_ROWS_KS:
            e = Launch(KoggeStoneKernel, (unsigned)j.rows, n, n * 4, stream, j.out, j.in, n);
            break;
        default:
            e = WithSeveral(j, [&](auto kernel, size_t bytes) {
                return Launch(kernel, (unsigned)((size + of_block - 1) / of_block), j.threads,
                              bytes, stream, j.out, j.in, n, size);
            });
            break;
    }
    return e == cudaSuccess;
}
