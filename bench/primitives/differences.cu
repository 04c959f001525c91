// differences.cu: see differences.h.
#include "bench/primitives/differences.h"

#include <cuda_runtime.h>

namespace {

constexpr unsigned kThreads = 256, kBlocks = 1024;

__global__ void CountKernel(const uint32_t *a, const uint32_t *b, uint64_t words,
                            unsigned long long *count) {
    unsigned long long mine = 0;
    for (uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x; i < words;
         i += (uint64_t)kBlocks * kThreads) {
        mine += a[i] != b[i];
    }
    if (mine > 0) {
        atomicAdd(count, mine);
    }
}

}  // namespace

uint64_t differences(const void *a, const void *b, uint64_t words) {
    unsigned long long *count = nullptr, result = 0;
    if (cudaMalloc(&count, sizeof *count) != cudaSuccess) {
        return UINT64_MAX;
    }
    cudaMemset(count, 0, sizeof *count);
    CountKernel<<<kBlocks, kThreads>>>((const uint32_t *)a, (const uint32_t *)b, words, count);
    const cudaError_t e = cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(count);
    return e == cudaSuccess ? result : UINT64_MAX;
}
