// runtime.h: the part of the CUDA runtime that the rooms and their tests call, for the host
// emulation: one device whose memory is the host's. Included through primitives/cuda/device.cuh
// only.
//
// Streams. The default stream does everything at once. Any other keeps what is enqueued, with
// arguments copied, until it is waited for: memory that is read too early still holds its pattern,
// memory that is freed or overwritten too early spoils the work that was to read it. Launches by
// LAUNCH do all of the stream's work first. In a random order of threads a stream sometimes does
// its work at once, so that missing waits for another stream show. A graph does its work in the
// order in which it was enqueued, on any stream.
#ifndef PRIMITIVES_EMULATION_RUNTIME_H_
#define PRIMITIVES_EMULATION_RUNTIME_H_

#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>

#include "primitives/emulation/faults.h"
#include "primitives/emulation/scheduler.h"

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
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostAllocPortable = 1 };

struct CUstream_st {
    std::deque<std::function<void()>> work;
    // Of a stream whose work is kept for a graph, not done: the one that the graph began with.
    CUstream_st *origin;
    uint64_t kept;    // of that graph's work, what came by this stream
    uint64_t joined;  // and what of it the origin waits for
    // Of such an origin: the graph's work, and the other streams that it came by.
    std::deque<std::function<void()>> recording;
    std::deque<CUstream_st *> others;
};
struct CUgraph_st {
    std::deque<std::function<void()>> work;
};
struct CUgraphExec_st {
    std::deque<std::function<void()>> work;
};
typedef CUgraph_st *cudaGraph_t;
typedef CUgraphExec_st *cudaGraphExec_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
typedef CUstream_st *cudaStream_t;
struct CUevent_st {
    CUstream_st *stream;        // of the last record
    CUstream_st *origin;        // where that is part of a graph
    uint64_t kept;              // and what of the graph's work came by the stream before
    uint64_t records, reached;  // that are not part of one; those that their stream has reached
};
typedef CUevent_st *cudaEvent_t;

namespace emulation {

inline void RunNext(cudaStream_t stream) {
    const std::function<void()> next = std::move(stream->work.front());
    stream->work.pop_front();
    next();
}

inline void Drain(cudaStream_t stream) {
    while (stream != nullptr && !stream->work.empty()) {
        RunNext(stream);
    }
}

// Does the work before the event's record of that number, counted from 1.
inline void Drain(cudaEvent_t event, uint64_t record) {
    while (event->reached < record) {
        RunNext(event->stream);
    }
}

inline cudaError_t Enqueue(cudaStream_t stream, std::function<void()> work) {
    const cudaError_t error = Call();
    if (error != cudaSuccess) {
        return error;
    }
    if (stream == nullptr) {
        work();
    } else if (stream->origin != nullptr) {
        stream->origin->recording.push_back(std::move(work));
        stream->kept++;
    } else {
        stream->work.push_back(std::move(work));
        if (Hastes()) {
            Drain(stream);
        }
    }
    return cudaSuccess;
}

// What fails while the work is done shows in the call that waits for it. After a failure nothing
// is under way any more, so what has not been done is done now, kernels left out.
template <class... Waited>
inline cudaError_t Wait(Waited... for_these) {
    Call();
    Drain(for_these...);
    return Answer(TheFaults().sticky);
}

// As Launch of scheduler.h.
template <class F>
inline void LaunchKernel(const Shape &shape, F kernel) {
    if (Call() != cudaSuccess) {
        return;
    }
    if (!Launch(
            shape, [](void *f) { (*(F *)f)(); }, &kernel)) {
        Answer(cudaErrorInvalidConfiguration);
    }
    Faults &f = TheFaults();
    if (f.flip > 0 && --f.flip == 0) {
        *f.word ^= f.bits;
    }
}

// The device's memory. More in one piece is an argument that is not valid.
constexpr size_t kMemory = size_t{1} << 36;

inline cudaError_t Allocate(void **p, size_t bytes) {
    Faults &f = TheFaults();
    const cudaError_t error = Call();
    if (error != cudaSuccess) {
        return error;
    }
    if (bytes > kMemory) {
        return Answer(cudaErrorInvalidValue);
    }
    const bool fails = f.allocation > 0 && --f.allocation == 0;
    *p = fails ? nullptr : aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*p == nullptr) {
        return Answer(cudaErrorMemoryAllocation);
    }
    memset(*p, 0xA5, bytes);
    f.live++;
    return cudaSuccess;
}

inline void Release(void *p) {
    TheFaults().live -= p != nullptr ? 1 : 0;
    free(p);
}

}  // namespace emulation

// --- The device ----------------------------------------------------------------------------------
inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, emulation::Call(); }
inline cudaError_t cudaGetDevice(int *device) { return *device = 0, emulation::Call(); }
inline cudaError_t cudaSetDevice(int device) {
    const cudaError_t error = emulation::Call();
    return error == cudaSuccess && device != 0 ? emulation::Answer(cudaErrorInvalidDevice) : error;
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
    return emulation::Allocate((void **)p, bytes);
}
inline cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t) {
    return emulation::Allocate(p, bytes);
}
inline cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned) {
    return emulation::Allocate(p, bytes);
}
// Memory is freed even after a failure, so that a test that injects failures can look for leaks.
inline cudaError_t cudaFree(void *p) { return emulation::Release(p), emulation::Call(); }
inline cudaError_t cudaFreeHost(void *p) { return emulation::Release(p), emulation::Call(); }
inline cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
    if (stream == nullptr) {
        return cudaFree(p);
    }
    stream->work.push_back([=] { emulation::Release(p); });
    return emulation::Call();
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                   cudaStream_t stream) {
    return emulation::Enqueue(stream, [=] { memmove(to, from, bytes); });
}
inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                       cudaStream_t stream) {
    return emulation::Enqueue(stream, [=] { memmove(to, from, bytes); });
}
inline cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream) {
    return emulation::Enqueue(stream, [=] { memset(to, byte, bytes); });
}

// --- Streams -------------------------------------------------------------------------------------
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    const cudaError_t error = emulation::Call();
    *stream = error == cudaSuccess ? new CUstream_st() : nullptr;
    return error;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return emulation::Wait(stream); }
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const cudaError_t error = emulation::Call();
    return error != cudaSuccess || stream == nullptr || stream->work.empty() ? error
                                                                             : cudaErrorNotReady;
}
inline cudaError_t cudaStreamGetDevice(cudaStream_t, int *device) {
    return *device = 0, emulation::Call();
}
// Releases that were enqueued take place even after a failure.
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
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
    event->stream = stream;
    event->origin = stream != nullptr ? stream->origin : nullptr;
    if (event->origin != nullptr) {
        event->kept = stream->kept;
        return emulation::Call();
    }
    event->records++;
    const cudaError_t error = emulation::Enqueue(stream, [=] { event->reached++; });
    event->records -= error != cudaSuccess ? 1 : 0;
    return error;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return emulation::Wait(event, event->records);
}
// A stream that waits for a part of a graph becomes one of those that the graph's work comes by,
// and must be waited for in turn before the graph ends.
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    const uint64_t record = event->records;
    if (event->origin == nullptr && stream->origin == nullptr) {
        return emulation::Enqueue(stream, [=] { emulation::Drain(event, record); });
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
// What streams have not reached yet they reach before.
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    emulation::Drain(event, event->records);
    delete event;
    return emulation::Call();
}
inline cudaError_t cudaDeviceSynchronize() { return emulation::Call(); }

#endif  // PRIMITIVES_EMULATION_RUNTIME_H_
