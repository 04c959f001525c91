// move.c: bigint_move: integers from place to place.
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/integer.h"

// move_through: moves with a context of its own on the device.
static bigint_status move_through(bigint_ctx *ctx, const char *who, bigint *x, int place,
                                  int device) {
    bigint_device *there = NULL;
    bigint_ctx *through = NULL;
    bigint_status status = bigint_device_open(&there, device, "cuda");
    if (there != NULL) {
        const bigint_ctx_options options = {.allocator = ctx->options.allocator};
        status = bigint_ctx_create(&through, there, &options);
    }
    if (status == BIGINT_OK) {
        status = bigint_move(through, x, place);
    }
    if (status != BIGINT_OK) {
        bigint_fail(ctx, status, "%s: %s", who, bigint_ctx_error(through));
    }
    bigint_ctx_destroy(through);
    bigint_device_close(there);
    return status;
}

// move_on_device: one of x's place and `place` is this context's.
static bigint_status move_on_device(bigint_ctx *ctx, const char *who, bigint *x, int place) {
    const int from = x->place_ - 1;
    if (place == BIGINT_HOST) {
        return device_to_host(ctx, who, x);
    }
    if (from == BIGINT_HOST) {
        return device_from_host(ctx, who, x);
    }
    if (place == ctx->device.place) {
        return device_from_device(ctx, who, x);
    }
    const bigint_status status = bigint_sync(ctx);  // the other stream does not wait for this one
    return status != BIGINT_OK ? status : move_through(ctx, who, x, place, place);
}

bigint_status bigint_move(bigint_ctx *ctx, bigint *x, int place) {
    const char *who = "bigint_move";
    const int from = x->place_ - 1, here = ctx->device.place;
    const bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status != BIGINT_OK || x->d_ == NULL) {
        return status;  // 0 without limbs belongs to every place
    }
    if (from != here && place != here) {
        return bigint_fail(ctx, BIGINT_EPLACE,
                           "%s: from place %d to %d by a context that works on place %d; use one "
                           "of the two",
                           who, from, place, here);
    }
    if (from == place) {
        return BIGINT_OK;
    }
    return context_on_device(ctx) ? move_on_device(ctx, who, x, place)
                                  : move_through(ctx, who, x, place, place == here ? from : place);
}
