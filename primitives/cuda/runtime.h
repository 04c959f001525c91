// runtime.h: the CUDA runtime in plain C, for bigint/, which owns contexts: devices, memory and
// copies in stream order, streams and events. Built from runtime.cu if there is a CUDA toolkit,
// otherwise from runtime_stub.c, which always answers RESULT_NO_DEVICE.
//
// The functions below cuda_enter work on the calling thread's current device, which must be the
// stream's; so do the launches of every other room. A caller goes through cuda_enter and
// cuda_leave. RESULT_DEVICE_ERROR is explained by cuda_error. Nothing here waits unless it says
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
    CUDA_USABLE,
    CUDA_NOT_BUILT,  // this build has no CUDA
    CUDA_NO_DRIVER,  // none, one older than the build's runtime, or no device that it sees
    CUDA_ABSENT,     // no device has that ordinal
    CUDA_TOO_OLD,    // older than every architecture that kernels were compiled for
    CUDA_NO_POOLS,   // cannot allocate in stream order
    CUDA_FAILED,     // the runtime says why, by cuda_error
} cuda_state;

typedef struct {
    int count;            // of devices
    int architecture;     // 100 major + 10 minor of the compute capability: 900 for 9.0
    int oldest;           // the least architecture that this build has code for
    int multiprocessors;  // of this device, as what follows
    uint64_t l2_bytes, memory_bytes;
    char name[256];
} cuda_description;

// cuda_describe describes the device of that ordinal, and says whether this build can use it.
// What stands below the state's cause in the list above is filled in no further. Does not change
// the current device. Cost: the first call in a process starts the driver, which can take seconds.
cuda_state cuda_describe(int ordinal, cuda_description *out);

// cuda_error writes CUDA's message for the last call that failed on this thread, as
// "cudaErrorName: sentence", cut to cap characters with the NUL, and forgets it where it can be
// forgotten.
void cuda_error(char *text, size_t cap);

// cuda_enter makes a device current, with its CUDA context, and returns the previous one;
// cuda_leave makes that current again. Neither calls the driver if nothing changes.
result cuda_enter(int device, int *previous);
void cuda_leave(int previous);

// --- Streams -------------------------------------------------------------------------------------
// cuda_stream_create makes one that does not wait for the default stream; cuda_stream_create_first
// one whose kernels get multiprocessors that become free before those of other streams.
result cuda_stream_create(cuda_stream *out);
result cuda_stream_create_first(cuda_stream *out);
void cuda_stream_destroy(cuda_stream stream);
// cuda_stream_place is the ordinal of a stream's device.
result cuda_stream_place(cuda_stream stream, int *device);
// cuda_stream_wait waits until all enqueued work is done, and returns its first error.
result cuda_stream_wait(cuda_stream stream);
// cuda_stream_idle says whether all enqueued work is done.
result cuda_stream_idle(cuda_stream stream, bool *idle);

// Events mark a point of a stream. Waiting for one that was never recorded returns at once.
typedef struct CUevent_st *cuda_event;
result cuda_event_create(cuda_event *out);
void cuda_event_destroy(cuda_event event);  // NULL is allowed
result cuda_event_record(cuda_event event, cuda_stream stream);
result cuda_event_wait(cuda_event event);
// cuda_stream_follow: later work of the stream comes after everything that the event marks. The
// host does not wait. Where the event marks a point of work that is kept for a graph, so is the
// stream's from now on, until the graph's own stream follows an event behind it.
result cuda_stream_follow(cuda_stream stream, cuda_event event);

// Graphs: what was enqueued once, on one stream and those that follow it, is enqueued again by one
// call, which costs the host as much as one launch.
typedef struct CUgraphExec_st *cuda_graph;
// cuda_stream_recorded says whether the stream's work is being recorded into a graph.
result cuda_stream_recorded(cuda_stream stream, bool *recorded);
// cuda_graph_begin: from now on this thread's launches on the stream are recorded instead of run,
// until cuda_graph_end, which makes *out of them, or NULL if it fails.
result cuda_graph_begin(cuda_stream stream);
result cuda_graph_end(cuda_stream stream, cuda_graph *out);
// cuda_graph_root enqueues a launch that does nothing, for others that follow it on streams of
// their own: a graph that begins with one launch begins a microsecond or two before one that begins
// with several (H200).
result cuda_graph_root(cuda_stream stream);
// cuda_graph_run enqueues them. A graph runs once at a time, in stream order.
result cuda_graph_run(cuda_graph graph, cuda_stream stream);
// cuda_graph_destroy: a run under way ends first, without a wait. NULL is allowed.
void cuda_graph_destroy(cuda_graph graph);

// --- Memory --------------------------------------------------------------------------------------
// cuda_allocate returns memory that work enqueued from now on may use, aligned to 256 bytes, from
// the device's own pool. bytes > 0. RESULT_NO_MEMORY: nothing was done, and nothing is wrong.
result cuda_allocate(void **out, uint64_t bytes, cuda_stream stream);
// cuda_release frees it when the stream reaches this point. Any stream of the device will do if
// its work so far comes after every use. cuda_release_idle frees it at once; all uses must be
// over. NULL is allowed for both.
result cuda_release(void *p, cuda_stream stream);
result cuda_release_idle(void *p);
// cuda_pool_keep lets a device's own pool keep up to so many bytes of released memory for later
// allocations, also those of other users of the pool; what it keeps already is not made less.
// Without it the pool gives everything back whenever the host waits for the device. cuda_pool_trim
// gives back what is free and whose last use is over.
result cuda_pool_keep(int device, uint64_t bytes);
result cuda_pool_trim(int device);
// cuda_pin returns pinned host memory: copies are direct, and kernels may write to it.
// RESULT_NO_MEMORY as above.
result cuda_pin(void **out, uint64_t bytes);
void cuda_unpin(void *p);  // after all uses; NULL is allowed

// cuda_copy enqueues a copy between any of this device's memory and pinned memory. No overlap.
result cuda_copy(void *to, const void *from, uint64_t bytes, cuda_stream stream);
// cuda_copy_pinned does the same where the memory of the host, `from` if up, else `to`, is pinned
// in one piece, by cuda_pin or by the program's own calls of CUDA. If it is not, *enqueued is false
// and nothing was done. bytes > 0.
result cuda_copy_pinned(void *to, const void *from, uint64_t bytes, bool up, cuda_stream stream,
                        bool *enqueued);
// cuda_copy_rows enqueues a copy of rows that are so many bytes apart, at least row_bytes and below
// 2^31 where there are several rows; also to or from memory of a device that this one reaches.
result cuda_copy_rows(void *to, uint64_t to_stride, const void *from, uint64_t from_stride,
                      uint64_t row_bytes, uint64_t rows, cuda_stream stream);
// cuda_copy_between enqueues one from another device's memory; all writes there are over.
result cuda_copy_between(void *to, int to_device, const void *from, int from_device, uint64_t bytes,
                         cuda_stream stream);
// cuda_reach lets kernels and copies of a device touch the memory of another, its pool's and its
// own, from now on. *direct: whether the two can; if not, copies between them (cuda_copy_between)
// work all the same, by way of the host. A device reaches itself. Repeating it is harmless.
result cuda_reach(int device, int peer, bool *direct);
// cuda_set enqueues that every byte becomes `byte`.
result cuda_set(void *to, int byte, uint64_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_CUDA_RUNTIME_H_
