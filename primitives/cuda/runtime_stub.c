// runtime_stub.c: runtime.h in a build without a CUDA toolkit.
#include <stdio.h>

#include "primitives/cuda/runtime.h"

cuda_state cuda_describe(int ordinal, cuda_description *out) {
    (void)ordinal;
    *out = (cuda_description){0};
    return CUDA_NOT_BUILT;
}

void cuda_error(char *text, size_t cap) { snprintf(text, cap, "built without CUDA"); }

result cuda_enter(int device, int *previous) {
    *previous = device;
    return RESULT_NO_DEVICE;
}
void cuda_leave(int previous) { (void)previous; }

result cuda_stream_create(cuda_stream *out) {
    *out = NULL;
    return RESULT_NO_DEVICE;
}
result cuda_stream_create_first(cuda_stream *out) { return cuda_stream_create(out); }
void cuda_stream_destroy(cuda_stream stream) { (void)stream; }
result cuda_stream_place(cuda_stream stream, int *device) {
    return (void)stream, (void)device, RESULT_NO_DEVICE;
}
result cuda_stream_wait(cuda_stream stream) { return (void)stream, RESULT_NO_DEVICE; }
result cuda_stream_idle(cuda_stream stream, bool *idle) {
    return (void)stream, (void)idle, RESULT_NO_DEVICE;
}

result cuda_event_create(cuda_event *out) {
    *out = NULL;
    return RESULT_NO_DEVICE;
}
void cuda_event_destroy(cuda_event event) { (void)event; }
result cuda_event_record(cuda_event event, cuda_stream stream) {
    return (void)event, (void)stream, RESULT_NO_DEVICE;
}
result cuda_event_wait(cuda_event event) { return (void)event, RESULT_NO_DEVICE; }
result cuda_stream_follow(cuda_stream stream, cuda_event event) {
    (void)event;
    return (void)stream, RESULT_NO_DEVICE;
}

result cuda_stream_recorded(cuda_stream stream, bool *recorded) {
    *recorded = false;
    return (void)stream, RESULT_NO_DEVICE;
}
result cuda_graph_begin(cuda_stream stream) { return (void)stream, RESULT_NO_DEVICE; }
result cuda_graph_end(cuda_stream stream, cuda_graph *out) {
    *out = NULL;
    return (void)stream, RESULT_NO_DEVICE;
}
result cuda_graph_root(cuda_stream stream) { return (void)stream, RESULT_NO_DEVICE; }
result cuda_graph_run(cuda_graph graph, cuda_stream stream) {
    return (void)graph, (void)stream, RESULT_NO_DEVICE;
}
void cuda_graph_destroy(cuda_graph graph) { (void)graph; }

result cuda_allocate(void **out, uint64_t bytes, cuda_stream stream) {
    *out = NULL;
    return (void)bytes, (void)stream, RESULT_NO_DEVICE;
}
result cuda_release(void *p, cuda_stream stream) { return (void)p, (void)stream, RESULT_NO_DEVICE; }
result cuda_release_idle(void *p) { return (void)p, RESULT_NO_DEVICE; }
result cuda_pool_keep(int device, uint64_t bytes) {
    return (void)device, (void)bytes, RESULT_NO_DEVICE;
}
result cuda_pool_trim(int device) { return (void)device, RESULT_NO_DEVICE; }
result cuda_pin(void **out, uint64_t bytes) {
    *out = NULL;
    return (void)bytes, RESULT_NO_DEVICE;
}
void cuda_unpin(void *p) { (void)p; }

result cuda_copy(void *to, const void *from, uint64_t bytes, cuda_stream stream) {
    return (void)to, (void)from, (void)bytes, (void)stream, RESULT_NO_DEVICE;
}
result cuda_copy_pinned(void *to, const void *from, uint64_t bytes, bool up, cuda_stream stream,
                        bool *enqueued) {
    *enqueued = false;
    return (void)up, cuda_copy(to, from, bytes, stream);
}
result cuda_copy_rows(void *to, uint64_t to_stride, const void *from, uint64_t from_stride,
                      uint64_t row_bytes, uint64_t rows, cuda_stream stream) {
    (void)to, (void)to_stride, (void)from, (void)from_stride;
    return (void)row_bytes, (void)rows, (void)stream, RESULT_NO_DEVICE;
}
result cuda_copy_between(void *to, int to_device, const void *from, int from_device, uint64_t bytes,
                         cuda_stream stream) {
    return (void)to, (void)to_device, (void)from, (void)from_device, (void)bytes, (void)stream,
           RESULT_NO_DEVICE;
}
result cuda_reach(int device, int peer, bool *direct) {
    *direct = false;
    return (void)device, (void)peer, RESULT_NO_DEVICE;
}
result cuda_set(void *to, int byte, uint64_t bytes, cuda_stream stream) {
    return (void)to, (void)byte, (void)bytes, (void)stream, RESULT_NO_DEVICE;
}
