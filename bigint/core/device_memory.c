// device_memory.c: allocation for the device side of a context: device memory in stream order, and
// pinned memory. Workspace is counted by arena.c.
#include "bigint/core/device_memory.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"

enum { LENT_LINE = 256 };

static uint64_t lent_bytes(uint64_t bytes) {
    return (bytes + LENT_LINE - 1) / LENT_LINE * LENT_LINE;
}

// from_lent: the next bytes of lent memory, NULL if there are too few.
static void *from_lent(device_lent *lent, uint64_t bytes) {
    void *const p = lent->memory + lent->used;
    if (lent_bytes(bytes) > lent->bytes - lent->used) {
        return NULL;
    }
    lent->used += lent_bytes(bytes);
    return p;
}

static bool is_lent(const device_lent *lent, const void *p) {
    const uintptr_t at = (uintptr_t)p, from = lent == NULL ? 0 : (uintptr_t)lent->memory;
    return from != 0 && at >= from && at - from < lent->bytes;
}

static void *allocate(bigint_ctx *ctx, memory_kind kind, uint64_t bytes) {
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

void *device_allocate(bigint_ctx *ctx, uint64_t bytes) {
    device_lent *const lent = ctx->queue.lent;
    if (lent != NULL && lent->memory != NULL) {
        return from_lent(lent, bytes);
    }
    void *const p = allocate(ctx, MEMORY_DEVICE, bytes);
    if (lent != NULL) {
        lent->used += lent_bytes(bytes);
    }
    return p;
}

void *device_allocate_workspace(bigint_ctx *ctx, memory_kind kind, uint64_t bytes) {
    const device_lent *const lent = ctx->queue.lent;
    return lent != NULL && lent->memory != NULL ? NULL : allocate(ctx, kind, bytes);
}

void device_release(bigint_ctx *ctx, memory_kind kind, void *p) {
    if (device_forked(ctx) || is_lent(ctx->queue.lent, p)) {
        return;  // the parent frees it, or who lent it
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
