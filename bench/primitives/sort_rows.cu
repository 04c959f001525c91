// sort_rows.cu: see sort_rows.h.
#include "bench/primitives/sort_rows.h"

#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kSeveral = 512;  // keys of a block with several rows

DEVICE void Order(uint32_t &low, uint32_t &high) {
    const uint32_t smaller = low < high ? low : high;
    high = low < high ? high : low;
    low = smaller;
}

// Rows of n keys in a block's `keys`; a thread takes pairs threadIdx.x, threadIdx.x + blockDim.x,
// .. of each stage.
__global__ void __launch_bounds__(kMaxThreads)
    PairsKernel(uint32_t *out, const uint32_t *in, unsigned n, unsigned keys, uint64_t size) {
    DYNAMIC_SHARED(uint32_t, x);
    const uint64_t first = (uint64_t)blockIdx.x * keys;
    for (unsigned i = threadIdx.x; i < keys; i += blockDim.x) {
        x[i] = first + i < size ? in[first + i] : 0;
    }
    for (unsigned run = 2; run <= n; run *= 2) {
        for (unsigned by = run / 2; by > 0; by /= 2) {
            __syncthreads();
            for (unsigned p = threadIdx.x; p < keys / 2; p += blockDim.x) {
                const unsigned i = 2 * p - (p & (by - 1));
                // Runs alternate, but a row's last one goes up.
                const bool up = run == n || (i & run) == 0;
                Order(x[up ? i : i + by], x[up ? i + by : i]);
            }
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < keys && first + i < size; i += blockDim.x) {
        out[first + i] = x[i];
    }
}

// Keys at a, b, c, d of x: the stages that compare a with c and b with d, then a with b and c with
// d; or, flip, first a with d and b with c.
DEVICE void OrderFour(uint32_t *x, unsigned a, unsigned b, unsigned c, unsigned d, bool flip) {
    uint32_t k[4] = {x[a], x[b], x[c], x[d]};
    Order(k[0], k[flip ? 3 : 2]);
    Order(k[1], k[flip ? 2 : 3]);
    Order(k[0], k[1]);
    Order(k[2], k[3]);
    x[a] = k[0], x[b] = k[1], x[c] = k[2], x[d] = k[3];
}

// A row a block, n / 4 threads.
__global__ void __launch_bounds__(kMaxThreads)
    FoursKernel(uint32_t *out, const uint32_t *in, unsigned n) {
    DYNAMIC_SHARED(uint32_t, x);
    const uint64_t row = (uint64_t)blockIdx.x * n;
    const unsigned t = threadIdx.x;
    for (unsigned i = t; i < n; i += n / 4) {
        x[i] = in[row + i];
    }
    __syncthreads();
    Order(x[4 * t], x[4 * t + 1]);
    Order(x[4 * t + 2], x[4 * t + 3]);
    OrderFour(x, 4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3, true);
    unsigned log = 3;
    for (unsigned run = 8; run <= n; run *= 2, log++) {
        __syncthreads();
        unsigned by;         // the wider of the next two strides
        if (log % 2 != 0) {  // the flip by itself: two pairs a thread
            for (unsigned p = t; p < n / 2; p += n / 4) {
                const unsigned i = p & (run / 2 - 1), begin = 2 * (p - i);
                Order(x[begin + i], x[begin + run - 1 - i]);
            }
            by = run / 4;
        } else {
            const unsigned i = t & (run / 4 - 1), begin = 4 * (t - i), q = run / 4;
            OrderFour(x, begin + i, begin + i + q, begin + run - 1 - i - q, begin + run - 1 - i,
                      true);
            by = run / 8;
        }
        for (; by > 1; by /= 4) {
            __syncthreads();
            const unsigned i = t & (by / 2 - 1), begin = 4 * (t - i) + i;
            OrderFour(x, begin, begin + by / 2, begin + by, begin + by + by / 2, false);
        }
    }
    __syncthreads();
    for (unsigned i = t; i < n; i += n / 4) {
        out[row + i] = x[i];
    }
}

bool Valid(const sort_rows_job &j) {
    const uint64_t most = j.form == SORT_ROWS_NAIVE ? 2048 : 4096;
    return (unsigned)j.form < SORT_ROWS_FORMS && j.n >= 4 && j.n <= most &&
           (j.n & (j.n - 1)) == 0 && j.rows < UINT64_C(1) << 31;
}

}  // namespace

bool sort_rows_enqueue(void *job, cuda_stream stream) {
    const sort_rows_job &j = *(const sort_rows_job *)job;
    if (!Valid(j)) {
        return false;
    }
    if (j.rows == 0) {
        return true;
    }
    const unsigned n = (unsigned)j.n;
    if (j.form == SORT_ROWS_R4) {
        return Launch(FoursKernel, (unsigned)j.rows, n / 4, n * 4, stream, j.out, j.in, n) ==
               cudaSuccess;
    }
    const unsigned keys = j.form == SORT_ROWS_NAIVE || n > kSeveral ? n : kSeveral;
    const unsigned threads = keys / 2 < kMaxThreads ? keys / 2 : kMaxThreads;
    const uint64_t size = j.n * j.rows;
    return Launch(PairsKernel, (unsigned)((size + keys - 1) / keys), threads, keys * 4, stream,
                  j.out, j.in, n, keys, size) == cudaSuccess;
}
