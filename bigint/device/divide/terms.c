// terms.c: see terms.h.
#include "bigint/device/divide/terms.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "carry/add.h"
#include "fft/device/modular/batch.h"
#include "fft/device/modular/square_rows.h"

bool device_terms_serve(const bigint_ctx *ctx) {
    return (ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT) &&
           ctx->options.max_workspace_bytes == 0 && ctx->check_modulus == 0 &&
           ctx->queue.forced.primes <= FFT_PRIMES_USED;
}

bool device_terms_plan(const bigint_ctx *ctx, device_plan *plan, const device_terms *l) {
    *plan = (device_plan){.an = l->an,
                          .bn = l->bn,
                          .a_piece = l->an,
                          .b_piece = l->bn,
                          .engine = ENGINE_MODULAR_FFT,
                          .branches = 1};
    fft_modular_plan *const m = &plan->modular;
    if (!fft_modular_plan_sum(m, l->an, l->bn, 1, FFT_PRIMES_USED, ctx->queue.clusters) ||
        fft_modular_items_most(m) < RECOMBINE_TERMS) {
        return false;
    }
    const uint64_t doubles = (l->count + 1) * m->primes * device_plane(plan);
    plan->workspace_bytes = (DEVICE_LINE + doubles) * sizeof(uint64_t);
    plan->words_bytes = CARRY_ADD_FRONT_BYTES + recombine_rows_bytes(l->rn, l->count);
    plan->tables_bytes = fft_modular_table_bytes(m) + sizeof(product_tables);
    return device_plan_fits(ctx, plan);
}

// work: the transforms: planes of both products, and of the factor of both.
typedef struct {
    fft_modular_step step;
    fft_modular_items items;
    double *x, *y;
} work;

static work work_of(const device_work *run, const device_terms *l, const device_terms_factors *x) {
    const fft_modular_plan *const m = &run->plan->modular;
    const uint64_t planes = m->primes * fft_modular_plane(m);
    // The factors may lie in different blocks of memory, so their distance is one of addresses.
    const intptr_t bytes = l->count > 1 ? (intptr_t)x->e - (intptr_t)x->a : 0;
    const uint64_t apart = (uint64_t)(bytes / (intptr_t)sizeof *x->a);
    return (work){.step = {m, run->tables, 0, m->primes, run->ctx->queue.stream},
                  .items = {(unsigned)l->count, planes, 0, apart, 0},
                  .x = run->x,
                  .y = run->x + l->count * planes};
}

// transform enqueues the residues of both products. If the second one is a square, the
// factor of both is transformed once, in its planes; otherwise once for each product.
static result transform(const work *w, const device_terms *l, const device_terms_factors *x) {
    const fft_modular_operand a = {x->a, l->an}, by = {x->by, l->bn};
    double *const e = w->x + w->items.x;
    result done = RESULT_OK;
    if (l->count > 1 && x->e == x->by) {
        done = fft_modular_columns(&w->step, w->x, a, e, by);
        done = done == RESULT_OK ? fft_modular_square_rows(&w->step, w->x, e) : done;
    } else {
        done = fft_modular_items_columns(&w->step, &w->items, w->x, a, w->y, by);
        if (done == RESULT_OK) {
            done = fft_modular_items_rows(&w->step, &w->items, w->x, w->y, FFT_ROW_MULTIPLY);
        }
    }
    return done == RESULT_OK ? fft_modular_items_inverse(&w->step, &w->items, w->x) : done;
}

result device_terms_multiply(const device_work *run, const device_terms *l,
                             const device_terms_factors *x, const recombine_term *terms,
                             uint64_t *to, uint64_t row) {
    const device_queue *const q = &run->ctx->queue;
    const fft_modular_plan *const m = &run->plan->modular;
    const work w = work_of(run, l, x);
    const recombine_residues residues = {
        w.x, fft_modular_plane(m), fft_modular_points(m), m->primes, m->digit_bits, 0, false};
    const product_rows rows = {{to, NULL, NULL, l->rn, 0, 0}, row, 0, 0, NULL, l->count, 0};
    assert(l->count >= 1 && l->count <= RECOMBINE_TERMS && (l->count == 1 || row >= l->rn));
    result done = transform(&w, l, x);
    if (done == RESULT_OK) {
        done = recombine_rows_terms(&rows, l->rn, terms, &residues, w.items.x,
                                    (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES,
                                    q->words_bytes - CARRY_ADD_FRONT_BYTES, q->stream);
    }
    run->ctx->counters.products += done == RESULT_OK ? l->count : 0;
    return done;
}

void device_terms_need(work_need *w, const device_terms *l) {
    device_plan plan;
    if (w->status == BIGINT_OK && device_terms_plan(w->ctx, &plan, l)) {
        device_plan_need(w, &plan);
    }
}

bigint_status device_terms_enqueue(bigint_ctx *ctx, const char *who, const device_terms *l,
                                   const device_terms_factors *x, const recombine_term *terms,
                                   uint64_t *to, uint64_t row) {
    device_plan plan;
    device_work run;
    const bool planned = device_terms_plan(ctx, &plan, l);
    assert(planned);
    (void)planned;
    bigint_status status = device_begin(&run, ctx, who, &plan);
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, device_terms_multiply(&run, l, x, terms, to, row));
        device_end(&run);
    }
    return status;
}
