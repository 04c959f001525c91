// pointwise.cu: pointwise.h.
#include "bench/fft/pointwise.h"

#include <cuda_runtime.h>

namespace {

constexpr unsigned kThreads = 256;

template <class Item>
__global__ void PointwiseKernel(Item *x, const Item *y, uint64_t n) {
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        const Item a = x[i], b = y[i];
        x[i] = {fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x)};
    }
}

}  // namespace

bool pointwise_multiply(void *x, const void *y, uint64_t n, bool single, cuda_stream stream) {
    const unsigned blocks = (unsigned)((n + kThreads - 1) / kThreads);
    if (single) {
        PointwiseKernel<<<blocks, kThreads, 0, stream>>>((float2 *)x, (const float2 *)y, n);
    } else {
        PointwiseKernel<<<blocks, kThreads, 0, stream>>>((double2 *)x, (const double2 *)y, n);
    }
    return cudaGetLastError() == cudaSuccess;
}
