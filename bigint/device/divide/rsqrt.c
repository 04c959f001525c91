// rsqrt.c: reciprocal square roots in fixed point on a device. B = 2^64; bounds:
// docs/proofs/root.md, section 8.
#include "bigint/divide/rsqrt.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/both_roots.h"
#include "bigint/device/divide/root.h"
#include "primitives/limbs/newton_device.h"
#include "primitives/words/word.h"

// rounded enqueues r = Y / 2^after, rounded, for Y = {both->y, h + 1}: with a limb behind the
// point, to which half a unit is added.
static bigint_status rounded(device_both_roots *both, const device_target *r, uint64_t after) {
    const device_newton *const steps = &both->steps;
    bigint_ctx *ctx = steps->ctx;
    const cuda_stream stream = ctx->queue.stream;
    const limbs_device_number y = {both->y, both->h + 1, NULL};
    uint64_t *const shifted = device_both_take(both, r->n + 1);
    bigint_status status = device_enter(ctx, steps->who);
    if (status != BIGINT_OK) {
        return status;
    }
    result done = after >= 64 ? limbs_device_rshift(shifted, r->n + 1, r->p - 1, y, after - 64,
                                                    LIMBS_SIGN_CLEAR, stream)
                              : limbs_device_lshift(shifted, r->n + 1, r->p - 1, y, 64 - after,
                                                    LIMBS_SIGN_CLEAR, stream);
    if (done == RESULT_OK) {
        done = limbs_device_round(r->p, r->n, shifted, UINT64_C(1) << 63, steps->finished, stream);
    }
    status = device_status(ctx, steps->who, done);
    device_leave(ctx);
    return status;
}

// room_of: of Y, with room for the result and a limb behind the point.
static device_both_room room_of(const rsqrt_form *form) {
    return (device_both_room){.h = form->limbs,
                              .m = form->limbs,
                              .more = word_ceil_div((uint64_t)form->places + 1, 64) + 1};
}

void device_rsqrt_need(work_need *w, uint64_t an, uint64_t bits) {
    rsqrt_form form;
    if (w->status != BIGINT_OK || an == 0) {
        return;
    }
    w->status = rsqrt_form_of(w->ctx, w->who, &form, 64 * (an - 1) + 1, bits);  // the most places
    if (w->status == BIGINT_OK && form.places >= 0) {
        const device_both_room room = room_of(&form);
        device_both_need(w, &room);
        device_both_need_end(w, &room);
    }
}

// rsqrt_of: r for a of exactly `length` bits, announced so, and a form whose places are not
// negative: Y B^-h 2^(places - 1), because both powers make alpha of a.
static bigint_status rsqrt_of(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t length, const rsqrt_form *form) {
    const uint64_t h = form->limbs, places = (uint64_t)form->places, after = 64 * h + 1 - places;
    device_both_roots both;
    device_target target;
    bigint root = BIGINT_INIT;
    assert(after >= 41);
    bigint_status status = device_target_open(ctx, who, &root, places + 1, &target);
    if (status != BIGINT_OK) {
        return status;
    }
    const device_both_room room = room_of(form);
    status = device_both_open(ctx, who, &both, a, length, &room);
    if (status == BIGINT_OK) {
        status = device_both_find(&both);
    }
    if (status == BIGINT_OK) {
        status = rounded(&both, &target, after);
    }
    device_both_close(&both);
    status = device_target_close(ctx, &root, &target, status);
    if (status == BIGINT_OK) {
        bigint_swap(r, &root);
    }
    bigint_clear(ctx, &root);
    return status;
}

bigint_status device_rsqrt(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           uint64_t bits) {
    uint64_t length;
    int sign;
    rsqrt_form form;
    bigint_status status = device_measure(ctx, who, &length, &sign, a);
    if (status == BIGINT_OK && sign <= 0) {
        status = rsqrt_not_positive(ctx, who);
    }
    if (status == BIGINT_OK) {
        status = rsqrt_form_of(ctx, who, &form, length, bits);
    }
    if (status != BIGINT_OK || form.places < 0) {
        return status == BIGINT_OK ? bigint_set_u64(ctx, r, 0) : status;
    }
    bigint exact = *a;  // its limbs, not a copy
    device_announce(&exact, length);
    return rsqrt_of(ctx, who, r, &exact, length, &form);
}
