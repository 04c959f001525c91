// reads.cu: see reads.h.
#include "bench/primitives/reads.h"

#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kThreads = 256;

DEVICE uint64_t Place(uint64_t t, unsigned k, unsigned lg) {
    return (t * READS_EACH + k) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - lg);
}

template <bool kReadOnly>
__global__ void __launch_bounds__(kThreads)
    ReadsKernel(double *out, const double *table, unsigned lg, uint64_t threads) {
    const uint64_t t = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    constexpr unsigned kEach = READS_EACH / READS_STORES;
    for (unsigned part = 0; part < READS_STORES; part++) {
        double sum = 0;
#pragma unroll
        for (unsigned k = 0; k < kEach; k++) {
            const double *const at = table + Place(t, part * kEach + k, lg);
            sum += kReadOnly ? LoadReadOnly(at) : *at;
        }
        out[part * threads + t] = sum;
    }
}

}  // namespace

bool reads_enqueue(void *job, cuda_stream stream) {
    const reads_job &j = *(const reads_job *)job;
    if (j.lg < 1 || j.lg > 32 || j.threads == 0 || j.threads % kThreads != 0 ||
        j.threads >= UINT64_C(1) << 31) {
        return false;
    }
    const auto kernel = j.read_only ? ReadsKernel<true> : ReadsKernel<false>;
    return Launch(kernel, (unsigned)(j.threads / kThreads), kThreads, 0, stream, j.out, j.table,
                  j.lg, j.threads) == cudaSuccess;
}
