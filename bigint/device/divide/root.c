// root.c: square roots on a device: an approximation with a limb behind the point, and a square
// that decides where that limb cannot. B = 2^64; bounds: docs/proofs/root.md, section 7.
#include "bigint/device/divide/root.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/both_roots.h"
#include "bigint/device/divide/newton.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/recording.h"
#include "bigint/divide/root.h"
#include "carry/add.h"
#include "primitives/limbs/newton_device.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// ABOVE: what is added to an approximation of the root in units of its last limb, so that it
// exceeds the root, by at most NEAR.
enum { ABOVE = 4, NEAR = 7 };

// square_root: a root on its way, of a of `bits` bits: near, of n + 1 limbs, is the root or one
// more. root and rest: where results go; p NULL where one is not wanted.
typedef struct {
    device_both_roots both;
    uint64_t bits, n;  // of the root
    uint64_t *x, *near;
    device_target root, rest;
} square_root;

// find_near enqueues {x, n + 2} with sqrt(A) B < x + ABOVE <= sqrt(A) B + NEAR, and near.
static bigint_status find_near(square_root *s) {
    device_both_roots *const both = &s->both;
    bigint_ctx *ctx = both->steps.ctx;
    const char *const who = both->steps.who;
    const cuda_stream stream = ctx->queue.stream;
    bigint_status status = device_both_find(both);
    if (ok(status)) {
        status = device_both_root(both, &s->x, s->n + 1);
    }
    status = ok(status) ? device_enter(ctx, who) : status;
    if (!ok(status)) {
        return status;
    }
    const bool shifted = both->shift > 0;
    uint64_t *const scaled = shifted ? device_both_take(both, s->n + 1) : s->near;
    result done = limbs_device_round(scaled, s->n + 1, s->x, ABOVE, stream);
    if (done == RESULT_OK && shifted) {
        const limbs_device_number root = {scaled, s->n + 1, NULL};
        done = limbs_device_rshift(s->near, s->n + 1, both->steps.sign, root, both->shift / 2,
                                   LIMBS_SIGN_CLEAR, stream);
    }
    status = device_status(ctx, who, done);
    device_leave(ctx);
    return status;
}

// is_certain: *certain = whether near is the root, as far as x's lowest limb tells. It waits.
static bigint_status is_certain(const square_root *s, bool *certain) {
    bigint_ctx *ctx = s->both.steps.ctx;
    const char *const who = s->both.steps.who;
    uint64_t fraction = 0;
    bigint_status status = device_enter(ctx, who);
    if (!ok(status)) {
        return status;
    }
    status = device_staging_need(ctx, who);
    if (ok(status)) {
        status = device_fetch(ctx, who, &fraction, s->x, 1);
    }
    device_leave(ctx);
    *certain = fraction + ABOVE >= NEAR;  // modulo B
    return status;
}

// settle enqueues the root and the remainder from near and r = a - near^2 of n + 1 limbs and some
// more at `product`, where *negative tells its sign; negative NULL: near is the root. If r < 0 the
// root is near - 1, and the remainder r + near + root.
static result settle(const square_root *s, const uint64_t *negative) {
    const device_newton *const steps = &s->both.steps;
    const device_queue *const queue = &steps->ctx->queue;
    const limbs_device_number near = {s->near, s->n + 1, NULL},
                              less = {steps->product, s->rest.n, NULL},
                              rest = {s->rest.p, s->rest.n, NULL};
    const bool wanted = s->rest.p != NULL;
    result done = RESULT_OK;
    if (wanted) {
        done = carry_add_words(s->rest.p, rest.n, less, near, false, negative, queue->words,
                               queue->words_bytes, queue->stream);
    }
    if (done == RESULT_OK) {
        const limbs_quotient root = {.q = negative != NULL ? s->near : NULL,
                                     .qn = near.n,
                                     .less = negative,
                                     .q_sign = s->root.p != NULL ? s->root.p - 1 : NULL,
                                     .r_sign = wanted ? s->rest.p - 1 : NULL};
        done = limbs_device_correct(&root, queue->stream);
    }
    if (done == RESULT_OK && wanted) {
        done = carry_add_words(s->rest.p, rest.n, rest, near, false, negative, queue->words,
                               queue->words_bytes, queue->stream);
    }
    return done;
}

// find_root enqueues the root and the remainder.
static bigint_status find_root(square_root *s) {
    const device_newton *const steps = &s->both.steps;
    bigint_ctx *ctx = steps->ctx;
    const limbs_device_number near = {s->near, s->n + 1, NULL};
    const uint64_t *negative = NULL;
    bool certain = false;
    bigint_status status = find_near(s);
    if (ok(status) && s->rest.p == NULL && device_waits(ctx, s->n)) {
        status = is_certain(s, &certain);
    }
    if (ok(status) && !certain) {  // within 2 near - 1
        status = device_newton_difference(steps, &negative, device_magnitude(s->both.a, 0), near,
                                          near, s->bits + 2);
    }
    status = ok(status) ? device_enter(ctx, steps->who) : status;
    if (!ok(status)) {
        return status;
    }
    status = device_words_need(ctx, steps->who, carry_add_workspace_bytes(s->n + 1));
    if (ok(status)) {
        status = device_status(ctx, steps->who, settle(s, negative));
    }
    device_leave(ctx);
    return status;
}

// room_of: of a root of n limbs.
static device_both_room room_of(const bigint_ctx *ctx, uint64_t n, uint64_t *begun) {
    return (device_both_room){.h = device_both_from(ctx, n + 1),
                              .m = n + 1,
                              .product = 2 * (n + 1) + DEVICE_NEWTON_MORE,
                              .more = (n + 2) + 2 * (n + 1),
                              .begun = begun};
}

// find_in enqueues s->root and s->rest of a, announced as s->bits and some more bits. begun:
// device_both_start's y, or NULL.
static bigint_status find_in(bigint_ctx *ctx, const char *who, square_root *s, const bigint *a,
                             uint64_t bits, uint64_t *begun) {
    const uint64_t n = s->n;
    const device_both_room room = room_of(ctx, n, begun);
    bigint_status status = device_both_open(ctx, who, &s->both, a, bits, &room);
    if (ok(status)) {
        s->x = device_both_take(&s->both, n + 2);
        s->near = s->root.p != NULL ? s->root.p : device_both_take(&s->both, n + 1);
        status = find_root(s);
    }
    device_both_close(&s->both);
    return status;
}

void device_sqrt_need(work_need *w, uint64_t an) {
    const uint64_t n = word_ceil_div(an, 2);
    const device_both_room room = room_of(w->ctx, n, NULL);
    if (an > 0) {
        device_both_need(w, &room);
        device_newton_difference_need(w, n + 1, n + 1, true, 64 * n + 2);
        need_words(w, carry_add_workspace_bytes(n + 1));
        device_both_need_end(w, &room);
    }
}

// --- Recorded roots ------------------------------------------------------------------------------

// recorded: a root of a number of `bits` bits, and what of it is wanted.
typedef struct {
    uint64_t bits;
    bool root, rest;
} recorded;

// places: of a recording's numbers.
typedef struct {
    device_both_begin begin;
    uint64_t *root, *rest;
} places;

static square_root root_of(uint64_t bits) {
    return (square_root){.bits = word_ceil_div(bits, 2), .n = word_ceil_div(bits, 128)};
}

static uint64_t rest_limbs(const square_root *s) { return word_ceil_div(s->bits + 1, 64); }

static uint64_t first_limbs(const bigint_ctx *ctx, const square_root *s) {
    return device_both_first(ctx, device_both_from(ctx, s->n + 1));
}

static uint64_t places_limbs(const bigint_ctx *ctx, uint64_t bits) {
    const square_root s = root_of(bits);
    const uint64_t first = first_limbs(ctx, &s);
    return device_placed(word_ceil_div(bits, 64)) + device_placed(first + 1) +
           device_placed(first + 2) + device_placed(s.n + 1) + device_placed(rest_limbs(&s));
}

static places places_of(const bigint_ctx *ctx, uint64_t bits, uint64_t *numbers) {
    const square_root s = root_of(bits);
    const uint64_t first = first_limbs(ctx, &s);
    places p;
    p.begin.a = device_place(&numbers, word_ceil_div(bits, 64));
    p.begin.y = device_place(&numbers, first + 1);
    p.begin.top = device_place(&numbers, first + 2);
    p.root = device_place(&numbers, s.n + 1);
    p.rest = device_place(&numbers, rest_limbs(&s));
    return p;
}

// find_placed is a device_body.
static bigint_status find_placed(bigint_ctx *ctx, const char *who, uint64_t *numbers,
                                 const void *call) {
    const recorded *const r = call;
    const places p = places_of(ctx, r->bits, numbers);
    const bigint a = device_placed_number(ctx, p.begin.a, word_ceil_div(r->bits, 64));
    square_root s = root_of(r->bits);
    s.root.p = r->root ? p.root : NULL;
    s.rest = (device_target){.p = r->rest ? p.rest : NULL, .n = rest_limbs(&s)};
    return find_in(ctx, who, &s, &a, r->bits, p.begin.y);
}

// play enqueues the targets of s by a recording.
static bigint_status play(bigint_ctx *ctx, const char *who, recording *played, const square_root *s,
                          const bigint *a, const device_both_look *look) {
    const places p = places_of(ctx, look->bits, played->numbers);
    const recorded r = {look->bits, s->root.p != NULL, s->rest.p != NULL};
    bigint_status status = device_both_put(ctx, who, &p.begin, a, look, first_limbs(ctx, s));
    status = ok(status) ? device_play(ctx, who, played, find_placed, &r) : status;
    status = ok(status) ? device_enter(ctx, who) : status;
    if (ok(status)) {
        device_target root = s->root;
        root.n = word_ceil_div(s->bits, 64);
        result done = device_placed_get(ctx, &root, p.root, 0);
        done = done == RESULT_OK ? device_placed_get(ctx, &s->rest, p.rest, 0) : done;
        status = device_status(ctx, who, done);
        device_leave(ctx);
    }
    return status;
}

// long_root: for a, announced as it is.
static bigint_status long_root(bigint_ctx *ctx, const char *who, bigint *root, bigint *rest,
                               const bigint *a, const device_both_look *look) {
    const uint64_t bits = look->bits;
    square_root s = root_of(bits);
    const device_shape shape = {
        .kind = BODY_SQRT,
        .words = {bits, (root != NULL ? 2U : 0U) + (rest != NULL ? 1U : 0U)},
        .limbs = places_limbs(ctx, bits)};
    recording *const played =
        device_both_recorded(ctx, device_both_half(s.n + 1)) ? device_recording(ctx, &shape) : NULL;
    bigint_status status = BIGINT_OK;
    if (root != NULL) {
        status = device_target_open(ctx, who, root, 64 * (s.n + 1), &s.root);
    }
    if (ok(status) && rest != NULL) {
        status = device_target_open(ctx, who, rest, s.bits + 1, &s.rest);
    }
    if (ok(status)) {
        status = played != NULL ? play(ctx, who, played, &s, a, look)
                                : find_in(ctx, who, &s, a, bits, NULL);
    }
    if (root != NULL) {
        s.root.n = word_ceil_div(s.bits, 64), s.root.bits = s.bits;
        status = device_target_close(ctx, root, &s.root, status);
    }
    return rest != NULL ? device_target_close(ctx, rest, &s.rest, status) : status;
}

// look_at: what a call of a root begins with.
static bigint_status look_at(bigint_ctx *ctx, const char *who, device_both_look *look,
                             const bigint *a) {
    const square_root s = root_of(64 * a->n_);
    return device_both_look_at(ctx, who, look, a, first_limbs(ctx, &s));
}

bigint_status device_sqrt(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a) {
    const bigint nothing = BIGINT_INIT;
    const arena_mark mark = arena_get_mark(ctx);
    device_both_look look;
    bigint root = BIGINT_INIT, rest = BIGINT_INIT;
    bigint_status status = look_at(ctx, who, &look, a);
    if (ok(status) && look.sign < 0) {
        status = root_negative(ctx, who);
    } else if (ok(status) && look.bits == 0) {
        status = device_copy(ctx, who, &root, &nothing, LIMBS_SIGN_KEEP);
    } else if (ok(status)) {
        bigint exact = *a;  // a without zeros on top: its limbs, not a copy
        device_announce(&exact, look.bits);
        status =
            long_root(ctx, who, s != NULL ? &root : NULL, r != NULL ? &rest : NULL, &exact, &look);
    }
    arena_release(ctx, mark);
    if (ok(status) && s != NULL) {
        bigint_swap(s, &root);
    }
    if (ok(status) && r != NULL) {
        bigint_swap(r, &rest);
    }
    bigint_clear(ctx, &root), bigint_clear(ctx, &rest);
    return status;
}
