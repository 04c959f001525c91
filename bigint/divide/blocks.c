// blocks.c: see blocks.h. B = 2^64; bounds: docs/proofs/division.md.
#include "bigint/divide/blocks.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/divide/reciprocal.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/wrap.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// block_divider: a divisor D of dn limbs prepared for quotient blocks of up to m limbs.
typedef struct {
    const uint64_t *dp;
    uint64_t dn, m;
    mul_operand *reciprocal;  // m limbs, fraction of B^(2m) / D's top m limbs, rounded down
    mul_wrap *wrap;           // of D: products are found modulo B^w + 1, w > dn; or NULL
    bool differences;         // otherwise: by mul_difference, or as a whole
    mul_operand *divisor;     // as a whole
    uint64_t *product;        // m + dn limbs, or those of wrap
} block_divider;

// block_length: the limbs of quotient found at a time. One reciprocal serves all blocks, and a
// short one is cheap; but every block costs a product with D.
static uint64_t block_length(uint64_t qn, uint64_t dn) {
    if (qn > dn) {
        return word_ceil_div(qn, word_ceil_div(qn, dn));
    }
    return 3 * qn > dn ? word_ceil_div(qn, 2) : qn;
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
    if (m == dn) {
        status = reciprocal_limbs(ctx, x, dp, m);
    } else if (limbs_add_1(s->product, dp + (dn - m), m, 1) == 0) {
        status = reciprocal_limbs(ctx, x, s->product, m);
    } else {
        // D's top rounded up is B^m, whose reciprocal is B^m: fraction 0
        memset(x, 0, m * sizeof *x);
    }
    if (status == BIGINT_OK) {
        status = mul_operand_prepare(ctx, &s->reciprocal, x, m, m);
    }
    if (status == BIGINT_OK && s->wrap == NULL && !s->differences) {
        status = mul_operand_prepare(ctx, &s->divisor, dp, dn, m);
    }
    return status;
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

// run: block by block; below: as divide_blocks_below.
static bigint_status run(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                         const uint64_t *dp, uint64_t dn, bool below) {
    const uint64_t m = block_length(qn, dn);
    block_divider s;
    bigint_status status = block_divider_init(ctx, &s, dp, dn, m, word_ceil_div(qn, m));
    for (uint64_t left = qn; status == BIGINT_OK && left > 0;) {
        const uint64_t b = left % m != 0 ? left % m : m;
        left -= b;
        status = below && left == 0 ? estimate(ctx, &s, qp, ap, b)
                                    : divide_block(ctx, &s, qp + left, ap + left, b);
        if (status == BIGINT_OK) {
            const double blocks_done = (double)(qn - left) / (double)qn;
            status = context_division_progress(
                ctx, RECIPROCAL_WORK + (1 - RECIPROCAL_WORK) * blocks_done);
        }
    }
    return status;
}

bigint_status divide_blocks(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                            const uint64_t *dp, uint64_t dn) {
    return run(ctx, qp, ap, qn, dp, dn, false);
}

bigint_status divide_blocks_below(bigint_ctx *ctx, uint64_t *qp, uint64_t *ap, uint64_t qn,
                                  const uint64_t *dp, uint64_t dn) {
    return run(ctx, qp, ap, qn, dp, dn, true);
}
