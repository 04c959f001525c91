// piece.c: one piece of a product on a device by the modular transform: its launches, and the
// branches that they are spread over.
//
// A stage of a convolution modulo one prime waits only for the stage before modulo that prime. So
// each prime, or each group of more than three, may have a branch, and the high convolution one
// beside the other. When the last blocks of one launch end, blocks of another launch start.
#include "bigint/device/piece.h"

#include <assert.h>

#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/branches.h"
#include "bigint/device/kernels/cluster/product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/device/replay.h"
#include "carry/add.h"

// piece_call: a product of one piece.
typedef struct {
    const device_work *run;
    uint64_t *rp, rn;
    recombine_signs signs;
    fft_modular_operand a, b;
    device_convolving how;
} piece_call;

// --- Convolutions --------------------------------------------------------------------------------

// convolution: x = the product of the transforms of a and b, by the step's plan, primes and stream.
typedef struct {
    fft_modular_step step;
    fft_modular_operand a, b;
    double *x, *y;        // planes of the product, and where columns of b go; NULL: there are none
    const double *other;  // planes of the other operand
    fft_row_mode mode;
    const fft_modular_sum *sum;  // device_convolving's
} convolution;

typedef enum { COLUMNS, ROWS, INVERSE, STAGES } stage;

static result enqueue_stage(const convolution *c, stage s) {
    if (s == ROWS && c->sum != NULL) {
        return fft_modular_rows_sum(&c->step, c->x, c->other, c->mode, c->sum);
    }
    return s == COLUMNS ? fft_modular_columns(&c->step, c->x, c->a, c->y, c->b)
           : s == ROWS  ? fft_modular_rows(&c->step, c->x, c->other, c->mode)
                        : fft_modular_inverse(&c->step, c->x);
}

// enqueue_stages, from stage `first` on: stage by stage over all branches, so that a branch's
// second launch does not take the places that another branch's first launch could have.
static result enqueue_stages(const convolution *all, unsigned count, stage first) {
    result done = RESULT_OK;
    for (stage s = first; s < STAGES; s++) {
        for (unsigned i = 0; i < count && done == RESULT_OK; i++) {
            done = enqueue_stage(&all[i], s);
        }
    }
    return done;
}

// enqueue_beside: enqueues convolutions in this many branches of the stream, from stage `first` on,
// and joins the branches, even after a failure.
static result enqueue_beside(const bigint_ctx *ctx, const convolution *all, unsigned branches,
                             stage first, cuda_stream stream) {
    result done = device_fork(ctx, stream, branches);
    done = done == RESULT_OK ? enqueue_stages(all, branches, first) : done;
    const result joined = device_join(ctx, stream, branches);
    return done == RESULT_OK ? joined : done;
}

// own_of: of `primes` primes from number `from` of the group on that begins with prime `first`.
static convolution own_of(const piece_call *c, unsigned first, unsigned from, unsigned primes,
                          cuda_stream stream) {
    const device_work *const run = c->run;
    const device_convolving *const how = &c->how;
    const uint64_t plane = device_plane(run->plan), at = (first + from) * plane;
    const fft_row_mode mode = run->plan->square       ? FFT_ROW_SQUARE
                              : how->prepared != NULL ? FFT_ROW_PREPARED
                                                      : FFT_ROW_MULTIPLY;
    double *const y = how->kept != NULL ? how->kept + at : run->y + from * plane;
    return (convolution){
        .step = {&run->plan->modular, run->tables, first + from, primes, stream},
        .a = c->a,
        .b = c->b,
        .x = run->x + at,
        .y = mode == FFT_ROW_MULTIPLY && !how->made ? y : NULL,
        .other = how->prepared != NULL ? how->prepared + at : y,
        .mode = mode,
        .sum = how->sum,
    };
}

// high_of: the high convolution of the same operands, modulo all primes of a group.
static convolution high_of(const piece_call *c, unsigned first, unsigned primes,
                           cuda_stream stream) {
    const device_work *const run = c->run;
    double *const x = run->y + device_high(run->plan);
    double *const y = x + primes * fft_modular_plane(&run->plan->high);
    const bool square = run->plan->square;
    return (convolution){
        .step = {&run->plan->high, run->high_tables, first, primes, stream},
        .a = c->a,
        .b = c->b,
        .x = x,
        .y = square ? NULL : y,
        .other = y,
        .mode = square ? FFT_ROW_SQUARE : FFT_ROW_MULTIPLY,
    };
}

// enqueue_branches: the launches of a group of primes, except the ones that follow them all. A high
// convolution beside the other one has the last branch.
static result enqueue_branches(const piece_call *c, unsigned first, unsigned primes,
                               cuda_stream stream) {
    const bigint_ctx *const ctx = c->run->ctx;
    const device_plan *const plan = c->run->plan;
    const bool beside = device_beside(plan), late = device_parts_late(plan);
    const unsigned wanted = plan->branches - (beside ? 1 : 0);
    const unsigned own = wanted < primes ? wanted : primes, branches = own + (beside ? 1 : 0);
    assert(own >= 1 && branches <= BRANCHES_MOST);
    convolution all[BRANCHES_MOST];
    for (unsigned i = 0, from = 0, n = 0; i < own; i++, from += n) {
        n = (primes - from + own - i - 1) / (own - i);
        all[i] = own_of(c, first, from, n, device_branch(ctx, stream, i));
    }
    if (beside) {
        all[own] = high_of(c, first, primes, device_branch(ctx, stream, own));
    }
    const convolution whole = own_of(c, first, 0, primes, stream);
    const result done = late ? enqueue_stage(&whole, COLUMNS) : RESULT_OK;
    return done == RESULT_OK ? enqueue_beside(ctx, all, branches, late ? ROWS : COLUMNS, stream)
                             : done;
}

// enqueue_group: the residues of the product modulo a group of primes. The high convolution, which
// gives what wrapped around, was computed beside them, or is computed now in the memory of the
// other operand, which is free by then.
static result enqueue_group(const piece_call *c, unsigned first, unsigned primes,
                            cuda_stream stream) {
    const device_plan *const plan = c->run->plan;
    result done = enqueue_branches(c, first, primes, stream);
    if (done != RESULT_OK || plan->modular.wrapped == 0) {
        return done;
    }
    const convolution own = own_of(c, first, 0, primes, stream),
                      high = high_of(c, first, primes, stream);
    done = device_beside(plan) ? RESULT_OK : enqueue_stages(&high, 1, COLUMNS);
    return done == RESULT_OK ? fft_modular_unwrap(&own.step, own.x, high.step.plan, high.x) : done;
}

// enqueue_both: the residues of the product modulo two groups of primes, a branch each. Nothing
// wraps around.
static result enqueue_both(const piece_call *c, cuda_stream stream) {
    const bigint_ctx *const ctx = c->run->ctx;
    const unsigned more = fft_modular_group(&c->run->plan->modular, FFT_PRIMES_USED);
    const convolution both[] = {
        own_of(c, 0, 0, FFT_PRIMES_USED, stream),
        own_of(c, 0, FFT_PRIMES_USED, more, device_branch(ctx, stream, 1)),
    };
    return enqueue_beside(ctx, both, 2, COLUMNS, stream);
}

// enqueue_groups: the residues of the product modulo all primes, group after group, or prime after
// prime.
static result enqueue_groups(const piece_call *c, cuda_stream stream) {
    const device_plan *const plan = c->run->plan;
    result done = RESULT_OK;
    for (unsigned first = 0, n = 0; first < plan->modular.primes && done == RESULT_OK; first += n) {
        n = plan->in_turn ? 1 : fft_modular_group(&plan->modular, first);
        done = enqueue_group(c, first, n, stream);
    }
    return done;
}

static result enqueue_residues(const piece_call *c, cuda_stream stream) {
    return device_groups_beside(c->run->plan) ? enqueue_both(c, stream) : enqueue_groups(c, stream);
}

result device_convolve(const device_work *run, fft_modular_operand a, fft_modular_operand b,
                       const device_convolving *how, cuda_stream stream) {
    const piece_call call = {.run = run, .a = a, .b = b, .how = *how};
    return enqueue_residues(&call, stream);
}

recombine_residues device_residues(const device_work *run) {
    const fft_modular_plan *const modular = &run->plan->modular;
    return (recombine_residues){
        .x = run->x,
        .plane = device_plane(run->plan),
        .count = modular->a_digits + modular->b_digits - 1,
        .primes = modular->primes,
        .bits = modular->digit_bits,
    };
}

// --- Pieces --------------------------------------------------------------------------------------

// enqueue_piece enqueues {rp, rn} = a b and the sign, by several launches.
static result enqueue_piece(const void *call, cuda_stream stream) {
    const piece_call *const c = call;
    const device_work *const run = c->run;
    const device_queue *const q = &run->ctx->queue;
    const result done = enqueue_residues(c, stream);
    // After the words of comparisons and sums.
    unsigned char *const words = (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES;
    const uint64_t bytes = q->words_bytes - CARRY_ADD_FRONT_BYTES;
    const recombine_residues residues = device_residues(run);
    return done == RESULT_OK
               ? recombine_device(c->rp, c->rn, &c->signs, &residues, words, bytes, stream)
               : done;
}

// replay_piece: the same by a graph if the product came before.
static result replay_piece(const piece_call *c) {
    const device_work *const run = c->run;
    const device_plan *const plan = run->plan;
    const fft_modular_plan *const m = &plan->modular;
    const device_queue *const q = &run->ctx->queue;
    const uint64_t key[REPLAY_WORDS] = {
        (uintptr_t)c->rp,
        c->rn,
        (uintptr_t)c->signs.r,
        (uintptr_t)c->signs.a,
        (uintptr_t)c->signs.b,
        (uintptr_t)c->a.words,
        c->a.words_n,
        (uintptr_t)c->b.words,
        c->b.words_n,
        (uintptr_t)c->how.prepared,
        (uintptr_t)run->x,
        (uintptr_t)run->tables->memory,
        (uintptr_t)run->high_tables->memory,
        (uintptr_t)q->words,
        q->words_bytes,
        plan->an,
        plan->bn,
        (uint64_t)m->primes << 48 | (uint64_t)m->pieces << 40 | (uint64_t)m->lg_rows << 32 |
            m->lg_columns << 24 | m->lg_outer << 16 | m->digit_bits << 8 | plan->branches << 3 |
            (plan->square ? 4U : 0U) | (plan->prepared ? 2U : 0U) | (plan->in_turn ? 1U : 0U),
    };
    return device_replay(run->ctx, key, enqueue_piece, c, device_parts_spread(plan));
}

result device_multiply_piece(const device_work *run, uint64_t *rp, uint64_t rn,
                             const recombine_signs *signs, fft_modular_operand a,
                             fft_modular_operand b, const double *prepared) {
    const device_plan *const plan = run->plan;
    if (fft_modular_whole(&plan->modular)) {
        const product_rows one =
            product_rows_of((product_item){rp, a.words, b.words, rn, a.words_n, b.words_n});
        return cluster_product(&one, signs, plan->square, &plan->modular, run->tables,
                               run->ctx->queue.stream);
    }
    const piece_call call = {run, rp, rn, *signs, a, b, {.prepared = prepared}};
    return plan->recorded ? replay_piece(&call) : enqueue_piece(&call, run->ctx->queue.stream);
}
