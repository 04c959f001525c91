// device_stream.c: the places that contexts can work on, the current device, CUDA's errors, waiting
// for the stream, and verdicts of checks.
#include "bigint/core/device_stream.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bigint/core/device_queue.h"

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
    if (ctx->failed == BIGINT_OK) {  // report the first error
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

bool device_forked(const bigint_ctx *ctx) { return ctx->device.process != getpid(); }

bigint_status device_check_process(bigint_ctx *ctx, const char *who) {
    if (ctx->failed == BIGINT_OK && device_forked(ctx)) {
        ctx->failed = bigint_fail(
            ctx, BIGINT_EDEVICE,
            "%s: process %ld opened device %d, and process %ld was forked from it: CUDA does not "
            "survive a fork; use a context on BIGINT_HOST, or fork before the first use of CUDA",
            who, (long)ctx->device.process, ctx->device.place, (long)getpid());
    }
    return ctx->failed;
}

bigint_status device_enter(bigint_ctx *ctx, const char *who) {
    if (device_forked(ctx)) {
        return device_check_process(ctx, who);
    }
    return device_status(ctx, who, cuda_enter(ctx->device.place, &ctx->queue.caller));
}

void device_leave(bigint_ctx *ctx) { cuda_leave(ctx->queue.caller); }

// --- Verdicts of checks --------------------------------------------------------------------------

void device_check_collect(bigint_ctx *ctx) {
    device_queue *q = &ctx->queue;
    if (q->report == NULL || q->report->wrong == 0) {
        return;
    }
    if (q->found.wrong == 0) {
        q->found = *q->report;
    }
    device_check_again(ctx);
}

bool device_check_again(bigint_ctx *ctx) {
    limbs_residue_report *const report = ctx->queue.report;
    const bool wrong = report->wrong > 0;
    ctx->counters.mismatches += report->wrong;
    memset(report, 0, sizeof *report);
    return wrong;
}

bigint_status device_check_verdict(bigint_ctx *ctx, const char *who) {
    device_queue *q = &ctx->queue;
    device_check_collect(ctx);
    if (q->found.wrong == 0) {
        return BIGINT_OK;
    }
    q->found.wrong = 0;
    return context_wrong_product(ctx, who, q->found.an, q->found.bn);
}
