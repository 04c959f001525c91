// mul.c: the product on limbs: runs a plan (plan.c), checks the product, counts it. It has no
// arithmetic loops. The calls on integers are in product.c, on batches in batch/products.c, on
// decimal text in text/mul_decimal.c.
#include "bigint/multiply/mul.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/check.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/halves.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/small.h"

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

bool mul_execute(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                 uint64_t an, const uint64_t *bp, uint64_t bn, void *ws) {
    assert(an + bn == plan->an + plan->bn && (an == plan->an || bn == plan->an));
    if (plan->an == 0) {
        return true;  // nothing to write, and the pointers may be NULL
    }
    if (plan->bn == 0) {
        memset(rp, 0, plan->an * sizeof *rp);
        return true;
    }
    team *const workers = plan->uses_team ? ctx->team : NULL;
    if (an < bn) {
        return mul_execute(ctx, plan, rp, bp, bn, ap, an, ws);
    }
    if (plan->ring_limbs > 0) {
        return mul_halves_run(ctx, plan, rp, ap, an, bp, bn, ws, workers);
    }
    if (plan->engine == ENGINE_MODULAR_FFT) {
        return mul_fft_run(ctx, &plan->fft, rp, ap, an, bp, bn, NULL, ws, workers);
    }
    if (mul_float_engine(plan->engine)) {
        return mul_float_run(ctx, &plan->floats, rp, ap, an, bp, bn, ws, workers);
    }
    if (plan->engine == ENGINE_TILED) {
        ctx->limbs->tiled(rp, ap, an, bp, bn);
    } else if (ap == bp && an == bn) {
        sqr_small(ctx->limbs, small_algorithm(ctx), rp, ap, an, ws);
    } else {
        mul_small(ctx->limbs, small_algorithm(ctx), rp, ap, an, bp, bn, ws);
    }
    return true;
}

// judge: counts a product, and its check if there was one; returns `right`.
static bool judge(const bigint_ctx *ctx, mul_tally *tally, bool right) {
    tally->products++;
    tally->checks += ctx->check_modulus != 0;
    tally->mismatches += !right;
    return right;
}

// right_limbs: whether a product passes its check, if the context has one.
static bool right_limbs(const bigint_ctx *ctx, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                        const uint64_t *bp, uint64_t bn) {
    return ctx->check_modulus == 0 || check_product(ctx->check_modulus, rp, ap, an, bp, bn);
}

void mul_run(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
             uint64_t an, const uint64_t *bp, uint64_t bn, void *ws, mul_tally *tally) {
    if (!mul_execute(ctx, plan, rp, ap, an, bp, bn, ws)) {
        tally->canceled = true;
        return;
    }
    if (judge(ctx, tally, right_limbs(ctx, rp, ap, an, bp, bn))) {
        return;
    }
    if (plan->certified) {
        mul_plan exact = *plan;
        exact.engine = ENGINE_MODULAR_FFT;
        exact.certified = false;
        mul_run(ctx, &exact, rp, ap, an, bp, bn, ws, tally);
        return;
    }
    tally->wrong++;
}

void mul_tally_product(const bigint_ctx *ctx, mul_tally *tally, const uint64_t *rp,
                       const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn) {
    tally->wrong += !judge(ctx, tally, right_limbs(ctx, rp, ap, an, bp, bn));
}

void mul_count(bigint_ctx *ctx, const mul_tally *tally) {
    ctx->counters.products += tally->products;
    ctx->counters.checks += tally->checks;
    ctx->counters.mismatches += tally->mismatches;
}

// verdict: of one product of an by bn words.
static bigint_status verdict(bigint_ctx *ctx, const char *who, const mul_tally *tally, uint64_t an,
                             uint64_t bn) {
    mul_count(ctx, tally);
    return tally->canceled     ? context_canceled(ctx, who)
           : tally->wrong == 0 ? BIGINT_OK
                               : context_wrong_product(ctx, who, an, bn);
}

bigint_status mul_check(bigint_ctx *ctx, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                        const uint64_t *bp, uint64_t bn) {
    mul_tally tally = {0};
    mul_tally_product(ctx, &tally, rp, ap, an, bp, bn);
    return verdict(ctx, "bigint_mul", &tally, an, bn);
}

bigint_status mul_check_words(bigint_ctx *ctx, const char *who, uint64_t radix, const uint64_t *rp,
                              const uint64_t *ap, uint64_t an, const uint64_t *bp, uint64_t bn) {
    const bool right = ctx->check_modulus == 0 ||
                       check_product_words(ctx->check_modulus, radix, rp, ap, an, bp, bn);
    mul_tally tally = {0};
    tally.wrong = !judge(ctx, &tally, right);
    return verdict(ctx, who, &tally, an, bn);
}

// is_short: whether mul_short takes these lengths.
static inline bool is_short(const bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    return (an < bn ? an : bn) - 1 < ctx->short_limbs;
}

bigint_status bigint_mul_limbs(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn) {
    if (is_short(ctx, an, bn)) {
        return mul_short(ctx, rp, ap, an, bp, bn);
    }
    mul_plan plan;
    bigint_status status = mul_plan_make(ctx, "bigint_mul", &plan, an, bn, ap == bp && an == bn);
    if (status == BIGINT_OK) {
        status = context_pause(ctx, "bigint_mul");
    }
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
    mul_tally tally = {0};
    mul_run(ctx, &plan, rp, ap, an, bp, bn, ws, &tally);
    arena_release(ctx, mark);
    return verdict(ctx, "bigint_mul", &tally, an, bn);
}

void mul_plan_need(work_need *n, const mul_plan *plan) {
    const uint64_t in_use = n->host.in_use;
    if (mul_float_engine(plan->engine)) {
        mul_float_tables_need(n, &plan->floats);
    }
    if (plan->engine == ENGINE_MODULAR_FFT || plan->certified) {
        mul_fft_tables_need(n, &plan->fft);
    }
    need_take(&n->host, plan->workspace_bytes);
    need_release(&n->host, in_use);
}

void mul_need(work_need *n, uint64_t an, uint64_t bn, bool square) {
    mul_plan plan;
    if (n->status != BIGINT_OK || is_short(n->ctx, an, bn)) {
        return;
    }
    n->status = mul_plan_make(n->ctx, n->who, &plan, an, bn, square);
    if (n->status == BIGINT_OK) {
        mul_plan_need(n, &plan);
    }
}

// --- Public ---

bigint_status bigint_limbs_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                               const uint64_t *bp, uint64_t bn) {
    // Not on a device, where short_limbs is 0.
    if (is_short(ctx, an, bn) && (an | bn) < BIGINT_MAX_LIMBS) {
        return mul_short(ctx, rp, ap, an, bp, bn);
    }
    bigint_status status = bigint_check_limbs(ctx, "bigint_limbs_mul");
    if (status == BIGINT_OK) {
        status = bigint_check_product_size(ctx, "bigint_limbs_mul", an, bn);
    }
    return status != BIGINT_OK ? status : bigint_mul_limbs(ctx, rp, ap, an, bp, bn);
}

bigint_status bigint_limbs_sqr(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an) {
    return bigint_limbs_mul(ctx, rp, ap, an, ap, an);
}
