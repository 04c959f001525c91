// runtime.cu: runtime.h over the CUDA runtime, which is linked statically and loads
// the driver only when asked. Includes launch.cuh.
#include "primitives/cuda/runtime.h"

#include <cstdio>

#include "primitives/cuda/launch.cuh"

namespace {

#if defined(__CUDACC__)
// nvcc lists the architectures of this compilation in ascending order, 900 for sm_90. The newest
// one is compiled to PTX too, so any device at least as new as the first has code to run.
constexpr int kArchitectures[] = {__CUDA_ARCH_LIST__};
constexpr int kOldest = kArchitectures[0];
#else
constexpr int kOldest = 900;
#endif

result ResultOf(cudaError_t error) {
    return error == cudaSuccess                 ? RESULT_OK
           : error == cudaErrorMemoryAllocation ? RESULT_NO_MEMORY
                                                : RESULT_DEVICE_ERROR;
}

// An allocation that was refused leaves no trace in the thread's last error.
result Allocated(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
    }
    return ResultOf(error);
}

device_state StateOf(cudaError_t error) {
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice) {
        cudaGetLastError();
        return DEVICE_NO_DRIVER;
    }
    return DEVICE_FAILED;
}

bool Attribute(int *value, cudaDeviceAttr attribute, int device) {
    return cudaDeviceGetAttribute(value, attribute, device) == cudaSuccess;
}

__global__ void RootKernel() {
    WaitForKernelBefore();
    LetKernelAfterBegin();
}

}  // namespace

device_state device_describe(int ordinal, device_description *out) {
    *out = device_description();
    out->oldest = kOldest;
    const cudaError_t counted = cudaGetDeviceCount(&out->count);
    if (counted != cudaSuccess || out->count == 0) {
        return counted == cudaSuccess ? DEVICE_NO_DRIVER : StateOf(counted);
    }
    if (ordinal < 0 || ordinal >= out->count) {
        return DEVICE_ABSENT;
    }
    int major = 0, minor = 0, l2 = 0, pools = 0;
    cudaDeviceProp properties;
    if (!Attribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal) ||
        !Attribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal) ||
        !Attribute(&out->multiprocessors, cudaDevAttrMultiProcessorCount, ordinal) ||
        !Attribute(&l2, cudaDevAttrL2CacheSize, ordinal) ||
        !Attribute(&pools, cudaDevAttrMemoryPoolsSupported, ordinal) ||
        cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) {
        return DEVICE_FAILED;
    }
    out->architecture = 100 * major + 10 * minor;
    out->l2_bytes = (uint64_t)l2;
    out->memory_bytes = properties.totalGlobalMem;
    snprintf(out->name, sizeof out->name, "%s", properties.name);
    return out->architecture < kOldest ? DEVICE_TOO_OLD
           : pools == 0                ? DEVICE_NO_POOLS
                                       : DEVICE_USABLE;
}

void device_error(char *text, size_t cap) {
    const cudaError_t error = cudaGetLastError();
    snprintf(text, cap, "%s: %s", cudaGetErrorName(error), cudaGetErrorString(error));
}

result device_enter(int device, int *previous) {
    *previous = device;
    const cudaError_t asked = cudaGetDevice(previous);
    return ResultOf(asked != cudaSuccess || *previous == device ? asked : cudaSetDevice(device));
}

void device_leave(int previous) {
    int device = previous;
    if (cudaGetDevice(&device) == cudaSuccess && device != previous) {
        cudaSetDevice(previous);  // it was current before; a failure here cannot be reported
    }
}

// --- Streams -------------------------------------------------------------------------------------

result device_stream_create(device_stream *out) {
    return ResultOf(cudaStreamCreateWithFlags(out, cudaStreamNonBlocking));
}

void device_stream_destroy(device_stream stream) { cudaStreamDestroy(stream); }

result device_stream_place(device_stream stream, int *device) {
    return ResultOf(cudaStreamGetDevice(stream, device));
}

result device_stream_wait(device_stream stream) { return ResultOf(cudaStreamSynchronize(stream)); }

result device_stream_idle(device_stream stream, bool *idle) {
    const cudaError_t error = cudaStreamQuery(stream);
    *idle = error == cudaSuccess;
    return error == cudaErrorNotReady ? RESULT_OK : ResultOf(error);
}

result device_event_create(device_event *out) {
    return ResultOf(cudaEventCreateWithFlags(out, cudaEventDisableTiming));
}

void device_event_destroy(device_event event) {
    if (event != nullptr) {
        cudaEventDestroy(event);
    }
}

result device_event_record(device_event event, device_stream stream) {
    return ResultOf(cudaEventRecord(event, stream));
}

result device_event_wait(device_event event) { return ResultOf(cudaEventSynchronize(event)); }

result device_stream_follow(device_stream stream, device_event event) {
    return ResultOf(cudaStreamWaitEvent(stream, event, 0));
}

result device_stream_recorded(device_stream stream, bool *recorded) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &status);
    *recorded = status != cudaStreamCaptureStatusNone;
    return ResultOf(error);
}

result device_graph_begin(device_stream stream) {
    return ResultOf(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
}

result device_graph_end(device_stream stream, device_graph *out) {
    *out = nullptr;
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess) {
        error = cudaGraphInstantiate(out, graph, 0);
        cudaGraphDestroy(graph);
    }
    return ResultOf(error);
}

result device_graph_root(device_stream stream) {
    return ResultOf(LaunchEarly(RootKernel, 1, 32, 0, stream));
}

result device_graph_run(device_graph graph, device_stream stream) {
    return ResultOf(cudaGraphLaunch(graph, stream));
}

void device_graph_destroy(device_graph graph) {
    if (graph != nullptr) {
        cudaGraphExecDestroy(graph);
    }
}

// --- Memory --------------------------------------------------------------------------------------

result device_allocate(void **out, uint64_t bytes, device_stream stream) {
    return Allocated(cudaMallocAsync(out, bytes, stream));
}

result device_release(void *p, device_stream stream) {
    return p == nullptr ? RESULT_OK : ResultOf(cudaFreeAsync(p, stream));
}

result device_release_idle(void *p) { return ResultOf(cudaFree(p)); }

result device_pin(void **out, uint64_t bytes) {
    return Allocated(cudaHostAlloc(out, bytes, cudaHostAllocPortable));
}

void device_unpin(void *p) { cudaFreeHost(p); }

result device_copy(void *to, const void *from, uint64_t bytes, device_stream stream) {
    return ResultOf(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
}

result device_copy_between(void *to, int to_device, const void *from, int from_device,
                           uint64_t bytes, device_stream stream) {
    return ResultOf(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream));
}

result device_set(void *to, int byte, uint64_t bytes, device_stream stream) {
    return ResultOf(cudaMemsetAsync(to, byte, bytes, stream));
}
