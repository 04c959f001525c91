// rsqrt.c: reciprocal square roots in fixed point on a device. B = 2^64; bounds:
// docs/proofs/root.md, section 8.
#include "bigint/divide/rsqrt.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/both_roots.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/recording.h"
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
        done = limbs_device_round(r->p, r->n, shifted, UINT64_C(1) << 63, stream);
    }
    status = device_status(ctx, steps->who, done);
    device_leave(ctx);
    return status;
}

// room_of: of Y, with room for the result and a limb behind the point.
static device_both_room room_of(const rsqrt_form *form, uint64_t *begun) {
    return (device_both_room){.h = form->limbs,
                              .m = form->limbs,
                              .more = word_ceil_div((uint64_t)form->places + 1, 64) + 1,
                              .begun = begun};
}

// length_need: what a number of `length` bits needs.
static void length_need(work_need *w, uint64_t length, uint64_t bits) {
    rsqrt_form form;
    if (w->status != BIGINT_OK) {
        return;
    }
    w->status = rsqrt_form_of(w->ctx, w->who, &form, length, bits);
    if (w->status == BIGINT_OK && form.places >= 0) {
        const device_both_room room = room_of(&form, NULL);
        device_both_need(w, &room);
        device_both_need_end(w, &room);
    }
}

// The shortest number has the most places, but a limb less may be found in another way. A result
// of no places takes a look, too.
void device_rsqrt_need(work_need *w, uint64_t an, uint64_t bits) {
    const uint64_t in_use = w->host.in_use;
    if (an > 0) {
        need_take_limbs(&w->host, DEVICE_LOOK_MORE);
        need_release(&w->host, in_use);
        length_need(w, 64 * (an - 1) + 1, bits);
        length_need(w, 64 * an, bits);
    }
}

// rsqrt: of a number of exactly `length` bits, for a form whose places are not negative.
typedef struct {
    uint64_t length;
    const rsqrt_form *form;
    const device_both_look *look;  // where it begins
} rsqrt;

// places: of a recording's numbers.
typedef struct {
    device_both_begin begin;
    uint64_t *r;
} places;

static uint64_t result_limbs(const rsqrt *s) {
    return word_ceil_div((uint64_t)s->form->places + 1, 64);
}

// find enqueues r for a, announced as it is: Y B^-h 2^(places - 1), because both powers make alpha
// of a. begun: device_both_start's y, or NULL.
static bigint_status find(bigint_ctx *ctx, const char *who, const rsqrt *s, const device_target *r,
                          const bigint *a, uint64_t *begun) {
    const uint64_t h = s->form->limbs, after = 64 * h + 1 - (uint64_t)s->form->places;
    const device_both_room room = room_of(s->form, begun);
    device_both_roots both;
    assert(after >= 41);
    bigint_status status = device_both_open(ctx, who, &both, a, s->length, &room);
    if (status == BIGINT_OK) {
        status = device_both_find(&both);
    }
    if (status == BIGINT_OK) {
        status = rounded(&both, r, after);
    }
    device_both_close(&both);
    return status;
}

static uint64_t places_limbs(const bigint_ctx *ctx, const rsqrt *s) {
    const uint64_t first = device_both_first(ctx, s->form->limbs);
    return device_placed(word_ceil_div(s->length, 64)) + device_placed(first + 1) +
           device_placed(first + 2) + device_placed(result_limbs(s));
}

static places places_of(const bigint_ctx *ctx, const rsqrt *s, uint64_t *numbers) {
    const uint64_t first = device_both_first(ctx, s->form->limbs);
    places p;
    p.begin.a = device_place(&numbers, word_ceil_div(s->length, 64));
    p.begin.y = device_place(&numbers, first + 1);
    p.begin.top = device_place(&numbers, first + 2);
    p.r = device_place(&numbers, result_limbs(s));
    return p;
}

// find_placed is a device_body.
static bigint_status find_placed(bigint_ctx *ctx, const char *who, uint64_t *numbers,
                                 const void *call) {
    const rsqrt *const s = call;
    const places p = places_of(ctx, s, numbers);
    const bigint a = device_placed_number(ctx, p.begin.a, word_ceil_div(s->length, 64));
    const device_target r = {.p = p.r, .n = result_limbs(s)};
    return find(ctx, who, s, &r, &a, p.begin.y);
}

// play enqueues r by a recording.
static bigint_status play(bigint_ctx *ctx, const char *who, recording *played, const rsqrt *s,
                          const device_target *r, const bigint *a) {
    const places p = places_of(ctx, s, played->numbers);
    const uint64_t first = device_both_first(ctx, s->form->limbs);
    bigint_status status = device_both_put(ctx, who, &p.begin, a, s->look, first);
    status = status == BIGINT_OK ? device_play(ctx, who, played, find_placed, s) : status;
    status = status == BIGINT_OK ? device_enter(ctx, who) : status;
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, device_placed_get(ctx, r, p.r, 0));
        device_leave(ctx);
    }
    return status;
}

// rsqrt_of: r for a of exactly s->length bits, announced so.
static bigint_status rsqrt_of(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              const rsqrt *s) {
    const uint64_t bits = (uint64_t)s->form->places + 1;
    const device_shape shape = {.kind = BODY_RSQRT,
                                .words = {s->length, bits, s->form->limbs},
                                .limbs = places_limbs(ctx, s)};
    device_target target;
    bigint root = BIGINT_INIT;
    recording *const played =
        device_both_recorded(ctx, s->form->limbs) ? device_recording(ctx, &shape) : NULL;
    bigint_status status = device_target_open(ctx, who, &root, bits, &target);
    if (status != BIGINT_OK) {
        return status;
    }
    status = played != NULL ? play(ctx, who, played, s, &target, a)
                            : find(ctx, who, s, &target, a, NULL);
    status = device_target_close(ctx, &root, &target, status);
    if (status == BIGINT_OK) {
        bigint_swap(r, &root);
    }
    bigint_clear(ctx, &root);
    return status;
}

// look_at: what a call begins with.
static bigint_status look_at(bigint_ctx *ctx, const char *who, device_both_look *look,
                             const bigint *a, uint64_t bits) {
    rsqrt_form form = {0};
    const bigint_status status =
        a->n_ > 0 ? rsqrt_form_of(ctx, who, &form, 64 * a->n_, bits) : BIGINT_OK;
    const uint64_t first =
        status == BIGINT_OK && form.places >= 0 ? device_both_first(ctx, form.limbs) : 0;
    return status == BIGINT_OK ? device_both_look_at(ctx, who, look, a, first) : status;
}

bigint_status device_rsqrt(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           uint64_t bits) {
    const arena_mark mark = arena_get_mark(ctx);
    device_both_look look;
    rsqrt_form form;
    bigint_status status = look_at(ctx, who, &look, a, bits);
    if (status == BIGINT_OK && look.sign <= 0) {
        status = rsqrt_not_positive(ctx, who);
    }
    if (status == BIGINT_OK) {
        status = rsqrt_form_of(ctx, who, &form, look.bits, bits);
    }
    if (status == BIGINT_OK && form.places < 0) {
        status = bigint_set_u64(ctx, r, 0);
    } else if (status == BIGINT_OK) {
        bigint exact = *a;  // its limbs, not a copy
        device_announce(&exact, look.bits);
        status = rsqrt_of(ctx, who, r, &exact, &(rsqrt){look.bits, &form, &look});
    }
    arena_release(ctx, mark);
    return status;
}
