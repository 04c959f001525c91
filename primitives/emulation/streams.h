// streams.h: streams, events and graphs of the emulated runtime: what is kept and when it is done.
// Included through runtime.h only.
//
// The default stream does everything at once. Any other keeps what is enqueued, with
// arguments copied, until it is waited for: memory that is read too early still holds its pattern,
// memory that is freed or overwritten too early spoils the work that was to read it. Launches by
// LAUNCH do all of the stream's work first. In a random order of threads a stream sometimes does
// its work at once, so that missing waits for another stream show. A graph does its work in the
// order in which it was enqueued, on any stream. Threads may share streams and events: one call
// runs at a time.
#ifndef PRIMITIVES_EMULATION_STREAMS_H_
#define PRIMITIVES_EMULATION_STREAMS_H_

#include <deque>
#include <functional>

#include "primitives/emulation/devices.h"
#include "primitives/emulation/faults.h"
#include "primitives/emulation/scheduler.h"

enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

struct CUstream_st {
    std::deque<std::function<void()>> work;
    // Of a stream whose work is kept for a graph, not done: the one that the graph began with.
    CUstream_st *origin;
    uint64_t kept;    // of that graph's work, what came by this stream
    uint64_t joined;  // and what of it the origin waits for
    // Of such an origin: the graph's work, and the other streams that it came by.
    std::deque<std::function<void()>> recording;
    std::deque<CUstream_st *> others;
    int device;
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
    unsigned waits;             // of streams, that are to come
    bool destroyed;             // once there are none
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

inline void EndEvent(cudaEvent_t event) {
    if (event->destroyed && event->waits == 0) {
        delete event;
    }
}

// Does the work before the event's record of that number, counted from 1.
inline void Drain(cudaEvent_t event, uint64_t record) {
    while (event->reached < record) {
        RunNext(event->stream);
    }
}

inline int DeviceOf(cudaStream_t stream) {
    return stream != nullptr ? stream->device : CurrentDevice();
}

// The stream's device may be any.
inline cudaError_t EnqueueAnywhere(cudaStream_t stream, std::function<void()> work) {
    const Locked locked;
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

// The stream must be the current device's, which the work runs as.
inline cudaError_t Enqueue(cudaStream_t stream, std::function<void()> work) {
    const int device = DeviceOf(stream);
    if (device != CurrentDevice()) {
        Call();
        return Answer(cudaErrorInvalidResourceHandle);
    }
    return EnqueueAnywhere(stream, [=] {
        const Acting as(device);
        work();
    });
}

// What fails while the work is done shows in the call that waits for it. After a failure nothing
// is under way any more, so what has not been done is done now, kernels left out.
template <class... Waited>
inline cudaError_t Wait(Waited... for_these) {
    const Locked locked;
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

}  // namespace emulation

#endif  // PRIMITIVES_EMULATION_STREAMS_H_
