// product.c: the product of two integers on the host: signs, zero and aliasing. A failure leaves
// the result as it was.
#include "bigint/multiply/product.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/limbs.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"

static bigint_status run(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t an,
                         mul_factor b) {
    const reporting before = ctx->reports;
    ctx->reports = REPORT_STEPS;
    const bigint_status status = b.prepared != NULL ? mul_operand_mul(ctx, rp, ap, an, b.prepared)
                                                    : bigint_mul_limbs(ctx, rp, ap, an, b.p, b.n);
    ctx->reports = before;
    return status;
}

// kept_limbs: of r's value those that a product of n limbs is written over.
static uint64_t kept_limbs(const bigint *r, uint64_t n) { return r->n_ < n ? r->n_ : n; }

// room_for_copy: whether the workspace of the product of a and b and a copy of n limbs fit under
// the cap together. (If the product alone does not fit, product_in_new reports it.) True if the
// arena is in use: by a call that has taken r from it, so r cannot get new limbs.
static bool room_for_copy(bigint_ctx *ctx, const char *who, uint64_t n, const bigint *a,
                          mul_factor b) {
    mul_plan plan;
    const bool square = a->d_ == b.p && a->n_ == b.n;  // whose plan may need more
    if (ctx->arena.in_use > 0) {
        return true;
    }
    return mul_plan_make(ctx, who, &plan, a->n_, b.n, square) == BIGINT_OK &&
           mul_ready(ctx, who, &plan) == BIGINT_OK &&
           arena_make_room(ctx, &ctx->arena, arena_limbs_bytes(n) + plan.workspace_bytes);
}

// product_in_place: into r's own limbs, which have room. What lives there is copied to the arena
// first if `keeps`, so that x = x y in a loop allocates nothing, and put back if the call ends
// early.
static bigint_status product_in_place(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                      mul_factor b, bool keeps) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t *ap = a->d_, an = a->n_, kept = kept_limbs(r, an + b.n);
    uint64_t *copy = NULL;
    if (keeps) {
        copy = arena_take(ctx, who, arena_limbs_bytes(kept));
        if (copy == NULL) {
            return BIGINT_ENOMEM;
        }
        memcpy(copy, r->d_, kept * sizeof *copy);
        ap = r->d_ == ap ? copy : ap;
        b.p = r->d_ == b.p ? copy : b.p;
    }
    const bigint_status status = run(ctx, r->d_, ap, an, b);
    if (status == BIGINT_ECANCELED && keeps) {
        memcpy(r->d_, copy, kept * sizeof *copy);
    }
    arena_release(ctx, mark);
    return status;
}

// product_in_new: into new limbs that replace r's at the end.
static bigint_status product_in_new(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                    mul_factor b) {
    bigint_status status;
    uint64_t cap, *rp = bigint_limbs_allocate(ctx, who, a->n_ + b.n, &cap, &status);
    if (rp == NULL) {
        return status;
    }
    status = run(ctx, rp, a->d_, a->n_, b);
    if (status == BIGINT_OK) {
        bigint_limbs_adopt(ctx, r, rp, cap);
    } else {
        bigint_limbs_release(ctx, rp, cap);
    }
    return status;
}

// reads_first: whether the product of a and b may be written over them.
static bool reads_first(bigint_ctx *ctx, const char *who, const bigint *a, mul_factor b) {
    mul_plan plan;
    const bool square = a->d_ == b.p && a->n_ == b.n;
    return b.prepared == NULL && mul_plan_make(ctx, who, &plan, a->n_, b.n, square) == BIGINT_OK &&
           mul_plan_reads_first(ctx, &plan);
}

void mul_product_need(work_need *n, uint64_t an, uint64_t bn, bool square, uint64_t kept) {
    const uint64_t in_use = n->host.in_use;
    if (kept > 0 && !mul_plan_writes_late(n->ctx, an, bn)) {
        need_take_limbs(&n->host, kept < an + bn ? kept : an + bn);
    }
    mul_need(n, an, bn, square);
    need_release(&n->host, in_use);
}

// The copy is of an operand or of an old value, with room for a plan of the product itself
// (room_for_copy).
void mul_prepared_need(work_need *n, uint64_t an, uint64_t bn, uint64_t max_an) {
    const uint64_t in_use = n->host.in_use;
    mul_plan plan;
    if (an == 0 || bn == 0 || n->status != BIGINT_OK) {
        return;
    }
    n->status = mul_plan_make(n->ctx, n->who, &plan, an, bn, false);
    if (n->status == BIGINT_OK) {
        need_take_limbs(&n->host, mul_plan_writes_late(n->ctx, an, bn) ? an : an + bn);
        mul_plan_need(n, &plan);
        mul_operand_mul_need(n, an, bn, max_an);
        need_release(&n->host, in_use);
    }
}

bigint_status mul_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          mul_factor b) {
    const uint64_t n = a->n_ + b.n;  // both at most BIGINT_MAX_LIMBS
    const int sign = a->sign_ * b.sign;
    if (sign == 0) {
        bigint_finish(r, 0, 0);
        return BIGINT_OK;
    }
    const bool late = mul_plan_writes_late(ctx, a->n_, b.n);
    const bool aliased = r->d_ == a->d_ || r->d_ == b.p;
    const bool keeps = late ? aliased && !reads_first(ctx, who, a, b) : aliased || r->n_ > 0;
    if (n > r->cap_ || (keeps && !room_for_copy(ctx, who, kept_limbs(r, n), a, b))) {
        const bigint_status status = product_in_new(ctx, who, r, a, b);
        if (status == BIGINT_OK) {
            bigint_finish(r, n, sign);
        }
        return status;
    }
    const bigint_status status = product_in_place(ctx, who, r, a, b, keeps);
    if (status == BIGINT_OK || status == BIGINT_ECHECK) {
        bigint_finish(r, n, sign);  // after ECHECK the new limbs are wrong
    }
    return status;
}
