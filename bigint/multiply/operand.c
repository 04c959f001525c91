// operand.c: operands prepared for several products. They are kept in the domain of the transform
// that takes such products, if one does.
#include "bigint/multiply/operand.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"

// The planes that follow this header, at a 64-byte boundary, hold b by the plan `real`, or by
// `fft`, whose longer operand is the other factor. PLAIN: b is multiplied as it is.
struct mul_operand {
    const uint64_t *bp;
    uint64_t bn, max_an;
    enum { PLAIN, MODULAR, REAL } kind;
    mul_fft_plan fft;
    mul_float_plan real;
};

enum { OPERAND_HEADER = (sizeof(mul_operand) + 63) / 64 * 64 };

// operand_team: the team, if the transform is long enough for it.
static team *operand_team(const bigint_ctx *ctx, const mul_operand *operand) {
    return operand->fft.b_piece >= MUL_FFT_TEAM_THRESHOLD ? ctx->team : NULL;
}

static void *operand_planes(const mul_operand *operand) {
    return (void *)((uintptr_t)operand + OPERAND_HEADER);
}

// operand_plan: what an operand of bn limbs is kept as for others of max_an, and the plan.
static void operand_plan(const bigint_ctx *ctx, mul_operand *operand, uint64_t bn,
                         uint64_t max_an) {
    const uint64_t shorter = bn < max_an ? bn : max_an;
    if (mul_plan_real(ctx, &operand->real, max_an, bn)) {
        operand->kind = REAL;
    } else if (mul_choose_engine(ctx, shorter, shorter, false) == ENGINE_MODULAR_FFT &&
               mul_fft_plan_make(ctx, &operand->fft, max_an, bn, false, 1)) {
        operand->kind = MODULAR;
    } else {
        operand->kind = PLAIN;
    }
}

uint64_t mul_operand_bytes(const bigint_ctx *ctx, uint64_t bn, uint64_t max_an) {
    mul_operand operand;
    operand_plan(ctx, &operand, bn, max_an);
    return OPERAND_HEADER + (operand.kind == REAL      ? mul_float_plane_bytes(&operand.real)
                             : operand.kind == MODULAR ? mul_fft_operand_bytes(&operand.fft)
                                                       : 0);
}

// operand_pays: whether two transforms of the prepared length are faster than a product of an limbs
// alone, with three transforms of its own length.
static bool operand_pays(const bigint_ctx *ctx, const mul_operand *b, uint64_t an) {
    mul_fft_plan plain;
    if (b->kind == PLAIN || an == 0) {
        return false;
    }
    if (b->kind == REAL) {
        return 2 * an >= b->max_an && 2 * (b->max_an + b->bn) <= 3 * (an + b->bn);
    }
    if (!mul_fft_plan_make(ctx, &plain, an, b->bn, false, 1)) {
        return true;
    }
    const uint64_t prepared = b->fft.fft.rows << b->fft.fft.lg_columns;
    return plain.prepares || 2 * prepared <= 3 * (plain.fft.rows << plain.fft.lg_columns);
}

// kept_need: the tables of a prepared operand, and `modular` bytes of workspace, or those of the
// real transform.
static void kept_need(work_need *n, const mul_operand *operand, uint64_t modular) {
    const uint64_t in_use = n->host.in_use;
    if (operand->kind == REAL) {
        mul_float_tables_need(n, &operand->real);
        need_take(&n->host, mul_float_prepared_bytes(&operand->real));
    } else {
        mul_fft_tables_need(n, &operand->fft);
        need_take(&n->host, modular);
    }
    need_release(&n->host, in_use);
}

void mul_operand_init_need(work_need *n, uint64_t bn, uint64_t max_an) {
    mul_operand operand = {.max_an = max_an, .bn = bn};
    operand_plan(n->ctx, &operand, bn, max_an);
    if (operand.kind != PLAIN) {
        kept_need(n, &operand,
                  operand.kind == REAL ? 0 : mul_fft_prepare_bytes(n->ctx, &operand.fft));
    }
}

void mul_operand_mul_need(work_need *n, uint64_t an, uint64_t bn, uint64_t max_an) {
    mul_operand operand = {.max_an = max_an, .bn = bn};
    operand_plan(n->ctx, &operand, bn, max_an);
    if (!operand_pays(n->ctx, &operand, an)) {
        mul_need(n, an, bn, false);
        return;
    }
    if (operand.kind == MODULAR) {
        operand.fft.others = mul_fft_others(n->ctx, &operand.fft);
    }
    kept_need(n, &operand,
              operand.kind == REAL ? 0 : mul_fft_workspace_bytes(n->ctx, &operand.fft, true));
}

void mul_operand_need(work_need *n, uint64_t bn, uint64_t max_an) {
    mul_operand_init_need(n, bn, max_an);
    mul_operand_mul_need(n, max_an, bn, max_an);
    mul_operand_mul_need(n, max_an / 2 + 1, bn, max_an);  // shorter factors are multiplied whole
}

int mul_operand_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                      uint64_t max_an) {
    mul_operand operand = {.max_an = max_an, .bn = bn};
    operand_plan(ctx, &operand, bn, max_an);
    return snprintf(buf, cap, "operand of %llu limbs %s for others of up to %llu: %s",
                    (unsigned long long)bn,
                    operand.kind == REAL      ? "kept as a real transform"
                    : operand.kind == MODULAR ? "kept as a modular transform"
                                              : "copied",
                    (unsigned long long)max_an,
                    operand_pays(ctx, &operand, an) ? "by its transform" : "a product of its own");
}

// make_tables: of the operand's plan.
static bigint_status make_tables(bigint_ctx *ctx, const mul_operand *operand) {
    return operand->kind == REAL ? mul_float_tables(ctx, "bigint_mul", &operand->real)
                                 : mul_fft_tables(ctx, "bigint_mul", &operand->fft);
}

bigint_status mul_operand_init(bigint_ctx *ctx, mul_operand *operand, const uint64_t *bp,
                               uint64_t bn, uint64_t max_an) {
    *operand = (mul_operand){.bp = bp, .bn = bn, .max_an = max_an};
    operand_plan(ctx, operand, bn, max_an);
    if (operand->kind == PLAIN) {
        return BIGINT_OK;
    }
    bigint_status status = context_pause(ctx, "bigint_mul");
    if (status == BIGINT_OK) {
        status = make_tables(ctx, operand);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = arena_take(ctx, "bigint_mul",
                                operand->kind == REAL ? mul_float_prepared_bytes(&operand->real)
                                                      : mul_fft_prepare_bytes(ctx, &operand->fft));
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    if (operand->kind == REAL) {
        mul_float_prepare(ctx, &operand->real, operand_planes(operand), bp, bn, ws);
    } else {
        mul_fft_prepare(ctx, &operand->fft, operand_planes(operand), bp, bn, ws,
                        operand_team(ctx, operand));
    }
    arena_release(ctx, mark);
    return BIGINT_OK;
}

bigint_status mul_operand_prepare(bigint_ctx *ctx, mul_operand **out, const uint64_t *bp,
                                  uint64_t bn, uint64_t max_an) {
    *out = arena_take(ctx, "bigint_mul", mul_operand_bytes(ctx, bn, max_an));
    return *out == NULL ? BIGINT_ENOMEM : mul_operand_init(ctx, *out, bp, bn, max_an);
}

// run_modular: the product by the plan `fft`, or false if the call is to end. ws: of
// mul_fft_workspace_bytes.
static bool run_modular(const bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                        const mul_operand *b, void *ws) {
    mul_fft_plan plan = b->fft;
    plan.others = mul_fft_others(ctx, &plan);  // for this context's team
    return mul_fft_run(ctx, &plan, rp, ap, an, b->bp, b->bn, operand_planes(b), ws,
                       operand_team(ctx, b));
}

bigint_status mul_operand_mul(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                              const mul_operand *b) {
    assert(an <= b->max_an);
    if (!operand_pays(ctx, b, an)) {
        return bigint_mul_limbs(ctx, rp, ap, an, b->bp, b->bn);
    }
    bigint_status status = context_pause(ctx, "bigint_mul");
    if (status == BIGINT_OK) {
        status = make_tables(ctx, b);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    void *const ws = arena_take(ctx, "bigint_mul",
                                b->kind == REAL ? mul_float_prepared_bytes(&b->real)
                                                : mul_fft_workspace_bytes(ctx, &b->fft, true));
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    bool finished = true;
    if (b->kind == REAL) {
        mul_float_run_prepared(ctx, &b->real, rp, ap, an, operand_planes(b), b->bn, ws);
    } else {
        finished = run_modular(ctx, rp, ap, an, b, ws);
    }
    arena_release(ctx, mark);
    return !finished ? context_canceled(ctx, "bigint_mul")
                     : mul_check(ctx, rp, ap, an, b->bp, b->bn);
}
