// ring.c: products modulo B^n - 1 on a device: plan and launches.
#include "bigint/device/divide/ring.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "carry/add.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

bool device_ring_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                      uint64_t least, uint64_t most, bool square, bool prepared) {
    *plan = (device_plan){.an = an,
                          .bn = bn,
                          .a_piece = an,
                          .b_piece = bn,
                          .engine = ENGINE_MODULAR_FFT,
                          .square = square,
                          .prepared = prepared,
                          .branches = 1};
    if (ctx->check_modulus != 0 ||
        (ctx->engine != ENGINE_AUTO && ctx->engine != ENGINE_MODULAR_FFT) ||
        !fft_modular_plan_ring(&plan->modular, an, bn, max(least, LIMBS_RING_LEAST), most,
                               ctx->queue.forced.primes, ctx->queue.clusters)) {
        return false;
    }
    const uint64_t n = device_ring_limbs(plan) + LIMBS_RING_OVER;
    const uint64_t doubles = plan->modular.primes * device_plane(plan) + device_others(plan);
    plan->workspace_bytes = (DEVICE_LINE + doubles) * sizeof(uint64_t);
    plan->words_bytes =
        max(carry_add_workspace_bytes(n), CARRY_ADD_FRONT_BYTES + recombine_device_bytes(n));
    plan->tables_bytes = fft_modular_table_bytes(&plan->modular) + sizeof(product_tables);
    return device_plan_fits(ctx, plan);
}

bool device_ring_pays(const bigint_ctx *ctx, const device_plan *ring) {
    device_plan whole;
    const uint64_t an = max(ring->an, ring->bn), bn = ring->an + ring->bn - an;
    if (!device_plan_whole(ctx, &whole, an, bn, ring->square, false)) {
        return true;
    }
    if (whole.engine != ENGINE_MODULAR_FFT || fft_modular_whole(&whole.modular)) {
        return false;
    }
    const uint64_t high = whole.modular.wrapped > 0 ? fft_modular_points(&whole.high) : 0;
    const uint64_t all = whole.modular.primes * (fft_modular_points(&whole.modular) + high);
    return ring->modular.primes * fft_modular_points(&ring->modular) <= all - all / 8;
}

// transform enqueues the residues of the product modulo one group of primes, from `first` on.
static result transform(const device_work *run, unsigned first, unsigned primes,
                        limbs_device_number a, limbs_device_number b, bool negative,
                        const device_ring_kept *kept) {
    const device_plan *const plan = run->plan;
    const uint64_t at = first * device_plane(plan);
    const fft_modular_step step = {&plan->modular, run->tables, first, primes,
                                   run->ctx->queue.stream};
    const fft_modular_operand x = {a.p, a.n}, y = {b.p, b.n};
    const fft_row_mode mode = plan->square                  ? FFT_ROW_SQUARE
                              : kept != NULL && kept->whole ? FFT_ROW_PREPARED
                                                            : FFT_ROW_MULTIPLY;
    double *const of_b = kept != NULL ? kept->planes + at : run->y;
    const bool columns = mode == FFT_ROW_MULTIPLY && (kept == NULL || !kept->made);
    // A sum of one term, for its sign; nothing is read from its planes or written there.
    const bool plain = a.sign == NULL;
    const fft_modular_sum signs = {
        run->x, plain ? run->zero : a.sign, plain ? run->zero : b.sign, negative, false, false};
    result done = fft_modular_columns(&step, run->x + at, x, columns ? of_b : NULL, y);
    if (done == RESULT_OK) {
        done = fft_modular_rows_sum(&step, run->x + at, of_b, mode, &signs);
    }
    return done == RESULT_OK ? fft_modular_inverse(&step, run->x + at) : done;
}

result device_ring_multiply(const device_work *run, uint64_t *rp, limbs_device_number a,
                            limbs_device_number b, bool negative, device_ring_kept *kept,
                            const recombine_more *more) {
    const device_plan *const plan = run->plan;
    const fft_modular_plan *const m = &plan->modular;
    const device_queue *const q = &run->ctx->queue;
    assert(a.n <= plan->an && b.n <= plan->bn && (kept != NULL) == plan->prepared);
    assert((a.sign == NULL) == (b.sign == NULL));
    result done = RESULT_OK;
    for (unsigned first = 0, n = 0; first < m->primes && done == RESULT_OK; first += n) {
        n = fft_modular_group(m, first);
        done = transform(run, first, n, a, b, negative, kept);
    }
    if (kept != NULL) {
        kept->made = done == RESULT_OK;
    }
    const recombine_residues residues = {
        run->x, device_plane(plan), fft_modular_points(m), m->primes, m->digit_bits, 0, false};
    const recombine_signs none = {run->zero, run->zero, run->zero};  // a word xor itself: 0
    const uint64_t rn = device_ring_limbs(plan) + LIMBS_RING_OVER;
    void *const words = (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES;
    const size_t bytes = q->words_bytes - CARRY_ADD_FRONT_BYTES;
    assert(more == NULL || device_ring_adds(plan));
    if (done == RESULT_OK) {
        done = more != NULL
                   ? recombine_device_plus(rp, rn, more, &residues, words, bytes, q->stream)
                   : recombine_device(rp, rn, &none, &residues, words, bytes, q->stream);
    }
    run->ctx->counters.products += done == RESULT_OK;
    return done;
}
