// runtime.cu: runtime.h over the CUDA runtime, which is linked statically and loads
// the driver only when asked. Includes launch.cuh.
#include "primitives/cuda/runtime.h"

#include <cstdio>
#if !defined(__CUDACC__)
#include <map>
#include <mutex>
#endif

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

cuda_state StateOf(cudaError_t error) {
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice) {
        cudaGetLastError();
        return CUDA_NO_DRIVER;
    }
    return CUDA_FAILED;
}

bool Attribute(int *value, cudaDeviceAttr attribute, int device) {
    return cudaDeviceGetAttribute(value, attribute, device) == cudaSuccess;
}

#if defined(__CUDACC__)

void NotePinned(const void *, uint64_t) {}

// A range in two pieces, or with a hole, looks pinned here; the copy refuses it.
cudaError_t AskPinned(const void *p, uint64_t bytes, bool *pinned) {
    cudaPointerAttributes first = {}, last = {};
    cudaError_t e = cudaPointerGetAttributes(&first, p);
    if (e == cudaSuccess && first.type == cudaMemoryTypeHost) {
        e = cudaPointerGetAttributes(&last, (const unsigned char *)p + (bytes - 1));
    }
    *pinned = e == cudaSuccess && last.type == cudaMemoryTypeHost;
    return e;
}

#else

// The emulation's runtime tells no memory from other memory: the blocks that are pinned.
std::mutex pinned_mutex;
std::map<uintptr_t, uint64_t> pinned_blocks;  // bytes, by address

void NotePinned(const void *p, uint64_t bytes) {
    const std::lock_guard<std::mutex> lock(pinned_mutex);
    if (bytes > 0) {
        pinned_blocks[(uintptr_t)p] = bytes;
    } else {
        pinned_blocks.erase((uintptr_t)p);
    }
}

cudaError_t AskPinned(const void *p, uint64_t bytes, bool *pinned) {
    const std::lock_guard<std::mutex> lock(pinned_mutex);
    auto at = pinned_blocks.upper_bound((uintptr_t)p);
    *pinned = at != pinned_blocks.begin() && (uintptr_t)p + bytes <= (--at)->first + at->second;
    return emulation::Call();
}

#endif

__global__ void RootKernel() {
    WaitForKernelBefore();
    LetKernelAfterBegin();
}

}  // namespace

cuda_state cuda_describe(int ordinal, cuda_description *out) {
    *out = cuda_description();
    out->oldest = kOldest;
    const cudaError_t counted = cudaGetDeviceCount(&out->count);
    if (counted != cudaSuccess || out->count == 0) {
        return counted == cudaSuccess ? CUDA_NO_DRIVER : StateOf(counted);
    }
    if (ordinal < 0 || ordinal >= out->count) {
        return CUDA_ABSENT;
    }
    int major = 0, minor = 0, l2 = 0, pools = 0;
    cudaDeviceProp properties;
    if (!Attribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal) ||
        !Attribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal) ||
        !Attribute(&out->multiprocessors, cudaDevAttrMultiProcessorCount, ordinal) ||
        !Attribute(&l2, cudaDevAttrL2CacheSize, ordinal) ||
        !Attribute(&pools, cudaDevAttrMemoryPoolsSupported, ordinal) ||
        cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) {
        return CUDA_FAILED;
    }
    out->architecture = 100 * major + 10 * minor;
    out->l2_bytes = (uint64_t)l2;
    out->memory_bytes = properties.totalGlobalMem;
    snprintf(out->name, sizeof out->name, "%s", properties.name);
    return out->architecture < kOldest ? CUDA_TOO_OLD : pools == 0 ? CUDA_NO_POOLS : CUDA_USABLE;
}

void cuda_error(char *text, size_t cap) {
    const cudaError_t error = cudaGetLastError();
    snprintf(text, cap, "%s: %s", cudaGetErrorName(error), cudaGetErrorString(error));
}

result cuda_enter(int device, int *previous) {
    *previous = device;
    const cudaError_t asked = cudaGetDevice(previous);
    return ResultOf(asked != cudaSuccess || *previous == device ? asked : cudaSetDevice(device));
}

void cuda_leave(int previous) {
    int device = previous;
    if (cudaGetDevice(&device) == cudaSuccess && device != previous) {
        cudaSetDevice(previous);  // it was current before; a failure here cannot be reported
    }
}

// --- Streams -------------------------------------------------------------------------------------

result cuda_stream_create(cuda_stream *out) {
    return ResultOf(cudaStreamCreateWithFlags(out, cudaStreamNonBlocking));
}

result cuda_stream_create_first(cuda_stream *out) {
#if defined(__CUDACC__)
    int last = 0, first = 0;
    const cudaError_t error = cudaDeviceGetStreamPriorityRange(&last, &first);
    return ResultOf(error == cudaSuccess
                        ? cudaStreamCreateWithPriority(out, cudaStreamNonBlocking, first)
                        : error);
#else
    return cuda_stream_create(out);  // the emulation has no multiprocessors
#endif
}

void cuda_stream_destroy(cuda_stream stream) { cudaStreamDestroy(stream); }

result cuda_stream_place(cuda_stream stream, int *device) {
    return ResultOf(cudaStreamGetDevice(stream, device));
}

result cuda_stream_wait(cuda_stream stream) { return ResultOf(cudaStreamSynchronize(stream)); }

result cuda_stream_idle(cuda_stream stream, bool *idle) {
    const cudaError_t error = cudaStreamQuery(stream);
    *idle = error == cudaSuccess;
    return error == cudaErrorNotReady ? RESULT_OK : ResultOf(error);
}

result cuda_event_create(cuda_event *out) {
    return ResultOf(cudaEventCreateWithFlags(out, cudaEventDisableTiming));
}

void cuda_event_destroy(cuda_event event) {
    if (event != nullptr) {
        cudaEventDestroy(event);
    }
}

result cuda_event_record(cuda_event event, cuda_stream stream) {
    return ResultOf(cudaEventRecord(event, stream));
}

result cuda_event_wait(cuda_event event) { return ResultOf(cudaEventSynchronize(event)); }

result cuda_stream_follow(cuda_stream stream, cuda_event event) {
    return ResultOf(cudaStreamWaitEvent(stream, event, 0));
}

result cuda_stream_recorded(cuda_stream stream, bool *recorded) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &status);
    *recorded = status != cudaStreamCaptureStatusNone;
    return ResultOf(error);
}

result cuda_graph_begin(cuda_stream stream) {
    return ResultOf(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
}

result cuda_graph_end(cuda_stream stream, cuda_graph *out) {
    *out = nullptr;
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess) {
        error = cudaGraphInstantiate(out, graph, 0);
        cudaGraphDestroy(graph);
    }
    return ResultOf(error);
}

result cuda_graph_root(cuda_stream stream) {
    return ResultOf(LaunchEarly(RootKernel, 1, 32, 0, stream));
}

result cuda_graph_run(cuda_graph graph, cuda_stream stream) {
    return ResultOf(cudaGraphLaunch(graph, stream));
}

void cuda_graph_destroy(cuda_graph graph) {
    if (graph != nullptr) {
        cudaGraphExecDestroy(graph);
    }
}

// --- Memory --------------------------------------------------------------------------------------

result cuda_allocate(void **out, uint64_t bytes, cuda_stream stream) {
    return Allocated(cudaMallocAsync(out, bytes, stream));
}

result cuda_release(void *p, cuda_stream stream) {
    return p == nullptr ? RESULT_OK : ResultOf(cudaFreeAsync(p, stream));
}

result cuda_release_idle(void *p) { return ResultOf(cudaFree(p)); }

// The emulation has no pools.
#if defined(__CUDACC__)

result cuda_pool_keep(int device, uint64_t bytes) {
    cudaMemPool_t pool = nullptr;
    uint64_t kept = 0;
    cudaError_t e = cudaDeviceGetDefaultMemPool(&pool, device);
    if (e == cudaSuccess) {
        e = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    }
    if (e == cudaSuccess && kept < bytes) {
        e = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes);
    }
    return ResultOf(e);
}

result cuda_pool_trim(int device) {
    cudaMemPool_t pool = nullptr;
    const cudaError_t e = cudaDeviceGetDefaultMemPool(&pool, device);
    return ResultOf(e == cudaSuccess ? cudaMemPoolTrimTo(pool, 0) : e);
}

#else

result cuda_pool_keep(int, uint64_t) { return RESULT_OK; }
result cuda_pool_trim(int) { return RESULT_OK; }

#endif

result cuda_pin(void **out, uint64_t bytes) {
    const cudaError_t e = cudaHostAlloc(out, bytes, cudaHostAllocPortable);
    if (e == cudaSuccess) {
        NotePinned(*out, bytes);
    }
    return Allocated(e);
}

void cuda_unpin(void *p) {
    NotePinned(p, 0);
    cudaFreeHost(p);
}

result cuda_copy(void *to, const void *from, uint64_t bytes, cuda_stream stream) {
    return ResultOf(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
}

result cuda_copy_pinned(void *to, const void *from, uint64_t bytes, bool up, cuda_stream stream,
                        bool *enqueued) {
    bool pinned = false;
    *enqueued = false;
    cudaError_t e = AskPinned(up ? from : to, bytes, &pinned);
    if (e == cudaSuccess && pinned) {
        e = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
        *enqueued = e == cudaSuccess;
        if (e == cudaErrorInvalidValue) {  // not in one piece
            cudaGetLastError();
            e = cudaSuccess;
        }
    }
    return ResultOf(e);
}

// cudaDeviceProp::memPitch of all devices.
constexpr uint64_t kMostPitch = INT32_MAX;

result cuda_copy_rows(void *to, uint64_t to_stride, const void *from, uint64_t from_stride,
                      uint64_t row_bytes, uint64_t rows, cuda_stream stream) {
    if (rows <= 1) {
        return rows == 0 ? RESULT_OK : cuda_copy(to, from, row_bytes, stream);
    }
    // Rows that are further apart than the runtime takes are few.
    if (to_stride > kMostPitch || from_stride > kMostPitch) {
        result done = RESULT_OK;
        for (uint64_t i = 0; i < rows && done == RESULT_OK; i++) {
            done = cuda_copy((unsigned char *)to + i * to_stride,
                             (const unsigned char *)from + i * from_stride, row_bytes, stream);
        }
        return done;
    }
    return ResultOf(cudaMemcpy2DAsync(to, to_stride, from, from_stride, row_bytes, rows,
                                      cudaMemcpyDefault, stream));
}

result cuda_copy_between(void *to, int to_device, const void *from, int from_device, uint64_t bytes,
                         cuda_stream stream) {
    return ResultOf(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream));
}

result cuda_reach(int device, int peer, bool *direct) {
    int can = device == peer;
    cudaError_t e = can ? cudaSuccess : cudaDeviceCanAccessPeer(&can, device, peer);
    *direct = e == cudaSuccess && can != 0;
    if (!*direct || device == peer) {
        return ResultOf(e);
    }
    int previous = 0;
    const result entered = cuda_enter(device, &previous);
    if (entered != RESULT_OK) {
        return entered;
    }
    e = cudaDeviceEnablePeerAccess(peer, 0);
    if (e == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
        e = cudaSuccess;
    }
    cudaMemPool_t pool = nullptr;
    e = e == cudaSuccess ? cudaDeviceGetDefaultMemPool(&pool, peer) : e;
    if (e == cudaSuccess) {
        cudaMemAccessDesc access = {};
        access.location.type = cudaMemLocationTypeDevice;
        access.location.id = device;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        e = cudaMemPoolSetAccess(pool, &access, 1);
    }
    cuda_leave(previous);
    return ResultOf(e);
}

result cuda_set(void *to, int byte, uint64_t bytes, cuda_stream stream) {
    return ResultOf(cudaMemsetAsync(to, byte, bytes, stream));
}
