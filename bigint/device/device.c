// device.c: the device side of a context: opening and closing it, and freeing its idle memory.
#include "bigint/device/device.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/branches.h"
#include "bigint/device/check.h"
#include "bigint/device/kernels/cluster/product.h"
#include "bigint/device/recording.h"
#include "bigint/device/replay.h"
#include "bigint/device/tables.h"

// choose_stream: the caller's stream, if it belongs to the device, or a new one for the context.
static bigint_status choose_stream(bigint_ctx *ctx) {
    const char *who = "bigint_ctx_create";
    device_queue *q = &ctx->queue;
    q->stream = ctx->options.stream;
    if (q->stream == NULL) {
        q->owned = true;
        return device_status(ctx, who, cuda_stream_create(&q->stream));
    }
    int place = 0;
    const bigint_status status = device_status(ctx, who, cuda_stream_place(q->stream, &place));
    if (status == BIGINT_OK && place != ctx->device.place) {
        return bigint_fail(ctx, BIGINT_EINVAL,
                           "options.stream: the stream is device %d's, the context works on place "
                           "%d; open that place",
                           place, ctx->device.place);
    }
    return status;
}

// KEPT: of the device's memory, the part up to which its pool keeps what is released. Otherwise
// each call that waits, such as a division for a length, would give back what the next one needs.
enum { KEPT = 4 };

bigint_status device_open(bigint_ctx *ctx) {
    const char *const who = "bigint_ctx_create";
    ctx->queue.place = ctx->device.place;
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        status = choose_stream(ctx);
        ctx->queue.open = status == BIGINT_OK;
        if (status == BIGINT_OK) {
            const uint64_t kept = ctx->device.about.memory_bytes / KEPT;
            status = device_status(ctx, who, cuda_pool_keep(ctx->device.place, kept));
        }
        ctx->queue.memory.kind = MEMORY_DEVICE;
        ctx->queue.cluster = cluster_product_blocks();
        ctx->queue.clusters = ctx->queue.cluster > 0;
        device_leave(ctx);
    }
    return status;
}

void device_close(bigint_ctx *ctx) {
    device_queue *q = &ctx->queue;
    if (!q->open) {
        return;
    }
    // After a failure too: free what can be freed. There is no call left to report another failure.
    const bigint_status entered = device_enter(ctx, "bigint_ctx_destroy");
    device_trim(ctx);
    if (q->owned) {
        cuda_stream_destroy(q->stream);
    }
    if (entered == BIGINT_OK) {
        device_leave(ctx);
    }
    q->open = false;
}

// forget drops CUDA's objects, which in a forked child are the parent's. Pinned memory, such as the
// report, may not even be mapped there.
static void forget(device_queue *q) {
    memset(q->replays, 0, sizeof q->replays);
    for (unsigned i = 0; i < RECORDINGS; i++) {
        q->recordings[i].graph = NULL;
    }
    memset(q->branch, 0, sizeof q->branch);
    q->ahead = (branch){0};
    memset(q->ring.passed, 0, sizeof q->ring.passed);
    memset(q->long_ring.passed, 0, sizeof q->long_ring.passed);
    q->recorder = NULL;
    q->forked = NULL;
    q->answered = NULL;
    q->owned = false;
}

void device_trim(bigint_ctx *ctx) {
    if (device_forked(ctx)) {
        forget(&ctx->queue);
    } else {
        device_status(ctx, "bigint_ctx_trim", cuda_stream_wait(ctx->queue.stream));
        device_check_collect(ctx);
    }
    device_recordings_trim(ctx);
    device_replay_trim(ctx);
    device_branches_trim(ctx);
    cuda_event_destroy(ctx->queue.answered);
    ctx->queue.answered = NULL;
    arena_trim(ctx);
    device_tables_trim(ctx);
    device_check_trim(ctx);
    device_staging_trim(ctx);
    if (!device_forked(ctx)) {  // after what was released just now
        const char *const who = "bigint_ctx_trim";
        const bigint_status status = device_status(ctx, who, cuda_stream_wait(ctx->queue.stream));
        if (status == BIGINT_OK) {
            device_status(ctx, who, cuda_pool_trim(ctx->device.place));
        }
    }
}
