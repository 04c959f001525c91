// runtime.h: the part of the CUDA runtime that the rooms and their tests call, for the host
// emulation: devices whose memory is the host's, one or several (devices.h), and their streams
// (streams.h). Included through primitives/cuda/device.cuh only.
#ifndef PRIMITIVES_EMULATION_RUNTIME_H_
#define PRIMITIVES_EMULATION_RUNTIME_H_

#include <cstdlib>
#include <cstring>
#include <functional>

#include "primitives/emulation/devices.h"
#include "primitives/emulation/faults.h"
#include "primitives/emulation/streams.h"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMemoryPoolsSupported = 115,
};
enum { cudaHostAllocPortable = 1 };

namespace emulation {

// A device's memory. More in one piece is an argument that is not valid.
constexpr size_t kMemory = size_t{1} << 36;

// make returns nullptr where there is no memory.
inline cudaError_t Allocate(void **p, size_t bytes, const std::function<void *()> &make) {
    Faults &f = TheFaults();
    const cudaError_t error = Call();
    if (error != cudaSuccess) {
        return error;
    }
    if (bytes > kMemory) {
        return Answer(cudaErrorInvalidValue);
    }
    const bool fails = f.allocation > 0 && --f.allocation == 0;
    *p = fails ? nullptr : make();
    if (*p == nullptr) {
        return Answer(cudaErrorMemoryAllocation);
    }
    f.live++;
    return cudaSuccess;
}

inline void Release(void *p) {
    TheFaults().live -= p != nullptr ? 1 : 0;
    FreeMemory(p);
}

}  // namespace emulation

// --- Devices, all alike --------------------------------------------------------------------------
inline cudaError_t cudaGetDeviceCount(int *count) {
    return *count = emulation::DeviceCount(), emulation::Call();
}
inline cudaError_t cudaGetDevice(int *device) {
    return *device = emulation::CurrentDevice(), emulation::Call();
}
inline cudaError_t cudaSetDevice(int device) {
    const cudaError_t error = emulation::Call();
    if (error == cudaSuccess && (device < 0 || device >= emulation::DeviceCount())) {
        return emulation::Answer(cudaErrorInvalidDevice);
    }
    emulation::SetCurrentDevice(error == cudaSuccess ? device : emulation::CurrentDevice());
    return error;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor:
            return *value = 9, cudaSuccess;
        case cudaDevAttrComputeCapabilityMinor:
            return *value = 0, cudaSuccess;
        case cudaDevAttrMemoryPoolsSupported:
            return *value = 1, cudaSuccess;
        case cudaDevAttrL2CacheSize:
            return *value = 1 << 20, cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return *value = 232448, cudaSuccess;
        default:  // multiprocessors: few, so that small inputs take the paths of large ones
            return *value = 2, cudaSuccess;
    }
}
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
};
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
    *p = {"kernel emulation", emulation::kMemory};
    return emulation::Call();
}
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};
template <class K>
inline cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute, int) {
    return cudaSuccess;
}

// --- Memory --------------------------------------------------------------------------------------
template <class T>
inline cudaError_t cudaMalloc(T **p, size_t bytes) {
    return emulation::Allocate((void **)p, bytes, [=] {
        return emulation::NewMemory(emulation::kPlain, emulation::CurrentDevice(), bytes);
    });
}
inline cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream) {
    return emulation::Allocate(p, bytes, [=] {
        return emulation::NewMemory(emulation::kPool, emulation::DeviceOf(stream), bytes);
    });
}
inline cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned) {
    return emulation::Allocate(p, bytes, [=] { return emulation::NewHostMemory(bytes); });
}
// Memory is freed even after a failure, so that a test that injects failures can look for leaks.
inline cudaError_t cudaFree(void *p) { return emulation::Release(p), emulation::Call(); }
inline cudaError_t cudaFreeHost(void *p) { return emulation::Release(p), emulation::Call(); }
inline cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
    if (stream == nullptr) {
        return cudaFree(p);
    }
    const emulation::Locked locked;
    stream->work.push_back([=] { emulation::Release(p); });
    return emulation::Call();
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                   cudaStream_t stream) {
    return emulation::Enqueue(stream, [=] { memmove(to, from, bytes); });
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from,
                                     size_t from_stride, size_t row_bytes, size_t rows,
                                     cudaMemcpyKind, cudaStream_t stream) {
    if (row_bytes > to_stride || row_bytes > from_stride || (to_stride | from_stride) >> 31 != 0) {
        emulation::Call();
        return emulation::Answer(cudaErrorInvalidValue);
    }
    return emulation::Enqueue(stream, [=] {
        for (size_t i = 0; i < rows; i++) {
            memmove((char *)to + i * to_stride, (const char *)from + i * from_stride, row_bytes);
        }
    });
}
// Needs no access, but the memory of the devices named.
inline cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                       size_t bytes, cudaStream_t stream) {
    if (!emulation::Owns(to_device, to) || !emulation::Owns(from_device, from)) {
        emulation::Call();
        return emulation::Answer(cudaErrorInvalidValue);
    }
    return emulation::EnqueueAnywhere(stream, [=] {
        const emulation::Acting as(emulation::kAnyDevice);
        memmove(to, from, bytes);
    });
}
inline cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream) {
    return emulation::Enqueue(stream, [=] { memset(to, byte, bytes); });
}

// --- Access to the memory of other devices -------------------------------------------------------
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1 };
enum cudaMemAccessFlags { cudaMemAccessFlagsProtReadWrite = 3 };
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
struct CUmemPool_st {
    int device;
};
typedef CUmemPool_st *cudaMemPool_t;

inline cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return *can = device != peer, emulation::Call();
}
inline cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    const cudaError_t error = emulation::Call();
    const int device = emulation::CurrentDevice();
    if (error == cudaSuccess && peer == device) {
        return emulation::Answer(cudaErrorInvalidDevice);
    }
    return error != cudaSuccess || emulation::Grant(emulation::kPlain, peer, device)
               ? error
               : emulation::Answer(cudaErrorPeerAccessAlreadyEnabled);
}
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    static CUmemPool_st pools[emulation::kMaxDevices];
    pools[device].device = device;
    return *pool = &pools[device], emulation::Call();
}
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *to,
                                        size_t count) {
    const cudaError_t error = emulation::Call();
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        emulation::Grant(emulation::kPool, pool->device, to[i].location.id);
    }
    return error;
}

// --- Streams -------------------------------------------------------------------------------------
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    const cudaError_t error = emulation::Call();
    *stream = error == cudaSuccess ? new CUstream_st() : nullptr;
    if (*stream != nullptr) {
        (*stream)->device = emulation::CurrentDevice();
    }
    return error;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return emulation::Wait(stream); }
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const emulation::Locked locked;
    const cudaError_t error = emulation::Call();
    return error != cudaSuccess || stream == nullptr || stream->work.empty() ? error
                                                                             : cudaErrorNotReady;
}
inline cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
    return *device = emulation::DeviceOf(stream), emulation::Call();
}
// Releases that were enqueued take place even after a failure.
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const emulation::Locked locked;
    emulation::Drain(stream);
    delete stream;
    return emulation::Call();
}

// --- Graphs of kernels, copies and fills ---------------------------------------------------------
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    const bool recorded = stream != nullptr && stream->origin != nullptr;
    *status = recorded ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return emulation::Call();
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    const cudaError_t error = emulation::Call();
    stream->origin = error == cudaSuccess ? stream : nullptr;
    return error;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    cudaError_t error = emulation::Call();
    for (const cudaStream_t other : stream->others) {
        if (other->joined < other->kept && error == cudaSuccess) {
            error = emulation::Answer(cudaErrorStreamCaptureUnjoined);
        }
        other->origin = nullptr;
    }
    *graph = error == cudaSuccess ? new CUgraph_st{stream->recording} : nullptr;
    stream->origin = nullptr;
    stream->recording.clear();
    stream->others.clear();
    return error;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned) {
    const cudaError_t error = emulation::Call();
    *exec = error == cudaSuccess ? new CUgraphExec_st{graph->work} : nullptr;
    return error;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return emulation::Call();
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    delete exec;
    return emulation::Call();
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    const emulation::Locked locked;
    const cudaError_t error = emulation::Call();
    if (error == cudaSuccess) {
        stream->work.insert(stream->work.end(), exec->work.begin(), exec->work.end());
    }
    return error;
}

// --- Events --------------------------------------------------------------------------------------
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    const cudaError_t error = emulation::Call();
    *event = error == cudaSuccess ? new CUevent_st() : nullptr;
    return error;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const emulation::Locked locked;
    event->stream = stream;
    event->origin = stream != nullptr ? stream->origin : nullptr;
    if (event->origin != nullptr) {
        event->kept = stream->kept;
        return emulation::Call();
    }
    event->records++;
    const cudaError_t error = emulation::EnqueueAnywhere(stream, [=] { event->reached++; });
    event->records -= error != cudaSuccess ? 1 : 0;
    return error;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const emulation::Locked locked;
    return emulation::Wait(event, event->records);
}
// A stream that waits for a part of a graph becomes one of those that the graph's work comes by,
// and must be waited for in turn before the graph ends.
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    const emulation::Locked locked;
    const uint64_t record = event->records;
    if (event->origin == nullptr && stream->origin == nullptr) {
        event->waits++;
        const cudaError_t enqueued = emulation::EnqueueAnywhere(stream, [=] {
            emulation::Drain(event, record);
            event->waits--;
            emulation::EndEvent(event);
        });
        event->waits -= enqueued != cudaSuccess ? 1 : 0;
        return enqueued;
    }
    const cudaError_t error = emulation::Call();
    if (error != cudaSuccess) {
        return error;
    }
    if (event->origin == nullptr ||
        (stream->origin != nullptr && stream->origin != event->origin)) {
        return emulation::Answer(cudaErrorStreamCaptureIsolation);
    }
    if (stream->origin == nullptr) {
        stream->origin = event->origin;
        stream->kept = stream->joined = 0;
        stream->origin->others.push_back(stream);
    } else if (stream == stream->origin) {
        event->stream->joined = event->kept;
    }
    return cudaSuccess;
}
// What streams have not reached yet they reach before. Streams may still wait for it.
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const emulation::Locked locked;
    emulation::Drain(event, event->records);
    event->destroyed = true;
    emulation::EndEvent(event);
    return emulation::Call();
}
inline cudaError_t cudaDeviceSynchronize() { return emulation::Call(); }

#endif  // PRIMITIVES_EMULATION_RUNTIME_H_
