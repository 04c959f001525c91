// near_root.c: see near_root.h. Bounds: docs/proofs/root.md, section 9.
#include "bigint/device/roots/near_root.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/device/roots/cube_series.h"
#include "bigint/divide/root_newton.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// lengths: limbs of the root behind the point, m, and of the reciprocal root, h, for k^3 2^12 B^(m
// - 2 h) <= 1.
static uint64_t root_limbs(const device_radicand *s) { return s->rho + 1; }
static uint64_t reciprocal_limbs(const device_radicand *s) {
    const uint64_t h = word_ceil_div(64 * root_limbs(s) + 3 * device_degree_bits(s) + 12, 128);
    return h < 2 ? 2 : h;
}
// correction_bits: |w D / k| B^m is below 2^this.
static uint64_t correction_bits(const device_radicand *s) {
    const uint64_t m = root_limbs(s), h = reciprocal_limbs(s);
    return (m > h ? 64 * (m - h) : 0) + 2 * device_degree_bits(s) + 6;
}

// near_factors: the last step's numbers: w = y^(k - 1) and x = alpha w of h + 1 limbs, and x^k's
// last factors of m + 1.
typedef struct {
    device_fractions half, full;
    device_fraction w, x, left, right;
} near_factors;

static bigint_status find_factors(const device_radicand *s, near_factors *v,
                                  const uint64_t *begun) {
    const uint64_t h = reciprocal_limbs(s);
    bigint y = BIGINT_INIT, e = BIGINT_INIT;
    device_fraction alpha;
    v->half = (device_fractions){.ctx = s->ctx, .who = s->who, .limbs = h + 1, .k = s->k};
    v->full =
        (device_fractions){.ctx = s->ctx, .who = s->who, .limbs = root_limbs(s) + 1, .k = s->k};
    bigint_status status = device_reciprocal_root(s, &y, begun, h);
    if (ok(status)) {
        const device_fraction from = {device_magnitude(&y, 0), (int64_t)h,
                                      device_radicand_reciprocal_size(s)};
        status = device_fraction_power(&v->half, &v->w, from, s->k - 1);
    }
    if (ok(status)) {
        status = device_radicand_alpha(s, &alpha, &e, h + 1);
        alpha.size = device_radicand_size(s);
    }
    if (ok(status)) {
        status = device_fraction_mul(&v->half, &v->x, v->w, alpha);
    }
    if (ok(status)) {
        v->x.size = device_radicand_root_size(s);
        status = device_fraction_factors(&v->full, &v->left, &v->right, v->x, s->k);
    }
    bigint_clear(s->ctx, &y), bigint_clear(s->ctx, &e);
    return status;
}

// defect: t = (alpha - x^k) B^f, f the factors'.
static bigint_status defect(const device_radicand *s, bigint *t, const near_factors *v) {
    const int64_t f = v->left.f + v->right.f;
    const uint64_t h = reciprocal_limbs(s),
                   bits = (uint64_t)(device_radicand_bits(s) + 64 * (f - (int64_t)h)) +
                          2 * device_degree_bits(s) + 4;
    bigint c = BIGINT_INIT;
    bigint_status status = device_radicand_top(s, &c, f);
    if (ok(status)) {
        const bigint left = device_fraction_integer(&c, v->left.x),
                     right = device_fraction_integer(&c, v->right.x);
        status = device_minus_product(s->ctx, s->who, t, bits, device_magnitude(&c, 0), UINT64_MAX,
                                      &left, v->left.x.p == v->right.x.p ? &left : &right);
    }
    bigint_clear(s->ctx, &c);
    return status;
}

// correction: d = w D / k B^m.
static bigint_status correction(const device_radicand *s, bigint *d, const near_factors *v) {
    bigint_ctx *ctx = s->ctx;
    const int64_t f = v->w.f + v->left.f + v->right.f - (int64_t)root_limbs(s),
                  unused = f - (int64_t)reciprocal_limbs(s) - 3;
    const uint64_t drop = unused > 0 ? (uint64_t)unused : 0;  // limbs that do not matter
    bigint t = BIGINT_INIT, high = BIGINT_INIT, w = BIGINT_INIT, product = BIGINT_INIT;
    assert(f >= (int64_t)drop + 1);
    bigint_status status = defect(s, &t, v);
    if (ok(status) && device_bits(&t) > 64 * drop) {
        status = device_step_right(ctx, s->who, &high, device_bits(&t) - 64 * drop,
                                   device_number(&t), 64 * drop);
    }
    if (ok(status)) {
        status = device_step_right(ctx, s->who, &w, 64 * v->w.x.n, v->w.x, 0);
    }
    if (ok(status)) {
        status = device_mul(ctx, s->who, &product, &high, &w);
    }
    if (ok(status) && product.n_ > 0) {
        status = device_inverse_divide(&s->inverse, d, correction_bits(s), &product,
                                       64 * ((uint64_t)f - drop));
    }
    bigint *const all[] = {&t, &high, &w, &product};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(ctx, all[i]);
    }
    return status;
}

// by_steps: device_near_root by the reciprocal root's steps.
static bigint_status by_steps(const device_radicand *s, bigint *x, const uint64_t *begun) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t m = root_limbs(s), bits = 64 * m + 1;
    near_factors v = {0};
    bigint shifted = BIGINT_INIT, d = BIGINT_INIT;
    bigint_status status = find_factors(s, &v, begun);
    if (ok(status)) {
        status = correction(s, &d, &v);
    }
    if (ok(status)) {
        const int64_t left = (int64_t)m - v.x.f;
        status = left >= 0
                     ? device_step_left(ctx, s->who, &shifted, bits, v.x.x, 64 * (uint64_t)left)
                     : device_step_right(ctx, s->who, &shifted, bits, v.x.x, 64 * (uint64_t)-left);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, x, bits, device_number(&shifted), device_number(&d),
                                 false);
    }
    device_fractions_close(&v.half), device_fractions_close(&v.full);
    bigint_clear(ctx, &shifted), bigint_clear(ctx, &d);
    return status;
}

// --- Cube roots by a series ----------------------------------------------------------------------

static device_cube_series series_of(const device_radicand *s) {
    return device_cube_series_plan(s->ctx, s->k, root_limbs(s));
}

// spare: A 2^(3 spare) B^(-3 rho) is 1/8 at least.
static uint64_t spare(const device_radicand *s) { return 64 * s->rho - s->root_bits; }

// third_at: limbs from y to y / 3 in what the series begins with.
static uint64_t third_at(const device_cube_series *series) {
    return device_lines(series->start + 1);
}

static bigint_status by_series(const device_radicand *s, const device_cube_series *series,
                               bigint *x, const uint64_t *begun) {
    const int64_t left = 64 * ((int64_t)series->f - 3 * (int64_t)s->rho) + 3 * (int64_t)spare(s);
    const limbs_device_number a = device_magnitude(s->a, 0);
    bigint e = BIGINT_INIT;
    bigint_status status =
        left >= 0 ? device_step_left(s->ctx, s->who, &e, 64 * series->f, a, (uint64_t)left)
                  : device_step_right(s->ctx, s->who, &e, 64 * series->f, a, (uint64_t)-left);
    if (ok(status)) {
        const device_cube_series_operands from = {e.d_, begun, begun + third_at(series)};
        status = device_cube_series_find(s->ctx, s->who, series, x, &from, spare(s));
    }
    bigint_clear(s->ctx, &e);
    return status;
}

// --- Either way ----------------------------------------------------------------------------------

uint64_t device_near_inverse(const device_radicand *s) {
    if (series_of(s).levels > 0) {
        return 0;
    }
    const uint64_t h = reciprocal_limbs(s), last = correction_bits(s),
                   step = device_reciprocal_root_bits(h, h / 2 + 1);
    return device_inverse_limbs(step > last ? step : last);
}

uint64_t device_near_begun(const device_radicand *s) {
    const device_cube_series series = series_of(s);
    return series.levels > 0 ? third_at(&series) + series.start + 1
                             : device_reciprocal_root_begun(s, reciprocal_limbs(s));
}

bigint_status device_near_start(const device_radicand *s, uint64_t *begun) {
    const device_cube_series series = series_of(s);
    return series.levels > 0
               ? device_reciprocal_root_third(s, begun, begun + third_at(&series), series.start)
               : device_reciprocal_root_start(s, begun, reciprocal_limbs(s));
}

bigint_status device_near_root(const device_radicand *s, bigint *x, const uint64_t *begun) {
    const device_cube_series series = series_of(s);
    return series.levels > 0 ? by_series(s, &series, x, begun) : by_steps(s, x, begun);
}

void device_near_root_need(work_need *w, const device_radicand *s) {
    const uint64_t h = reciprocal_limbs(s), in_use = w->host.in_use;
    const device_cube_series series = series_of(s);
    if (series.levels > 0) {
        need_take_limbs(&w->host, 2 * (series.start + 1));
        need_take_limbs(&w->host, series.start + 3);
        root_reciprocal_need(w, series.start + 1);
        need_release(&w->host, in_use);
        device_cube_series_need(w, &series);
        return;
    }
    need_take_limbs(&w->host, device_near_inverse(s));
    need_release(&w->host, in_use);
    device_reciprocal_root_need(w, h);
    device_fractions_need(w, root_limbs(s) + 1, h);
}
