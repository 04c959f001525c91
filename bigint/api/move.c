// move.c: bigint_move: integers from place to place.
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"
#include "primitives/words/word.h"

// from_host, to_host: move x from the host to the context's place, and back.
static bigint_status from_host(bigint_ctx *ctx, const char *who, bigint *x) {
    bigint y = BIGINT_INIT;
    const bigint_status status = bigint_store(ctx, who, &y, x->d_, x->n_, x->sign_);
    if (status == BIGINT_OK) {
        bigint_limbs_release(ctx, x->d_, x->cap_);
        *x = y;
    } else {
        bigint_clear(ctx, &y);
    }
    return status;
}

static bigint_status to_host(bigint_ctx *ctx, const char *who, bigint *x) {
    uint64_t bits, cap = 0, *p = NULL;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, x);
    const uint64_t n = status == BIGINT_OK ? word_ceil_div(bits, 64) : 0;
    if (n > 0) {
        p = bigint_limbs_allocate(ctx, who, n, &cap, &status);
    }
    if (p != NULL) {
        if (!context_on_device(ctx)) {  // whose transfer asks for pages itself
            context_populate(ctx, p, n * sizeof *p);
        }
        status = ctx->away->load(ctx, who, p, x, n);
    }
    if (status != BIGINT_OK) {
        bigint_limbs_release(ctx, p, cap);
        return status;
    }
    bigint_clear(ctx, x);
    *x = (bigint){p, n, cap, sign, p == NULL ? 0 : BIGINT_HOST + 1};
    return BIGINT_OK;
}

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

// move_between: between two devices, of which one is this context's.
static bigint_status move_between(bigint_ctx *ctx, const char *who, bigint *x, int place) {
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
    if ((from == BIGINT_GROUP || place == BIGINT_GROUP) &&
        (!context_on_group(ctx) || (from != BIGINT_HOST && place != BIGINT_HOST))) {
        return bigint_fail(ctx, BIGINT_EPLACE,
                           "%s: from place %d to %d by a context on place %d; a context on the "
                           "group moves its integers to BIGINT_HOST and from there",
                           who, from, place, here);
    }
    if (ctx->away == NULL) {
        return move_through(ctx, who, x, place, place == here ? from : place);
    }
    return place == BIGINT_HOST  ? to_host(ctx, who, x)
           : from == BIGINT_HOST ? from_host(ctx, who, x)
                                 : move_between(ctx, who, x, place);
}
