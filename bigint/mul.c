// mul.c: the product on limbs: which engine for which size (the plan), running it, checking it. May
// include the rooms below; holds no arithmetic loops. The public calls are in product.c and
// batch.c.
#include "bigint/mul.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/check.h"
#include "bigint/mul_small.h"

// --- Plan
// ------------------------------------------------------------------------------------------

bigint_status mul_plan_make(bigint_ctx *ctx, const char *who, mul_plan *plan, uint64_t an,
                            uint64_t bn) {
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    if (longer > BIGINT_MAX_LIMBS - shorter || longer > BIGINT_MAX_LIMBS) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: a product of %llu by %llu limbs exceeds the limit of 2^56", who,
                           (unsigned long long)an, (unsigned long long)bn);
    }
    // The quadratic and Karatsuba engines share mul_small's recursion; AUTO lets it choose.
    *plan = (mul_plan){.engine = ctx->engine, .an = longer, .bn = shorter};
    if (ctx->engine == ENGINE_AUTO) {
        plan->engine = ENGINE_TOOM3;
    }
    if (shorter > 0) {
        plan->workspace_bytes = mul_small_workspace_limbs(longer, shorter) * sizeof(uint64_t);
    }
    return BIGINT_OK;
}

int mul_plan_print(const bigint_ctx *ctx, const mul_plan *plan, char *buf, size_t cap) {
    return snprintf(buf, cap, "%s %s %s, %llu x %llu limbs", ctx->device.backend,
                    bigint_engines()[plan->engine - 1], ctx->limbs->name,
                    (unsigned long long)plan->an, (unsigned long long)plan->bn);
}

// --- Execution
// -------------------------------------------------------------------------------------

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

void mul_execute(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, void *ws) {
    assert(an + bn == plan->an + plan->bn && (an == plan->an || bn == plan->an));
    if (plan->an == 0) {
        return;  // nothing to write, and the pointers may be NULL
    }
    if (plan->bn == 0) {
        memset(rp, 0, plan->an * sizeof *rp);
    } else if (ap == bp && an == bn) {
        sqr_small(ctx->limbs, small_algorithm(ctx), rp, ap, an, ws);
    } else if (an >= bn) {
        mul_small(ctx->limbs, small_algorithm(ctx), rp, ap, an, bp, bn, ws);
    } else {
        mul_small(ctx->limbs, small_algorithm(ctx), rp, bp, bn, ap, an, ws);
    }
}

// check: counts the product and, where options.checks asks for it, compares residues.
static bigint_status check(bigint_ctx *ctx, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                           const uint64_t *bp, uint64_t bn) {
    ctx->counters.products++;
    if (ctx->check_modulus == 0) {
        return BIGINT_OK;
    }
    ctx->counters.checks++;
    if (check_product(ctx->check_modulus, rp, ap, an, bp, bn)) {
        return BIGINT_OK;
    }
    ctx->counters.mismatches++;
    return bigint_fail(
        ctx, BIGINT_ECHECK,
        "bigint_mul: the product of %llu by %llu limbs is wrong modulo %llu: faulty memory or "
        "processor, or an error of the library; do not use the result",
        (unsigned long long)an, (unsigned long long)bn, (unsigned long long)ctx->check_modulus);
}

bigint_status bigint_mul_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn) {
    mul_plan plan;
    bigint_status status = mul_plan_make(ctx, "bigint_mul", &plan, an, bn);
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

// --- Prepared operand
// ------------------------------------------------------------------------------

struct mul_operand {
    const uint64_t *bp;
    uint64_t bn, max_an;
};

uint64_t mul_operand_bytes(const bigint_ctx *ctx, uint64_t bn, uint64_t max_an) {
    (void)ctx;
    (void)bn;
    (void)max_an;
    return sizeof(mul_operand);
}

bigint_status mul_operand_init(bigint_ctx *ctx, mul_operand *operand, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an) {
    (void)ctx;
    *operand = (mul_operand){bp, bn, max_an};
    return BIGINT_OK;
}

bigint_status mul_operand_prepare(bigint_ctx *ctx, mul_operand **out, const uint64_t *bp,
                                  uint64_t bn, uint64_t max_an) {
    *out = arena_take(ctx, "bigint_mul", mul_operand_bytes(ctx, bn, max_an));
    return *out == NULL ? BIGINT_ENOMEM : mul_operand_init(ctx, *out, bp, bn, max_an);
}

bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b) {
    assert(an <= b->max_an);
    return bigint_mul_limbs(ctx, rp, ap, an, b->bp, b->bn);
}
