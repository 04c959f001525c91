// reciprocal.c: Newton's iteration for the reciprocal on a device. Each step doubles the length.
// B = 2^64.
#include "bigint/device/divide/reciprocal.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"

// --- One launch ----------------------------------------------------------------------------------

static numbers_device one_number(uint64_t *p, uint64_t n) {
    return (numbers_device){.p = p, .n = n, .stride = n};
}

// divide_once: the launch, between device_enter and device_leave.
static bigint_status divide_once(bigint_ctx *ctx, const char *who, device_target *q,
                                 device_target *r, const bigint *a, const bigint *d, uint64_t dn) {
    division_device_plan plan;
    const result planned =
        division_device_plan_make(&plan, DIVISION_DEVICE_QUOTIENT, 1, dn, q->p != NULL ? a->n_ : 0,
                                  ctx->device.about.multiprocessors, 0);
    if (planned != RESULT_OK) {
        return device_status(ctx, who, planned);
    }
    void *const ws = plan.workspace_bytes == 0
                         ? NULL
                         : arena_take_in(ctx, &ctx->queue.memory, who, plan.workspace_bytes);
    if (ws == NULL && plan.workspace_bytes != 0) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    const cuda_stream stream = ctx->queue.stream;
    const division_device_batch batch = {
        .count = 1,
        .a = one_number(a->d_, a->n_),
        .modulus = one_number(d->d_, dn),
        .q = one_number(q->p, q->n),
        .r = one_number(r->p, r->n),
    };
    result done = division_device(&plan, &batch, ws, stream);
    if (done == RESULT_OK && q->p != NULL) {
        done = cuda_set(q->p - 1, 0, sizeof *q->p, stream);
    }
    if (done == RESULT_OK && r->p != NULL) {
        done = cuda_set(r->p - 1, 0, sizeof *r->p, stream);
    }
    return device_status(ctx, who, done);
}

bigint_status device_divide_once(bigint_ctx *ctx, const char *who, bigint *q, bigint *r,
                                 const bigint *a, const bigint *d, uint64_t dn) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    device_target to_q = {0}, to_r = {0};
    if (q != NULL) {
        status = device_target_open(ctx, who, q, 64 * a->n_, &to_q);
    }
    if (status == BIGINT_OK && r != NULL) {
        status = device_target_open(ctx, who, r, 64 * dn, &to_r);
        if (status != BIGINT_OK) {
            to_r = (device_target){0};
        }
    }
    if (status == BIGINT_OK) {
        status = divide_once(ctx, who, &to_q, &to_r, a, d, dn);
    }
    if (to_q.p != NULL) {
        status = device_target_close(ctx, q, &to_q, status);
    }
    if (to_r.p != NULL) {
        status = device_target_close(ctx, r, &to_r, status);
    }
    arena_release_in(ctx, &ctx->queue.memory, mark);
    device_leave(ctx);
    return status;
}

// --- Newton's iteration --------------------------------------------------------------------------

// all_ones: x = B^n - 1.
static bigint_status all_ones(bigint_ctx *ctx, const char *who, bigint *x, uint64_t n) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, x, 64 * n, &target);
    if (status == BIGINT_OK) {
        const cuda_stream stream = ctx->queue.stream;
        result done = cuda_set(target.p, 0xff, n * sizeof *target.p, stream);
        done = done == RESULT_OK ? cuda_set(target.p - 1, 0, sizeof *target.p, stream) : done;
        status = device_target_close(ctx, x, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}

// base: x = floor((B^(2k) - 1) / (E B^(k - n))) for E = e of n <= k limbs: k + 1 limbs, as the
// divisor is at least B^k / 2.
static bigint_status base(bigint_ctx *ctx, const char *who, bigint *x, const bigint *e,
                          uint64_t k) {
    bigint a = BIGINT_INIT, padded = BIGINT_INIT;
    bigint_status status = all_ones(ctx, who, &a, 2 * k);
    if (status == BIGINT_OK) {
        status = device_step_left(ctx, who, &padded, 64 * k, device_number(e), 64 * (k - e->n_));
    }
    if (status == BIGINT_OK) {
        status = device_divide_once(ctx, who, x, NULL, &a, &padded, k);
    }
    if (status == BIGINT_OK) {
        device_announce(x, 64 * k + 1);
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &padded);
    return status;
}

// extend: x = X B^l + X T / B^(2h - pad), l = k - h, the fraction rounded toward zero. T's lowest
// `drop` limbs do not matter.
static bigint_status extend(bigint_ctx *ctx, const char *who, bigint *x, const bigint *xh,
                            const bigint *t, uint64_t k, uint64_t h, uint64_t pad) {
    const uint64_t l = k - h, drop = l > pad ? l - pad : 0, bits = device_bits(t) - 64 * drop;
    bigint top = BIGINT_INIT, product = BIGINT_INIT, fraction = BIGINT_INIT, shifted = BIGINT_INIT;
    bigint_status status = device_step_right(ctx, who, &top, bits, device_number(t), 64 * drop);
    if (status == BIGINT_OK) {
        status = device_mul(ctx, who, &product, &top, xh);
    }
    if (status == BIGINT_OK) {  // |X T| / B^(2h - pad) < 6 (2 B^h + 2) B^(k - 2h) < 16 B^l
        status = device_step_right(ctx, who, &fraction, 64 * l + 4, device_number(&product),
                                   64 * (2 * h - pad - drop));
    }
    if (status == BIGINT_OK) {
        status = device_step_left(ctx, who, &shifted, 64 * k + 2, device_number(xh), 64 * l);
    }
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, x, 64 * k + 2, device_number(&shifted),
                                 device_number(&fraction), false);
    }
    bigint_clear(ctx, &top), bigint_clear(ctx, &product);
    bigint_clear(ctx, &fraction), bigint_clear(ctx, &shifted);
    return status;
}

// step: x from the reciprocal of E's top h limbs; l < h, 2 h > k.
static bigint_status step(bigint_ctx *ctx, const char *who, bigint *x, const bigint *e,
                          uint64_t k) {
    const uint64_t l = (k - 1) / 2, h = k - l;
    bigint xh = BIGINT_INIT, t = BIGINT_INIT;
    bigint_status status = device_reciprocal(ctx, who, &xh, e, h);
    if (status == BIGINT_OK) {  // T = B^(n + h) - E X, |T| < 6 B^n
        const limbs_device_number none = {NULL, 0, NULL};
        status = device_minus_product(ctx, who, &t, 64 * e->n_ + 3, none, e->n_ + h, e, &xh);
    }
    if (status == BIGINT_OK) {
        status = extend(ctx, who, x, &xh, &t, k, h, k - e->n_);
    }
    bigint_clear(ctx, &xh), bigint_clear(ctx, &t);
    return status;
}

bigint_status device_reciprocal(bigint_ctx *ctx, const char *who, bigint *x, const bigint *d,
                                uint64_t k) {
    assert(k >= 2 && x != d);
    const uint64_t n = k < d->n_ ? k : d->n_;
    bigint e = BIGINT_INIT;
    bigint_status status =
        device_step_right(ctx, who, &e, 64 * n, device_number(d), 64 * (d->n_ - n));
    if (status == BIGINT_OK) {
        status = (k <= DEVICE_RECIPROCAL_BASE ? base : step)(ctx, who, x, &e, k);
    }
    bigint_clear(ctx, &e);
    return status;
}
