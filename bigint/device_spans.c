// device_spans.c: what batches on a device need beside their kernels: the lists of ragged spans
// there, and workspace by a plan that gives way to a cap. May include batch.h and device.h.
#include "bigint/batch.h"
#include "bigint/device.h"

// upload_list: {at + 1, count} = {list, count}, limb `at` is used too; *out is where it lies.
static bigint_status upload_list(bigint_ctx *ctx, const char *who, uint64_t **at,
                                 const uint64_t *list, uint64_t count, const uint64_t **out) {
    *out = NULL;
    if (list == NULL) {
        return BIGINT_OK;
    }
    *out = *at + 1;
    const bigint_status status = queue_upload(ctx, who, *at + 1, list, count, 0);
    *at += count + 1;
    return status;
}

uint64_t resident_lists(const bigint_span *span) {
    const uint64_t list = span->count + 1;
    return (span->lengths != NULL ? list : 0) + (span->offsets != NULL ? list : 0);
}

bigint_status resident_numbers(bigint_ctx *ctx, const char *who, uint64_t **at,
                               const bigint_span *span, powm_device_numbers *out) {
    *out = (powm_device_numbers){.p = span->p, .n = span->n, .stride = span->stride};
    const bigint_status status =
        upload_list(ctx, who, at, span->lengths, span->count, &out->lengths);
    return status != BIGINT_OK
               ? status
               : upload_list(ctx, who, at, span->offsets, span->count, &out->offsets);
}

void resident_room_close(bigint_ctx *ctx, const resident_room *room) {
    arena_release_in(ctx, &ctx->queue.memory, room->mark);
    queue_leave(ctx);
}

bigint_status resident_room_open(bigint_ctx *ctx, const char *who, resident_planner plan,
                                 void *call, uint64_t more_limbs, resident_room *room) {
    arena *const memory = &ctx->queue.memory;
    const uint64_t more_bytes = (more_limbs * sizeof *room->more / 256 + 1) * 256;
    *room = (resident_room){.mark = arena_mark_in(memory)};
    bigint_status status = queue_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = queue_staging_need(ctx, who);
    uint64_t most = 0;  // bytes; 0: no bound, after that half of what was refused
    while (status == BIGINT_OK && room->workspace == NULL) {
        uint64_t bytes = 0;
        status = plan(ctx, call, most, &bytes);
        most = bytes / 2;
        if (status != BIGINT_OK) {
            break;
        }
        if (arena_make_room(ctx, memory, bytes + more_bytes)) {
            room->more = arena_take_in(ctx, memory, who, more_bytes);
            room->workspace = arena_take_in(ctx, memory, who, bytes);
        } else if (ctx->failed != BIGINT_OK) {
            status = ctx->failed;
        } else if (most == 0) {
            status = bigint_fail(ctx, BIGINT_ENOMEM,
                                 "%s: no memory on device %d, or none under the cap of %llu bytes, "
                                 "for lists of %llu bytes; raise max_workspace_bytes",
                                 who, ctx->device.place,
                                 (unsigned long long)ctx->options.max_workspace_bytes,
                                 (unsigned long long)more_bytes);
        }
    }
    if (status != BIGINT_OK) {
        resident_room_close(ctx, room);
    }
    return status;
}
