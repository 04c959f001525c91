// device.c: which devices contexts can work on, and a context's queue: its stream, whose device is
// current when, and what becomes of CUDA's errors. May include device.h.
#include "bigint/device/device.h"

#include <stdio.h>

#include "bigint/device/kernels/cluster_product.h"

bool device_place_usable(bigint_device *d, char *why, size_t cap) {
    cuda_description *const about = &d->about;
    const cuda_state state = cuda_describe(d->place, about);
    char cuda[128] = "";
    switch (state) {
        case CUDA_USABLE:
            return true;
        case CUDA_NOT_BUILT:
            snprintf(why, cap, "this library was built without CUDA; build it where nvcc is");
            break;
        case CUDA_NO_DRIVER:
            snprintf(
                why, cap,
                "no NVIDIA driver, one too old for this build, or no device; nvidia-smi tells");
            break;
        case CUDA_ABSENT:
            snprintf(why, cap, "there are %d devices, 0 to %d; choose one of them", about->count,
                     about->count - 1);
            break;
        case CUDA_TOO_OLD:
            snprintf(why, cap,
                     "compute capability %d.%d, and this build's kernels need %d.%d; build for it",
                     about->architecture / 100, about->architecture / 10 % 10, about->oldest / 100,
                     about->oldest / 10 % 10);
            break;
        case CUDA_NO_POOLS:
            snprintf(why, cap, "it cannot allocate in stream order; use another device");
            break;
        case CUDA_FAILED:
            cuda_error(cuda, sizeof cuda);
            snprintf(why, cap, "CUDA answers %s; nvidia-smi may tell more", cuda);
            break;
    }
    return false;
}

// --- Errors --------------------------------------------------------------------------------------

bigint_status device_status(bigint_ctx *ctx, const char *who, result done) {
    if (done == RESULT_OK) {
        return BIGINT_OK;
    }
    if (done == RESULT_NO_MEMORY) {
        return bigint_fail(ctx, BIGINT_ENOMEM, "%s: device %d or the host has no memory left", who,
                           ctx->device.place);
    }
    if (ctx->failed == BIGINT_OK) {  // the first error is the one to tell
        char cuda[160];
        cuda_error(cuda, sizeof cuda);
        ctx->failed = bigint_fail(ctx, BIGINT_EDEVICE,
                                  "%s: device %d failed with %s; destroy the context, and if new "
                                  "ones fail too, start the program anew",
                                  who, ctx->device.place, cuda);
    }
    return ctx->failed;
}

bigint_status device_wait(bigint_ctx *ctx, const char *who) {
    const bigint_status status = device_status(ctx, who, cuda_stream_wait(ctx->queue.stream));
    return status == BIGINT_OK ? device_check_verdict(ctx, who) : status;
}

// --- Lifetime ------------------------------------------------------------------------------------

bigint_status device_enter(bigint_ctx *ctx, const char *who) {
    return device_status(ctx, who, cuda_enter(ctx->device.place, &ctx->queue.caller));
}

void device_leave(bigint_ctx *ctx) { cuda_leave(ctx->queue.caller); }

// choose_stream: the caller's, if it is the device's, or one of the context's own.
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

bigint_status device_open(bigint_ctx *ctx) {
    bigint_status status = device_enter(ctx, "bigint_ctx_create");
    if (status == BIGINT_OK) {
        status = choose_stream(ctx);
        ctx->queue.open = status == BIGINT_OK;
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
    // After a failure too: what can be freed is freed, and nobody is left to tell of another one.
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
