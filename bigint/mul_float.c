// mul_float.c: see mul_float.h. Holds the tables and the memory; the arithmetic is in
// fft/float_product.c and recombine.c.
#include "bigint/mul_float.h"

#include <assert.h>

#include "bigint/recombine.h"
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

const char *mul_float_plan_make(mul_float_plan *plan, engine_kind engine, uint64_t an, uint64_t bn,
                                bool square, bool certified) {
    assert(mul_float_engine(engine));
    *plan = (mul_float_plan){.square = square};
    return fft_float_plan_limbs(&plan->fft, mul_float_method(engine), mul_float_type(engine), an,
                                bn, certified);
}

const char *mul_float_plan_decimal(mul_float_plan *plan, engine_kind engine, uint64_t a_digits,
                                   uint64_t b_digits, bool square) {
    assert(mul_float_engine(engine));
    const char *why = NULL;
    uint64_t radix = 10000000;
    for (unsigned k = 7; k >= 1; k--, radix /= 10) {  // 10^8 > 2^26
        *plan = (mul_float_plan){.square = square, .k = k};
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

uint64_t mul_float_workspace_bytes(const bigint_ctx *ctx, const mul_float_plan *plan) {
    return fft_float_values_bytes(&plan->fft) +
           (plan->square ? 0 : fft_float_other_bytes(&plan->fft)) +
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

void mul_float_run(const bigint_ctx *ctx, const mul_float_plan *plan, uint64_t *rp,
                   const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn, void *ws,
                   team *workers) {
    unsigned char *const values = ws, *const other = values + fft_float_values_bytes(&plan->fft);
    const fft_float_convolution c = {
        .plan = &plan->fft,
        .ops = ctx->floats[plan->fft.transform.problem.type],
        .loops = ctx->float_loops,
        .tables = (const unsigned char *)find(ctx, plan) + TABLES_HEADER,
        .values = values,
        .other = other,
        .workspace = other + (plan->square ? 0 : fft_float_other_bytes(&plan->fft)),
        .team = workers,
    };
    const fft_float_operand a = {ap, an}, b = {bp, bn};
    fft_float_convolve(&c, &a, plan->square ? NULL : &b);
    assert(plan->fft.certified || within_bound(&c));
    const recombine_source source = {
        .read = read_columns,
        .from = &c,
        .count = fft_float_columns(&plan->fft),
        .words = 1,
        .columns = ctx->columns,
        .surplus = fft_float_surplus(&plan->fft),
        .doubtful = plan->fft.certified,
        .team = workers,
    };
    if (plan->k > 0) {
        recombine_decimal(rp, &source, plan->k);
    } else {
        recombine_limbs(rp, an + bn, &source, 2 * plan->fft.width);
    }
}
