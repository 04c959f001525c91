// spans.c: what batches on a device need beside their kernels: the lists of ragged spans in device
// memory, and workspace by a plan that shrinks to fit a cap.
#include "bigint/device/spans.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"

// upload_list: {at + 1, count} = {list, count}, limb `at` is used too; *out is where it lies.
static bigint_status upload_list(bigint_ctx *ctx, const char *who, uint64_t **at,
                                 const uint64_t *list, uint64_t count, const uint64_t **out) {
    *out = NULL;
    if (list == NULL) {
        return BIGINT_OK;
    }
    *out = *at + 1;
    const bigint_status status = device_send(ctx, who, *at + 1, list, count, 0);
    *at += count + 1;
    return status;
}

uint64_t device_lists(const device_span *spans, size_t n) {
    uint64_t limbs = 0;
    for (size_t k = 0; k < n; k++) {
        const bigint_span *const span = spans[k].span;
        const uint64_t lists =
            span == NULL ? 0 : (uint64_t)(span->lengths != NULL) + (span->offsets != NULL);
        limbs += lists > 0 ? lists * (span->count + 1) : 0;
    }
    return limbs;
}

bigint_status device_numbers(bigint_ctx *ctx, const char *who, uint64_t **at,
                             const device_span *spans, size_t n) {
    bigint_status status = BIGINT_OK;
    for (size_t k = 0; k < n && status == BIGINT_OK; k++) {
        const bigint_span *const s = spans[k].span;
        numbers_device *const out = spans[k].out;
        if (s == NULL) {
            continue;
        }
        *out = (numbers_device){.p = s->p, .n = s->n, .stride = s->stride};
        status = upload_list(ctx, who, at, s->lengths, s->count, &out->lengths);
        if (status == BIGINT_OK) {
            status = upload_list(ctx, who, at, s->offsets, s->count, &out->offsets);
        }
    }
    return status;
}

bigint_status device_no_memory(bigint_ctx *ctx, const char *who, const char *what, uint64_t limbs) {
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: no memory on device %d, or none under the cap of %llu bytes, for %s of "
                       "%llu limbs; raise max_workspace_bytes or trim contexts",
                       who, ctx->device.place, (unsigned long long)ctx->options.max_workspace_bytes,
                       what, (unsigned long long)limbs);
}

void device_room_close(bigint_ctx *ctx, const device_room *room) {
    arena_release_in(ctx, &ctx->queue.memory, room->mark);
    device_leave(ctx);
}

uint64_t device_room_bytes(uint64_t more_limbs) {
    return (more_limbs * sizeof(uint64_t) / 256 + 1) * 256;
}

bigint_status device_room_open(bigint_ctx *ctx, const char *who, device_planner plan, void *call,
                               uint64_t more_limbs, device_room *room) {
    arena *const memory = &ctx->queue.memory;
    const uint64_t more_bytes = device_room_bytes(more_limbs);
    *room = (device_room){.mark = arena_mark_in(memory)};
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_staging_need(ctx, who);
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
            status = device_no_memory(ctx, who, "lists", more_limbs);
        }
    }
    if (status != BIGINT_OK) {
        device_room_close(ctx, room);
    }
    return status;
}
