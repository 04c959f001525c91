// ring.c: products modulo B^n -+ 1 on a device: plan and launches.
#include "bigint/device/divide/ring.h"

#include <assert.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/tune.h"
#include "bigint/device/kernels/cluster/ring.h"
#include "bigint/device/piece.h"
#include "bigint/device/replay.h"
#include "carry/add.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void set_memory(device_plan *plan) {
    const uint64_t n = device_ring_limbs(plan) + LIMBS_RING_OVER;
    const uint64_t doubles = plan->modular.primes * device_plane(plan) + device_others(plan);
    plan->workspace_bytes = (DEVICE_LINE + doubles) * sizeof(uint64_t);
    plan->words_bytes =
        max(carry_add_workspace_bytes(n), CARRY_ADD_FRONT_BYTES + recombine_device_bytes(n));
    plan->tables_bytes = fft_modular_table_bytes(&plan->modular) + sizeof(product_tables);
}

static device_plan plan_of(uint64_t an, uint64_t bn, bool square, bool prepared) {
    return (device_plan){.an = an,
                         .bn = bn,
                         .a_piece = an,
                         .b_piece = bn,
                         .engine = ENGINE_MODULAR_FFT,
                         .square = square,
                         .prepared = prepared,
                         .branches = 1};
}

static bool may_ring(const bigint_ctx *ctx) {
    return ctx->check_modulus == 0 &&
           (ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT);
}

bool device_ring_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                      uint64_t least, uint64_t most, bool plus, bool square, bool prepared) {
    *plan = plan_of(an, bn, square, prepared);
    if (!may_ring(ctx) ||
        !fft_modular_plan_ring(&plan->modular, an, bn, max(least, LIMBS_RING_LEAST), most, plus,
                               ctx->queue.forced.primes, ctx->queue.clusters)) {
        return false;
    }
    set_memory(plan);
    return device_plan_fits(ctx, plan);
}

bool device_ring_whole(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                       uint64_t n, bool plus, bool square) {
    *plan = plan_of(an, bn, square, false);
    if (!may_ring(ctx) || ctx->queue.forced.primes > FFT_PRIMES_USED ||
        !fft_modular_plan_ring_whole(&plan->modular, an, bn, n, plus,
                                     device_plan_cluster(ctx, n / 2))) {
        return false;
    }
    set_memory(plan);
    return device_plan_fits(ctx, plan);
}

void device_ring_spread(const bigint_ctx *ctx, device_plan *plan) {
    const unsigned asked = ctx->queue.forced.branches;
    plan->recorded = plan->an + plan->bn <= DEVICE_RECORDED_LIMBS_MOST;
    plan->branches = asked != 0 ? asked : plan->modular.branches;
    set_memory(plan);
    if (!device_plan_fits(ctx, plan)) {
        plan->branches = 1;
        set_memory(plan);
    }
}

// surely_pays: whether the plan of a product in one piece, which the host would compute in up to 60
// us, could only say so. Such products have at least 5 / 2 points, counted once for each prime, for
// each limb of their operands: digits of `most` bits modulo k primes have 64 k / most.
static bool surely_pays(const bigint_ctx *ctx, const device_plan *ring) {
    static_assert(5 * 64 <= 2 * 64 * 3 && 5 * FFT_MODULAR_TWO_CHUNKS <= 2 * 64 * 4 &&
                      5 * FFT_MODULAR_THREE_CHUNKS <= 2 * 64 * 5 && 5 * 128 <= 2 * 64 * 6,
                  "digits are no longer");
    const uint64_t limbs = ring->an + ring->bn;
    const uint64_t points = ring->modular.primes * fft_modular_points(&ring->modular);
    return device_plan_engine(ctx, max(ring->an, ring->bn)) == ENGINE_MODULAR_FFT &&
           limbs > FFT_MODULAR_WHOLE_PIECES << FFT_MODULAR_LG_WHOLE_MOST &&
           8 * points <= 7 * (limbs / 2 * 5);
}

bool device_ring_pays(const bigint_ctx *ctx, const device_plan *ring) {
    device_plan whole;
    const uint64_t an = max(ring->an, ring->bn), bn = ring->an + ring->bn - an;
    if (surely_pays(ctx, ring)) {
        return true;
    }
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

// ring_call: a product in a ring. sign: a word that becomes 0.
typedef struct {
    const device_work *run;
    uint64_t *rp, *sign;
    limbs_device_number a, b;
    bool negative;
    const device_ring_kept *kept;
    const recombine_more *more;
} ring_call;

// convolve: the residues of the product's coefficients. A sum of one term, for its sign; nothing is
// read from its planes or written there.
static result convolve(const ring_call *c, cuda_stream stream) {
    const device_work *const run = c->run;
    const bool plain = c->a.sign == NULL;
    const fft_modular_sum signs = {
        run->x, plain ? run->zero : c->a.sign, plain ? run->zero : c->b.sign, c->negative, false,
        false};
    const device_ring_kept none = {0}, *const kept = c->kept == NULL ? &none : c->kept;
    const device_convolving how = {.prepared = kept->whole ? kept->planes : NULL,
                                   .kept = kept->planes,
                                   .made = kept->made,
                                   .sum = &signs};
    const fft_modular_operand a = {c->a.p, c->a.n}, b = {c->b.p, c->b.n};
    return device_convolve(run, a, b, &how, stream);
}

static result enqueue(const ring_call *c, cuda_stream stream) {
    const device_work *const run = c->run;
    const device_plan *const plan = run->plan;
    const fft_modular_plan *const m = &plan->modular;
    const device_queue *const q = &run->ctx->queue;
    const result done = convolve(c, stream);
    const recombine_residues residues = {
        run->x, device_plane(plan), fft_modular_points(m), m->primes, m->digit_bits, 0, false};
    const recombine_signs zero = {c->sign, c->sign, c->sign};  // a word xor itself
    const uint64_t rn = device_ring_limbs(plan) + LIMBS_RING_OVER;
    void *const words = (unsigned char *)q->words + CARRY_ADD_FRONT_BYTES;
    const size_t bytes = q->words_bytes - CARRY_ADD_FRONT_BYTES;
    assert(c->more == NULL || device_ring_adds(plan));
    if (done != RESULT_OK) {
        return done;
    }
    return c->more != NULL
               ? recombine_device_plus(c->rp, rn, c->more, &residues, words, bytes, stream)
               : recombine_device(c->rp, rn, &zero, &residues, words, bytes, stream);
}

result device_ring_multiply(const device_work *run, uint64_t *rp, limbs_device_number a,
                            limbs_device_number b, bool negative, device_ring_kept *kept,
                            const recombine_more *more) {
    const ring_call call = {run, rp, run->zero, a, b, negative, kept, more};
    assert(a.n <= run->plan->an && b.n <= run->plan->bn);
    assert((kept != NULL) == run->plan->prepared && (a.sign == NULL) == (b.sign == NULL));
    const result done = enqueue(&call, run->ctx->queue.stream);
    if (kept != NULL) {
        kept->made = done == RESULT_OK;
    }
    run->ctx->counters.products += done == RESULT_OK;
    return done;
}

// --- Residues ------------------------------------------------------------------------------------

static result enqueue_residue(const void *call, cuda_stream stream) {
    const ring_call *const c = call;
    const result done = enqueue(c, stream);
    const device_plan *const plan = c->run->plan;
    return done == RESULT_OK ? limbs_device_settle(c->rp, device_ring_limbs(plan),
                                                   plan->modular.negacyclic, stream)
                             : done;
}

// enqueue_whole: the same by one launch.
static result enqueue_whole(const ring_call *c, cuda_stream stream) {
    const device_work *const run = c->run;
    const cluster_ring_product product = {c->rp,  c->sign, c->a.p,    c->b.p,
                                          c->a.n, c->b.n,  c->a.sign, c->b.sign};
    return cluster_ring(&product, run->plan->square, &run->plan->modular, run->tables, stream);
}

// replay_residue: the same by a graph if the product came before.
static result replay_residue(const ring_call *c) {
    const device_work *const run = c->run;
    const device_plan *const plan = run->plan;
    const fft_modular_plan *const m = &plan->modular;
    const device_queue *const q = &run->ctx->queue;
    const uint64_t key[REPLAY_WORDS] = {
        (uintptr_t)c->rp,
        (uintptr_t)c->sign,
        (uintptr_t)c->a.p,
        c->a.n,
        (uintptr_t)c->a.sign,
        (uintptr_t)c->b.p,
        c->b.n,
        (uintptr_t)c->b.sign,
        (uintptr_t)run->x,
        (uintptr_t)run->tables->memory,
        (uintptr_t)q->words,
        q->words_bytes,
        plan->an,
        plan->bn,
        m->digit_bits,
        device_ring_limbs(plan),
        plan->branches << 2 | (m->negacyclic ? 2U : 0U) | (plan->square ? 1U : 0U),
        UINT64_MAX,  // of no product: piece.c
    };
    return device_replay(run->ctx, key, enqueue_residue, c, device_parts_spread(plan));
}

result device_ring_residue(const device_work *run, uint64_t *rp, uint64_t *sign,
                           limbs_device_number a, limbs_device_number b) {
    const ring_call call = {.run = run, .rp = rp, .sign = sign, .a = a, .b = b};
    const device_plan *const plan = run->plan;
    const cuda_stream stream = run->ctx->queue.stream;
    assert(a.n <= plan->an && b.n <= plan->bn && !plan->prepared);
    const result done = fft_modular_whole(&plan->modular) ? enqueue_whole(&call, stream)
                        : plan->recorded                  ? replay_residue(&call)
                                                          : enqueue_residue(&call, stream);
    run->ctx->counters.products += done == RESULT_OK;
    return done;
}
