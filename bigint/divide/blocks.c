// blocks.c: see blocks.h. B = 2^64; bounds: docs/proofs/division.md.
#include "bigint/divide/blocks.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/divide/plan.h"
#include "bigint/divide/reciprocal.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/wrap.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// reciprocal_of_top: {x, m}, the fraction of B^(2m) / D's top m limbs, rounded down; ws: m limbs.
static bigint_status reciprocal_of_top(bigint_ctx *ctx, uint64_t *x, uint64_t *ws,
                                       const uint64_t *dp, uint64_t dn, uint64_t m) {
    if (m == dn) {
        return reciprocal_limbs(ctx, x, dp, m);
    }
    if (limbs_add_1(ws, dp + (dn - m), m, 1) == 0) {
        return reciprocal_limbs(ctx, x, ws, m);
    }
    // D's top rounded up is B^m, whose reciprocal is B^m: fraction 0
    memset(x, 0, m * sizeof *x);
    return BIGINT_OK;
}

// block_divider_init: the reciprocal and the transforms for this many blocks, on the arena.
static bigint_status block_divider_init(bigint_ctx *ctx, block_divider *s, const uint64_t *dp,
                                        uint64_t dn, uint64_t m, uint64_t blocks) {
    *s = (block_divider){.dp = dp, .dn = dn, .m = m};
    uint64_t *x = arena_take_limbs(ctx, "bigint_divrem", m);
    bigint_status status =
        x == NULL ? BIGINT_ENOMEM
                  : mul_wrap_prepare(ctx, "bigint_divrem", &s->wrap, dp, dn, m, dn + 1);
    if (status != BIGINT_OK) {
        return status;
    }
    s->differences =
        s->wrap == NULL && mul_difference_pays(ctx, "bigint_divrem", dn + 1, m, dn, blocks);
    const uint64_t wrapped = s->wrap == NULL ? 0 : mul_wrap_limbs(s->wrap) + 2;
    s->product = arena_take_limbs(ctx, "bigint_divrem", m + dn < wrapped ? wrapped : m + dn);
    if (s->product == NULL) {
        return BIGINT_ENOMEM;
    }
    status = reciprocal_of_top(ctx, x, s->product, dp, dn, m);
    if (status == BIGINT_OK) {
        status = mul_operand_prepare(ctx, &s->reciprocal, x, m, m);
    }
    if (status == BIGINT_OK && s->wrap == NULL && !s->differences) {
        status = mul_operand_prepare(ctx, &s->divisor, dp, dn, m);
    }
    return status;
}

// operand_need: an operand on the arena, where it stays, and its products.
static void operand_need(work_need *n, uint64_t bn, uint64_t max_an) {
    need_take(&n->host, mul_operand_bytes(n->ctx, bn, max_an));
    mul_operand_need(n, bn, max_an);
}

void divide_blocks_need(work_need *n, uint64_t qn, uint64_t dn) {
    const uint64_t in_use = n->host.in_use, m = division_block(qn, dn);
    need_take_limbs(&n->host, m);
    const uint64_t wrapped = mul_wrap_need(n, dn, m, dn + 1);
    const bool differences =
        wrapped == 0 && mul_difference_pays(n->ctx, n->who, dn + 1, m, dn, word_ceil_div(qn, m));
    need_take_limbs(&n->host, m + dn < wrapped + 2 ? wrapped + 2 : m + dn);
    reciprocal_need(n, m);
    operand_need(n, m, m);
    if (differences) {
        mul_difference_need(n, dn + 1, m, dn, false);
    } else if (wrapped == 0) {
        operand_need(n, dn, m);
    } else {
        mul_wrap_mul_need(n, dn, m, dn + 1);
    }
    need_release(&n->host, in_use);
}

// remainder_of: {ap, dn + 1} = {ap, b + dn} - {qp, b} D, which is below 10 D.
static bigint_status remainder_of(bigint_ctx *ctx, const block_divider *s, uint64_t *ap,
                                  const uint64_t *qp, uint64_t b) {
    const uint64_t dn = s->dn;
    if (s->wrap != NULL) {
        const bigint_status status = mul_wrap_mul(ctx, "bigint_divrem", s->product, qp, b, s->wrap);
        if (status == BIGINT_OK) {  // below B^(dn + 1), so its residue modulo B^w + 1 is itself
            mul_wrap_fold(s->product, mul_wrap_limbs(s->wrap), ap, b + dn);
            memcpy(ap, s->product, (dn + 1) * sizeof *ap);
        }
        return status;
    }
    if (s->differences) {
        const bigint_status status =
            mul_difference(ctx, "bigint_divrem", s->product, dn + 1, ap, b + dn, qp, b, s->dp, dn);
        if (status == BIGINT_OK) {
            memcpy(ap, s->product, (dn + 1) * sizeof *ap);
        }
        return status;
    }
    const bigint_status status = mul_operand_mul(ctx, s->product, qp, b, s->divisor);
    if (status == BIGINT_OK) {
        limbs_sub_n(ap, ap, s->product, dn + 1);
    }
    return status;
}

// estimate: {qp, b} = floor(A / D) for A = {ap, b + dn}, {ap + b, dn} < D, b <= m, from the top b
// limbs: never too large, and at most BLOCKS_BELOW_MOST too small (division.md, lemma 5).
static bigint_status estimate(bigint_ctx *ctx, const block_divider *s, uint64_t *qp,
                              const uint64_t *ap, uint64_t b) {
    const uint64_t *const a_top = ap + s->dn;
    const bigint_status status = mul_operand_mul(ctx, s->product, a_top, b, s->reciprocal);
    if (status == BIGINT_OK) {
        const uint64_t carry = limbs_add_n(qp, a_top, s->product + s->m, b);
        assert(carry == 0);  // the estimate is at most the quotient
        (void)carry;
    }
    return status;
}

// divide_block: {qp, b} = floor(A / D), {ap, dn} = A mod D.
static bigint_status divide_block(bigint_ctx *ctx, const block_divider *s, uint64_t *qp,
                                  uint64_t *ap, uint64_t b) {
    const uint64_t dn = s->dn;
    bigint_status status = estimate(ctx, s, qp, ap, b);
    if (status == BIGINT_OK) {
        status = remainder_of(ctx, s, ap, qp, b);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t carry = 0;
    for (unsigned i = 0; ap[dn] != 0 || limbs_cmp(ap, s->dp, dn) >= 0; i++) {
        if (i == BLOCKS_BELOW_MOST) {
            return context_impossible(ctx, "bigint_divrem", "a remainder so long");
        }
        ap[dn] -= limbs_sub_n(ap, ap, s->dp, dn);
        carry += limbs_add_1(qp, qp, b, 1);
    }
    assert(carry == 0);
    (void)carry;
    return BIGINT_OK;
}

// divide_all: {qp, qn} block by block, of whose work `before` is done; below: as
// divide_blocks_below.
static bigint_status divide_all(bigint_ctx *ctx, const block_divider *s, uint64_t *qp, uint64_t *ap,
                                uint64_t qn, bool below, double before) {
    bigint_status status = BIGINT_OK;
    for (uint64_t left = qn; status == BIGINT_OK && left > 0;) {
        const uint64_t b = left % s->m != 0 ? left % s->m : s->m;
        left -= b;
        status = below && left == 0 ? estimate(ctx, s, qp, ap, b)
                                    : divide_block(ctx, s, qp + left, ap + left, b);
        if (status == BIGINT_OK) {
            const double blocks_done = (double)(qn - left) / (double)qn;
            status = context_division_progress(ctx, before + (1 - before) * blocks_done);
        }
    }
    return status;
}

static bigint_status run(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                         const uint64_t *dp, uint64_t dn, bool below) {
    const uint64_t m = division_block(qn, dn);
    block_divider s;
    const bigint_status status = block_divider_init(ctx, &s, dp, dn, m, word_ceil_div(qn, m));
    return status == BIGINT_OK ? divide_all(ctx, &s, qp, ap, qn, below, RECIPROCAL_WORK) : status;
}

bigint_status divide_blocks(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                            const uint64_t *dp, uint64_t dn) {
    return run(ctx, qp, ap, qn, dp, dn, false);
}

bigint_status divide_blocks_below(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                                  const uint64_t *dp, uint64_t dn) {
    return run(ctx, qp, ap, qn, dp, dn, true);
}

// --- Kept divisors -------------------------------------------------------------------------------

// kept_bytes: of {x, m}, and of the operands of x and D.
static void kept_bytes(const bigint_ctx *ctx, uint64_t bytes[3], uint64_t dn, uint64_t m) {
    bytes[0] = arena_limbs_bytes(m);
    bytes[1] = arena_limbs_bytes(word_ceil_div(mul_operand_bytes(ctx, m, m), 8));
    bytes[2] = arena_limbs_bytes(word_ceil_div(mul_operand_bytes(ctx, dn, m), 8));
}

uint64_t block_divider_bytes(const bigint_ctx *ctx, uint64_t dn, uint64_t m) {
    uint64_t bytes[3];
    kept_bytes(ctx, bytes, dn, m);
    return bytes[0] + bytes[1] + bytes[2];
}

bigint_status block_divider_keep(bigint_ctx *ctx, block_divider *s, void *memory,
                                 const uint64_t *dp, uint64_t dn, uint64_t m) {
    uint64_t bytes[3];
    unsigned char *const p = memory;
    kept_bytes(ctx, bytes, dn, m);
    uint64_t *const x = memory;
    *s = (block_divider){.dp = dp,
                         .dn = dn,
                         .m = m,
                         .reciprocal = (mul_operand *)(void *)(p + bytes[0]),
                         .divisor = (mul_operand *)(void *)(p + bytes[0] + bytes[1])};
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const ws = arena_take_limbs(ctx, "bigint_div_prep_create", m);
    bigint_status status = ws == NULL ? BIGINT_ENOMEM : reciprocal_of_top(ctx, x, ws, dp, dn, m);
    arena_release(ctx, mark);
    if (status == BIGINT_OK) {
        status = mul_operand_init(ctx, s->reciprocal, x, m, m);
    }
    return status == BIGINT_OK ? mul_operand_init(ctx, s->divisor, dp, dn, m) : status;
}

bigint_status block_divider_divide(bigint_ctx *ctx, const block_divider *kept, uint64_t *qp,
                                   uint64_t *ap, uint64_t qn) {
    const arena_mark mark = arena_get_mark(ctx);
    block_divider s = *kept;
    s.product = arena_take_limbs(ctx, "bigint_divrem_prep", s.m + s.dn);
    const bigint_status status =
        s.product == NULL ? BIGINT_ENOMEM : divide_all(ctx, &s, qp, ap, qn, false, 0);
    arena_release(ctx, mark);
    return status;
}

void block_divider_keep_need(work_need *n, uint64_t dn, uint64_t m) {
    const uint64_t in_use = n->host.in_use;
    need_take_limbs(&n->host, m);
    reciprocal_need(n, m);
    need_release(&n->host, in_use);
    mul_operand_need(n, m, m);
    mul_operand_need(n, dn, m);
}

void block_divider_divide_need(work_need *n, uint64_t dn, uint64_t m) {
    const uint64_t in_use = n->host.in_use;
    need_take_limbs(&n->host, m + dn);
    mul_operand_need(n, m, m);
    mul_operand_need(n, dn, m);
    need_release(&n->host, in_use);
}
