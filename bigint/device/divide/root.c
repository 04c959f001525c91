// root.c: square roots on a device by Newton's iteration for the reciprocal root, without a value
// on the host. B = 2^64; bounds: docs/proofs/root.md, last section.
#include "bigint/device/divide/root.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/divide/root.h"
#include "primitives/limbs/root_device.h"
#include "primitives/words/word.h"

// radicand: A = a 2^shift, of 2 n limbs, the top two bits of which are not both 0; shift is even.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const bigint *a;
    uint64_t bits, n, shift;
} radicand;

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// top: e = floor(A B^(k - 2 n)), of k limbs.
static bigint_status top(const radicand *s, bigint *e, uint64_t k) {
    const uint64_t left = s->shift + 64 * k, right = 128 * s->n;
    const limbs_device_number a = device_magnitude(s->a, 0);
    return left >= right ? device_step_left(s->ctx, s->who, e, 64 * k, a, left - right)
                         : device_step_right(s->ctx, s->who, e, 64 * k, a, right - left);
}

// scaled: r = x B^left + floor(product / 2^right), rounded toward zero, r < 2^bits, for a product
// of either sign, of magnitude below 2^(right + part).
static bigint_status scaled(const radicand *s, bigint *r, uint64_t bits, const bigint *x,
                            uint64_t left, const bigint *product, uint64_t right, uint64_t part) {
    bigint shifted = BIGINT_INIT, fraction = BIGINT_INIT;
    bigint_status status =
        device_step_left(s->ctx, s->who, &shifted, bits, device_number(x), 64 * left);
    if (ok(status)) {
        status = device_step_right(s->ctx, s->who, &fraction, part, device_number(product), right);
    }
    if (ok(status)) {
        status = device_step_sum(s->ctx, s->who, r, bits, device_number(&shifted),
                                 device_number(&fraction), false);
    }
    bigint_clear(s->ctx, &shifted), bigint_clear(s->ctx, &fraction);
    return status;
}

// --- The reciprocal root -------------------------------------------------------------------------
// Y of h limbs is within 6 of B^h sqrt(B^(2 n) / A), so below 2^(64 h + 2).

static bigint_status base(const radicand *s, bigint *y) {
    bigint_ctx *ctx = s->ctx;
    bigint e = BIGINT_INIT;
    bigint_status status = top(s, &e, 2);
    if (ok(status)) {
        status = device_enter(ctx, s->who);
    }
    if (ok(status)) {
        device_target target;
        status = device_target_open(ctx, s->who, y, 64 * 2 + 2, &target);
        if (ok(status)) {
            const cuda_stream stream = ctx->queue.stream;
            result done = limbs_device_reciprocal_root(target.p, e.d_, stream);
            done = done == RESULT_OK ? cuda_set(target.p - 1, 0, sizeof *target.p, stream) : done;
            status = device_target_close(ctx, y, &target, device_status(ctx, s->who, done));
        }
        device_leave(ctx);
    }
    bigint_clear(ctx, &e);
    return status;
}

// step: y of k limbs from yh of h, k <= 2 h - 1: Y B^(k - h) + Y T / (2 B^(3 h)), T = B^(k + 2 h) -
// E Y^2. T's lowest 2 h - 1 limbs do not matter.
static bigint_status step(const radicand *s, bigint *y, uint64_t k, const bigint *yh, uint64_t h) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t drop = 2 * h - 1, t_bits = 64 * (k + h) + 5;
    bigint e = BIGINT_INIT, square = BIGINT_INIT, t = BIGINT_INIT, high = BIGINT_INIT,
           product = BIGINT_INIT;
    bigint_status status = top(s, &e, k);
    if (ok(status)) {
        status = device_mul(ctx, s->who, &square, yh, yh);
    }
    if (ok(status)) {
        const limbs_device_number none = {NULL, 0, NULL};
        status = device_minus_product(ctx, s->who, &t, t_bits, none, k + 2 * h, &e, &square);
    }
    if (ok(status)) {
        status =
            device_step_right(ctx, s->who, &high, t_bits - 64 * drop, device_number(&t), 64 * drop);
    }
    if (ok(status)) {
        status = device_mul(ctx, s->who, &product, &high, yh);
    }
    if (ok(status)) {  // |Y T| / (2 B^(3 h)) < (2 B^h + 6) 2^4 B^(k - 2 h) < 2^6 B^(k - h)
        status = scaled(s, y, 64 * k + 2, yh, k - h, &product, 64 * (3 * h - drop) + 1,
                        64 * (k - h) + 6);
    }
    bigint *const all[] = {&e, &square, &t, &high, &product};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(ctx, all[i]);
    }
    return status;
}

// reciprocal: y of h >= 2 limbs.
static bigint_status reciprocal(const radicand *s, bigint *y, uint64_t h) {
    if (h == 2) {
        return base(s, y);
    }
    const uint64_t half = h / 2 + 1;
    bigint near = BIGINT_INIT;
    bigint_status status = reciprocal(s, &near, half);
    if (ok(status)) {
        status = step(s, y, h, &near, half);
    }
    bigint_clear(s->ctx, &near);
    return status;
}

// --- The root ------------------------------------------------------------------------------------

// near_root: x with sqrt(A) B < x <= sqrt(A) B + 7: U B^(m - h) + D Y / (2 B^(3 h - m)) and 4, for
// m = n + 1, U = E Y / B^h the root to h limbs, and D = floor(A B^(2 h - 2 n)) - U^2.
static bigint_status near_root(const radicand *s, bigint *x) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t m = s->n + 1, h = word_ceil_div(m, 2) + 1, d_bits = 64 * h + 5;
    bigint y = BIGINT_INIT, e = BIGINT_INIT, product = BIGINT_INIT, u = BIGINT_INIT,
           c = BIGINT_INIT, d = BIGINT_INIT, near = BIGINT_INIT, four = BIGINT_INIT;
    bigint_status status = reciprocal(s, &y, h);
    if (ok(status)) {
        status = top(s, &e, h);
    }
    if (ok(status)) {
        status = device_mul(ctx, s->who, &product, &e, &y);
    }
    if (ok(status)) {
        status = device_step_right(ctx, s->who, &u, 64 * h + 1, device_number(&product), 64 * h);
    }
    if (ok(status)) {
        status = top(s, &c, 2 * h);
    }
    if (ok(status)) {
        status = device_minus_product(ctx, s->who, &d, d_bits, device_magnitude(&c, 0), UINT64_MAX,
                                      &u, &u);
    }
    if (ok(status)) {
        status = device_mul(ctx, s->who, &product, &d, &y);
    }
    if (ok(status)) {
        status = scaled(s, &near, 64 * m + 2, &u, m - h, &product, 64 * (3 * h - m) + 1,
                        64 * (m - h) + 6);
    }
    if (ok(status)) {
        status = bigint_set_u64(ctx, &four, 4);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, x, 64 * m + 2, device_number(&near),
                                 device_number(&four), false);
    }
    bigint *const all[] = {&y, &e, &product, &u, &c, &d, &near, &four};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(ctx, all[i]);
    }
    return status;
}

// remainder: r = a - (near - over)^2 = rest + over (2 near - 1), rest = a - near^2.
static bigint_status remainder_of(const radicand *s, bigint *r, const bigint *near,
                                  const bigint *over, const bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t bits = word_ceil_div(s->bits, 2);
    bigint one = BIGINT_INIT, twice = BIGINT_INIT, odd = BIGINT_INIT, back = BIGINT_INIT;
    bigint_status status = bigint_set_u64(ctx, &one, 1);
    if (ok(status)) {
        status = device_step_left(ctx, s->who, &twice, bits + 2, device_number(near), 1);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, &odd, bits + 2, device_number(&twice),
                                 device_number(&one), true);
    }
    if (ok(status)) {
        status = device_step_choose(ctx, s->who, &back, &odd, over->d_);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, r, bits + 1, device_number(&back),
                                 device_number(rest), false);
    }
    bigint_clear(ctx, &one), bigint_clear(ctx, &twice);
    bigint_clear(ctx, &odd), bigint_clear(ctx, &back);
    return status;
}

// root: root = floor(sqrt(a)), and rest = a - root^2 unless it is NULL.
static bigint_status root_of(const radicand *s, bigint *root, bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t bits = word_ceil_div(s->bits, 2);  // of the root
    bigint x = BIGINT_INIT, near = BIGINT_INIT, less = BIGINT_INIT, over = BIGINT_INIT;
    bigint_status status = near_root(s, &x);
    if (ok(status)) {  // the root, or one more
        status =
            device_step_right(ctx, s->who, &near, bits + 1, device_number(&x), 64 + s->shift / 2);
    }
    if (ok(status)) {  // within 2 near - 1; 0 has a plus
        status = device_minus_product(ctx, s->who, &less, bits + 2, device_magnitude(s->a, 0),
                                      UINT64_MAX, &near, &near);
    }
    if (ok(status)) {  // over = 1 if less < 0
        const limbs_device_number sign = {less.d_ - 1, 1, NULL};
        status = device_step_left(ctx, s->who, &over, 1, sign, 0);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, root, bits, device_number(&near),
                                 device_number(&over), true);
    }
    if (ok(status) && rest != NULL) {
        status = remainder_of(s, rest, &near, &over, &less);
    }
    bigint_clear(ctx, &x), bigint_clear(ctx, &near);
    bigint_clear(ctx, &less), bigint_clear(ctx, &over);
    return status;
}

bigint_status device_sqrt(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a) {
    const bigint nothing = BIGINT_INIT;
    uint64_t bits;
    int sign;
    bigint root = BIGINT_INIT, rest = BIGINT_INIT;
    bigint_status status = device_measure(ctx, who, &bits, &sign, a);
    if (ok(status) && sign < 0) {
        return root_negative(ctx, who);
    }
    if (ok(status) && bits == 0) {
        status = device_copy(ctx, who, &root, &nothing, LIMBS_SIGN_KEEP);
    } else if (ok(status)) {
        const uint64_t n = word_ceil_div(bits, 128);
        bigint exact = *a;  // a without zeros on top: its limbs, not a copy
        device_announce(&exact, bits);
        const radicand radicand_of = {.ctx = ctx,
                                      .who = who,
                                      .a = &exact,
                                      .bits = bits,
                                      .n = n,
                                      .shift = (128 * n - bits) / 2 * 2};
        const uint64_t bytes = 8 * 12 * (n + 20);  // near_root holds 7 n limbs, root_of 10 n
        status = device_count_integers(ctx, who, bytes);
        if (ok(status)) {
            status = root_of(&radicand_of, &root, r != NULL ? &rest : NULL);
            device_uncount_integers(ctx, bytes);
        }
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
