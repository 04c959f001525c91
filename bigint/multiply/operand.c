// operand.c: operands prepared for several products. They are kept in the domain of the modular
// transform if that pays.
#include "bigint/multiply/operand.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"

// transformed: the planes that follow this header, at a 64-byte boundary, hold b by the plan `fft`,
// whose longer operand is the other factor. Otherwise b is multiplied as it is.
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
    return mul_choose_engine(ctx, shorter, shorter, false) == ENGINE_MODULAR_FFT &&
           mul_fft_plan_make(ctx, plan, max_an, bn, false, 1);
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

// operand_pays: whether two transforms of the prepared length are faster than three of the length
// that an limbs need.
static bool operand_pays(const bigint_ctx *ctx, const mul_operand *b, uint64_t an) {
    mul_fft_plan plain;
    if (!b->transformed || an == 0) {
        return false;
    }
    if (!mul_fft_plan_make(ctx, &plain, an, b->bn, false, 1)) {
        return true;
    }
    const uint64_t prepared = b->fft.fft.rows << b->fft.fft.lg_columns;
    return plain.prepares || 2 * prepared <= 3 * (plain.fft.rows << plain.fft.lg_columns);
}

bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b) {
    assert(an <= b->max_an);
    if (!operand_pays(ctx, b, an)) {
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
    mul_fft_plan plan = b->fft;
    plan.others = mul_fft_others(ctx, &plan);  // for this context's team
    mul_fft_run(ctx, &plan, rp, ap, an, b->bp, b->bn, operand_planes(b), ws, operand_team(ctx, b));
    arena_release(ctx, mark);
    return mul_check(ctx, rp, ap, an, b->bp, b->bn);
}
