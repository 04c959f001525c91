// sum.c: see sum.h.
//
// A left factor is kept as it is after its columns, a right one after its rows too. The rows of a
// term transform the left factor again, in registers, and leave its planes as they are. The last
// term of a sum goes back by rows in place, so its left factor is copied first.
#include "bigint/device/blocks/sum.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/piece.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"
#include "carry/add.h"

// --- Plan ----------------------------------------------------------------------------------------

static bool by_transforms(const bigint_ctx *ctx) {
    return (ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT) &&
           ctx->check_modulus == 0;
}

bool device_block_plan_make(const bigint_ctx *ctx, device_block_plan *plan, uint64_t block,
                            uint64_t terms) {
    device_plan *const p = &plan->products;
    *plan = (device_block_plan){.block = block, .terms = terms, .limbs = 2 * block + 1};
    *p = (device_plan){.an = block, .bn = block, .a_piece = block, .b_piece = block};
    p->prepared = true;
    assert(block % DEVICE_LINE == 0 && terms < UINT64_MAX / 2);
    if (!by_transforms(ctx) ||
        !fft_modular_plan_sum(&p->modular, block, block, terms, ctx->queue.forced.primes,
                              ctx->queue.clusters)) {
        return false;
    }
    const uint64_t words = recombine_device_bytes(plan->limbs),
                   sums = carry_add_workspace_bytes(plan->limbs);
    p->workspace_bytes = (DEVICE_LINE + p->modular.primes * device_plane(p)) * sizeof(uint64_t);
    p->words_bytes = CARRY_ADD_FRONT_BYTES + words > sums ? CARRY_ADD_FRONT_BYTES + words : sums;
    p->tables_bytes = fft_modular_table_bytes(&p->modular) + sizeof(product_tables);
    return device_plan_fits(ctx, p);
}

uint64_t device_block_bytes(const device_block_plan *plan) {
    return device_planes_bytes(&plan->products);
}

// --- Execution -----------------------------------------------------------------------------------

// transform enqueues planes = the columns of x, and its rows if `right`.
static result transform(const bigint_ctx *ctx, const device_plan *plan, double *planes,
                        const bigint *x, bool right) {
    const fft_modular_plan *const modular = &plan->modular;
    const fft_modular_tables *const tables = device_tables(ctx, modular);
    const fft_modular_operand words = {x->d_, x->n_};
    result done = RESULT_OK;
    if (x->n_ == 0) {
        return cuda_set(planes, 0, device_planes_bytes(plan), ctx->queue.stream);
    }
    for (unsigned first = 0, n = 0; first < modular->primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(modular, first);
        const fft_modular_step step = {modular, tables, first, n, ctx->queue.stream};
        double *const to = planes + first * device_plane(plan);
        done = fft_modular_columns(&step, to, words, NULL, words);
        if (done == RESULT_OK && right) {
            done = fft_modular_rows(&step, to, NULL, FFT_ROW_TRANSFORM);
        }
    }
    return done;
}

// enter makes the plan's tables; device_leave where it succeeds.
static bigint_status enter(bigint_ctx *ctx, const char *who, const device_block_plan *plan) {
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        status = device_tables_need(ctx, who, &plan->products);
        if (status != BIGINT_OK) {
            device_leave(ctx);
        }
    }
    return status;
}

bigint_status device_block_transform(bigint_ctx *ctx, const char *who,
                                     const device_block_plan *plan, double *planes, const bigint *x,
                                     bool right) {
    assert(x->n_ <= plan->block);
    bigint_status status = enter(ctx, who, plan);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, transform(ctx, &plan->products, planes, x, right));
        device_leave(ctx);
    }
    return status;
}

// joined: how a term joins the sum in the planes: added, because a word equals itself.
static fft_modular_sum joined(const device_block_terms *t, uint64_t k, uint64_t at) {
    const uint64_t *const sign = (const uint64_t *)t->right[0];
    return (fft_modular_sum){t->planes + at, sign, sign, false, t->adds || k > 0, true};
}

// add enqueues the first `terms` of them, modulo a group of primes.
static result add(const fft_modular_step *step, const device_block_terms *t, uint64_t terms) {
    const uint64_t at = step->first * fft_modular_plane(step->plan);
    result done = RESULT_OK;
    for (uint64_t k = 0; k < terms && done == RESULT_OK; k++) {
        const fft_modular_sum sum = joined(t, k, at);
        done =
            fft_modular_rows_sum(step, t->left[k] + at, t->right[k] + at, FFT_ROW_PREPARED, &sum);
    }
    return done;
}

static result add_all(const bigint_ctx *ctx, const fft_modular_plan *modular,
                      const device_block_terms *t) {
    const fft_modular_tables *const tables = device_tables(ctx, modular);
    result done = RESULT_OK;
    for (unsigned first = 0, n = 0; first < modular->primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(modular, first);
        const fft_modular_step step = {modular, tables, first, n, ctx->queue.stream};
        done = add(&step, t, t->terms);
    }
    return done;
}

bigint_status device_block_add(bigint_ctx *ctx, const char *who, const device_block_plan *plan,
                               const device_block_terms *t) {
    bigint_status status = enter(ctx, who, plan);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, add_all(ctx, &plan->products.modular, t));
        ctx->counters.products += status == BIGINT_OK ? t->terms : 0;
        device_leave(ctx);
    }
    return status;
}

// add_up enqueues the coefficients of the sum, modulo a group of primes.
static result add_up(const device_work *run, const fft_modular_step *step,
                     const device_block_terms *t) {
    const uint64_t plane = device_plane(run->plan), at = step->first * plane, last = t->terms - 1;
    double *const x = run->x + at;
    result done = add(step, t, last);
    if (done == RESULT_OK) {
        done = cuda_copy(x, t->left[last] + at, step->primes * plane * sizeof *x, step->stream);
    }
    if (done == RESULT_OK) {
        fft_modular_sum sum = joined(t, last, at);
        sum.stays = false;
        done = fft_modular_rows_sum(step, x, t->right[last] + at, FFT_ROW_PREPARED, &sum);
    }
    return done == RESULT_OK ? fft_modular_inverse(step, x) : done;
}

// carry_below enqueues the addition of what `below` has above its block. The sum has room for it:
// below < terms B^(2 block) + B^(block + 1) for the base B of limbs, so that the sum's value stays
// below (terms + 1) B^(2 block).
static result carry_below(const device_work *run, const device_target *target, uint64_t block,
                          const bigint *below) {
    const device_queue *const q = &run->ctx->queue;
    uint64_t *const sign = target->p - 1;
    const limbs_device_number sum = {target->p, target->n, sign},
                              carried = {below->d_ + block, below->n_ - block, sign};
    return carry_add(target->p, target->n, sign, sum, carried, false, q->words, q->words_bytes,
                     q->stream);
}

static result enqueue_sum(const device_work *run, const device_block_plan *plan,
                          const device_target *target, const device_block_terms *t,
                          const bigint *below) {
    const fft_modular_plan *const modular = &run->plan->modular;
    const device_queue *const q = &run->ctx->queue;
    const recombine_signs signs = {target->p - 1, run->zero, run->zero};
    const recombine_residues residues = device_residues(run);
    result done = cuda_set(run->zero, 0, DEVICE_LINE * sizeof *run->zero, q->stream);
    for (unsigned first = 0, n = 0; first < modular->primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(modular, first);
        const fft_modular_step step = {modular, run->tables, first, n, q->stream};
        done = add_up(run, &step, t);
    }
    if (done == RESULT_OK) {
        done = recombine_device(target->p, target->n, &signs, &residues,
                                (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream);
    }
    return done == RESULT_OK && below->n_ > plan->block
               ? carry_below(run, target, plan->block, below)
               : done;
}

bigint_status device_block_sum(bigint_ctx *ctx, const char *who, const device_block_plan *plan,
                               bigint *r, const device_block_terms *t, const bigint *below) {
    device_work run;
    device_target target;
    assert(1 <= t->terms && t->terms <= plan->terms && r != below);
    bigint_status status = device_begin(&run, ctx, who, &plan->products);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, 64 * plan->limbs, &target);
    if (status == BIGINT_OK) {
        const result done = enqueue_sum(&run, plan, &target, t, below);
        ctx->counters.products += done == RESULT_OK ? t->terms : 0;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}
