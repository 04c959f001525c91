// product.c: products of limbs on a device: the memory of a plan, its pieces and engines. The
// arithmetic is in piece.c, float.c and kernels/tiled_product.h.
#include "bigint/device/product.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/branches.h"
#include "bigint/device/check.h"
#include "bigint/device/float.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/kernels/tiled_product.h"
#include "bigint/device/piece.h"
#include "bigint/device/plan.h"
#include "bigint/device/tables.h"
#include "bigint/multiply/float.h"
#include "carry/add.h"

// --- Memory --------------------------------------------------------------------------------------

void device_use(device_work *run, const device_plan *plan) {
    run->plan = plan;
    run->x = (double *)(run->zero + DEVICE_LINE);
    assert(plan->workspace_bytes <= run->room && plan->words_bytes <= run->ctx->queue.words_bytes);
    if (plan->engine == ENGINE_TILED) {
        return;
    }
    if (mul_float_engine(plan->engine)) {
        run->float_tables = device_float_tables(run->ctx, plan);
        assert(run->float_tables != NULL);
        return;
    }
    run->tables = device_tables(run->ctx, &plan->modular);
    run->high_tables =
        plan->modular.wrapped > 0 ? device_tables(run->ctx, &plan->high) : run->tables;
    assert(run->high_tables != NULL && run->tables != NULL);
    const uint64_t plane = device_plane(plan);
    run->y = run->x + plan->modular.primes * plane;
    run->scratch = (uint64_t *)(run->y + device_others(plan));
}

bigint_status device_begin(device_work *run, bigint_ctx *ctx, const char *who,
                           const device_plan *plan) {
    device_queue *q = &ctx->queue;
    *run =
        (device_work){.ctx = ctx, .mark = arena_mark_in(&q->memory), .room = plan->workspace_bytes};
    bigint_status status = context_goes_on(ctx) ? BIGINT_OK : context_canceled(ctx, who);
    if (status == BIGINT_OK) {
        status = device_enter(ctx, who);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_tables_need(ctx, who, plan);
    if (status == BIGINT_OK) {
        status = device_words_need(ctx, who, plan->words_bytes);
    }
    if (status == BIGINT_OK) {
        status = device_branches_need(ctx, who, plan->branches);
    }
    if (status == BIGINT_OK) {
        status = device_check_need(ctx, who);
    }
    if (status == BIGINT_OK) {
        run->zero = arena_take_in(ctx, &q->memory, who, plan->workspace_bytes);
        status = run->zero != NULL          ? BIGINT_OK
                 : ctx->failed != BIGINT_OK ? ctx->failed
                                            : BIGINT_ENOMEM;
    }
    if (status != BIGINT_OK) {
        device_end(run);
        return status;
    }
    device_use(run, plan);
    return BIGINT_OK;
}

void device_end(device_work *run) {
    arena_release_in(run->ctx, &run->ctx->queue.memory, run->mark);
    device_leave(run->ctx);
}

// --- Execution -----------------------------------------------------------------------------------

// no_signs: for a sign that is not wanted. run->zero becomes 0, because a word xor itself is 0.
static recombine_signs no_signs(const device_work *run) {
    return (recombine_signs){run->zero, run->zero, run->zero};
}

static fft_modular_operand operand(limbs_device_number a) {
    return (fft_modular_operand){a.p, a.n};
}

// multiply_pieces: {rp, rn} = a b, piece by piece. Overlaps neither; rp is aligned to 16 bytes.
static result multiply_pieces(const device_work *run, uint64_t *rp, uint64_t rn,
                              fft_modular_operand a, fft_modular_operand b) {
    const device_plan *const plan = run->plan;
    const device_queue *const q = &run->ctx->queue;
    uint64_t *const zero = run->zero;
    uint64_t *const piece = run->scratch + (plan->apart ? device_whole(plan) : 0);
    const recombine_signs none = no_signs(run);
    result done = cuda_set(rp, 0, rn * sizeof *rp, q->stream);
    for (uint64_t j = 0; j < b.words_n && done == RESULT_OK; j += plan->b_piece) {
        for (uint64_t i = 0; i < a.words_n && done == RESULT_OK; i += plan->a_piece) {
            const fft_modular_operand ai = {
                a.words + i, a.words_n - i < plan->a_piece ? a.words_n - i : plan->a_piece};
            const fft_modular_operand bj = {
                b.words + j, b.words_n - j < plan->b_piece ? b.words_n - j : plan->b_piece};
            // The piece's product is no larger than the whole one, so it fits what is left.
            const uint64_t left = rn - i - j, sum = ai.words_n + bj.words_n;
            const uint64_t n = sum < left ? sum : left;
            if (i + j == 0) {
                done = device_multiply_piece(run, rp, n, &none, ai, bj, NULL);
                continue;
            }
            done = device_multiply_piece(run, piece, n, &none, ai, bj, NULL);
            const limbs_device_number so_far = {rp + i + j, left, zero}, more = {piece, n, zero};
            done = done == RESULT_OK ? carry_add(rp + i + j, left, zero, so_far, more, false,
                                                 q->words, q->words_bytes, q->stream)
                                     : done;
        }
    }
    return done;
}

// multiply_parts: multiply_pieces into rp or, if that is not aligned, into memory apart; and the
// sign.
static result multiply_parts(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, fft_modular_operand a,
                             fft_modular_operand b) {
    const cuda_stream stream = run->ctx->queue.stream;
    const bool apart = (uintptr_t)rp % 16 != 0;
    assert(run->plan->apart || !apart);
    uint64_t *const whole = apart ? run->scratch : rp;
    result done = multiply_pieces(run, whole, rn, a, b);
    if (done == RESULT_OK && apart) {
        done = cuda_copy(rp, whole, rn * sizeof *rp, stream);
    }
    return done == RESULT_OK ? recombine_device_sign(signs, stream) : done;
}

// multiply_tiled enqueues {rp, rn} = a b, b the shorter one, and the sign, if it is wanted.
static result multiply_tiled(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, limbs_device_number a,
                             limbs_device_number b) {
    const cuda_stream stream = run->ctx->queue.stream;
    const product_rows one = product_rows_of((product_item){rp, b.p, a.p, rn, b.n, a.n});
    const result done = tiled_product(&one, tiled_product_tiles(a.n, b.n), stream);
    return done == RESULT_OK && signs->r != run->zero ? recombine_device_sign(signs, stream) : done;
}

// multiply enqueues {rp, rn} = a b by the plan's engine, its sign, and its check.
static result multiply(const device_work *run, uint64_t *rp, uint64_t rn,
                       const recombine_signs *signs, limbs_device_number a, limbs_device_number b,
                       const double *prepared) {
    bigint_ctx *ctx = run->ctx;
    const device_plan *const plan = run->plan;
    result done = device_check_factors(ctx, a.p, a.n, b.p, b.n);
    if (done == RESULT_OK) {
        done = plan->engine == ENGINE_TILED     ? multiply_tiled(run, rp, rn, signs, a, b)
               : mul_float_engine(plan->engine) ? device_float_multiply(run, rp, rn, signs, a, b)
               : a.n <= plan->a_piece && b.n <= plan->b_piece
                   ? device_multiply_piece(run, rp, rn, signs, operand(a), operand(b), prepared)
                   : multiply_parts(run, rp, rn, signs, operand(a), operand(b));
    }
    done = done == RESULT_OK ? device_check_product(ctx, rp, rn, a.n, b.n) : done;
    ctx->counters.products += done == RESULT_OK;
    ctx->counters.checks += done == RESULT_OK && ctx->check_modulus != 0;
    return done;
}

// certify waits for a product that a certified plan has enqueued. If it is wrong, it enqueues the
// product again by the modular transform. Reports are empty before and after, so what it reads
// belongs to this product.
static result certify(const device_work *run, uint64_t *rp, uint64_t rn,
                      const recombine_signs *signs, limbs_device_number a, limbs_device_number b) {
    bigint_ctx *ctx = run->ctx;
    result done = cuda_stream_wait(ctx->queue.stream);
    if (done != RESULT_OK || !device_check_again(ctx)) {
        return done;
    }
    device_plan exact = *run->plan;
    exact.engine = ENGINE_MODULAR_FFT;
    exact.certified = false;
    device_work again = *run;
    device_use(&again, &exact);
    done = multiply(&again, rp, rn, signs, a, b, NULL);
    done = done == RESULT_OK ? cuda_stream_wait(ctx->queue.stream) : done;
    if (done == RESULT_OK) {
        device_check_collect(ctx);
    }
    return done;
}

result device_multiply(const device_work *run, uint64_t *rp, uint64_t rn, uint64_t *r_sign,
                       limbs_device_number a, limbs_device_number b, const double *prepared) {
    assert(a.n <= run->plan->an && b.n <= run->plan->bn && rn <= a.n + b.n);
    assert(!run->plan->certified || (rp != a.p && rp != b.p));
    const recombine_signs signs =
        r_sign == NULL ? no_signs(run) : (recombine_signs){r_sign, a.sign, b.sign};
    const result done = multiply(run, rp, rn, &signs, a, b, prepared);
    return done == RESULT_OK && run->plan->certified ? certify(run, rp, rn, &signs, a, b) : done;
}

result device_transform(const bigint_ctx *ctx, const device_plan *plan, double *planes,
                        limbs_device_number b) {
    fft_modular_plan turned = plan->modular;  // b comes first
    turned.a_digits = plan->modular.b_digits;
    turned.b_digits = plan->modular.a_digits;
    const fft_modular_tables *const tables = device_tables(ctx, &turned);
    result done = RESULT_OK;
    for (unsigned first = 0, n = 0; first < turned.primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(&turned, first);
        const fft_modular_step step = {&turned, tables, first, n, ctx->queue.stream};
        double *const x = planes + first * device_plane(plan);
        done = fft_modular_columns(&step, x, operand(b), NULL, operand(b));
        done = done == RESULT_OK ? fft_modular_rows(&step, x, NULL, FFT_ROW_TRANSFORM) : done;
    }
    return done;
}

uint64_t device_planes_bytes(const device_plan *plan) {
    return plan->modular.primes * device_plane(plan) * sizeof(double);
}

bigint_status device_fill_planes(bigint_ctx *ctx, const char *who, const device_plan *plan,
                                 double *planes, limbs_device_number b) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_tables_need(ctx, who, plan);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, device_transform(ctx, plan, planes, b));
    }
    device_leave(ctx);
    return status;
}

// --- Integers ------------------------------------------------------------------------------------

bigint_status device_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b) {
    const bigint nothing = BIGINT_INIT;
    if (a->n_ == 0 || b->n_ == 0) {
        return device_copy(ctx, who, r, &nothing, LIMBS_SIGN_KEEP);
    }
    if (a->n_ < b->n_) {
        return device_mul(ctx, who, r, b, a);
    }
    device_plan plan;
    device_work run;
    bigint_status status = device_plan_make(ctx, who, &plan, a->n_, b->n_, a->d_ == b->d_, false);
    if (status == BIGINT_OK) {
        status = device_begin(&run, ctx, who, &plan);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    // Pieces are read after others were written, and a product that may be wrong may be computed
    // again.
    const bool apart =
        (device_is_cut(&plan) || plan.certified) && (r->d_ == a->d_ || r->d_ == b->d_);
    device_target target;
    status = device_target_open(ctx, who, apart ? &nothing : r, device_bits(a) + device_bits(b),
                                &target);
    if (status == BIGINT_OK) {
        const result done = device_multiply(&run, target.p, target.n, target.p - 1,
                                            device_number(a), device_number(b), NULL);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}
