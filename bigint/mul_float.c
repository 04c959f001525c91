// mul_float.c: see mul_float.h. Holds the tables and the memory; the arithmetic is in
// fft/float_product.c and recombine.c.
#include "bigint/mul_float.h"

#include <assert.h>
#include <string.h>

#include "bigint/recombine.h"
#include "primitives/limbs.h"
#include "primitives/word.h"

bool mul_float_engine(engine_kind engine) { return engine >= ENGINE_COMPLEX_FFT; }

fft_bound_method mul_float_method(engine_kind engine) {
    return engine == ENGINE_COMPLEX_FFT || engine == ENGINE_COMPLEX_FFT_F32 ? FFT_BOUND_PACKED
                                                                            : FFT_BOUND_RIGHT_ANGLE;
}

fft_float mul_float_type(engine_kind engine) {
    return engine == ENGINE_COMPLEX_FFT || engine == ENGINE_REAL_FFT ? FFT_F64 : FFT_F32;
}

bigint_status mul_float_refuse(bigint_ctx *ctx, const char *who, engine_kind engine, uint64_t an,
                               uint64_t bn, const char *unit, const char *why) {
    return bigint_fail(ctx, BIGINT_ERANGE,
                       "%s: engine %s has no exact plan for %llu by %llu %s: %s; leave the engine "
                       "unset",
                       who, bigint_engines()[engine - 1], (unsigned long long)an,
                       (unsigned long long)bn, unit, why);
}

uint64_t mul_float_points(const mul_float_plan *plan) {
    const uint64_t transforms = plan->square ? 2 : plan->pieces > 1 ? 2 * plan->pieces + 1 : 3;
    return transforms * plan->fft.transform.problem.length;
}

// work: what the transforms of a plan take, up to a factor: points times levels, a fourth more where
// planes leave a second level of 2 MiB.
static uint64_t work(const mul_float_plan *plan) {
    const uint64_t points = plan->fft.transform.problem.length;
    return mul_float_points(plan) * (64 - word_clz(points)) * (points > 1 << 15 ? 5 : 4);
}

// Operands of fewer limbs together are not cut, nor is one less than so many times as long as the
// other; a piece is about that to so many times as long as b, which counts as so long at least.
enum { CUT_FROM = 2048, TIMES_LEAST = 4, TIMES_MOST = 8, SHORTER_LEAST = 128 };

// cut: plan, or what takes less work: a in pieces, of which each is as long as its transform lets it.
static const char *cut(mul_float_plan *plan, const char *why, engine_kind engine, uint64_t an,
                       uint64_t bn) {
    uint64_t least = why != NULL ? UINT64_MAX : work(plan) / 16 * 15;  // what a cut costs besides
    const uint64_t unit = bn < SHORTER_LEAST ? SHORTER_LEAST : bn;
    for (uint64_t times = TIMES_LEAST / 2; times <= TIMES_MOST; times *= 2) {
        mul_float_plan part = {.pieces = an};
        for (uint64_t piece = times * unit; word_ceil_div(an, piece) < part.pieces;) {
            part.pieces = word_ceil_div(an, piece);
            part.a_piece = word_ceil_div(an, part.pieces);
            const char *const refused =
                fft_float_plan_limbs(&part.fft, mul_float_method(engine), mul_float_type(engine),
                                     part.a_piece, bn, plan->fft.certified);
            if (part.pieces == 1 || refused != NULL) {
                break;
            }
            if (work(&part) < least) {
                least = work(&part);
                *plan = part;
                why = NULL;
            }
            piece =
                (2 * part.fft.transform.problem.length - part.fft.b_digits) * part.fft.width / 64;
        }
    }
    return why;
}

const char *mul_float_plan_make(mul_float_plan *plan, engine_kind engine, uint64_t an, uint64_t bn,
                                bool square, bool certified) {
    assert(mul_float_engine(engine) && an >= bn);
    const fft_bound_method method = mul_float_method(engine);
    *plan = (mul_float_plan){.a_piece = an, .pieces = 1, .square = square};
    const char *const why =
        fft_float_plan_limbs(&plan->fft, method, mul_float_type(engine), an, bn, certified);
    const bool cuts =
        method == FFT_BOUND_RIGHT_ANGLE && an + bn >= CUT_FROM && an / TIMES_LEAST >= bn;
    return cuts ? cut(plan, why, engine, an, bn) : why;
}

const char *mul_float_plan_decimal(mul_float_plan *plan, engine_kind engine, uint64_t a_digits,
                                   uint64_t b_digits, bool square) {
    assert(mul_float_engine(engine));
    const char *why = NULL;
    uint64_t radix = 10000000;
    for (unsigned k = 7; k >= 1; k--, radix /= 10) {  // 10^8 > 2^26
        *plan = (mul_float_plan){.pieces = 1, .square = square, .k = k};
        why = fft_float_plan_words(&plan->fft, mul_float_method(engine), mul_float_type(engine),
                                   word_ceil_div(a_digits, k), word_ceil_div(b_digits, k), radix);
        if (!why) {
            return NULL;
        }
    }
    return why;
}

void mul_float_plan_share(mul_float_plan *plan) {
    if (plan->fft.method == FFT_BOUND_RIGHT_ANGLE) {
        fft_product_share(&plan->fft.transform);
    }
}

// --- Memory --------------------------------------------------------------------------------------

// float_tables: the tables of one transform, which follow at the next boundary of 64 bytes.
struct float_tables {
    float_tables *next;
    uint64_t bytes;  // of all of it
    fft_complex_problem problem;
};

enum { TABLES_HEADER = (sizeof(float_tables) + 63) / 64 * 64 };

uint64_t mul_float_tables_bytes(const mul_float_plan *plan) {
    return TABLES_HEADER + fft_complex_table_bytes(&plan->fft.transform);
}

// find: the context's tables for the plan, or NULL.
static const float_tables *find(const bigint_ctx *ctx, const mul_float_plan *plan) {
    const fft_complex_problem *const p = &plan->fft.transform.problem;
    const float_tables *t = ctx->float_tables;
    while (t && !(t->problem.type == p->type && t->problem.right_angle == p->right_angle &&
                  t->problem.length == p->length)) {
        t = t->next;
    }
    return t;
}

bool mul_float_ready(const bigint_ctx *ctx, const mul_float_plan *plan) { return find(ctx, plan); }

bigint_status mul_float_tables(bigint_ctx *ctx, const char *who, const mul_float_plan *plan) {
    if (find(ctx, plan)) {
        return BIGINT_OK;
    }
    const uint64_t bytes = mul_float_tables_bytes(plan);
    float_tables *const t = workspace_allocate(ctx, who, MEMORY_HOST, bytes);
    if (!t) {
        return BIGINT_ENOMEM;
    }
    *t = (float_tables){ctx->float_tables, bytes, plan->fft.transform.problem};
    fft_complex_tables(&plan->fft.transform, (unsigned char *)t + TABLES_HEADER);
    ctx->float_tables = t;
    ctx->tables_bytes += bytes;
    return BIGINT_OK;
}

void mul_float_trim(bigint_ctx *ctx) {
    while (ctx->float_tables) {
        float_tables *const t = ctx->float_tables;
        ctx->float_tables = t->next;
        ctx->tables_bytes -= t->bytes;
        workspace_release(ctx, MEMORY_HOST, t, t->bytes);
    }
}

// other_bytes: of the digits of b, of at most 24 bits in four bytes each; so these have room for the
// bn limbs that a piece leaves to the next.
static uint64_t other_bytes(const mul_float_plan *plan) {
    return plan->square ? 0 : fft_float_other_bytes(&plan->fft);
}

uint64_t mul_float_workspace_bytes(const bigint_ctx *ctx, const mul_float_plan *plan) {
    return fft_float_values_bytes(&plan->fft) + other_bytes(plan) +
           fft_float_workspace_bytes(&plan->fft, team_size(ctx->team));
}

// --- Execution -----------------------------------------------------------------------------------

static void read_columns(uint64_t *out, const void *from, uint64_t first, size_t n) {
    fft_float_read(out, from, first, n);
}

// within_bound: whether no coefficient is further from an integer than is proved.
static inline __attribute__((unused)) bool within_bound(const fft_float_convolution *c) {
    const fft_float_plan *const plan = c->plan;
    return fft_float_roundoff(c, 0, plan->a_digits + plan->b_digits) <=
           (double)plan->error * 0x1p-32;
}

// recombine: {rp, rn} = the product whose coefficients c has.
static void recombine(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp, uint64_t rn,
                      const fft_float_convolution *c) {
    assert(c->plan->certified || within_bound(c));
    const recombine_source source = {
        .read = read_columns,
        .from = c,
        .count = fft_float_columns(c->plan),
        .words = 1,
        .columns = ctx->columns,
        .surplus = fft_float_surplus(c->plan),
        .doubtful = c->plan->certified,
        .team = c->team,
    };
    if (plan->k > 0) {
        recombine_decimal(rp, &source, plan->k);
    } else {
        recombine_limbs(rp, rn, &source, 2 * c->plan->width);
    }
}

// run_pieces: mul_float_run piece by piece. What a piece has below the one before's end is added to
// what that one left there, which waits in {kept, bn}.
static void run_pieces(const bigint_ctx *ctx, const mul_float_plan *plan, fft_float_convolution *c,
                       uint64_t *rp, const uint64_t *ap, uint64_t an, const uint64_t *bp,
                       uint64_t bn, uint64_t *kept) {
    const fft_float_operand b = {bp, bn};
    fft_float_prepare(c, &b);
    for (uint64_t first = 0; first < an; first += plan->a_piece) {
        const uint64_t n = an - first < plan->a_piece ? an - first : plan->a_piece;
        const fft_float_operand a = {ap + first, n};
        fft_float_plan part = plan->fft;  // a last piece has fewer digits
        part.a_digits = word_ceil_div(64 * n, part.width);
        c->plan = &part;
        fft_float_convolve_prepared(c, &a);
        memcpy(kept, rp + first, first > 0 ? bn * sizeof *kept : 0);
        recombine(ctx, plan, rp + first, n + bn, c);
        if (first > 0) {
            limbs_add(rp + first, rp + first, n + bn, kept, bn);
        }
    }
}

void mul_float_run(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                   const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn, void *ws,
                   team *workers) {
    unsigned char *const values = ws, *const other = values + fft_float_values_bytes(&plan->fft);
    fft_float_convolution c = {
        .plan = &plan->fft,
        .ops = ctx->floats[plan->fft.transform.problem.type],
        .loops = ctx->float_loops,
        .tables = (const unsigned char *)find(ctx, plan) + TABLES_HEADER,
        .values = values,
        .other = other,
        .workspace = other + other_bytes(plan),
        .team = workers,
    };
    if (plan->pieces > 1) {
        run_pieces(ctx, plan, &c, rp, ap, an, bp, bn, (uint64_t *)(void *)other);
        return;
    }
    const fft_float_operand a = {ap, an}, b = {bp, bn};
    fft_float_convolve(&c, &a, plan->square ? NULL : &b);
    recombine(ctx, plan, rp, an + bn, &c);
}
