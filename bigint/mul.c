// mul.c: the product on limbs: which engine for which size (the plan), running it, checking it;
// prepared operands. May include the rooms below; holds no arithmetic loops. The public calls are
// in product.c and batch.c.
#include "bigint/mul.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/check.h"
#include "bigint/mul_fft.h"
#include "bigint/mul_small.h"
#include "bigint/tune.h"
#include "primitives/word.h"

// Pieces of either operand beyond which a capped product is refused: 256 times the time.
enum { CUTS_MAX = 256 };

// --- Plan ---

// fft_threshold: the first size of the shorter operand, in limbs, that the transform takes.
static uint64_t fft_threshold(const bigint_ctx *ctx, bool square) {
    if (ctx->fft == &fft_ops_portable) {
        return square ? SQR_FFT_PORTABLE_THRESHOLD : MUL_FFT_PORTABLE_THRESHOLD;
    }
    if (ctx->fft == &fft_ops_avx2) {
        return square ? SQR_FFT_AVX2_THRESHOLD : MUL_FFT_AVX2_THRESHOLD;
    }
    if (ctx->fft == &fft_ops_avx512) {
        return square ? SQR_FFT_AVX512_THRESHOLD : MUL_FFT_AVX512_THRESHOLD;
    }
    return square ? SQR_FFT_IFMA_THRESHOLD : MUL_FFT_IFMA_THRESHOLD;
}

static engine_kind choose_engine(const bigint_ctx *ctx, uint64_t shorter, bool square) {
    if (shorter == 0) {
        return ENGINE_SCHOOLBOOK;  // nothing to multiply, whatever was forced
    }
    if (ctx->engine != ENGINE_AUTO) {
        return ctx->engine;
    }
    if (shorter >= fft_threshold(ctx, square)) {
        return ENGINE_MODULAR_FFT;
    }
    switch (mul_small_best(ctx->limbs, shorter, square)) {
        case MUL_SMALL_TOOM3:
            return ENGINE_TOOM3;
        case MUL_SMALL_KARATSUBA:
            return ENGINE_KARATSUBA;
        default:
            return ENGINE_SCHOOLBOOK;
    }
}

static bool within_cap(const bigint_ctx *ctx, uint64_t bytes) {
    return ctx->options.max_workspace_bytes == 0 || bytes <= ctx->options.max_workspace_bytes;
}

// fits: whether the plan's workspace and tables, which it computes, keep within the cap.
static bool fits(const bigint_ctx *ctx, mul_plan *plan) {
    plan->workspace_bytes = mul_fft_workspace_bytes(ctx, &plan->fft, false);
    plan->tables_bytes = mul_fft_tables_bytes(ctx, &plan->fft);
    return within_cap(ctx, arena_held_bytes(plan->workspace_bytes) + plan->tables_bytes);
}

// plan_fft: the fastest plan that fits the cap: fewer planes and more cuts need less memory.
static bigint_status plan_fft(bigint_ctx *ctx, const char *who, mul_plan *plan, bool square) {
    const unsigned long long an = plan->an, bn = plan->bn;
    for (uint64_t cuts = 1; cuts <= CUTS_MAX && cuts <= plan->bn; cuts *= 2) {
        if (!mul_fft_plan_make(&plan->fft, plan->an, plan->bn, square, cuts)) {
            continue;  // too long for the transform: pieces may not be
        }
        plan->uses_team = ctx->team != NULL && plan->fft.b_piece >= MUL_FFT_TEAM_THRESHOLD;
        plan->fft.others = plan->uses_team ? mul_fft_others(ctx) : 1;
        if (fits(ctx, plan)) {
            return BIGINT_OK;
        }
        plan->fft.others = 1;
        if (fits(ctx, plan)) {
            return BIGINT_OK;
        }
    }
    if (plan->workspace_bytes == 0) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: no exact plan for %llu by %llu limbs: cut the operands", who, an,
                           bn);
    }
    return bigint_fail(ctx, BIGINT_ENOMEM,
                       "%s: %llu by %llu limbs need %llu bytes of workspace even cut in pieces, "
                       "the cap is %llu; raise "
                       "max_workspace_bytes",
                       who, an, bn,
                       (unsigned long long)(plan->workspace_bytes + plan->tables_bytes),
                       (unsigned long long)ctx->options.max_workspace_bytes);
}

bigint_status mul_plan_make(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t an,
                            uint64_t bn, bool square) {
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    if (longer > BIGINT_MAX_LIMBS - shorter || longer > BIGINT_MAX_LIMBS) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: a product of %llu by %llu limbs exceeds the limit of 2^56", who,
                           (unsigned long long)an, (unsigned long long)bn);
    }
    assert(!square || an == bn);
    *plan = (mul_plan){.engine = choose_engine(ctx, shorter, square), .an = longer, .bn = shorter};
    if (plan->engine == ENGINE_MODULAR_FFT) {
        return plan_fft(ctx, who, plan, square);
    }
    if (shorter > 0) {
        plan->workspace_bytes = mul_small_workspace_limbs(longer, shorter) * sizeof(uint64_t);
    }
    return BIGINT_OK;
}

int mul_plan_print(const bigint_ctx *ctx, const mul_plan *plan, char *buf, size_t cap) {
    const char *const backend = ctx->device.backend, *const engine =
                                                         bigint_engines()[plan->engine - 1];
    if (plan->engine != ENGINE_MODULAR_FFT) {
        return snprintf(buf, cap, "%s %s %s, %llu x %llu limbs", backend, engine, ctx->limbs->name,
                        (unsigned long long)plan->an, (unsigned long long)plan->bn);
    }
    const fft_plan *const f = &plan->fft.fft;
    const unsigned threads = plan->uses_team ? team_size(ctx->team) : 1;
    return snprintf(buf, cap,
                    "%s %s %s, %llu x %llu limbs, %d primes, %u-bit digits, %llu points = %llu of "
                    "2^%u rows x 2^%u, "
                    "%llu x %llu pieces, %u thread%s",
                    backend, engine, ctx->fft->name, (unsigned long long)plan->an,
                    (unsigned long long)plan->bn, FFT_PRIMES_USED, f->digit_bits,
                    (unsigned long long)(f->rows << f->lg_columns), (unsigned long long)f->rows,
                    f->lg_rows, f->lg_columns,
                    (unsigned long long)word_ceil_div(plan->an, plan->fft.a_piece),
                    (unsigned long long)word_ceil_div(plan->bn, plan->fft.b_piece), threads,
                    threads == 1 ? "" : "s");
}

// --- Execution ---

static mul_small_algorithm small_algorithm(const bigint_ctx *ctx) {
    switch (ctx->engine) {
        case ENGINE_SCHOOLBOOK:
            return MUL_SMALL_SCHOOLBOOK;
        case ENGINE_KARATSUBA:
            return MUL_SMALL_KARATSUBA;
        case ENGINE_TOOM3:
            return MUL_SMALL_TOOM3;
        default:
            return MUL_SMALL_BEST;
    }
}

bigint_status mul_ready(bigint_ctx *ctx, const char *who, const mul_plan *plan) {
    if (plan->engine != ENGINE_MODULAR_FFT) {
        return BIGINT_OK;
    }
    if (!within_cap(ctx, arena_held_bytes(plan->workspace_bytes) + ctx->tables_bytes)) {
        mul_fft_trim(ctx);  // tables of a longer transform are in the way
    }
    return mul_fft_tables(ctx, who, &plan->fft);
}

void mul_execute(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, void *ws) {
    assert(an + bn == plan->an + plan->bn && (an == plan->an || bn == plan->an));
    if (plan->an == 0) {
        return;  // nothing to write, and the pointers may be NULL
    }
    if (plan->bn == 0) {
        memset(rp, 0, plan->an * sizeof *rp);
        return;
    }
    if (an < bn) {
        mul_execute(ctx, plan, rp, bp, bn, ap, an, ws);
    } else if (plan->engine == ENGINE_MODULAR_FFT) {
        mul_fft_run(ctx, &plan->fft, rp, ap, an, bp, bn, NULL, ws,
                    plan->uses_team ? ctx->team : NULL);
    } else if (ap == bp && an == bn) {
        sqr_small(ctx->limbs, small_algorithm(ctx), rp, ap, an, ws);
    } else {
        mul_small(ctx->limbs, small_algorithm(ctx), rp, ap, an, bp, bn, ws);
    }
}

// judge: counts a product, and its check if there was one.
static bigint_status judge(bigint_ctx *ctx, const char *who, bool right, uint64_t an, uint64_t bn) {
    ctx->counters.products++;
    ctx->counters.checks += ctx->check_modulus != 0;
    if (right) {
        return BIGINT_OK;
    }
    ctx->counters.mismatches++;
    return bigint_fail(
        ctx, BIGINT_ECHECK,
        "%s: the product of %llu by %llu words is wrong modulo %llu: faulty memory or "
        "processor, or an error of the library; do not use the result",
        who, (unsigned long long)an, (unsigned long long)bn,
        (unsigned long long)ctx->check_modulus);
}

// check: counts the product and, where options.checks asks for it, compares residues.
static bigint_status check(bigint_ctx *ctx, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                           const uint64_t *bp, uint64_t bn) {
    const bool right =
        ctx->check_modulus == 0 || check_product(ctx->check_modulus, rp, ap, an, bp, bn);
    return judge(ctx, "bigint_mul", right, an, bn);
}

bigint_status mul_check_words(bigint_ctx *ctx, const char *who, uint64_t radix, const uint64_t *rp,
                              const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn) {
    const bool right = ctx->check_modulus == 0 ||
                       check_product_words(ctx->check_modulus, radix, rp, ap, an, bp, bn);
    return judge(ctx, who, right, an, bn);
}

// Up to this many limbs the schoolbook wins on every processor, and a plan costs more than it.
enum { TINY_LIMBS = 8 };

// mul_tiny: 1 <= an, bn <= TINY_LIMBS by the schoolbook, which needs no workspace.
static void mul_tiny(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap, uint64_t an,
                     const uint64_t *bp, uint64_t bn) {
    if (ap == bp && an == bn) {
        ops->sqr(rp, ap, an);
    } else if (an >= bn) {
        ops->mul(rp, ap, an, bp, bn);
    } else {
        ops->mul(rp, bp, bn, ap, an);
    }
}

bigint_status bigint_mul_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn) {
    if (ctx->engine == ENGINE_AUTO && an - 1 < TINY_LIMBS && bn - 1 < TINY_LIMBS) {
        mul_tiny(ctx->limbs, rp, ap, an, bp, bn);
        return check(ctx, rp, ap, an, bp, bn);
    }
    mul_plan plan;
    bigint_status status = mul_plan_make(ctx, "bigint_mul", &plan, an, bn, ap == bp && an == bn);
    if (status == BIGINT_OK) {
        status = mul_ready(ctx, "bigint_mul", &plan);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    void *ws = arena_take(ctx, "bigint_mul", plan.workspace_bytes);
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    mul_execute(ctx, &plan, rp, ap, an, bp, bn, ws);
    arena_release(ctx, mark);
    return check(ctx, rp, ap, an, bp, bn);
}

// --- Prepared operand ---

// transformed: the planes that follow this header, at a 64-byte boundary, hold b by the plan `fft`,
// whose longer operand is whatever b is multiplied with. Otherwise b is multiplied as it is.
struct mul_operand {
    const uint64_t *bp;
    uint64_t bn, max_an;
    mul_fft_plan fft;
    bool transformed;
};

enum { OPERAND_HEADER = (sizeof(mul_operand) + 63) / 64 * 64 };

// operand_team: the team, if the transform is long enough for it.
static team *operand_team(const bigint_ctx *ctx, const mul_operand *operand) {
    return operand->fft.b_piece >= MUL_FFT_TEAM_THRESHOLD ? ctx->team : NULL;
}

static double *operand_planes(const mul_operand *operand) {
    return (double *)((uintptr_t)operand + OPERAND_HEADER);
}

// operand_plan: whether an operand of bn limbs is worth transforming for others of max_an, and how.
static bool operand_plan(const bigint_ctx *ctx, mul_fft_plan *plan, uint64_t bn, uint64_t max_an) {
    const uint64_t shorter = bn < max_an ? bn : max_an;
    return choose_engine(ctx, shorter, false) == ENGINE_MODULAR_FFT &&
           mul_fft_plan_make(plan, max_an, bn, false, 1);
}

uint64_t mul_operand_bytes(const bigint_ctx *ctx, uint64_t bn, uint64_t max_an) {
    mul_fft_plan plan;
    return OPERAND_HEADER +
           (operand_plan(ctx, &plan, bn, max_an) ? mul_fft_operand_bytes(&plan) : 0);
}

bigint_status mul_operand_init(bigint_ctx *ctx, mul_operand *operand, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an) {
    *operand = (mul_operand){.bp = bp, .bn = bn, .max_an = max_an};
    operand->transformed = operand_plan(ctx, &operand->fft, bn, max_an);
    if (!operand->transformed) {
        return BIGINT_OK;
    }
    const bigint_status status = mul_fft_tables(ctx, "bigint_mul", &operand->fft);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = arena_take(ctx, "bigint_mul", mul_fft_prepare_bytes(ctx, &operand->fft));
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    mul_fft_prepare(ctx, &operand->fft, operand_planes(operand), bp, bn, ws,
                    operand_team(ctx, operand));
    arena_release(ctx, mark);
    return BIGINT_OK;
}

bigint_status mul_operand_prepare(bigint_ctx *ctx, mul_operand **out, const uint64_t *bp,
                                  uint64_t bn, uint64_t max_an) {
    *out = arena_take(ctx, "bigint_mul", mul_operand_bytes(ctx, bn, max_an));
    return *out == NULL ? BIGINT_ENOMEM : mul_operand_init(ctx, *out, bp, bn, max_an);
}

// operand_pays: two transforms of the prepared length against three of the length that an limbs
// need.
static bool operand_pays(const mul_operand *b, uint64_t an) {
    mul_fft_plan plain;
    if (!b->transformed || an == 0) {
        return false;
    }
    if (!mul_fft_plan_make(&plain, an, b->bn, false, 1)) {
        return true;
    }
    const uint64_t prepared = b->fft.fft.rows << b->fft.fft.lg_columns;
    return plain.prepares || 2 * prepared <= 3 * (plain.fft.rows << plain.fft.lg_columns);
}

bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b) {
    assert(an <= b->max_an);
    if (!operand_pays(b, an)) {
        return bigint_mul_limbs(ctx, rp, ap, an, b->bp, b->bn);
    }
    const bigint_status status = mul_fft_tables(ctx, "bigint_mul", &b->fft);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = arena_take(ctx, "bigint_mul", mul_fft_workspace_bytes(ctx, &b->fft, true));
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    mul_fft_run(ctx, &b->fft, rp, ap, an, b->bp, b->bn, operand_planes(b), ws,
                operand_team(ctx, b));
    arena_release(ctx, mark);
    return check(ctx, rp, ap, an, b->bp, b->bn);
}
