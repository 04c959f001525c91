// root.c: square roots and reciprocal ones on a device by Newton's iteration for both at once,
// which begins on the host. B = 2^64; bounds: docs/proofs/root.md, sections 7 and 8.
#include "bigint/device/divide/root.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/kept.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/divide/root.h"
#include "bigint/divide/root_newton.h"
#include "bigint/divide/rsqrt.h"
#include "primitives/limbs/limbs.h"
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

// --- The start -----------------------------------------------------------------------------------
// Y of h limbs is within 6 of B^h sqrt(B^(2 n) / A), so below 2^(64 h + 2).

// START: limbs of the reciprocal root that the host computes from A's top limbs:
// each step that it saves is nine launches. Not measured on a device yet.
enum { START = 256 };

uint64_t device_root_start(const bigint_ctx *ctx) {
    return ctx->queue.root_limbs != 0 ? ctx->queue.root_limbs : START;
}

// start: y of h limbs, h >= 2, on the host. It waits for A's top limbs.
static bigint_status start(const radicand *s, bigint *y, uint64_t h) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t n = h + 2;  // of A; its reciprocal root is computed to h + 1
    bigint e = BIGINT_INIT;
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const ap = arena_take_limbs(ctx, s->who, n), *const yp =
                                                               ap == NULL ? NULL
                                                                          : arena_take_limbs(
                                                                                ctx, s->who, h + 1);
    bigint_status status = yp == NULL ? BIGINT_ENOMEM : top(s, &e, n);
    if (ok(status)) {
        status = device_load(ctx, s->who, ap, &e, n);
    }
    if (ok(status)) {
        status = root_reciprocal(ctx, s->who, yp, h + 1, ap, n, 0, 2);
    }
    if (ok(status)) {  // from units of 4 B^-(h + 1) to B^-h
        limbs_rshift(yp, yp, h + 1, 62);
        status = device_store(ctx, s->who, y, yp, h + 1, 1);
    }
    arena_release(ctx, mark);
    bigint_clear(ctx, &e);
    return status;
}

// --- Both roots ----------------------------------------------------------------------------------
// U of h limbs is within 6 of B^h sqrt(A / B^(2 n)).

// root_step: x of m limbs from u and y of h, m <= 2 h - 2: U B^(m - h) + D Y / (2 B^(3 h - m)), D =
// floor(A B^(2 h - 2 n)) - U^2.
static bigint_status root_step(const radicand *s, bigint *x, uint64_t m, const bigint *u,
                               const device_kept *y, uint64_t h) {
    bigint_ctx *ctx = s->ctx;
    bigint c = BIGINT_INIT, d = BIGINT_INIT, product = BIGINT_INIT;
    bigint_status status = top(s, &c, 2 * h);
    if (ok(status)) {
        status = device_minus_product(ctx, s->who, &d, 64 * h + 5, device_magnitude(&c, 0),
                                      UINT64_MAX, u, u);
    }
    if (ok(status)) {
        status = device_kept_mul(ctx, s->who, &product, device_number(&d), y);
    }
    if (ok(status)) {
        status =
            scaled(s, x, 64 * m + 2, u, m - h, &product, 64 * (3 * h - m) + 1, 64 * (m - h) + 6);
    }
    bigint_clear(ctx, &c), bigint_clear(ctx, &d), bigint_clear(ctx, &product);
    return status;
}

// reciprocal_step: x of m limbs from y of h and the root u of m: Y B^(m - h) + Y T / B^(2 h), T =
// B^(m + h) - U Y. T's lowest h - 1 limbs do not matter.
static bigint_status reciprocal_step(const radicand *s, bigint *x, uint64_t m, const bigint *u,
                                     const device_kept *y, uint64_t h) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number none = {NULL, 0, NULL};
    bigint t = BIGINT_INIT, high = BIGINT_INIT, product = BIGINT_INIT;
    bigint_status status = device_minus_product(ctx, s->who, &t, 64 * m + 4, none, m + h, u, y->b);
    if (ok(status)) {
        status = device_step_right(ctx, s->who, &high, 64 * (m - h + 1) + 4, device_number(&t),
                                   64 * (h - 1));
    }
    if (ok(status)) {
        status = device_kept_mul(ctx, s->who, &product, device_number(&high), y);
    }
    if (ok(status)) {
        status = scaled(s, x, 64 * m + 2, y->b, m - h, &product, 64 * (h + 1), 64 * (m - h) + 6);
    }
    bigint_clear(ctx, &t), bigint_clear(ctx, &high), bigint_clear(ctx, &product);
    return status;
}

// first: u and y of h limbs, h >= 2, from the host's y: U = E Y / B^h.
static bigint_status first(const radicand *s, bigint *u, bigint *y, uint64_t h) {
    bigint e = BIGINT_INIT, product = BIGINT_INIT;
    bigint_status status = start(s, y, h);
    if (ok(status)) {
        status = top(s, &e, h);
    }
    if (ok(status)) {
        status = device_mul(s->ctx, s->who, &product, &e, y);
    }
    if (ok(status)) {
        status = device_step_right(s->ctx, s->who, u, 64 * h + 1, device_number(&product), 64 * h);
    }
    bigint_clear(s->ctx, &e), bigint_clear(s->ctx, &product);
    return status;
}

// half_of: the length from which a step makes m limbs, less than m for m >= 4.
static uint64_t half_of(uint64_t m) { return word_ceil_div(m, 2) + 1; }

// both: u and y of m >= 2 limbs, a step from those of half the length; y's transform is kept.
static bigint_status both(const radicand *s, bigint *u, bigint *y, uint64_t m) {
    if (m < 4 || m <= device_root_start(s->ctx)) {
        return first(s, u, y, m);
    }
    bigint_ctx *ctx = s->ctx;
    const uint64_t h = half_of(m);
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    bigint uh = BIGINT_INIT, yh = BIGINT_INIT;
    device_kept by_y;
    bigint_status status = both(s, &uh, &yh, h);
    if (ok(status)) {
        status = device_keep(ctx, s->who, &by_y, &yh, h + 1);
    }
    if (ok(status)) {
        status = root_step(s, u, m, &uh, &by_y, h);
    }
    if (ok(status)) {
        status = reciprocal_step(s, y, m, u, &by_y, h);
    }
    arena_release_in(ctx, &ctx->queue.memory, mark);
    bigint_clear(ctx, &uh), bigint_clear(ctx, &yh);
    return status;
}

// near_root: x with sqrt(A) B < x <= sqrt(A) B + 7: the root to n + 1 limbs, and 4.
static bigint_status near_root(const radicand *s, bigint *x) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t m = s->n + 1, h = half_of(m);
    bigint u = BIGINT_INIT, y = BIGINT_INIT, near = BIGINT_INIT, four = BIGINT_INIT;
    bigint_status status = both(s, &u, &y, h);
    if (ok(status)) {
        const device_kept by_y = {.b = &y};  // for one product
        status = root_step(s, &near, m, &u, &by_y, h);
    }
    if (ok(status)) {
        status = bigint_set_u64(ctx, &four, 4);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, s->who, x, 64 * m + 2, device_number(&near),
                                 device_number(&four), false);
    }
    bigint_clear(ctx, &u), bigint_clear(ctx, &y);
    bigint_clear(ctx, &near), bigint_clear(ctx, &four);
    return status;
}

// --- The root ------------------------------------------------------------------------------------

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

// radicand_of: a, announced as exactly `bits` bits.
static radicand radicand_of(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t bits) {
    const uint64_t n = word_ceil_div(bits, 128);
    return (radicand){
        .ctx = ctx, .who = who, .a = a, .bits = bits, .n = n, .shift = (128 * n - bits) / 2 * 2};
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
        bigint exact = *a;  // a without zeros on top: its limbs, not a copy
        device_announce(&exact, bits);
        const radicand of = radicand_of(ctx, who, &exact, bits);
        const uint64_t bytes = 8 * 12 * (of.n + 20);  // near_root holds 7 n limbs, root_of 10 n
        status = device_count_integers(ctx, who, bytes);
        if (ok(status)) {
            status = root_of(&of, &root, r != NULL ? &rest : NULL);
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

// --- The reciprocal root in fixed point ----------------------------------------------------------

// rounded: r = Y / 2^after, rounded, for after >= 1; r <= 2^most.
static bigint_status rounded(bigint_ctx *ctx, const char *who, bigint *r, const bigint *y,
                             uint64_t after, uint64_t most) {
    bigint one = BIGINT_INIT, half = BIGINT_INIT, sum = BIGINT_INIT;
    bigint_status status = bigint_set_u64(ctx, &one, 1);
    if (ok(status)) {
        status = device_step_left(ctx, who, &half, after, device_number(&one), after - 1);
    }
    if (ok(status)) {
        status = device_step_sum(ctx, who, &sum, device_bits(y) + 1, device_number(y),
                                 device_number(&half), false);
    }
    if (ok(status)) {
        status = device_step_right(ctx, who, r, most + 1, device_number(&sum), after);
    }
    bigint_clear(ctx, &one), bigint_clear(ctx, &half), bigint_clear(ctx, &sum);
    return status;
}

// rsqrt_of: r for a form whose places are not negative.
static bigint_status rsqrt_of(const radicand *s, bigint *r, const rsqrt_form *form) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t h = form->limbs, bytes = 8 * 12 * (h + 20);
    bigint u = BIGINT_INIT, y = BIGINT_INIT, root = BIGINT_INIT;
    bigint_status status = device_count_integers(ctx, s->who, bytes);
    if (!ok(status)) {
        return status;
    }
    status = both(s, &u, &y, h);
    if (ok(status)) {  // Y B^-h 2^(places - 1): both powers make alpha of a
        status = rounded(ctx, s->who, &root, &y, 64 * h + 1 - (uint64_t)form->places,
                         (uint64_t)form->places);
    }
    if (ok(status)) {
        bigint_swap(r, &root);
    }
    device_uncount_integers(ctx, bytes);
    bigint_clear(ctx, &u), bigint_clear(ctx, &y), bigint_clear(ctx, &root);
    return status;
}

bigint_status device_rsqrt(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           uint64_t bits) {
    uint64_t length;
    int sign;
    rsqrt_form form;
    bigint_status status = device_measure(ctx, who, &length, &sign, a);
    if (ok(status) && sign <= 0) {
        status = rsqrt_not_positive(ctx, who);
    }
    if (ok(status)) {
        status = rsqrt_form_of(ctx, who, &form, length, bits);
    }
    if (!ok(status) || form.places < 0) {
        return ok(status) ? bigint_set_u64(ctx, r, 0) : status;
    }
    bigint exact = *a;  // its limbs, not a copy
    device_announce(&exact, length);
    const radicand of = radicand_of(ctx, who, &exact, length);
    return rsqrt_of(&of, r, &form);
}
