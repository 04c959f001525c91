// root_step.c: see root_step.h. Bounds: docs/proofs/root.md, section 7.
#include "bigint/device/divide/root_step.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "primitives/limbs/newton_device.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// residual_bits: |D| is below 2^this, and the remainder of a quotient by halves.
static uint64_t residual_bits(uint64_t h) { return 64 * h + 5; }

bigint_status device_root_step(const device_newton *s, uint64_t *to, uint64_t m,
                               limbs_device_number e, const uint64_t *u, device_factor *y) {
    const uint64_t h = y->x.n - 1, bits = residual_bits(h);
    const limbs_device_number x = {u, h + 1, NULL};
    const uint64_t *negative;
    assert(h <= m && m <= 2 * h - 2 && e.n == 2 * h);
    bigint_status status = device_newton_difference(s, &negative, e, x, x, bits);
    status = ok(status) ? device_enter(s->ctx, s->who) : status;
    if (ok(status)) {
        status = device_status(s->ctx, s->who, device_newton_take(s, y, bits));
        device_leave(s->ctx);
    }
    return ok(status) ? device_newton_refine(s, y, to, m + 1, u, m - h, 1) : status;
}

bigint_status device_root_product(const device_newton *s, uint64_t *to, uint64_t m,
                                  limbs_device_number e, const uint64_t *u, device_factor *y,
                                  uint64_t *above) {
    const limbs_device_number x = {u, y->x.n, NULL};
    const cuda_stream stream = s->ctx->queue.stream;
    bigint_status status = device_enter(s->ctx, s->who);
    if (!ok(status)) {
        return status;
    }
    result done = cuda_set(above, 0, e.n * sizeof *above, stream);
    if (done == RESULT_OK) {
        done = limbs_device_lshift(above + e.n, x.n, s->sign, x, 0, LIMBS_SIGN_CLEAR, stream);
    }
    status = device_status(s->ctx, s->who, done);
    device_leave(s->ctx);
    return ok(status) ? device_newton_extend(s, y, to, m + 1, e, above, 64 * e.n + 4) : status;
}

// halves: G has l = first + second limbs, its upper ones first. {d, first + h + 1} = |D| B^first,
// {g, first + 1}: G's upper half, {v, l + 1}: G.
typedef struct {
    uint64_t h, l, first, second;
    uint64_t *d, *g, *v;
} halves;

enum { LINE = 16 };  // limbs: each begins on a line

static uint64_t lines(uint64_t limbs) { return word_ceil_div(limbs, LINE) * LINE; }

static halves halves_of(uint64_t m, uint64_t h, uint64_t *parts) {
    const uint64_t l = m - h;
    halves x = {.h = h, .l = l, .first = l - l / 2, .second = l / 2, .d = parts};
    x.g = x.d + lines(x.first + h + 1);
    x.v = x.g + lines(x.first + 1);
    return x;
}

uint64_t device_root_halves_limbs(uint64_t m, uint64_t h) {
    const uint64_t l = m - h, first = l - l / 2;
    return lines(first + h + 1) + lines(first + 1) + lines(l + 1);
}

// split enqueues d and D's sign, and t, the top limbs of |D| with a lowest byte of 1: then it is
// not 0.
static bigint_status split(const device_newton *s, const halves *x, const device_factor *y) {
    const cuda_stream stream = s->ctx->queue.stream;
    const limbs_upper of = {s->product, x->h + 1, NULL};
    bigint_status status = device_enter(s->ctx, s->who);
    if (!ok(status)) {
        return status;
    }
    result done = cuda_set(x->d, 0, x->first * sizeof *x->d, stream);
    if (done == RESULT_OK) {
        done = limbs_device_residual(x->d + x->first, x->h + 1, s->own, of, false, stream);
    }
    if (done == RESULT_OK) {
        done = limbs_device_residual(s->t, y->x.n, s->t_sign, of, false, stream);
    }
    done = done == RESULT_OK ? cuda_set(s->t, 1, 1, stream) : done;
    status = device_status(s->ctx, s->who, done);
    device_leave(s->ctx);
    return status;
}

// add enqueues {to, l + h + 1} = U B^l + G / 2, or minus that where D is negative.
static bigint_status add(const device_newton *s, const halves *x, uint64_t *to,
                         limbs_device_number u) {
    const limbs_upper of = {x->v, x->l + 1, NULL};
    bigint_status status = device_enter(s->ctx, s->who);
    if (ok(status)) {
        status = device_status(s->ctx, s->who,
                               limbs_device_refine(to, x->l + x->h + 1, u.p, of, x->l, 1, s->own,
                                                   s->finished, s->ctx->queue.stream));
        device_leave(s->ctx);
    }
    return status;
}

bigint_status device_root_by_halves(const device_newton *s, uint64_t *to, uint64_t m,
                                    limbs_device_number e, limbs_device_number u, device_factor *y,
                                    uint64_t *parts) {
    const uint64_t h = u.n - 1, bits = residual_bits(h);
    const halves x = halves_of(m, h, parts);
    const limbs_device_number d = {x.d, x.first + h + 1, NULL}, g = {x.g, x.first + 1, NULL};
    const uint64_t *negative;
    assert(y->x.n <= h && h + 4 <= 2 * y->x.n && h < m && m <= 2 * h - 2 && e.n == 2 * h);
    bigint_status status = device_newton_difference(s, &negative, e, u, u, bits);
    status = ok(status) ? split(s, &x, y) : status;
    if (ok(status)) {
        status = device_newton_quotient(s, y, x.g, x.first);
    }
    if (ok(status)) {  // the remainder, |D| B^first - U G's upper half
        status = device_newton_difference(s, &negative, d, u, g, bits);
    }
    status = ok(status) ? device_enter(s->ctx, s->who) : status;
    if (ok(status)) {
        status = device_status(s->ctx, s->who, device_newton_take(s, y, bits));
        device_leave(s->ctx);
    }
    if (ok(status)) {
        status = device_newton_refine(s, y, x.v, x.l + 1, x.g, x.second, 0);
    }
    return ok(status) ? add(s, &x, to, u) : status;
}

void device_root_by_halves_need(work_need *w, uint64_t m, uint64_t h) {
    const uint64_t l = m - h;
    device_newton_difference_need(w, h + 1, h + 1, true, residual_bits(h));
    device_newton_difference_need(w, h + 1, l - l / 2 + 1, false, residual_bits(h));
}
