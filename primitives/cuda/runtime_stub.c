// runtime_stub.c: runtime.h in a build without a CUDA toolkit.
#include <stdio.h>

#include "primitives/cuda/runtime.h"

device_state device_describe(int ordinal, device_description *out) {
    (void)ordinal;
    *out = (device_description){0};
    return DEVICE_NOT_BUILT;
}

void device_error(char *text, size_t cap) { snprintf(text, cap, "built without CUDA"); }

result device_enter(int device, int *previous) {
    *previous = device;
    return RESULT_NO_DEVICE;
}
void device_leave(int previous) { (void)previous; }

result device_stream_create(device_stream *out) {
    *out = NULL;
    return RESULT_NO_DEVICE;
}
void device_stream_destroy(device_stream stream) { (void)stream; }
result device_stream_place(device_stream stream, int *device) {
    return (void)stream, (void)device, RESULT_NO_DEVICE;
}
result device_stream_wait(device_stream stream) { return (void)stream, RESULT_NO_DEVICE; }
result device_stream_idle(device_stream stream, bool *idle) {
    return (void)stream, (void)idle, RESULT_NO_DEVICE;
}

result device_event_create(device_event *out) {
    *out = NULL;
    return RESULT_NO_DEVICE;
}
void device_event_destroy(device_event event) { (void)event; }
result device_event_record(device_event event, device_stream stream) {
    return (void)event, (void)stream, RESULT_NO_DEVICE;
}
result device_event_wait(device_event event) { return (void)event, RESULT_NO_DEVICE; }
result device_stream_follow(device_stream stream, device_event event) {
    (void)event;
    return (void)stream, RESULT_NO_DEVICE;
}

result device_stream_recorded(device_stream stream, bool *recorded) {
    *recorded = false;
    return (void)stream, RESULT_NO_DEVICE;
}
result device_graph_begin(device_stream stream) { return (void)stream, RESULT_NO_DEVICE; }
result device_graph_end(device_stream stream, device_graph *out) {
    *out = NULL;
    return (void)stream, RESULT_NO_DEVICE;
}
result device_graph_root(device_stream stream) { return (void)stream, RESULT_NO_DEVICE; }
result device_graph_run(device_graph graph, device_stream stream) {
    return (void)graph, (void)stream, RESULT_NO_DEVICE;
}
void device_graph_destroy(device_graph graph) { (void)graph; }

result device_allocate(void **out, uint64_t bytes, device_stream stream) {
    *out = NULL;
    return (void)bytes, (void)stream, RESULT_NO_DEVICE;
}
result device_release(void *p, device_stream stream) {
    return (void)p, (void)stream, RESULT_NO_DEVICE;
}
result device_release_idle(void *p) { return (void)p, RESULT_NO_DEVICE; }
result device_pin(void **out, uint64_t bytes) {
    *out = NULL;
    return (void)bytes, RESULT_NO_DEVICE;
}
void device_unpin(void *p) { (void)p; }

result device_copy(void *to, const void *from, uint64_t bytes, device_stream stream) {
    return (void)to, (void)from, (void)bytes, (void)stream, RESULT_NO_DEVICE;
}
result device_copy_between(void *to, int to_device, const void *from, int from_device,
                           uint64_t bytes, device_stream stream) {
    return (void)to, (void)to_device, (void)from, (void)from_device, (void)bytes, (void)stream,
           RESULT_NO_DEVICE;
}
result device_set(void *to, int byte, uint64_t bytes, device_stream stream) {
    return (void)to, (void)byte, (void)bytes, (void)stream, RESULT_NO_DEVICE;
}
