// runtime.h: the CUDA runtime in plain C, for bigint/, which owns contexts: devices, memory and
// copies in stream order, streams and events. Built from runtime.cu if there is a CUDA toolkit,
// otherwise from runtime_stub.c, which always answers RESULT_NO_DEVICE.
//
// The functions below device_enter work on the calling thread's current device, which must be the
// stream's; so do the launches of every other room. A caller goes through device_enter and
// device_leave. RESULT_DEVICE_ERROR is explained by device_error. Nothing here waits unless it says
// so. Cost: that of the one runtime call behind each.
#ifndef PRIMITIVES_CUDA_RUNTIME_H_
#define PRIMITIVES_CUDA_RUNTIME_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    DEVICE_USABLE,
    DEVICE_NOT_BUILT,  // this build has no CUDA
    DEVICE_NO_DRIVER,  // none, one older than the build's runtime, or no device that it sees
    DEVICE_ABSENT,     // no device has that ordinal
    DEVICE_TOO_OLD,    // older than every architecture that kernels were compiled for
    DEVICE_NO_POOLS,   // cannot allocate in stream order
    DEVICE_FAILED,     // the runtime says why, by device_error
} device_state;

typedef struct {
    int count;            // of devices
    int architecture;     // 100 major + 10 minor of the compute capability: 900 for 9.0
    int oldest;           // the least architecture that this build has code for
    int multiprocessors;  // of this device, as what follows
    uint64_t l2_bytes, memory_bytes;
    char name[256];
} device_description;

// device_describe describes the device of that ordinal, and says whether this build can use it.
// What stands below the state's cause in the list above is filled in no further. Does not change
// the current device. Cost: the first call in a process starts the driver, which can take seconds.
device_state device_describe(int ordinal, device_description *out);

// device_error writes CUDA's message for the last call that failed on this thread, as
// "cudaErrorName: sentence", cut to cap characters with the NUL, and forgets it where it can be
// forgotten.
void device_error(char *text, size_t cap);

// device_enter makes a device current, with its CUDA context, and returns the previous one;
// device_leave makes that current again. Neither calls the driver if nothing changes.
result device_enter(int device, int *previous);
void device_leave(int previous);

// --- Streams -------------------------------------------------------------------------------------
// device_stream_create makes one that does not wait for the default stream.
result device_stream_create(device_stream *out);
void device_stream_destroy(device_stream stream);
// device_stream_place is the ordinal of a stream's device.
result device_stream_place(device_stream stream, int *device);
// device_stream_wait waits until all enqueued work is done, and returns its first error.
result device_stream_wait(device_stream stream);
// device_stream_idle says whether all enqueued work is done.
result device_stream_idle(device_stream stream, bool *idle);

// Events mark a point of a stream. Waiting for one that was never recorded returns at once.
typedef struct CUevent_st *device_event;
result device_event_create(device_event *out);
void device_event_destroy(device_event event);  // NULL is allowed
result device_event_record(device_event event, device_stream stream);
result device_event_wait(device_event event);
// device_stream_follow: later work of the stream comes after everything that the event marks. The
// host does not wait. Where the event marks a point of work that is kept for a graph, so is the
// stream's from now on, until the graph's own stream follows an event behind it.
result device_stream_follow(device_stream stream, device_event event);

// Graphs: what was enqueued once, on one stream and those that follow it, is enqueued again by one
// call, which costs the host as much as one launch.
typedef struct CUgraphExec_st *device_graph;
// device_stream_recorded says whether the stream's work is being recorded into a graph.
result device_stream_recorded(device_stream stream, bool *recorded);
// device_graph_begin: from now on this thread's launches on the stream are recorded instead of run,
// until device_graph_end, which makes *out of them, or NULL if it fails.
result device_graph_begin(device_stream stream);
result device_graph_end(device_stream stream, device_graph *out);
// device_graph_root enqueues a launch that does nothing, for others that follow it on streams of
// their own: a graph that begins with one launch begins a microsecond or two before one that begins
// with several (H200).
result device_graph_root(device_stream stream);
// device_graph_run enqueues them. A graph runs once at a time, in stream order.
result device_graph_run(device_graph graph, device_stream stream);
void device_graph_destroy(device_graph graph);  // after all runs; NULL is allowed

// --- Memory --------------------------------------------------------------------------------------
// device_allocate returns memory that work enqueued from now on may use, aligned to 256 bytes, from
// the device's own pool. bytes > 0. RESULT_NO_MEMORY: nothing was done, and nothing is wrong.
result device_allocate(void **out, uint64_t bytes, device_stream stream);
// device_release frees it when the stream reaches this point. Any stream of the device will do if
// its work so far comes after every use. device_release_idle frees it at once; all uses must be
// over. NULL is allowed for both.
result device_release(void *p, device_stream stream);
result device_release_idle(void *p);
// device_pin returns pinned host memory: copies are direct, and kernels may write to it.
// RESULT_NO_MEMORY as above.
result device_pin(void **out, uint64_t bytes);
void device_unpin(void *p);  // after all uses; NULL is allowed

// device_copy enqueues a copy between any of this device's memory and pinned memory. No overlap.
result device_copy(void *to, const void *from, uint64_t bytes, device_stream stream);
// device_copy_between enqueues one from another device's memory; all writes there are over.
result device_copy_between(void *to, int to_device, const void *from, int from_device,
                           uint64_t bytes, device_stream stream);
// device_set enqueues that every byte becomes `byte`.
result device_set(void *to, int byte, uint64_t bytes, device_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_CUDA_RUNTIME_H_
