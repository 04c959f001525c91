// reciprocal.c: Newton's iteration for the reciprocal on a device. Each step doubles the length.
// The numbers on the way are limbs of one piece of memory. B = 2^64.
#include "bigint/device/divide/reciprocal.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/device/product.h"
#include "primitives/limbs/newton_device.h"

// newton: a reciprocal on its way. {e, n}: the divisor's top limbs, the top bit set. first: the
// most limbs that one launch finds. product: of any step; t: a step's T.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const uint64_t *e;
    uint64_t n, first;
    uint64_t *product, *t;
    uint64_t *t_sign, *negative;
    uint32_t *finished;
} newton;

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

// before: the length from which a step leads to k. E's top limbs are read where they lie, from an
// even limb on, as products want them.
static uint64_t before(const newton *s, uint64_t k) {
    const uint64_t h = k - (k - 1) / 2;
    return h < s->n && (s->n - h) % 2 != 0 ? h + 1 : h;
}

// top: E's top k limbs, or all of them.
static limbs_device_number top(const newton *s, uint64_t k) {
    const uint64_t n = min(k, s->n);
    return (limbs_device_number){s->e + (s->n - n), n, NULL};
}

// residual_of: T = B^(n + h) - E X for E of n limbs and X = {x, h + 1}: |T| < 6 B^n. fraction_of:
// -X t for t = {s->t, h + 1}: above -6 B^h (2 B^h + 2) > -2^4 B^(2 h).
static device_difference residual_of(limbs_device_number e, limbs_device_number x) {
    return (device_difference){.a = e, .b = x, .one_at = e.n + x.n - 1, .bits = 64 * e.n + 3};
}
static device_difference fraction_of(const newton *s, limbs_device_number x) {
    return (device_difference){
        .a = {s->t, x.n, NULL}, .b = x, .one_at = UINT64_MAX, .bits = 128 * (x.n - 1) + 4};
}

// add_fraction enqueues {to, k + 1} = X B^l + f or - f - 1, l = k - h, for the fraction f whose
// limbs begin at limb 2 h - l of s->product.
static result add_fraction(const newton *s, uint64_t *to, limbs_device_number x, uint64_t k) {
    const uint64_t h = x.n - 1, l = k - h;
    return limbs_device_refine(to, k + 1, x.p, s->product + (2 * h - l), l, s->t_sign, s->finished,
                               s->ctx->queue.stream);
}

// residual enqueues t, the top h + 1 limbs of |T| or all with zeros below, and its sign, for T =
// B^(n + h) - E X of E = top(k) of n limbs and X = {x, h + 1}: |T| < 6 B^n.
static bigint_status residual(const newton *s, limbs_device_number x, uint64_t k) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number e = top(s, k);
    device_difference t = residual_of(e, x);
    device_plan plan;
    device_work run;
    const bool rings = device_difference_plan(ctx, &plan, t.bits, e.n, x.n, false, false);
    bigint_status status =
        rings ? BIGINT_OK : device_plan_make(ctx, s->who, &plan, e.n, x.n, false, false);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    result done;
    if (rings) {
        t.plan = &plan;
        done = device_difference_words(&run, s->product, s->negative, &t);
    } else {
        const bool turned = e.n < x.n;
        done = device_multiply(&run, s->product, e.n + x.n, NULL, turned ? x : e, turned ? e : x,
                               NULL);
    }
    if (done == RESULT_OK) {  // -T, where the product is whole: its limbs below the power's
        done = limbs_device_residual(s->t, x.n, s->t_sign, s->product, e.n + 1, !rings,
                                     ctx->queue.stream);
    }
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

// refine enqueues {to, k + 1} = X B^l + X T / B^(2 h - l), l = k - h, for X = {x, h + 1} and T =
// {t, h + 1}: the fraction rounded down, below 6 B^h (2 B^h + 2) / B^(2h - l) < 16 B^l.
static bigint_status refine(const newton *s, uint64_t *to, limbs_device_number x, uint64_t k) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number t = {s->t, x.n, NULL};
    device_plan plan;
    device_work run;
    bigint_status status = device_plan_make(ctx, s->who, &plan, x.n, t.n, false, false);
    status = status == BIGINT_OK ? device_begin(&run, ctx, s->who, &plan) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    result done = device_multiply(&run, s->product, x.n + t.n, NULL, x, t, NULL);
    done = done == RESULT_OK ? add_fraction(s, to, x, k) : done;
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

// --- A step by one ring --------------------------------------------------------------------------
// Both products have X as a factor, and the same ring is enough for both, because the upper
// limbs of T and of X T are known beforehand. So X is transformed once.

// ring_plan: the plan of such a step, for a prepared X; false if there is none that pays. *planes:
// memory for X's transform. With a cap, or where memory is short, there may be no room for that.
static bool ring_plan(const newton *s, device_plan *plan, limbs_device_number e,
                      limbs_device_number x, double **planes) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t t_bits = residual_of(e, x).bits, f_bits = fraction_of(s, x).bits;
    if (ctx->options.max_workspace_bytes != 0 ||
        !device_difference_plan(ctx, plan, t_bits > f_bits ? t_bits : f_bits, e.n > x.n ? e.n : x.n,
                                x.n, false, true)) {
        return false;
    }
    *planes = device_allocate(ctx, MEMORY_DEVICE,
                              plan->modular.primes * device_plane(plan) * sizeof **planes);
    return *planes != NULL;
}

// ring_step enqueues {to, k + 1} from X = {x, h + 1} by this plan.
static bigint_status ring_step(const newton *s, uint64_t *to, limbs_device_number x, uint64_t k,
                               const device_plan *plan, double *planes) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number e = top(s, k);
    device_difference t = residual_of(e, x), f = fraction_of(s, x);
    device_work run;
    bigint_status status = device_begin(&run, ctx, s->who, plan);
    if (status != BIGINT_OK) {
        return status;
    }
    t.plan = f.plan = plan;
    t.planes = f.planes = planes;
    result done = device_transform(ctx, plan, planes, x);
    if (done == RESULT_OK) {
        done = device_difference_words(&run, s->product, s->negative, &t);
    }
    if (done == RESULT_OK) {  // the fraction will be negative, and counts negatively for T >= 0
        done = limbs_device_residual(s->t, x.n, s->t_sign, s->product, e.n + 1, true,
                                     ctx->queue.stream);
    }
    if (done == RESULT_OK) {
        done = device_difference_words(&run, s->product, s->negative, &f);
    }
    done = done == RESULT_OK ? add_fraction(s, to, x, k) : done;
    status = device_status(ctx, s->who, done);
    device_end(&run);
    return status;
}

// step enqueues {to, k + 1} from X = {x, h + 1}.
static bigint_status step(const newton *s, uint64_t *to, limbs_device_number x, uint64_t k) {
    device_plan plan;
    double *planes = NULL;
    if (ring_plan(s, &plan, top(s, k), x, &planes)) {
        const bigint_status status = ring_step(s, to, x, k, &plan, planes);
        device_release(s->ctx, MEMORY_DEVICE, planes);
        return status;
    }
    const bigint_status status = residual(s, x, k);
    return status == BIGINT_OK ? refine(s, to, x, k) : status;
}

// base enqueues {to, k + 1} for k <= s->first.
static bigint_status base(const newton *s, uint64_t *to, limbs_device_number d, unsigned shift,
                          uint64_t k) {
    bigint_status status = device_enter(s->ctx, s->who);
    if (status == BIGINT_OK) {
        status = device_status(s->ctx, s->who,
                               block_reciprocal(to, k, d.p, d.n, shift, s->ctx->queue.stream));
        device_leave(s->ctx);
    }
    return status;
}

// iterate enqueues {to, k + 1}, by way of a shorter one in {other}, which has room for before(k) +
// 1.
static bigint_status iterate(const newton *s, uint64_t *to, uint64_t *other, uint64_t k) {
    if (k <= s->first) {
        return base(s, to, top(s, s->n), 0, k);
    }
    const uint64_t h = before(s, k);
    const limbs_device_number x = {other, h + 1, NULL};
    assert(h < k && k <= 2 * h - 1);
    const bigint_status status = iterate(s, other, to, h);
    return status == BIGINT_OK ? step(s, to, x, k) : status;
}

// --- Memory --------------------------------------------------------------------------------------

// Limbs of a product beyond its factors' that a ring needs; words for signs and the like.
enum { MORE = 16, WORDS = 16 };

// steps enqueues {to, k + 1}, k > s->first, with memory of its own.
static bigint_status steps(newton *s, uint64_t *to, limbs_device_number d, unsigned shift,
                           uint64_t k) {
    bigint_ctx *ctx = s->ctx;
    const cuda_stream stream = ctx->queue.stream;
    const uint64_t n = s->n, h = before(s, k);
    const uint64_t by_e = n + h + 1 + MORE, by_t = 2 * (h + 1), product = by_e > by_t ? by_e : by_t;
    const bool in_place = shift == 0 && (d.n - n) % 2 == 0;
    device_scratch all;
    bigint_status status =
        device_scratch_open(ctx, s->who, &all, 5, WORDS + n + 2 * (h + 1) + product);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const words = device_scratch_take(&all, WORDS);
    uint64_t *const e = device_scratch_take(&all, n), *const x = device_scratch_take(&all, h + 1);
    s->t_sign = words, s->negative = words + 1, s->finished = (uint32_t *)(words + 2);
    s->t = device_scratch_take(&all, h + 1);
    s->product = device_scratch_take(&all, product);
    s->e = in_place ? d.p + (d.n - n) : e;
    status = device_enter(ctx, s->who);
    if (status == BIGINT_OK) {
        result done = cuda_set(words, 0, WORDS * sizeof *words, stream);
        if (done == RESULT_OK && !in_place) {
            done = d.n == n
                       ? limbs_device_lshift(e, n, words + 3, d, shift, LIMBS_SIGN_CLEAR, stream)
                       : limbs_device_rshift(e, n, words + 3, d, 64 * (d.n - n) - shift,
                                             LIMBS_SIGN_CLEAR, stream);
        }
        status = device_status(ctx, s->who, done);
        device_leave(ctx);
    }
    status = status == BIGINT_OK ? iterate(s, to, x, k) : status;
    device_scratch_close(ctx, &all);
    return status;
}

bigint_status device_reciprocal(bigint_ctx *ctx, const char *who, bigint *x, limbs_device_number d,
                                unsigned shift, uint64_t k) {
    const uint64_t first = ctx->queue.reciprocal_limbs;
    newton s = {.ctx = ctx,
                .who = who,
                .n = min(k, d.n),
                .first = first != 0 ? first : BLOCK_RECIPROCAL_MOST};
    assert(k >= 2 && s.first >= 4 && s.first <= BLOCK_RECIPROCAL_MOST);
    device_target target;
    bigint_status status = device_target_open(ctx, who, x, 64 * k + 2, &target);
    if (status != BIGINT_OK) {
        return status;
    }
    status = k <= s.first ? base(&s, target.p, d, shift, k) : steps(&s, target.p, d, shift, k);
    return device_target_close(ctx, x, &target, status);
}
