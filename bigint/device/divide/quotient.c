// quotient.c: quotients and remainders of integers on a device: short ones in one launch, long ones
// block by block with a reciprocal. B = 2^64. The host knows the length of the divisor, and no
// other value: what a correction does is decided on the device.
#include "bigint/device/divide/quotient.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/reciprocal.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"
#include "bigint/divide/divrem.h"
#include "primitives/words/word.h"

static const char who[] = "bigint_divrem";

// Not measured yet: the longest dividend, in limbs, of a division in one launch; the least length
// of a reciprocal that serves several blocks, so that short divisors do not take many blocks; the
// least quotient that is found in two blocks.
enum { ONCE_LIMBS_MOST = 512, BLOCK_LEAST = 1 << 14, HALVES_LEAST = 512 };

// division: |a| / |d| on its way.
typedef struct {
    bigint_ctx *ctx;
    const bigint *a;
    bigint d;          // the divisor without zeros on top: its limbs, not a copy
    uint64_t n, bits;  // of d: its exact length
    unsigned shift;    // zeros above d's top bit: D = d 2^shift
    uint64_t qn, m;    // limbs of the quotient, and of a block of it, an even number
    bigint one, x;     // x: the reciprocal for blocks, a little too large
    // Of several blocks: whether d is prepared for remainders by a ring, and x for estimates; the
    // plans and the transforms, in workspace.
    bool wraps, keeps_x;
    device_plan ring, estimates;
    double *d_planes, *x_planes;
} division;

// --- Blocks --------------------------------------------------------------------------------------

// block_length: the limbs of quotient found at a time. One reciprocal serves all blocks, and a
// short one is cheap, but every block costs a product with d. Parts of numbers that are added begin
// at even limbs.
static uint64_t block_length(const division *s) {
    const uint64_t most = s->n > BLOCK_LEAST ? s->n : BLOCK_LEAST;
    uint64_t m = s->ctx->queue.quotient_limbs;
    if (m == 0) {
        m = s->qn > most ? word_ceil_div(s->qn, word_ceil_div(s->qn, most))
            : s->qn >= HALVES_LEAST && 3 * s->qn > s->n ? word_ceil_div(s->qn, 2)
                                                        : s->qn;
    }
    return word_ceil_div(m, 2) * 2;
}

// prepare: x with B^(n + k) / D < x < B^(n + k) / D + 15 for k = m + 1.
static bigint_status prepare(division *s) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t k = s->m + 1;
    bigint normal = BIGINT_INIT, near = BIGINT_INIT, eight = BIGINT_INIT;
    bigint_status status =
        device_step_left(ctx, who, &normal, 64 * s->n, device_magnitude(&s->d, 0), s->shift);
    if (status == BIGINT_OK) {
        status = device_reciprocal(ctx, who, &near, &normal, k);
    }
    if (status == BIGINT_OK) {
        status = bigint_set_u64(ctx, &eight, 8);
    }
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, &s->x, 64 * k + 2, device_number(&near),
                                 device_number(&eight), false);
    }
    if (status == BIGINT_OK) {
        status = bigint_set_u64(ctx, &s->one, 1);
    }
    bigint_clear(ctx, &normal), bigint_clear(ctx, &near), bigint_clear(ctx, &eight);
    return status;
}

// times_x: product = above x.
static bigint_status times_x(const division *s, bigint *product, const bigint *above) {
    bigint_ctx *ctx = s->ctx;
    device_work run;
    device_target target;
    if (!s->keeps_x) {
        return device_mul(ctx, who, product, above, &s->x);
    }
    bigint_status status = device_begin(&run, ctx, who, &s->estimates);
    if (status != BIGINT_OK) {
        return status;
    }
    status =
        device_target_open(ctx, who, product, device_bits(above) + device_bits(&s->x), &target);
    if (status == BIGINT_OK) {
        const result done =
            device_multiply(&run, target.p, target.n, target.p - 1, device_number(above),
                            device_number(&s->x), s->x_planes);
        status = device_target_close(ctx, product, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}

// estimate: q = floor(A / d) or one more, for A = a < d B^b, b <= m.
static bigint_status estimate(const division *s, bigint *q, limbs_device_number a, uint64_t b) {
    bigint_ctx *ctx = s->ctx;
    bigint top = BIGINT_INIT, above = BIGINT_INIT, product = BIGINT_INIT;
    // A 2^shift / B^(n - 1) < B^(b + 1), rounded down, and one more.
    bigint_status status =
        s->n == 1 ? device_step_left(ctx, who, &top, 64 * (b + 1), a, s->shift)
                  : device_step_right(ctx, who, &top, 64 * (b + 1), a, 64 * (s->n - 1) - s->shift);
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, &above, 64 * (b + 1) + 1, device_magnitude(&top, 0),
                                 device_number(&s->one), false);
    }
    if (status == BIGINT_OK) {
        status = times_x(s, &product, &above);
    }
    if (status == BIGINT_OK) {
        status =
            device_step_right(ctx, who, q, 64 * b + 1, device_number(&product), 64 * (s->m + 2));
    }
    bigint_clear(ctx, &top), bigint_clear(ctx, &above), bigint_clear(ctx, &product);
    return status;
}

// subtract: less = A - q d for |A - q d| <= d.
static bigint_status subtract(const division *s, bigint *less, limbs_device_number a,
                              const bigint *q) {
    bigint_ctx *ctx = s->ctx;
    if (s->wraps) {
        const device_difference x = {.a = device_number(q),
                                     .b = device_number(&s->d),
                                     .c = a,
                                     .one_at = UINT64_MAX,
                                     .bits = s->bits,
                                     .plan = &s->ring,
                                     .planes = s->d_planes};
        return device_subtract_product(ctx, who, less, &x);
    }
    return device_minus_product(ctx, who, less, s->bits, a, UINT64_MAX, q, &s->d);
}

// divide_block: q = floor(A / d) < B^b and rest = A mod d, for A = a < d B^b; either may be NULL.
static bigint_status divide_block(const division *s, bigint *q, bigint *rest, limbs_device_number a,
                                  uint64_t b) {
    bigint_ctx *ctx = s->ctx;
    bigint near = BIGINT_INIT, less = BIGINT_INIT, over = BIGINT_INIT, back = BIGINT_INIT;
    bigint_status status = estimate(s, &near, a, b);
    if (status == BIGINT_OK) {  // -d <= less < d; 0 has a plus
        status = subtract(s, &less, a, &near);
    }
    if (status == BIGINT_OK) {  // over = 1 if less < 0
        const limbs_device_number sign = {less.d_ - 1, 1, NULL};
        status = device_step_left(ctx, who, &over, 1, sign, 0);
    }
    if (status == BIGINT_OK && q != NULL) {
        status =
            device_step_sum(ctx, who, q, 64 * b, device_number(&near), device_number(&over), true);
    }
    if (status == BIGINT_OK && rest != NULL) {
        status = device_step_choose(ctx, who, &back, &s->d, over.d_);
        if (status == BIGINT_OK) {
            status = device_step_sum(ctx, who, rest, s->bits, device_number(&less),
                                     device_number(&back), false);
        }
    }
    bigint *const all[] = {&near, &less, &over, &back};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(ctx, all[i]);
    }
    return status;
}

// put: {x, at, b} = the lowest b limbs of a; x has room for them, and gets a plus.
static bigint_status put(bigint_ctx *ctx, const device_target *x, uint64_t at, uint64_t b,
                         limbs_device_number a) {
    return device_status(
        ctx, who,
        limbs_device_lshift(x->p + at, b, x->p - 1, a, 0, LIMBS_SIGN_CLEAR, ctx->queue.stream));
}

// join: w = rest B^b + limbs [at, at + b) of |a|.
static bigint_status join(const division *s, bigint *w, const bigint *rest, uint64_t at,
                          uint64_t b) {
    bigint_ctx *ctx = s->ctx;
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, w, 64 * (s->n + b), &target);
    if (status == BIGINT_OK) {
        status = put(ctx, &target, b, s->n, device_magnitude(rest, 0));
        status = status == BIGINT_OK ? put(ctx, &target, 0, b, device_magnitude(s->a, at)) : status;
        status = device_target_close(ctx, w, &target, status);
    }
    device_leave(ctx);
    return status;
}

// collect copies q to limbs [at, at + b) of all. If all has no limbs yet, it gets room for qn.
static bigint_status collect(const division *s, bigint *all, const bigint *q, uint64_t at,
                             uint64_t b) {
    bigint_ctx *ctx = s->ctx;
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, all, 64 * s->qn, &target);
    if (status == BIGINT_OK) {
        status = put(ctx, &target, at, b, device_magnitude(q, 0));
        status = device_target_close(ctx, all, &target, status);
    }
    device_leave(ctx);
    return status;
}

// transform: *planes = the transform of b by a plan for it as a prepared operand, in workspace.
static bigint_status transform(bigint_ctx *ctx, const device_plan *plan, double **planes,
                               const bigint *b) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t doubles = plan->modular.primes * device_plane(plan);
    status = device_tables_need(ctx, who, plan);
    if (status == BIGINT_OK) {
        *planes = arena_take_in(ctx, &ctx->queue.memory, who, doubles * sizeof(double));
        status = *planes != NULL            ? BIGINT_OK
                 : ctx->failed != BIGINT_OK ? ctx->failed
                                            : BIGINT_ENOMEM;
    }
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, device_transform(ctx, plan, *planes, device_number(b)));
    }
    device_leave(ctx);
    return status;
}

// keep prepares d and x if several blocks need them. A cap may leave no room for that.
static bigint_status keep(division *s) {
    bigint_ctx *ctx = s->ctx;
    if (s->qn <= s->m || ctx->options.max_workspace_bytes != 0) {
        return BIGINT_OK;
    }
    device_plan once;  // one launch is faster than a prepared operand
    s->wraps = device_difference_plan(ctx, &s->ring, s->bits, s->m + 1, s->n, false, true);
    s->keeps_x = device_plan_whole(ctx, &once, s->x.n_, s->x.n_, false, false) &&
                 once.engine == ENGINE_MODULAR_FFT && !fft_modular_whole(&once.modular) &&
                 device_plan_whole(ctx, &s->estimates, s->m + 2, s->x.n_, false, true);
    bigint_status status = s->wraps ? transform(ctx, &s->ring, &s->d_planes, &s->d) : BIGINT_OK;
    return status == BIGINT_OK && s->keeps_x ? transform(ctx, &s->estimates, &s->x_planes, &s->x)
                                             : status;
}

// divide_long: q = floor(|a| / |d|), r = |a| mod |d|, from the top block down; either may be
// NULL.
static bigint_status divide_long(division *s, bigint *q, bigint *r) {
    bigint_ctx *ctx = s->ctx;
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    bigint part = BIGINT_INIT, rest = BIGINT_INIT, joined = BIGINT_INIT;
    bigint_status status = prepare(s);
    status = status == BIGINT_OK ? keep(s) : status;
    for (uint64_t left = s->qn; left > 0 && status == BIGINT_OK;) {
        const bool first = left == s->qn;
        const uint64_t b = left % s->m != 0 ? left % s->m : s->m;
        left -= b;
        if (!first) {
            status = join(s, &joined, &rest, left, b);
        }
        if (status == BIGINT_OK) {
            status = divide_block(s, q != NULL ? &part : NULL, left == 0 ? r : &rest,
                                  first ? device_magnitude(s->a, left) : device_number(&joined), b);
        }
        if (status == BIGINT_OK && q != NULL) {
            status = collect(s, q, &part, left, b);
        }
    }
    arena_release_in(ctx, &ctx->queue.memory, mark);
    bigint_clear(ctx, &s->one), bigint_clear(ctx, &s->x);
    bigint_clear(ctx, &part), bigint_clear(ctx, &rest), bigint_clear(ctx, &joined);
    return status;
}

// --- Integers ------------------------------------------------------------------------------------

// set_signs: of a quotient and a remainder; either may be NULL.
static bigint_status set_signs(const division *s, const bigint *q, const bigint *r,
                               const bigint *d) {
    bigint_ctx *ctx = s->ctx;
    const bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    result done = RESULT_OK;
    if (q != NULL) {
        const recombine_signs signs = {q->d_ - 1, s->a->d_ - 1, d->d_ - 1};
        done = recombine_device_sign(&signs, ctx->queue.stream);
    }
    if (r != NULL && done == RESULT_OK) {
        const limbs_device_number sign = {s->a->d_, 0, s->a->d_ - 1};
        done =
            limbs_device_lshift(r->d_, 0, r->d_ - 1, sign, 0, LIMBS_SIGN_KEEP, ctx->queue.stream);
    }
    device_leave(ctx);
    return device_status(ctx, who, done);
}

// on_the_way: bytes of the integers that divide_long holds at a time: the divisor shifted and added
// back, remainders, joined and wrapped around, of n limbs, a product with d, of n + m; the
// reciprocal, at most eight times its length on its own way, and an estimate's numbers, of m.
static uint64_t on_the_way(const division *s) { return 8 * (s->qn + 6 * s->n + 10 * (s->m + 16)); }

// divide_counted: divide_long, its integers counted.
static bigint_status divide_counted(division *s, bigint *q, bigint *r) {
    s->m = block_length(s);
    bigint_status status = device_count_integers(s->ctx, who, on_the_way(s));
    if (status == BIGINT_OK) {
        status = divide_long(s, q, r);
        device_uncount_integers(s->ctx, on_the_way(s));
    }
    return status;
}

// divide: q and r from |a| and |d|, |a| announced as no shorter. Either may be NULL.
static bigint_status divide(division *s, bigint *q, bigint *r, const bigint *d) {
    bigint_ctx *ctx = s->ctx;
    const bool once = s->n <= DIVISION_DEVICE_LIMBS_MAX && s->a->n_ <= ONCE_LIMBS_MOST &&
                      ctx->queue.quotient_limbs == 0;
    bigint quotient = BIGINT_INIT, rest = BIGINT_INIT;
    bigint *const to_q = q != NULL ? &quotient : NULL, *const to_r = r != NULL ? &rest : NULL;
    bigint_status status = once ? device_divide_once(ctx, who, to_q, to_r, s->a, &s->d, s->n)
                                : divide_counted(s, to_q, to_r);
    if (status == BIGINT_OK) {
        status = set_signs(s, to_q, to_r, d);
    }
    if (status == BIGINT_OK && q != NULL) {
        device_announce(&quotient, device_bits(s->a) - s->bits + 1);
        bigint_swap(q, &quotient);
    }
    if (status == BIGINT_OK && r != NULL) {
        device_announce(&rest, s->bits);
        bigint_swap(r, &rest);
    }
    bigint_clear(ctx, &quotient), bigint_clear(ctx, &rest);
    return status;
}

bigint_status device_divexact(bigint_ctx *ctx, const char *name, bigint *q, const bigint *a,
                              const bigint *d) {
    uint64_t bits = 0;
    int sign;
    bigint quotient = BIGINT_INIT, rest = BIGINT_INIT;
    bigint_status status = device_divrem(ctx, &quotient, &rest, a, d);
    if (status == BIGINT_OK) {
        status = device_measure(ctx, name, &bits, &sign, &rest);
    }
    if (status == BIGINT_OK && bits > 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the division leaves a remainder", name);
    }
    if (status == BIGINT_OK) {
        bigint_swap(q, &quotient);
    }
    bigint_clear(ctx, &quotient), bigint_clear(ctx, &rest);
    return status;
}

bigint_status device_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    const bigint nothing = BIGINT_INIT;
    uint64_t bits;
    int sign;
    bigint_status status = device_measure(ctx, who, &bits, &sign, d);
    if (status != BIGINT_OK) {
        return status;
    }
    if (bits == 0) {
        return divrem_by_zero(ctx);
    }
    if (q == NULL && r == NULL) {
        return BIGINT_OK;
    }
    if (device_bits(a) < bits) {  // r before q, which may be a
        status = r != NULL ? device_copy(ctx, who, r, a, LIMBS_SIGN_KEEP) : BIGINT_OK;
        return status == BIGINT_OK && q != NULL
                   ? device_copy(ctx, who, q, &nothing, LIMBS_SIGN_KEEP)
                   : status;
    }
    division s = {.ctx = ctx, .a = a, .d = *d, .n = word_ceil_div(bits, 64), .bits = bits};
    device_announce(&s.d, bits);
    s.shift = (unsigned)(64 * s.n - bits);
    s.qn = word_ceil_div(device_bits(a) - bits + 1, 64);
    return divide(&s, q, r, d);
}
