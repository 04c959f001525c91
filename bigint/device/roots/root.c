// root.c: roots of degree 3 and more on a device: an approximation with a limb behind the point,
// and a power that decides where that limb cannot. All that lengths decide is recorded
// (recording.h). Bounds: docs/proofs/root.md, section 9.
#include "bigint/device/roots/root.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/names.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/device/recording.h"
#include "bigint/device/roots/near_root.h"
#include "bigint/divide/root.h"
#include "carry/add.h"
#include "primitives/limbs/newton_device.h"
#include "primitives/words/word.h"

static bool ok(bigint_status status) { return status == BIGINT_OK; }

// --- The integer ---------------------------------------------------------------------------------

// rest_bits: |A - root^k| < 2^this for root <= 2^root_bits next to A^(1/k).
static uint64_t rest_bits(const device_radicand *s) {
    const uint64_t most = s->k * s->root_bits + 1,
                   bits = (s->k - 1) * s->root_bits + device_degree_bits(s) + 1;
    return bits < most ? bits : most;
}

// rest_of: rest = A - root^k for such a root.
static bigint_status rest_of(const device_radicand *s, bigint *rest, const bigint *root) {
    device_fractions products = {.ctx = s->ctx, .who = s->who, .limbs = UINT64_MAX, .k = s->k};
    const device_fraction from = {.x = device_magnitude(root, 0)};
    device_fraction left, right;
    bigint_status status = device_fraction_factors(&products, &left, &right, from, s->k);
    if (ok(status)) {
        const bigint a = device_fraction_integer(s->a, left.x),
                     b = device_fraction_integer(s->a, right.x);
        status = device_minus_product(s->ctx, s->who, rest, rest_bits(s), device_magnitude(s->a, 0),
                                      UINT64_MAX, &a, left.x.p == right.x.p ? &a : &b);
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

// settle: root and rest from near and less = A - near^k, for near which is the root or, if
// `doubtful`, one more. less is there if either is asked for; rest may be NULL.
static bigint_status settle(const device_radicand *s, bigint *root, bigint *rest, bigint *less,
                            bool doubtful) {
    bigint_ctx *ctx = s->ctx;
    uint64_t bits = 0;
    int sign = 1;
    bigint_status status = BIGINT_OK;
    if (doubtful) {
        status = device_measure(ctx, s->who, &bits, &sign, less);
    }
    if (ok(status) && sign < 0) {
        status = lower(s, root);
        status = ok(status) && rest != NULL ? rest_of(s, less, root) : status;
    }
    if (ok(status) && rest != NULL) {
        bigint_swap(rest, less);
    }
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

// --- Recorded roots ------------------------------------------------------------------------------

// recorded: a root of degree k of a number of `bits` bits; whether A - near^k is wanted; limbs of 1
// / k that the host computes.
typedef struct {
    uint64_t bits, k;
    bool rest;
    uint64_t inverse;
} recorded;

// places: device_near_start's and device_inverse_start's numbers, the approximation x,
// and near. Of a recording also A, and A - near^k.
typedef struct {
    uint64_t *begun, *inverse, *x, *near, *a, *rest;
} places;

static device_radicand radicand_of(bigint_ctx *ctx, const char *who, const recorded *r,
                                   const bigint *a) {
    device_radicand s = {.ctx = ctx, .who = who, .a = a, .bits = r->bits, .k = r->k};
    set_lengths(&s);
    return s;
}

static uint64_t near_limbs(const device_radicand *s) { return s->root_bits / 64 + 1; }
static uint64_t rest_limbs(const device_radicand *s) { return word_ceil_div(rest_bits(s), 64); }

// places_limbs: limbs that the call's numbers take; places_of: where they lie in `numbers`. all: a
// recording, which also keeps the radicand and the remainder there.
static uint64_t places_limbs(const device_radicand *s, bool all) {
    const uint64_t own = device_placed(device_near_begun(s)) +
                         device_placed(device_inverse_room(s->k, device_near_inverse(s))) +
                         device_placed(s->rho + 2) + device_placed(s->rho + 1);
    return all ? own + device_placed(word_ceil_div(s->bits, 64)) + device_placed(rest_limbs(s))
               : own;
}

static places places_of(const device_radicand *s, uint64_t *numbers, bool all) {
    places p = {0};
    p.begun = device_place(&numbers, device_near_begun(s));
    p.inverse = device_place(&numbers, device_inverse_room(s->k, device_near_inverse(s)));
    p.x = device_place(&numbers, s->rho + 2);
    p.near = device_place(&numbers, s->rho + 1);
    if (all) {
        p.a = device_place(&numbers, word_ceil_div(s->bits, 64));
        p.rest = device_place(&numbers, rest_limbs(s));
    }
    return p;
}

// find enqueues x and near, and *rest = A - near^k unless it is NULL.
static bigint_status find(device_radicand *s, const places *p, uint64_t inverse, bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    bigint x = device_placed_number(ctx, p->x, s->rho + 2);  // no longer: it stays there
    const limbs_device_number pattern = {p->inverse, inverse, NULL};
    bigint_status status =
        device_inverse_open(&s->inverse, ctx, s->who, s->k, pattern, device_near_inverse(s));
    status = ok(status) ? device_near_root(s, &x, p->begun) : status;
    device_inverse_close(&s->inverse);
    status = ok(status) ? device_enter(ctx, s->who) : status;
    if (!ok(status)) {
        return status;
    }
    assert(x.d_ == p->x);
    status = device_status(
        ctx, s->who,
        limbs_device_round(p->near, s->rho + 1, p->x, DEVICE_ROOT_ABOVE, ctx->queue.stream));
    device_leave(ctx);
    const bigint near = device_placed_number(ctx, p->near, near_limbs(s));
    return ok(status) && rest != NULL ? rest_of(s, rest, &near) : status;
}

// find_placed is a device_body.
static bigint_status find_placed(bigint_ctx *ctx, const char *who, uint64_t *numbers,
                                 const void *call) {
    const recorded *const r = call;
    bigint a = BIGINT_INIT, rest = BIGINT_INIT;
    device_radicand s = radicand_of(ctx, who, r, &a);
    const places p = places_of(&s, numbers, true);
    a = device_placed_number(ctx, p.a, word_ceil_div(r->bits, 64));
    bigint_status status = find(&s, &p, r->inverse, r->rest ? &rest : NULL);
    if (ok(status) && r->rest) {
        status = device_enter(ctx, who);
        if (ok(status)) {
            status = device_status(
                ctx, who,
                limbs_device_lshift(p.rest, rest_limbs(&s), p.rest - 1, device_number(&rest), 0,
                                    LIMBS_SIGN_KEEP, ctx->queue.stream));
            device_leave(ctx);
        }
    }
    bigint_clear(ctx, &rest);
    return status;
}

// play enqueues find's numbers by a recording; *less = A - near^k if it is wanted.
static bigint_status play(const device_radicand *s, recording *played, const recorded *r,
                          bigint *less) {
    bigint_ctx *ctx = s->ctx;
    const places p = places_of(s, played->numbers, true);
    bigint_status status = device_enter(ctx, s->who);
    if (!ok(status)) {
        return status;
    }
    status = device_status(ctx, s->who,
                           limbs_device_lshift(p.a, s->a->n_, p.a - 1, device_number(s->a), 0,
                                               LIMBS_SIGN_CLEAR, ctx->queue.stream));
    device_leave(ctx);
    status = ok(status) ? device_play(ctx, s->who, played, find_placed, r) : status;
    if (ok(status) && r->rest) {
        const limbs_device_number rest = {p.rest, rest_limbs(s), p.rest - 1};
        status = device_step_left(ctx, s->who, less, rest_bits(s), rest, 0);
    }
    return status;
}

// take: root = near, and *doubtful = whether it may be one more than the root. It waits.
static bigint_status take(const device_radicand *s, bigint *root, bool *doubtful, const places *p) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number near = {p->near, near_limbs(s), NULL};
    uint64_t fraction = 0;
    bigint_status status =  // 2^root_bits at most
        device_step_left(ctx, s->who, root, s->root_bits + 1, near, 0);
    status = ok(status) ? device_enter(ctx, s->who) : status;
    if (ok(status)) {
        status = device_fetch(ctx, s->who, &fraction, p->x, 1);
        device_leave(ctx);
    }
    *doubtful = fraction + DEVICE_ROOT_ABOVE < DEVICE_ROOT_NEAR;  // modulo B
    return status;
}

// start enqueues what the host computes, and says how much it is.
static bigint_status start(const device_radicand *s, recorded *r, const places *p) {
    const bigint_status status =
        device_inverse_start(s->ctx, s->who, p->inverse, &r->inverse, s->k, device_near_inverse(s));
    return ok(status) ? device_near_start(s, p->begun) : status;
}

// root_of: root = floor(A^(1/k)), and rest = A - root^k unless it is NULL.
static bigint_status root_of(device_radicand *s, bigint *root, bigint *rest) {
    bigint_ctx *ctx = s->ctx;
    recorded r = {.bits = s->bits, .k = s->k, .rest = rest != NULL};
    const device_shape shape = {
        .kind = BODY_ROOT, .words = {r.bits, r.k, r.rest}, .limbs = places_limbs(s, true)};
    recording *const played = device_recording(ctx, &shape);
    bigint numbers = BIGINT_INIT, less = BIGINT_INIT;
    bool doubtful = false;
    bigint_status status =
        played != NULL ? BIGINT_OK : device_blank(ctx, s->who, &numbers, places_limbs(s, false));
    const places p =
        ok(status) ? places_of(s, played != NULL ? played->numbers : numbers.d_, played != NULL)
                   : (places){0};
    status = ok(status) ? start(s, &r, &p) : status;
    if (ok(status)) {
        status = played != NULL ? play(s, played, &r, &less)
                                : find(s, &p, r.inverse, rest != NULL ? &less : NULL);
    }
    status = ok(status) ? take(s, root, &doubtful, &p) : status;
    if (ok(status) && doubtful && rest == NULL) {
        status = rest_of(s, &less, root);
    }
    status = ok(status) ? settle(s, root, rest, &less, doubtful) : status;
    bigint_clear(ctx, &numbers), bigint_clear(ctx, &less);
    return status;
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
    status = root_of(s, root, rest);
    device_uncount_integers(ctx, bytes);
    return status;
}

// --- Calls ---------------------------------------------------------------------------------------

void device_root_need(work_need *w, uint64_t an, uint64_t k) {
    device_radicand s = {.ctx = w->ctx, .who = w->who, .bits = 64 * an, .k = k};
    if (k == 2) {
        device_sqrt_need(w, an);
    }
    if (k <= 2 || k >= s.bits) {
        need_words(w, carry_add_workspace_bytes(an + 1));
        return;
    }
    device_radicand less = s;
    less.bits -= 63;
    set_lengths(&s);
    const uint64_t bytes = integers_bytes(&s, an),
                   rest = (an + 1) / 2 + s.rho + 1;  // of the power's last factors
    need_integers(w, bytes);
    device_near_root_need(w, &s);
    if (k < less.bits) {  // a limb less may be found in another way
        set_lengths(&less);
        device_near_root_need(w, &less);
    }
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
