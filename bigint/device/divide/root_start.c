// root_start.c: see root_start.h. Bounds: docs/proofs/root.md, section 7.
#include "bigint/device/divide/root_start.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/steps.h"
#include "bigint/divide/root_newton.h"
#include "primitives/limbs/limbs.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// --- The reciprocal root -------------------------------------------------------------------------

// start_from enqueues device_both_start's y from {ap, h + 2} = A's top limbs.
static bigint_status start_from(bigint_ctx *ctx, const char *who, uint64_t *y, const uint64_t *ap,
                                uint64_t h) {
    uint64_t *const yp = arena_take_limbs(ctx, who, h + 1);
    bigint_status status =
        yp == NULL ? BIGINT_ENOMEM : root_reciprocal(ctx, who, yp, h + 1, ap, h + 2, 0, 2);
    status = ok(status) ? device_enter(ctx, who) : status;
    if (ok(status)) {  // from units of 4 B^-(h + 1) to B^-h, and no more than the root
        limbs_rshift(yp, yp, h + 1, 62);
        limbs_sub_1(yp, yp, h + 1, 1);
        status = device_send_bytes(ctx, who, y, yp, (h + 1) * sizeof *yp);
        device_leave(ctx);
    }
    return status;
}

// fetch: {p, n} = {from, n}, for which it waits.
static bigint_status fetch(bigint_ctx *ctx, const char *who, uint64_t *p, const uint64_t *from,
                           uint64_t n) {
    bigint_status status = device_enter(ctx, who);
    if (ok(status)) {
        status = device_staging_need(ctx, who);
        status = ok(status) ? device_fetch(ctx, who, p, from, n) : status;
        device_leave(ctx);
    }
    return status;
}

bigint_status device_both_start(bigint_ctx *ctx, const char *who, uint64_t *y, const uint64_t *top,
                                uint64_t h) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const ap = arena_take_limbs(ctx, who, h + 2);
    bigint_status status = ap == NULL ? BIGINT_ENOMEM : fetch(ctx, who, ap, top, h + 2);
    status = ok(status) ? start_from(ctx, who, y, ap, h) : status;
    arena_release(ctx, mark);
    return status;
}

bigint_status device_both_top(bigint_ctx *ctx, const char *who, uint64_t *e, uint64_t en,
                              uint64_t *sign, const bigint *x, uint64_t bits) {
    const limbs_device_number a = device_magnitude(x, 0);
    const cuda_stream stream = ctx->queue.stream;
    const uint64_t left = device_both_shift(bits) + 64 * en, right = 128 * word_ceil_div(bits, 128);
    bigint_status status = device_enter(ctx, who);
    if (ok(status)) {
        const result done =
            left >= right
                ? limbs_device_lshift(e, en, sign, a, left - right, LIMBS_SIGN_CLEAR, stream)
                : limbs_device_rshift(e, en, sign, a, right - left, LIMBS_SIGN_CLEAR, stream);
        status = device_status(ctx, who, done);
        device_leave(ctx);
    }
    return status;
}

// --- A look at a number --------------------------------------------------------------------------

bigint_status device_both_look_at(bigint_ctx *ctx, const char *who, device_both_look *look,
                                  const bigint *a, uint64_t h) {
    *look = (device_both_look){.all = a->n_};
    if (a->n_ == 0) {
        return BIGINT_OK;
    }
    look->n = h + DEVICE_LOOK_MORE < a->n_ ? h + DEVICE_LOOK_MORE : a->n_;
    look->top = arena_take_limbs(ctx, who, look->n);
    bigint_status status = look->top == NULL ? BIGINT_ENOMEM : device_measure_begin(ctx, who, a);
    if (ok(status)) {
        status = fetch(ctx, who, look->top, a->d_ + (a->n_ - look->n), look->n);
    }
    return ok(status) ? device_measure_end(ctx, who, &look->bits, &look->sign) : status;
}

// shift_right: {ap, n} = {p, pn} 2^-by, the lowest limbs of that; by < 0 shifts to the left.
static void shift_right(uint64_t *ap, uint64_t n, const uint64_t *p, uint64_t pn, int64_t by) {
    const unsigned bits = (unsigned)by % 64;
    const uint64_t limbs = (uint64_t)((by - (int64_t)bits) / 64);  // modulo 2^64
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = i + limbs, low = j < pn ? p[j] : 0, high = j + 1 < pn ? p[j + 1] : 0;
        ap[i] = bits == 0 ? low : low >> bits | high << (64 - bits);
    }
}

// start_at_once: device_both_start's y from a look, or, with *seen false, nothing.
static bigint_status start_at_once(bigint_ctx *ctx, const char *who, uint64_t *y,
                                   const device_both_look *look, uint64_t h, bool *seen) {
    const int64_t right = (int64_t)(128 * word_ceil_div(look->bits, 128) - 64 * (h + 2)) -
                          (int64_t)device_both_shift(look->bits),
                  below = 64 * (int64_t)(look->all - look->n);
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = BIGINT_OK;
    *seen = below == 0 || right >= below;
    if (*seen) {
        uint64_t *const ap = arena_take_limbs(ctx, who, h + 2);
        status = ap == NULL ? BIGINT_ENOMEM : BIGINT_OK;
        if (ok(status)) {
            shift_right(ap, h + 2, look->top, look->n, right - below);
            status = start_from(ctx, who, y, ap, h);
        }
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status device_both_put(bigint_ctx *ctx, const char *who, const device_both_begin *to,
                              const bigint *x, const device_both_look *look, uint64_t h) {
    bool seen;
    bigint_status status = device_enter(ctx, who);
    if (ok(status)) {
        status = device_status(ctx, who,
                               limbs_device_lshift(to->a, x->n_, to->a - 1, device_number(x), 0,
                                                   LIMBS_SIGN_KEEP, ctx->queue.stream));
        device_leave(ctx);
    }
    status = ok(status) ? start_at_once(ctx, who, to->y, look, h, &seen) : status;
    if (!ok(status) || seen) {
        return status;
    }
    status = device_both_top(ctx, who, to->top, h + 2, to->top - 1, x, look->bits);
    return ok(status) ? device_both_start(ctx, who, to->y, to->top, h) : status;
}
