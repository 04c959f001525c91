// mul_fft.c: see mul_fft.h. Holds the transform's memory and the cutting of unbalanced products; the arithmetic is in
// fft/ and recombine.c.
#include "bigint/mul_fft.h"

#include <assert.h>
#include <string.h>

#include "bigint/recombine.h"
#include "primitives/word.h"

enum {
    UNBALANCED = 4,  // longer operands than this many times the shorter are cut
    PIECE =
        6,  // into pieces of this many times the shorter: two transforms of 7 n each beat three longer
    PIECE_MIN = 2048,   // limbs
    LEAN_FROM_LG = 25,  // tables of all primes would be 2.8 times a plane
};

bool mul_fft_plan_make(mul_fft_plan *plan, uint64_t an, uint64_t bn, bool square) {
    *plan = (mul_fft_plan){.piece = an, .pieces = 1, .square = square};
    if (an / UNBALANCED >= bn) {
        const uint64_t most = PIECE * bn < PIECE_MIN ? PIECE_MIN : PIECE * bn;
        plan->pieces = word_ceil_div(an, most);
        plan->piece = word_ceil_div(an, plan->pieces);
        plan->pieces = word_ceil_div(an, plan->piece);
    }
    if (!fft_plan_limbs(&plan->fft, plan->piece, bn)) {
        return false;
    }
    plan->lg_tables = fft_plan_lg(&plan->fft);
    plan->lean = plan->lg_tables >= LEAN_FROM_LG;
    return true;
}

bool mul_fft_plan_decimal(mul_fft_plan *plan, uint64_t a_digits, uint64_t b_digits) {
    uint64_t radix = UINT64_C(10000000000000000000);
    for (unsigned k = 19; k >= 9; k--, radix /= 10) {
        const uint64_t an = word_ceil_div(a_digits, k), bn = word_ceil_div(b_digits, k);
        *plan = (mul_fft_plan){.piece = an, .pieces = 1, .k = k};
        if (fft_plan_words(&plan->fft, an, bn, radix)) {
            plan->lg_tables = fft_plan_lg(&plan->fft);
            plan->lean = plan->lg_tables >= LEAN_FROM_LG;
            return true;
        }
    }
    return false;
}

// --- Memory ---

uint64_t mul_fft_operand_bytes(const mul_fft_plan *plan) {
    return FFT_PRIMES_USED * fft_plan_plane_bytes(&plan->fft);
}

static uint64_t buffers_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return team_size(ctx->team) * fft_plan_buffer_bytes(&plan->fft);
}

// one_table_bytes is a multiple of 64, so that what follows stays aligned.
static uint64_t one_table_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return (ctx->fft->tables_bytes(plan->lg_tables) + 63) / 64 * 64;
}

uint64_t mul_fft_workspace_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t bn,
                                 bool prepared) {
    const uint64_t plane = fft_plan_plane_bytes(&plan->fft);
    const bool cut = plan->pieces > 1;
    return FFT_PRIMES_USED * plane + buffers_bytes(ctx, plan) +
           (plan->lean ? one_table_bytes(ctx, plan) : 0) + (cut ? bn * sizeof(uint64_t) : 0) +
           (prepared || plan->square ? 0
            : cut                    ? mul_fft_operand_bytes(plan)
                                     : plane);
}

uint64_t mul_fft_tables_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return plan->lean ? 0 : FFT_PRIMES_USED * one_table_bytes(ctx, plan);
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

bigint_status mul_fft_tables(bigint_ctx *ctx, const char *who, const mul_fft_plan *plan) {
    if (plan->lean || (ctx->tables[0] != NULL && ctx->tables[0]->lg >= plan->lg_tables)) {
        return BIGINT_OK;
    }
    mul_fft_trim(ctx);
    const uint64_t each = one_table_bytes(ctx, plan);
    unsigned char *memory = workspace_allocate(ctx, who, FFT_PRIMES_USED * each);
    if (memory == NULL) {
        return BIGINT_ENOMEM;
    }
    ctx->tables_bytes = FFT_PRIMES_USED * each;
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        ctx->tables[i] = (fft_tables *)(memory + i * each);
    }
    table_job job = {ctx->fft, ctx->tables, plan->lg_tables};
    team_run(ctx->team, fill_table, &job, FFT_PRIMES_USED);
    return BIGINT_OK;
}

void mul_fft_trim(bigint_ctx *ctx) {
    workspace_release(ctx, ctx->tables[0], ctx->tables_bytes);
    memset(ctx->tables, 0, sizeof ctx->tables);
    ctx->tables_bytes = 0;
}

// --- Execution ---

// convolution: the plan's convolution with its memory laid out from *ws, which moves past what was used.
static fft_convolution convolution(const bigint_ctx *ctx, const mul_fft_plan *plan,
                                   unsigned char **ws, team *workers) {
    fft_convolution c = {.ops = ctx->fft, .plan = plan->fft, .team = workers};
    c.buffers = (double *)*ws;
    *ws += buffers_bytes(ctx, plan);
    if (plan->lean) {
        c.lean_tables = (fft_tables *)*ws;
        *ws += one_table_bytes(ctx, plan);
    }
    for (unsigned i = 0; i < FFT_PRIMES_USED && !plan->lean; i++) {
        c.tables[i] = ctx->tables[i];
    }
    return c;
}

static void lay_planes(double *planes[FFT_PRIMES_USED], const mul_fft_plan *plan, double *memory) {
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        planes[i] = memory + i * (fft_plan_plane_bytes(&plan->fft) / sizeof(double));
    }
}

uint64_t mul_fft_prepare_bytes(const bigint_ctx *ctx, const mul_fft_plan *plan) {
    return buffers_bytes(ctx, plan) + (plan->lean ? one_table_bytes(ctx, plan) : 0);
}

void mul_fft_prepare(const bigint_ctx *ctx, const mul_fft_plan *plan, double *planes,
                     const uint64_t *bp, uint64_t bn, void *ws, team *workers) {
    unsigned char *at = ws;
    fft_convolution c = convolution(ctx, plan, &at, workers);
    lay_planes(c.planes, plan, planes);
    const fft_digits b = fft_plan_digits(&plan->fft, bp, bn);
    fft_prepare(&c, &b);
}

// run_piece: {rp, an + bn} = one piece of the longer operand times b. Leaves the planes used.
static void run_piece(const fft_convolution *c, const mul_fft_plan *plan, uint64_t *rp,
                      const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn) {
    const fft_digits a = fft_plan_digits(&plan->fft, ap, an),
                     b = fft_plan_digits(&plan->fft, bp, bn);
    fft_convolve(c, &a, plan->square || c->prepared != NULL ? NULL : &b);
    if (plan->k > 0) {
        recombine_decimal(rp, c, an + bn, plan->k);
    } else {
        recombine_limbs(rp, an + bn, c, a.count + b.count);
    }
}

void mul_fft_run(const bigint_ctx *ctx, const mul_fft_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, const double *prepared, void *ws,
                 team *workers) {
    unsigned char *at = ws;
    fft_convolution c = convolution(ctx, plan, &at, workers);
    lay_planes(c.planes, plan, (double *)at);
    at += mul_fft_operand_bytes(plan);
    double *b_planes[FFT_PRIMES_USED];
    if (prepared != NULL) {
        lay_planes(b_planes, plan, (double *)(uintptr_t)prepared);  // only read
        c.prepared = (const double *const *)b_planes;
    } else if (plan->pieces > 1) {
        lay_planes(b_planes, plan, (double *)at);
        mul_fft_prepare(ctx, plan, (double *)at, bp, bn, ws, workers);
        c.prepared = (const double *const *)b_planes;
        at += mul_fft_operand_bytes(plan);
    } else {
        c.other = (double *)at;
    }
    for (uint64_t done = 0; done < an; done += plan->piece) {
        const uint64_t n = an - done < plan->piece ? an - done : plan->piece;
        uint64_t *const overlap = (uint64_t *)at;
        if (done > 0) {
            memcpy(overlap, rp + done, bn * sizeof *overlap);
        }
        run_piece(&c, plan, rp + done, ap + done, n, bp, bn);
        if (done > 0) {
            // the piece and what stands there already add up to at most the exact product's top: no carry is lost
            const uint64_t lost = limbs_add(rp + done, rp + done, n + bn, overlap, bn);
            assert(lost == 0);
            (void)lost;
        }
    }
}
