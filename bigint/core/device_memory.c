// device_memory.c: allocation for the device side of a context: device memory in stream order, and
// pinned memory. Workspace is counted by arena.c.
#include "bigint/core/device_memory.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"

enum { LENT_LINE = 256 };

static uint64_t lent_bytes(uint64_t bytes) {
    return (bytes + LENT_LINE - 1) / LENT_LINE * LENT_LINE;
}

// lend: a block of these bytes in the first gap that has room. NULL if there are too many blocks.
static lent_block *lend(device_lent *lent, uint64_t bytes) {
    uint64_t from = 0;
    unsigned i = 0;
    for (; i < lent->count && lent->blocks[i].from - from < bytes; i++) {
        from = lent->blocks[i].from + lent->blocks[i].bytes;
    }
    if (lent->count == LENT_BLOCKS) {
        lent->used = DEVICE_LENT_REFUSED;
        return NULL;
    }
    lent_block *const block = &lent->blocks[i];
    memmove(block + 1, block, (lent->count++ - i) * sizeof *block);
    *block = (lent_block){.from = from, .bytes = bytes};
    lent->used = from + bytes > lent->used ? from + bytes : lent->used;
    return block;
}

// take_back: whether p is a block, and forgets it then.
static bool take_back(device_lent *lent, const void *p) {
    for (unsigned i = 0; lent != NULL && i < lent->count; i++) {
        if (lent->blocks[i].p == p) {
            memmove(lent->blocks + i, lent->blocks + i + 1,
                    (--lent->count - i) * sizeof *lent->blocks);
            return true;
        }
    }
    return false;
}

// from_lent: lent memory, NULL if there is too little.
static void *from_lent(device_lent *lent, uint64_t bytes) {
    lent_block *const block = lend(lent, lent_bytes(bytes));
    if (block == NULL || lent->used > lent->bytes) {
        return NULL;
    }
    block->p = lent->memory + block->from;
    return lent->memory + block->from;
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
    lent_block *const block = lent != NULL && p != NULL ? lend(lent, lent_bytes(bytes)) : NULL;
    if (block != NULL) {
        block->p = p;
    }
    ctx->queue.no_room = p == NULL;
    return p;
}

void *device_allocate_workspace(bigint_ctx *ctx, memory_kind kind, uint64_t bytes) {
    const device_lent *const lent = ctx->queue.lent;
    return lent != NULL && lent->memory != NULL ? NULL : allocate(ctx, kind, bytes);
}

void device_release(bigint_ctx *ctx, memory_kind kind, void *p) {
    device_lent *const lent = ctx->queue.lent;
    if (device_forked(ctx) || (take_back(lent, p) && lent->memory != NULL)) {
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
