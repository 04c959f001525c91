// device.cu: device.h over the CUDA runtime, or over the kernel emulation.
#include "tests/support/device.h"

#include <cstring>

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/monoid.cuh"

namespace {

bool Done(cudaError_t e) { return e == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess; }

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 1024;

// Elements are compared by their bits.
template <class T>
DEVICE uint64_t ToWord(T v) {
    uint64_t word = 0;
    memcpy(&word, &v, sizeof v);
    return word;
}

// Element i of a sequence, by which it is written and checked.
template <class M>
struct Random {
    DEVICE static typename M::Value At(uint64_t i, uint32_t seed) {
        uint64_t z = (i + seed) * 0x9E3779B97F4A7C15;
        z = (z ^ z >> 31) * 0xBF58476D1CE4E5B9;
        z ^= z >> 32;
        typename M::Value v;
        memcpy(&v, &z, sizeof v);
        return v;
    }
};

// Permutations of three, and seldom a constant map.
template <>
struct Random<Map3> {
    DEVICE static uint8_t At(uint64_t i, uint32_t seed) {
        // A byte for each; a table would lie in memory.
        constexpr uint64_t kMaps = 0x15061209182124;
        const uint32_t r = Random<Sum<uint32_t>>::At(i, seed);
        const unsigned which = r % 1024 == 0 ? 6 : r % 6;
        return (uint8_t)(kMaps >> 8 * which);
    }
};

template <class M>
__global__ void RandomKernel(typename M::Value *x, uint64_t n, uint32_t seed) {
    for (uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * kThreads) {
        x[i] = Random<M>::At(i, seed);
    }
}

template <class M>
__global__ void ScanErrorsKernel(const typename M::Value *y, uint64_t n, uint64_t row,
                                 bool exclusive, uint32_t seed, unsigned long long *errors) {
    for (uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x; i < n;
         i += (uint64_t)gridDim.x * kThreads) {
        const uint64_t from = exclusive && i > 0 ? i - 1 : i;
        typename M::Value want = exclusive ? M::Identity() : Random<M>::At(i, seed);
        if (i % row != 0) {
            want = M::Combine(y[i - 1], Random<M>::At(from, seed));
        }
        if (ToWord(y[i]) != ToWord(want)) {
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
bool device_several(int count) {
    int there = 0;
    return cudaGetDeviceCount(&there) == cudaSuccess && there >= count;
}
void device_order(uint64_t) {}
bool device_faults(uint64_t, uint64_t) { return false; }
bool device_flips(uint64_t, uint64_t *, uint64_t) { return false; }
bool device_fault_came(void) { return false; }
int64_t device_live(void) { return 0; }
#else
bool device_emulated(void) { return true; }
bool device_several(int count) { return emulation::Devices(count), true; }
void device_order(uint64_t seed) { emulation::Order(seed); }
bool device_faults(uint64_t allocation, uint64_t call) {
    emulation::Faults &f = emulation::TheFaults();
    f.allocation = allocation;
    f.call = call;
    f.sticky = f.last = cudaSuccess;
    return true;
}
bool device_flips(uint64_t kernel, uint64_t *word, uint64_t bits) {
    emulation::Faults &f = emulation::TheFaults();
    f.flip = kernel;
    f.word = word;
    f.bits = bits;
    return true;
}
bool device_fault_came(void) {
    const emulation::Faults &f = emulation::TheFaults();
    return f.allocation == 0 && f.call == 0 && f.flip == 0;
}
int64_t device_live(void) { return emulation::TheFaults().live; }
#endif

void *device_alloc(size_t bytes) {
    char *p = nullptr;
    if (cudaMalloc(&p, bytes > 0 ? bytes : 1) != cudaSuccess) {
        cudaGetLastError();  // answered here, not by the next launch
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

bool device_random(monoid op, void *x, uint64_t n, uint32_t seed) {
    cudaError_t e = cudaSuccess;
    if (n > 0) {
        WithMonoid(op, [&](auto m) {
            using M = decltype(m);
            e = Launch(RandomKernel<M>, BlocksFor(n), kThreads, 0, nullptr, (typename M::Value *)x,
                       n, seed);
        });
    }
    return Done(e);
}

uint64_t device_scan_errors(monoid op, bool exclusive, const void *y, uint64_t n, uint64_t row,
                            uint32_t seed) {
    unsigned long long *errors = (unsigned long long *)device_alloc(sizeof *errors);
    unsigned long long count = UINT64_MAX;
    if (errors != nullptr && device_fill(errors, 0, sizeof *errors)) {
        cudaError_t e = cudaSuccess;
        if (n > 0) {
            WithMonoid(op, [&](auto m) {
                using M = decltype(m);
                e = Launch(ScanErrorsKernel<M>, BlocksFor(n), kThreads, 0, nullptr,
                           (const typename M::Value *)y, n, row, exclusive, seed, errors);
            });
        }
        if (!Done(e) || !device_download(&count, errors, sizeof count)) {
            count = UINT64_MAX;
        }
    }
    device_free(errors);
    return count;
}
