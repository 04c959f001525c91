// host_wait.cu: the waiting of host_wait.h over CUDA's events.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

#include "bench/studies/host_wait.h"

namespace {
constexpr size_t kRoom = 64;
}

struct host_waiter {
    cudaStream_t stream;
    cudaEvent_t event[2];  // by kind
    void *room;
};

host_waiter *host_wait_open() {
    host_waiter w = {};
    if (cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking) != cudaSuccess ||
        cudaEventCreateWithFlags(&w.event[HOST_POLLS], cudaEventDisableTiming) != cudaSuccess ||
        cudaEventCreateWithFlags(&w.event[HOST_BLOCKS],
                                 cudaEventDisableTiming | cudaEventBlockingSync) != cudaSuccess ||
        cudaHostAlloc(&w.room, kRoom, cudaHostAllocDefault) != cudaSuccess) {
        return nullptr;
    }
    host_waiter *const waiter = (host_waiter *)malloc(sizeof w);
    if (waiter != nullptr) {
        *waiter = w;
    }
    return waiter;
}

void host_wait_close(host_waiter *waiter) {
    cudaFreeHost(waiter->room);
    cudaEventDestroy(waiter->event[HOST_POLLS]);
    cudaEventDestroy(waiter->event[HOST_BLOCKS]);
    cudaStreamDestroy(waiter->stream);
    free(waiter);
}

cuda_stream host_wait_stream(const host_waiter *waiter) { return waiter->stream; }

bool host_wait_for(host_waiter *waiter, host_wait_kind kind, void *to, const void *from,
                   size_t bytes) {
    const cudaEvent_t event = waiter->event[kind];
    if (bytes > kRoom ||
        cudaMemcpyAsync(waiter->room, from, bytes, cudaMemcpyDeviceToHost, waiter->stream) !=
            cudaSuccess ||
        cudaEventRecord(event, waiter->stream) != cudaSuccess) {
        return false;
    }
    cudaError_t e = cudaErrorNotReady;
    while (kind == HOST_POLLS && e == cudaErrorNotReady) {
        e = cudaEventQuery(event);
    }
    if (kind == HOST_BLOCKS) {
        e = cudaEventSynchronize(event);
    }
    memcpy(to, waiter->room, bytes);
    return e == cudaSuccess;
}
