// device_memory.c: allocation for the device side of a context: device memory in stream order, and
// pinned memory. Workspace is counted by arena.c.
#include "bigint/core/device_memory.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"

void *device_allocate(bigint_ctx *ctx, memory_kind kind, uint64_t bytes) {
    const char *who = "allocation of device memory";
    // CUDA reports absurd sizes as invalid arguments, which would look like a failure of the
    // device.
    if (bytes > ctx->device.about.memory_bytes) {
        return NULL;
    }
    ctx->counters.allocations++;
    void *p = NULL;
    int previous;
    result done = cuda_enter(ctx->queue.place, &previous);
    if (done == RESULT_OK) {
        done = kind == MEMORY_PINNED ? cuda_pin(&p, bytes)
                                     : cuda_allocate(&p, bytes, ctx->queue.stream);
        cuda_leave(previous);
    }
    if (done != RESULT_OK && done != RESULT_NO_MEMORY) {
        device_status(ctx, who, done);
    }
    return done == RESULT_OK ? p : NULL;
}

void device_release(bigint_ctx *ctx, memory_kind kind, void *p) {
    if (device_forked(ctx)) {
        return;  // the parent frees it
    }
    int previous;
    const result entered = cuda_enter(ctx->queue.place, &previous);
    if (kind == MEMORY_PINNED) {
        cuda_unpin(p);
    } else {
        device_status(ctx, "release of device memory", cuda_release(p, ctx->queue.stream));
    }
    if (entered == RESULT_OK) {
        cuda_leave(previous);
    }
}
