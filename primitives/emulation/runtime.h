// runtime.h: the part of the CUDA runtime that the rooms and their tests call, for the host
// emulation: one device whose memory is the host's, streams that run at once. Included through
// primitives/device.cuh only.
#ifndef PRIMITIVES_EMULATION_RUNTIME_H_
#define PRIMITIVES_EMULATION_RUNTIME_H_

#include <cstdlib>
#include <cstring>

#include "primitives/emulation/scheduler.h"

typedef struct CUstream_st *cudaStream_t;
typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
} cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };

namespace emulation {

// The error of the last launch that failed, until it is asked for.
inline cudaError_t &LastError() {
    static __thread cudaError_t error;
    return error;
}

template <class F>
inline void LaunchKernel(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t, F kernel) {
    if (!Launch(
            grid, block, shared_bytes, [](void *f) { (*(F *)f)(); }, &kernel)) {
        LastError() = cudaErrorInvalidConfiguration;
    }
}

}  // namespace emulation

inline cudaError_t cudaGetLastError() {
    const cudaError_t error = emulation::LastError();
    emulation::LastError() = cudaSuccess;
    return error;
}
inline const char *cudaGetErrorString(cudaError_t e) {
    return e == cudaSuccess                     ? "no error"
           : e == cudaErrorInvalidConfiguration ? "invalid configuration argument"
                                                : "error";
}
inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
// Few multiprocessors, so that small inputs take the paths of large ones.
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
    return *value = 2, cudaSuccess;
}
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
template <class K>
inline cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute, int) {
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMalloc(T **p, size_t bytes) {
    *p = (T *)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFree(void *p) { return free(p), cudaSuccess; }
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                   cudaStream_t) {
    return memmove(to, from, bytes), cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t) {
    return memset(to, byte, bytes), cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

#endif  // PRIMITIVES_EMULATION_RUNTIME_H_
