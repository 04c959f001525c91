// device.cu: device.h over the CUDA runtime, or over the kernel emulation.
#include "tests/support/device.h"

#include "primitives/device.cuh"

namespace {

bool Done(cudaError_t e) { return e == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess; }

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 1024;

__global__ void RandomKernel(uint32_t *x, uint64_t n, uint32_t seed) {
    for (uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * kThreads) {
        uint64_t z = (i + seed) * 0x9E3779B97F4A7C15;
        z = (z ^ z >> 31) * 0xBF58476D1CE4E5B9;
        x[i] = (uint32_t)(z ^ z >> 32);
    }
}

__global__ void ScanErrorsKernel(const uint32_t *y, const uint32_t *x, uint64_t n, uint64_t row,
                                 unsigned long long *errors) {
    for (uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * kThreads) {
        const uint32_t before = i % row == 0 ? 0 : y[i - 1];
        if (y[i] - x[i] != before) {
            atomicAdd(errors, 1ull);
        }
    }
}

unsigned BlocksFor(uint64_t n) {
    const uint64_t blocks = (n + kThreads - 1) / kThreads;
    return blocks < kBlocks ? (unsigned)blocks : kBlocks;
}

}  // namespace

bool device_ready(void) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

#if defined(__CUDACC__)
bool device_emulated(void) { return false; }
void device_order(uint64_t) {}
bool device_faults(uint64_t, uint64_t) { return false; }
bool device_fault_came(void) { return false; }
int64_t device_live(void) { return 0; }
#else
bool device_emulated(void) { return true; }
void device_order(uint64_t seed) { emulation::Order(seed); }
bool device_faults(uint64_t allocation, uint64_t call) {
    emulation::Faults &f = emulation::TheFaults();
    f.allocation = allocation;
    f.call = call;
    f.sticky = f.last = cudaSuccess;
    return true;
}
bool device_fault_came(void) {
    const emulation::Faults &f = emulation::TheFaults();
    return f.allocation == 0 && f.call == 0;
}
int64_t device_live(void) { return emulation::TheFaults().live; }
#endif

void *device_alloc(size_t bytes) {
    char *p = nullptr;
    if (cudaMalloc(&p, bytes > 0 ? bytes : 1) != cudaSuccess) {
        return nullptr;
    }
    device_fill(p, 0xA5, bytes);
    return p;
}

void device_free(void *p) { cudaFree(p); }

bool device_upload(void *to, const void *from, size_t bytes) {
    return Done(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, nullptr));
}

bool device_download(void *to, const void *from, size_t bytes) {
    return Done(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, nullptr));
}

bool device_fill(void *to, int byte, size_t bytes) {
    return Done(cudaMemsetAsync(to, byte, bytes, nullptr));
}

bool device_random(uint32_t *x, uint64_t n, uint32_t seed) {
    if (n > 0) {
        LAUNCH(RandomKernel, BlocksFor(n), kThreads, 0, nullptr, x, n, seed);
    }
    return Done(cudaGetLastError());
}

uint64_t device_scan_errors(const uint32_t *y, const uint32_t *x, uint64_t n, uint64_t row) {
    unsigned long long *errors = (unsigned long long *)device_alloc(sizeof *errors);
    unsigned long long count = UINT64_MAX;
    if (errors != nullptr && device_fill(errors, 0, sizeof *errors)) {
        if (n > 0) {
            LAUNCH(ScanErrorsKernel, BlocksFor(n), kThreads, 0, nullptr, y, x, n, row, errors);
        }
        if (!Done(cudaGetLastError()) || !device_download(&count, errors, sizeof count)) {
            count = UINT64_MAX;
        }
    }
    device_free(errors);
    return count;
}
