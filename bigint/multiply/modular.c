// modular.c: see modular.h. This file holds the transform's memory and the cutting of unbalanced
// products; the arithmetic is in fft/ and recombine.c.
#include "bigint/multiply/modular.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/recombine.h"
#include "primitives/words/word.h"

enum {
    UNBALANCED = 4,  // longer operands than this many times the shorter are cut
    // into pieces of this many times the shorter: two transforms of 7 n each beat three longer
    PIECE = 6,
    PIECE_MIN = 2048,  // limbs
};

// shape_for: the shape that suits the context's variant, and its team if it shares a product whose
// shorter operand has this many limbs.
static fft_shape shape_for(const bigint_ctx *ctx, uint64_t shorter) {
    fft_shape shape = ctx->fft->shape;
    while (shorter >= MUL_FFT_TEAM_THRESHOLD && team_size(ctx->team) > 1u << shape.team) {
        shape.team++;
    }
    return shape;
}

bool mul_fft_plan_make(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t an, uint64_t bn,
                       bool square, uint64_t cuts) {
    *plan = (mul_fft_plan){
        .square = square && cuts == 1, .prepares = cuts == 1 && an / UNBALANCED >= bn, .others = 1};
    uint64_t a_cuts = cuts;
    if (plan->prepares) {
        a_cuts = word_ceil_div(an, PIECE * bn < PIECE_MIN ? PIECE_MIN : PIECE * bn);
        plan->prepares = a_cuts > 1;
    }
    plan->cut = plan->prepares || cuts > 1;
    plan->a_piece = word_ceil_div(an, a_cuts);
    plan->b_piece = word_ceil_div(bn, cuts);
    return fft_plan_limbs(&plan->fft, shape_for(ctx, bn), plan->a_piece, plan->b_piece);
}

bool mul_fft_plan_decimal(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t a_digits,
                          uint64_t b_digits, bool square) {
    uint64_t radix = UINT64_C(10000000000000000000);
    for (unsigned k = 19; k >= 9; k--, radix /= 10) {
        const uint64_t an = word_ceil_div(a_digits, k), bn = word_ceil_div(b_digits, k);
        *plan = (mul_fft_plan){.a_piece = an, .b_piece = bn, .square = square, .others = 1, .k = k};
        if (fft_plan_words(&plan->fft, shape_for(ctx, bn), an, bn, radix)) {
            return true;
        }
    }
    return false;
}

unsigned mul_fft_others(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    const unsigned threads = team_size(ctx->team);
    if (threads <= FFT_PRIMES_USED) {
        return threads;
    }
    const uint64_t points = plan->fft.rows << plan->fft.lg_columns;
    const bool pays = threads <= MUL_FFT_ALONE_THREADS && points <= MUL_FFT_ALONE_POINTS;
    return pays ? FFT_PRIMES_USED : 1;
}

// --- Memory ---

uint64_t mul_fft_operand_bytes(const mul_fft_plan *plan) {
    return FFT_PRIMES_USED * fft_plan_plane_bytes(&plan->fft);
}

static uint64_t buffers_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return team_size(ctx->team) * fft_plan_buffer_bytes(&plan->fft);
}

// table_bytes: the tables of one prime, up to 2^lg points; a multiple of 64, so that what follows
// stays aligned.
static uint64_t table_bytes(const bigint_ctx *ctx, unsigned lg) {
    return word_ceil_div(ctx->fft->tables_bytes(lg), 64) * 64;
}

static uint64_t product_bytes(const mul_fft_plan *plan) {
    return plan->cut ? arena_limbs_bytes(plan->a_piece + plan->b_piece) : 0;
}

// The first piece of a product is written straight to the result. The others are written to room
// for one more product, then added.
uint64_t mul_fft_workspace_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan, bool prepared) {
    const uint64_t planes = mul_fft_operand_bytes(plan);
    const uint64_t second =
        plan->prepares ? planes : plan->others * fft_plan_plane_bytes(&plan->fft);
    return planes + buffers_bytes(ctx, plan) + product_bytes(plan) +
           (prepared || plan->square ? 0 : second);
}

uint64_t mul_fft_tables_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return FFT_PRIMES_USED * table_bytes(ctx, fft_plan_table_lg(&plan->fft));
}

typedef struct {
    const fft_ops *ops;
    fft_tables **tables;
    unsigned lg;
} table_job;

static void fill_table(void *arg, size_t prime, unsigned worker) {
    const table_job *const job = arg;
    (void)worker;
    job->ops->tables_fill(job->tables[prime], (unsigned)prime, job->lg);
}

bool mul_fft_ready(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return ctx->tables[0] != NULL && ctx->tables[0]->lg >= fft_plan_table_lg(&plan->fft);
}

bigint_status mul_fft_tables(bigint_ctx *ctx, const char *who, const mul_fft_plan *plan) {
    if (mul_fft_ready(ctx, plan)) {
        return BIGINT_OK;
    }
    mul_fft_trim(ctx);
    const uint64_t each = table_bytes(ctx, fft_plan_table_lg(&plan->fft));
    unsigned char *memory = workspace_allocate(ctx, who, MEMORY_HOST, FFT_PRIMES_USED * each);
    if (memory == NULL) {
        return BIGINT_ENOMEM;
    }
    ctx->tables_bytes += FFT_PRIMES_USED * each;
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        ctx->tables[i] = (fft_tables *)(memory + i * each);
    }
    table_job job = {ctx->fft, ctx->tables, fft_plan_table_lg(&plan->fft)};
    team_run(ctx->team, fill_table, &job, FFT_PRIMES_USED);
    return BIGINT_OK;
}

void mul_fft_trim(bigint_ctx *ctx) {
    if (ctx->tables[0] == NULL) {
        return;
    }
    const uint64_t bytes = FFT_PRIMES_USED * table_bytes(ctx, ctx->tables[0]->lg);
    workspace_release(ctx, MEMORY_HOST, ctx->tables[0], bytes);
    memset(ctx->tables, 0, sizeof ctx->tables);
    ctx->tables_bytes -= bytes;
}

// --- Execution ---

// layout: hands out a workspace from its start on.
static void *layout(unsigned char **at, uint64_t bytes) {
    void *const p = *at;
    *at += bytes;
    return p;
}

static void lay_planes(double *planes[FFT_PRIMES_USED], const mul_fft_plan *plan, double *memory) {
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        planes[i] = memory + i * (fft_plan_plane_bytes(&plan->fft) / sizeof(double));
    }
}

// convolution: the plan's convolution with planes, and buffers from the workspace.
static fft_convolution convolution(const bigint_ctx *ctx, const mul_fft_plan *plan, double *planes,
                                   unsigned char **at, team *workers) {
    fft_convolution c = {.ops = ctx->fft, .plan = plan->fft, .team = workers};
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        c.tables[i] = ctx->tables[i];
    }
    lay_planes(c.planes, plan, planes);
    c.buffers = layout(at, buffers_bytes(ctx, plan));
    return c;
}

uint64_t mul_fft_prepare_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return buffers_bytes(ctx, plan);
}

void mul_fft_prepare(const bigint_ctx *ctx, const mul_fft_plan *plan, double *planes,
                     const uint64_t *bp, uint64_t bn, void *ws, team *workers) {
    unsigned char *at = ws;
    const fft_convolution c = convolution(ctx, plan, planes, &at, workers);
    const fft_digits b = fft_plan_digits(&plan->fft, bp, bn);
    fft_prepare(&c, &b);
}

// progress: how many steps of a product are done.
typedef struct {
    const bigint_ctx *ctx;
    double done, total;
} progress;

// progress_step: whether the product goes on.
static bool progress_step(void *arg) {
    progress *const p = arg;
    p->done++;
    return context_step(p->ctx, p->done, p->total);
}

static void read_coefficients(uint64_t *out, const void *from, uint64_t first, size_t n) {
    fft_coefficients(out, from, first, n);
}
_Static_assert((int)RECOMBINE_BLOCK <= (int)FFT_BLOCK, "fft_coefficients writes no more at once");

// run_piece: {rp, an + bn} = one piece of a times one piece of b. False if the product is to end,
// with {rp} unchanged if the plan does not cut.
static bool run_piece(const fft_convolution *c, const mul_fft_plan *plan, uint64_t *rp,
                      const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn) {
    const fft_term term = {.a = fft_plan_digits(&plan->fft, ap, an),
                           .b = fft_plan_digits(&plan->fft, bp, bn),
                           .square = plan->square};
    if (!fft_convolve(c, &term, 1)) {
        return false;
    }
    const recombine_source source = {.read = read_coefficients,
                                     .from = c,
                                     .count = plan->k > 0 ? an + bn : term.a.count + term.b.count,
                                     .words = FFT_COEFFICIENT_WORDS,
                                     .team = c->team};
    if (plan->k > 0) {
        recombine_decimal(rp, &source, plan->k);
    } else {
        recombine_limbs(rp, an + bn, &source, plan->fft.digit_bits);
    }
    return c->after_step(c->after_step_arg);  // true for the last piece
}

bool mul_fft_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, const double *prepared, void *ws,
                 team *workers) {
    unsigned char *at = ws;
    double *const planes = layout(&at, mul_fft_operand_bytes(plan));
    fft_convolution c = convolution(ctx, plan, planes, &at, workers);
    c.others = plan->others;
    uint64_t *const product = layout(&at, product_bytes(plan));
    double *b_planes[FFT_PRIMES_USED];
    if (prepared != NULL || plan->prepares) {
        // prepared planes are only read
        lay_planes(b_planes, plan, prepared != NULL ? (double *)(uintptr_t)prepared : (double *)at);
        if (prepared == NULL) {
            mul_fft_prepare(ctx, plan, b_planes[0], bp, bn, c.buffers, workers);
        }
        c.prepared = (const double *const *)b_planes;
    } else {
        c.other = plan->square ? NULL : (double *)at;
    }
    const uint64_t pieces = word_ceil_div(an, plan->a_piece) * word_ceil_div(bn, plan->b_piece);
    progress p = {.ctx = ctx, .total = (double)pieces * (double)(fft_steps(1) + 1)};
    c.after_step = progress_step;
    c.after_step_arg = &p;
    for (uint64_t j = 0; j < bn; j += plan->b_piece) {
        const uint64_t m = bn - j < plan->b_piece ? bn - j : plan->b_piece;
        for (uint64_t i = 0; i < an; i += plan->a_piece) {
            const uint64_t n = an - i < plan->a_piece ? an - i : plan->a_piece;
            if (i == 0 && j == 0) {
                if (!run_piece(&c, plan, rp, ap, n, bp, m)) {
                    return false;
                }
                memset(rp + n + m, 0, (an + bn - n - m) * sizeof *rp);
                continue;
            }
            if (!run_piece(&c, plan, product, ap + i, n, bp + j, m)) {
                return false;
            }
            // a part of the sum never exceeds the whole product, so no carry is lost
            const uint64_t lost =
                limbs_add(rp + i + j, rp + i + j, an + bn - i - j, product, n + m);
            assert(lost == 0);
            (void)lost;
        }
    }
    return true;
}

// bias_low: the coefficients' bias is 2^bias_low (2^w - 1).
static unsigned bias_low(const mul_fft_plan *plan) { return FFT_SUM_BITS - plan->fft.digit_bits; }

// --- Rings ---------------------------------------------------------------------------------------

bool mul_fft_ring_plan_make(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t bits, bool plus,
                            bool square) {
    *plan = (mul_fft_plan){.square = square, .others = 1};
    return fft_plan_ring(&plan->fft, shape_for(ctx, bits / 64), bits, plus);
}

static uint64_t ring_bits(const mul_fft_plan *plan) {
    return (uint64_t)plan->fft.digit_bits << fft_plan_lg(&plan->fft);
}

// Coefficients are below 2^149, so they sum up to less than 2^149 (2^bits - 1) / (2^w - 1), which
// is less than 2^(bits + 150 - w). Signed ones and their bias are at most 2^(149 - w) (2^bits - 1).
uint64_t mul_fft_ring_limbs(const mul_fft_plan *plan) {
    return word_ceil_div(ring_bits(plan) + 150 - plan->fft.digit_bits, 64);
}

bool mul_fft_ring_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp,
                      const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn,
                      unsigned part, unsigned parts, void *ws, team *workers) {
    unsigned char *at = ws;
    double *const planes = layout(&at, mul_fft_operand_bytes(plan));
    fft_convolution c = convolution(ctx, plan, planes, &at, workers);
    c.others = plan->others;
    c.other = plan->square ? NULL : (double *)at;
    assert(an <= ring_bits(plan) / 64 && bn <= ring_bits(plan) / 64);
    const double steps = (double)fft_steps(1);
    progress p = {.ctx = ctx, .done = part * steps, .total = parts * steps};
    c.after_step = progress_step;
    c.after_step_arg = &p;
    const fft_term term = {.a = fft_plan_digits(&plan->fft, ap, an),
                           .b = fft_plan_digits(&plan->fft, bp, bn),
                           .square = plan->square};
    if (!fft_convolve(&c, &term, 1)) {
        return false;
    }
    const recombine_source source = {.read = read_coefficients,
                                     .from = &c,
                                     .count = (uint64_t)1 << fft_plan_lg(&plan->fft),
                                     .words = FFT_COEFFICIENT_WORDS,
                                     .team = workers};
    const uint64_t rn = mul_fft_ring_limbs(plan);
    recombine_limbs(rp, rn, &source, plan->fft.digit_bits);
    if (plan->fft.node != 0) {  // 2^e (2^bits - 1) too much, which is -2^(e + 1)
        const unsigned e = bias_low(plan) + 1;
        limbs_add_1(rp + e / 64, rp + e / 64, rn - e / 64, (uint64_t)1 << e % 64);
    }
    return true;
}

// --- Sums ----------------------------------------------------------------------------------------

bool mul_fft_sum_plan_make(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t limbs,
                           uint64_t shorter, uint64_t terms) {
    *plan = (mul_fft_plan){.others = 1};
    return fft_plan_sum(&plan->fft, shape_for(ctx, shorter), limbs, shorter, terms);
}

static uint64_t sum_digits(const mul_fft_plan *plan) {
    return plan->fft.a_digits + plan->fft.b_digits;
}

// With their bias the coefficients sum up to 2^bias_low (2^(w digits) - 1) more than the number:
// this is the exponent bias_low + w digits.
static uint64_t bias_top(const mul_fft_plan *plan) {
    return bias_low(plan) + sum_digits(plan) * plan->fft.digit_bits;
}

// A coefficient is within its bias, so the sum is within 2^bias_top, and with the bias below twice
// that: room for it, and for the sum with a sign.
uint64_t mul_fft_sum_limbs(const mul_fft_plan *plan) { return bias_top(plan) / 64 + 1; }

static uint64_t terms_bytes(uint64_t terms) {
    return word_ceil_div(terms * sizeof(fft_term), 64) * 64;
}

// Planes of the result, of the other operands and of the sums so far; buffers; the terms.
uint64_t mul_fft_sum_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t terms) {
    const uint64_t planes = FFT_PRIMES_USED + 2 * (uint64_t)plan->others;
    return planes * fft_plan_plane_bytes(&plan->fft) + buffers_bytes(ctx, plan) +
           terms_bytes(terms);
}

bool mul_fft_sum_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp,
                     const mul_term *terms, size_t n, void *ws, team *workers) {
    unsigned char *at = ws;
    double *const planes = layout(&at, mul_fft_operand_bytes(plan));
    fft_convolution c = convolution(ctx, plan, planes, &at, workers);
    c.others = plan->others;
    c.other = layout(&at, plan->others * fft_plan_plane_bytes(&plan->fft));
    c.sum = layout(&at, plan->others * fft_plan_plane_bytes(&plan->fft));
    fft_term *const t = layout(&at, terms_bytes(n));
    for (size_t i = 0; i < n; i++) {
        const mul_term *const m = &terms[i];
        t[i] = (fft_term){.a = fft_plan_digits(&plan->fft, m->ap, m->an),
                          .b = fft_plan_digits(&plan->fft, m->bp, m->bn),
                          .square = m->ap == m->bp && m->an == m->bn,
                          .subtract = m->subtract};
        assert(t[i].a.count + t[i].b.count <= sum_digits(plan));
        assert(t[i].a.count <= plan->fft.b_digits || t[i].b.count <= plan->fft.b_digits);
    }
    progress p = {.ctx = ctx, .total = (double)fft_steps(n) + 1};
    c.after_step = progress_step;
    c.after_step_arg = &p;
    if (!fft_convolve(&c, t, n)) {
        return false;
    }
    const recombine_source source = {.read = read_coefficients,
                                     .from = &c,
                                     .count = sum_digits(plan),
                                     .words = FFT_COEFFICIENT_WORDS,
                                     .team = workers};
    const uint64_t rn = mul_fft_sum_limbs(plan), top = bias_top(plan);
    const unsigned low = bias_low(plan);
    recombine_limbs(rp, rn, &source, plan->fft.digit_bits);
    limbs_add_1(rp + low / 64, rp + low / 64, rn - low / 64, (uint64_t)1 << low % 64);
    limbs_sub_1(rp + top / 64, rp + top / 64, rn - top / 64, (uint64_t)1 << top % 64);
    return progress_step(&p);
}
