// root.c: roots of degree 3 and more on a device: an approximation with a limb behind the point,
// and a power that decides where that limb cannot. Bounds: docs/proofs/root.md, section 9.
#include "bigint/device/roots/root.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/names.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/device/roots/reciprocal_root.h"
#include "bigint/divide/root.h"
#include "carry/add.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// ABOVE: what is added to an approximation of the root in units of its last limb, so that it
// exceeds the root, by less than NEAR.
enum { ABOVE = 8, NEAR = 13 };

static unsigned degree_bits(const device_radicand *s) { return 64 - word_clz(s->k); }

// --- The approximation ---------------------------------------------------------------------------

// lengths: limbs of the root behind the point, m, and of the reciprocal root, h, for k^3 2^12 B^(m
// - 2 h) <= 1.
static uint64_t root_limbs(const device_radicand *s) { return s->rho + 1; }
static uint64_t reciprocal_limbs(const device_radicand *s) {
    const uint64_t h = word_ceil_div(64 * root_limbs(s) + 3 * degree_bits(s) + 12, 128);
    return h < 2 ? 2 : h;
}
// correction_bits: |w D / k| B^m is below 2^this.
static uint64_t correction_bits(const device_radicand *s) {
    const uint64_t m = root_limbs(s), h = reciprocal_limbs(s);
    return (m > h ? 64 * (m - h) : 0) + 2 * degree_bits(s) + 6;
}

// near_factors: the last step's numbers: w = y^(k - 1) and x = alpha w of h + 1 limbs, and x^k's
// last factors of m + 1.
typedef struct {
    device_fractions half, full;
    device_fraction w, x, left, right;
} near_factors;

static bigint_status find_factors(const device_radicand *s, near_factors *v) {
    const uint64_t h = reciprocal_limbs(s);
    bigint y = BIGINT_INIT, e = BIGINT_INIT;
    device_size size, alpha_size;
    device_fraction alpha;
    v->half = (device_fractions){.ctx = s->ctx, .who = s->who, .limbs = h + 1};
    v->full = (device_fractions){.ctx = s->ctx, .who = s->who, .limbs = root_limbs(s) + 1};
    bigint_status status = device_reciprocal_root(s, &y, &size, &alpha_size, h);
    if (ok(status)) {
        const device_fraction from = {device_magnitude(&y, 0), (int64_t)h, size};
        status = device_fraction_power(&v->half, &v->w, from, s->k - 1);
    }
    if (ok(status)) {
        status = device_radicand_alpha(s, &alpha, &e, h + 1);
        alpha.size = alpha_size;
    }
    if (ok(status)) {
        status = device_fraction_mul(&v->half, &v->x, v->w, alpha);
    }
    if (ok(status)) {
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
                          2 * degree_bits(s) + 4;
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

// near_root: x with 3 < x - A^(1/k) B < NEAR.
static bigint_status near_root(const device_radicand *s, bigint *x) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t m = root_limbs(s), bits = 64 * m + 1;
    near_factors v = {0};
    bigint shifted = BIGINT_INIT, d = BIGINT_INIT, sum = BIGINT_INIT, above = BIGINT_INIT;
    bigint_status status = find_factors(s, &v);
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
        status = device_step_sum(ctx, s->who, &sum, bits, device_number(&shifted),
                                 device_number(&d), false);
    }
    if (ok(status)) {
        status = bigint_set_u64(ctx, &above, ABOVE);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, x, bits, device_number(&sum), device_number(&above),
                                 false);
    }
    device_fractions_close(&v.half), device_fractions_close(&v.full);
    bigint_clear(ctx, &shifted), bigint_clear(ctx, &d);
    bigint_clear(ctx, &sum), bigint_clear(ctx, &above);
    return status;
}

// --- The integer ---------------------------------------------------------------------------------

// rest_of: rest = A - root^k for root <= 2^root_bits next to A^(1/k).
static bigint_status rest_of(const device_radicand *s, bigint *rest, const bigint *root) {
    device_fractions products = {.ctx = s->ctx, .who = s->who, .limbs = UINT64_MAX};
    const device_fraction from = {.x = device_magnitude(root, 0)};
    device_fraction left, right;
    const uint64_t most = s->k * s->root_bits + 1,
                   bits = (s->k - 1) * s->root_bits + degree_bits(s) + 1;
    bigint_status status = device_fraction_factors(&products, &left, &right, from, s->k);
    if (ok(status)) {
        const bigint a = device_fraction_integer(s->a, left.x),
                     b = device_fraction_integer(s->a, right.x);
        status = device_minus_product(s->ctx, s->who, rest, bits < most ? bits : most,
                                      device_magnitude(s->a, 0), UINT64_MAX, &a,
                                      left.x.p == right.x.p ? &a : &b);
    }
    device_fractions_close(&products);
    return status;
}

// lower: root -= 1.
static bigint_status lower(const device_radicand *s, bigint *root) {
    bigint one = BIGINT_INIT, less = BIGINT_INIT;
    bigint_status status = bigint_set_u64(s->ctx, &one, 1);
    if (ok(status)) {
        status = device_step_sum(s->ctx, s->who, &less, s->root_bits, device_number(root),
                                 device_number(&one), true);
    }
    if (ok(status)) {
        bigint_swap(root, &less);
    }
    bigint_clear(s->ctx, &one), bigint_clear(s->ctx, &less);
    return status;
}

// root_of: root = floor(A^(1/k)), and rest = A - root^k unless it is NULL.
static bigint_status root_of(const device_radicand *s, bigint *root, bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    bigint x = BIGINT_INIT, less = BIGINT_INIT;
    uint64_t fraction = 0, bits = 0;
    int sign = 1;
    bigint_status status = near_root(s, &x);
    if (ok(status)) {
        status = device_load(ctx, s->who, &fraction, &x, 1);
    }
    if (ok(status)) {  // 2^root_bits at most
        status = device_step_right(ctx, s->who, root, s->root_bits + 1, device_number(&x), 64);
    }
    const bool near = fraction < NEAR;  // the root, or one more
    if (ok(status) && (near || rest != NULL)) {
        status = rest_of(s, &less, root);
    }
    if (ok(status) && near) {
        status = device_measure(ctx, s->who, &bits, &sign, &less);
    }
    if (ok(status) && sign < 0) {
        status = lower(s, root);
        status = ok(status) && rest != NULL ? rest_of(s, &less, root) : status;
    }
    if (ok(status) && rest != NULL) {
        bigint_swap(rest, &less);
    }
    bigint_clear(ctx, &x), bigint_clear(ctx, &less);
    return status;
}

// set_lengths: what follows from bits and k.
static void set_lengths(device_radicand *s) {
    s->root_bits = word_ceil_div(s->bits, s->k);
    s->rho = word_ceil_div(s->root_bits, 64);
}

// integers_bytes: of the integers on the way to a root of |a|, an limbs.
static uint64_t integers_bytes(const device_radicand *s, uint64_t an) {
    return 8 * (20 * (s->rho + 30) + 6 * (an + 20));
}

// inverse_limbs: of 1 / k.
static uint64_t inverse_limbs(const device_radicand *s) {
    const uint64_t h = reciprocal_limbs(s), last = correction_bits(s),
                   step = device_reciprocal_root_bits(h, h / 2 + 1);
    return device_inverse_limbs(step > last ? step : last);
}

void device_root_need(work_need *w, uint64_t an, uint64_t k) {
    device_radicand s = {.ctx = w->ctx, .who = w->who, .bits = 64 * an, .k = k};
    if (k == 2) {
        device_sqrt_need(w, an);
    }
    if (k <= 2 || k >= s.bits) {
        need_words(w, carry_add_workspace_bytes(an + 1));
        return;
    }
    set_lengths(&s);
    const uint64_t bytes = integers_bytes(&s, an), in_use = w->host.in_use,
                   rest = (an + 1) / 2 + s.rho + 1;  // of the power's last factors
    need_integers(w, bytes);
    need_take_limbs(&w->host, inverse_limbs(&s));
    need_release(&w->host, in_use);
    device_reciprocal_root_need(w, reciprocal_limbs(&s));
    device_fractions_need(w, root_limbs(&s) + 1, reciprocal_limbs(&s));
    device_fractions_need(w, rest, s.rho);
    device_mul_need(w, an, s.rho + 1, false);
    need_integers_end(w, bytes);
}

int device_root_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t k) {
    return snprintf(buf, cap, "%s root, degree %llu, %llu limbs, %s",
                    names_backend(ctx->device.backend), (unsigned long long)k,
                    (unsigned long long)an,
                    k <= 1 || k >= 64 * an ? "a copy, or 1"
                    : k == 2               ? "by Newton's iteration for root and reciprocal root"
                                           : "by Newton's iteration for the reciprocal root");
}

// long_root: root_of for 3 <= k < bits, its integers counted.
static bigint_status long_root(device_radicand *s, bigint *root, bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    set_lengths(s);
    const uint64_t bytes = integers_bytes(s, s->a->n_);
    bigint_status status = device_count_integers(ctx, s->who, bytes);
    if (!ok(status)) {
        return status;
    }
    status = device_inverse_open(&s->inverse, ctx, s->who, s->k, inverse_limbs(s));
    if (ok(status)) {
        status = root_of(s, root, rest);
    }
    device_inverse_close(&s->inverse);
    device_uncount_integers(ctx, bytes);
    return status;
}

// small_root: root = 1 and rest = |a| - 1, for 0 < |a| < 2^k; or root = |a| and rest = 0 for k = 1.
static bigint_status small_root(const device_radicand *s, bigint *root, bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    bigint one = BIGINT_INIT;
    bigint_status status = bigint_set_u64(ctx, &one, 1);
    if (ok(status)) {
        status = device_copy(ctx, s->who, root, s->k == 1 ? s->a : &one, LIMBS_SIGN_CLEAR);
    }
    if (ok(status) && s->k > 1) {
        status = device_step_sum(ctx, s->who, rest, s->bits, device_magnitude(s->a, 0),
                                 device_number(&one), true);
    }
    bigint_clear(ctx, &one);
    return status;
}

// flip: x has a plus, and gets a minus if a has one.
static bigint_status flip(bigint_ctx *ctx, const char *who, bigint *x, int sign) {
    return sign < 0 ? device_copy(ctx, who, x, x, LIMBS_SIGN_FLIP) : BIGINT_OK;
}

bigint_status device_root(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a,
                          uint64_t k) {
    if (k == 2) {
        return device_sqrt(ctx, who, s, r, a);
    }
    uint64_t bits;
    int sign;
    bigint root = BIGINT_INIT, rest = BIGINT_INIT, exact = *a;
    bigint_status status = device_measure(ctx, who, &bits, &sign, a);
    if (ok(status) && sign < 0 && k % 2 == 0) {
        return root_negative(ctx, who);
    }
    if (ok(status) && bits > 0) {
        device_announce(&exact, bits);  // a without zeros on top: its limbs, not a copy
        device_radicand of = {.ctx = ctx, .who = who, .a = &exact, .bits = bits, .k = k};
        status = k == 1 || k >= bits ? small_root(&of, &root, &rest)
                                     : long_root(&of, &root, r != NULL ? &rest : NULL);
    }
    if (ok(status)) {
        status = flip(ctx, who, &root, sign);
    }
    if (ok(status)) {
        status = flip(ctx, who, &rest, sign);
    }
    if (ok(status) && s != NULL) {
        bigint_swap(s, &root);
    }
    if (ok(status) && r != NULL) {
        bigint_swap(r, &rest);
    }
    bigint_clear(ctx, &root), bigint_clear(ctx, &rest);
    return status;
}
