// reciprocal_root.c: see reciprocal_root.h. Bounds: docs/proofs/root.md, section 9.
#include "bigint/device/roots/reciprocal_root.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/divide/root_newton.h"
#include "carry/add.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// --- The radicand --------------------------------------------------------------------------------

unsigned device_degree_bits(const device_radicand *s) { return 64 - word_clz(s->k); }

int64_t device_radicand_bits(const device_radicand *s) {
    return (int64_t)s->bits - (int64_t)(64 * s->k * s->rho);
}

bigint_status device_radicand_top(const device_radicand *s, bigint *e, int64_t f) {
    const int64_t left = f - (int64_t)(s->k * s->rho);
    const uint64_t bits = (uint64_t)(device_radicand_bits(s) + 64 * f);
    const limbs_device_number a = device_magnitude(s->a, 0);
    assert(device_radicand_bits(s) + 64 * f >= 1);
    return left >= 0 ? device_step_left(s->ctx, s->who, e, bits, a, 64 * (uint64_t)left)
                     : device_step_right(s->ctx, s->who, e, bits, a, 64 * (uint64_t)-left);
}

bigint_status device_radicand_alpha(const device_radicand *s, device_fraction *x, bigint *e,
                                    uint64_t limbs) {
    const int64_t exact = (int64_t)(s->k * s->rho),
                  f = (int64_t)limbs + -device_radicand_bits(s) / 64;  // of that many limbs
    x->f = f < exact ? f : exact;
    const bigint_status status = device_radicand_top(s, e, x->f);
    x->x = device_magnitude(e, 0);
    return status;
}

// zeros: bits by which alpha is below 1.
static uint64_t zeros(const device_radicand *s) { return (uint64_t)-device_radicand_bits(s); }

device_size device_radicand_size(const device_radicand *s) {
    return (device_size){.bits = device_radicand_bits(s)};
}

device_size device_radicand_root_size(const device_radicand *s) {
    const uint64_t below = word_ceil_div(zeros(s), s->k);
    return (device_size){-(int64_t)below, s->k * below - zeros(s)};
}

device_size device_radicand_reciprocal_size(const device_radicand *s) {
    const uint64_t above = zeros(s) + 1;
    return (device_size){(int64_t)(above / s->k), above % s->k};
}

// --- The start -----------------------------------------------------------------------------------

static uint64_t before(uint64_t h) { return h / 2 + 1; }

// first: where the iteration to h limbs begins.
static uint64_t first(const device_radicand *s, uint64_t h) {
    while (h > device_root_start(s->ctx)) {
        h = before(h);
    }
    return h;
}

// start_right: the host's reciprocal root of h + 2 limbs, in units of 4 B^-(h + 2) 2^spare, is
// 2^this in units of B^-h.
static uint64_t start_right(const device_radicand *s) {
    return 126 - (64 * s->rho - s->root_bits);  // spare: 0 .. 63
}

uint64_t device_reciprocal_root_begun(const device_radicand *s, uint64_t h) {
    return first(s, h) + 2 - start_right(s) / 64;
}

// by_host: {yp, m} is root_reciprocal's from A's top limbs, for which it waits.
static bigint_status by_host(const device_radicand *s, uint64_t *yp, uint64_t m) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t n = m + 2;
    const limbs_device_number a = device_magnitude(s->a, 0);
    bigint e = BIGINT_INIT;
    uint64_t *const ap = arena_take_limbs(ctx, s->who, n);
    bigint_status status = ap == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (ok(status)) {
        status = s->bits >= 64 * n ? device_step_right(ctx, s->who, &e, 64 * n, a, s->bits - 64 * n)
                                   : device_step_left(ctx, s->who, &e, 64 * n, a, 64 * n - s->bits);
    }
    if (ok(status)) {
        status = device_load(ctx, s->who, ap, &e, n);
    }
    if (ok(status)) {
        status = root_reciprocal(ctx, s->who, yp, m, ap, n,
                                 (int64_t)s->bits - (int64_t)(s->k * s->root_bits), s->k);
    }
    bigint_clear(ctx, &e);
    return status;
}

// send enqueues {to, n} = {p, n}.
static bigint_status send(const device_radicand *s, uint64_t *to, const uint64_t *p, uint64_t n) {
    bigint_status status = device_enter(s->ctx, s->who);
    if (ok(status)) {
        status = device_send_bytes(s->ctx, s->who, to, p, n * sizeof *p);
        device_leave(s->ctx);
    }
    return status;
}

bigint_status device_reciprocal_root_start(const device_radicand *s, uint64_t *begun, uint64_t h) {
    const uint64_t m = first(s, h) + 2, right = start_right(s), limbs = m - right / 64;
    const arena_mark mark = arena_get_mark(s->ctx);
    uint64_t *const yp = arena_take_limbs(s->ctx, s->who, m);
    bigint_status status = yp == NULL ? BIGINT_ENOMEM : by_host(s, yp, m);
    if (ok(status)) {
        limbs_rshift(yp, yp + right / 64, limbs, (unsigned)(right % 64));
        status = send(s, begun, yp, limbs);
    }
    arena_release(s->ctx, mark);
    return status;
}

bigint_status device_reciprocal_root_third(const device_radicand *s, uint64_t *y, uint64_t *h,
                                           uint64_t n) {
    const uint64_t limbs = n + 1;
    const arena_mark mark = arena_get_mark(s->ctx);
    uint64_t *const yp = arena_take_limbs(s->ctx, s->who, 2 * limbs);
    bigint_status status = yp == NULL ? BIGINT_ENOMEM : by_host(s, yp, limbs);
    if (ok(status)) {
        limbs_rshift(yp, yp, limbs, 62);  // from units of 4 B^-(n + 1) to B^-n
        limbs_sub_1(yp, yp, limbs, 1);
        limbs_sub_1(yp, yp, limbs, limbs_divrem_1(yp + limbs, yp, limbs, 3));
        status = send(s, y, yp, limbs);
    }
    status = ok(status) ? send(s, h, yp + limbs, limbs) : status;
    arena_release(s->ctx, mark);
    return status;
}

// --- Steps ---------------------------------------------------------------------------------------

uint64_t device_reciprocal_root_bits(uint64_t n, uint64_t h) { return 64 * (n - h + 1) + 7; }

// residual: t = B^*one - alpha y^k B^*one; |t| < 2^bits, bits = 64 (*one - h) + the bits of k + 6.
static bigint_status residual(const device_radicand *s, bigint *t, uint64_t *one, uint64_t n,
                              device_fraction y, uint64_t h) {
    device_fractions products = {.ctx = s->ctx, .who = s->who, .limbs = n + 1, .k = s->k};
    device_fraction alpha, power;
    bigint e = BIGINT_INIT;
    bigint_status status = device_radicand_alpha(s, &alpha, &e, n + 1);
    if (ok(status)) {
        status = device_fraction_power(&products, &power, y, s->k);
    }
    if (ok(status)) {
        assert(alpha.f + power.f > (int64_t)h);
        *one = (uint64_t)(alpha.f + power.f);
        const limbs_device_number none = {NULL, 0, NULL};
        const bigint left = device_fraction_integer(&e, alpha.x),
                     right = device_fraction_integer(&e, power.x);
        status =
            device_minus_product(s->ctx, s->who, t, 64 * (*one - h) + device_degree_bits(s) + 6,
                                 none, *one, &left, &right);
    }
    device_fractions_close(&products);
    bigint_clear(s->ctx, &e);
    return status;
}

// step: y of n limbs from yh of h, n <= 2 h - 1: y + y T / k. T keeps n limbs behind the point.
static bigint_status step(const device_radicand *s, bigint *y, uint64_t n, const bigint *yh,
                          uint64_t h) {
    bigint_ctx *ctx = s->ctx;
    const device_fraction from = {device_magnitude(yh, 0), (int64_t)h,
                                  device_radicand_reciprocal_size(s)};
    const uint64_t bits = device_reciprocal_root_bits(n, h);
    bigint t = BIGINT_INIT, high = BIGINT_INIT, product = BIGINT_INIT, fraction = BIGINT_INIT,
           shifted = BIGINT_INIT;
    uint64_t one = 0;
    bigint_status status = residual(s, &t, &one, n, from, h);
    if (ok(status)) {
        const uint64_t drop = one > n ? one - n : 0, t_bits = device_bits(&t);
        assert(one >= n);
        status =
            device_step_right(ctx, s->who, &high, t_bits - 64 * drop, device_number(&t), 64 * drop);
    }
    if (ok(status)) {
        status = device_mul(ctx, s->who, &product, &high, yh);
    }
    if (ok(status)) {
        status = device_inverse_divide(&s->inverse, &fraction, bits, &product, 64 * h);
    }
    if (ok(status)) {
        status = device_step_left(ctx, s->who, &shifted, 64 * (n + 1) + 1, device_number(yh),
                                  64 * (n - h));
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, y, 64 * (n + 1) + 1, device_number(&shifted),
                                 device_number(&fraction), false);
    }
    bigint *const all[] = {&t, &high, &product, &fraction, &shifted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(ctx, all[i]);
    }
    return status;
}

bigint_status device_reciprocal_root(const device_radicand *s, bigint *y, const uint64_t *begun,
                                     uint64_t h) {
    if (h == first(s, h)) {
        const limbs_device_number x = {begun, device_reciprocal_root_begun(s, h), NULL};
        return device_step_left(s->ctx, s->who, y, 64 * x.n, x, 0);
    }
    const uint64_t half = before(h);
    bigint near = BIGINT_INIT;
    bigint_status status = device_reciprocal_root(s, &near, begun, half);
    if (ok(status)) {
        status = step(s, y, h, &near, half);
    }
    bigint_clear(s->ctx, &near);
    return status;
}

void device_fractions_need(work_need *w, uint64_t n, uint64_t h) {
    enum { MORE = 3 };  // limbs beyond the ones that count: an even number is cut off
    for (uint64_t limbs = h + 1; limbs < n + MORE; limbs *= 2) {
        device_mul_need(w, limbs, limbs, true);
        device_mul_need(w, limbs, limbs, false);
    }
    device_mul_need(w, n + MORE, n + MORE, true);
    device_mul_need(w, n + MORE, n + MORE, false);
    device_mul_need(w, n + MORE, h + 1, false);
    need_words(w, carry_add_workspace_bytes(2 * (n + MORE)));
}

void device_reciprocal_root_need(work_need *w, uint64_t h) {
    const uint64_t in_use = w->host.in_use;
    for (; h > device_root_start(w->ctx); h = before(h)) {
        device_fractions_need(w, h + 1, before(h));
    }
    need_take_limbs(&w->host, h + 4);
    need_take_limbs(&w->host, h + 2);
    root_reciprocal_need(w, h + 2);
    need_release(&w->host, in_use);
}
