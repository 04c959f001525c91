// root_kernels.cu: root_bits.h in a kernel.
#include "primitives/cuda/launch.cuh"
#include "tests/fft/complex/root_bits.h"

namespace {

constexpr unsigned kThreads = 256;

__global__ void RootKernel(fft_root_f64 *w, size_t n, uint64_t first, uint64_t step, unsigned lg) {
    const size_t i = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < n) {
        w[i] = fft_root((first + i * step) & (((uint64_t)1 << lg) - 1), lg);
    }
}

}  // namespace

bool root_bits_kernel(fft_root_f64 *w, size_t n, uint64_t first, uint64_t step, unsigned lg) {
    const unsigned blocks = (unsigned)((n + kThreads - 1) / kThreads);
    return Launch(RootKernel, blocks, kThreads, 0, nullptr, w, n, first, step, lg) == cudaSuccess;
}
