// small.c: which algorithm multiplies how many limbs, the cutting of unbalanced shapes, and
// Karatsuba's step. B = 2^64.
//
// Squares use the same code as products: if both operands are the same limbs, so are their pieces
// and the differences of their pieces.
#include "bigint/multiply/small.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "bigint/core/tune.h"
#include "bigint/multiply/toom3.h"

// The schoolbook cuts longer operands so that one piece and its product stay in the nearest cache
// while the rows of the shorter operand pass over them.
enum { SCHOOLBOOK_PIECE = 1024 };

size_t mul_small_workspace_limbs(size_t an, size_t bn) {
    assert(an >= bn);
    (void)an;             // pieces of a are as long as b
    return 8 * bn + 128;  // docs/proofs/karatsuba.md
}

typedef enum { STEP_SCHOOLBOOK, STEP_CUT, STEP_KARATSUBA, STEP_TOOM3 } step;

// karatsuba_shape: whether both operands have an upper half of their own.
static bool karatsuba_shape(size_t an, size_t bn) { return bn > (an + 1) / 2; }

// The sizes of the shorter operand from which a step is worth it.
static size_t karatsuba_from(const limbs_ops *ops, bool square) {
    static const size_t from[LIMBS_TABLES][2] = {
        [LIMBS_PORTABLE] = {MUL_KARATSUBA_PORTABLE_THRESHOLD, SQR_KARATSUBA_PORTABLE_THRESHOLD},
        [LIMBS_ADX] = {MUL_KARATSUBA_ADX_THRESHOLD, SQR_KARATSUBA_ADX_THRESHOLD},
        [LIMBS_IFMA] = {MUL_KARATSUBA_IFMA_THRESHOLD, SQR_KARATSUBA_IFMA_THRESHOLD}};
    return from[ops->table][square];
}
static size_t toom3_from(const limbs_ops *ops, bool square) {
    static const size_t from[LIMBS_TABLES][2] = {
        [LIMBS_PORTABLE] = {MUL_TOOM3_PORTABLE_THRESHOLD, SQR_TOOM3_PORTABLE_THRESHOLD},
        [LIMBS_ADX] = {MUL_TOOM3_ADX_THRESHOLD, SQR_TOOM3_ADX_THRESHOLD},
        [LIMBS_IFMA] = {MUL_TOOM3_IFMA_THRESHOLD, SQR_TOOM3_IFMA_THRESHOLD}};
    return from[ops->table][square];
}

static step choose_best(const limbs_ops *ops, size_t an, size_t bn, bool square) {
    if (bn < karatsuba_from(ops, square)) {
        return an > SCHOOLBOOK_PIECE ? STEP_CUT : STEP_SCHOOLBOOK;
    }
    if (bn >= toom3_from(ops, square) && bn >= an - an / 8) return STEP_TOOM3;
    return bn >= an - an / 4 ? STEP_KARATSUBA : STEP_CUT;
}

static step choose(const limbs_ops *ops, mul_small_algorithm algorithm, size_t an, size_t bn,
                   bool square) {
    if (algorithm == MUL_SMALL_SCHOOLBOOK) {
        return an > bn && an > SCHOOLBOOK_PIECE ? STEP_CUT : STEP_SCHOOLBOOK;
    }
    if (algorithm == MUL_SMALL_KARATSUBA && karatsuba_shape(bn, bn)) {
        return karatsuba_shape(an, bn) ? STEP_KARATSUBA : STEP_CUT;
    }
    if (algorithm == MUL_SMALL_TOOM3 && toom3_shape(bn, bn)) {
        return toom3_shape(an, bn) ? STEP_TOOM3 : STEP_CUT;
    }
    return choose_best(ops, an, bn, square);
}

mul_small_algorithm mul_small_best(const limbs_ops *ops, size_t n, bool square) {
    if (n >= toom3_from(ops, square)) return MUL_SMALL_TOOM3;
    return n >= karatsuba_from(ops, square) ? MUL_SMALL_KARATSUBA : MUL_SMALL_SCHOOLBOOK;
}

// {rp, an + bn} = {ap, an} {bp, bn}, a piece of a at a time: each product is written over the top
// bn limbs of what is there, which are added again. ws: bn limbs and what a piece needs.
static void cut(const limbs_ops *ops, mul_small_algorithm algorithm, uint64_t *rp,
                const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn, uint64_t *ws) {
    const bool rows = choose(ops, algorithm, bn, bn, false) == STEP_SCHOOLBOOK;
    const size_t piece = rows && bn < SCHOOLBOOK_PIECE ? SCHOOLBOOK_PIECE : bn;
    assert(piece < an);
    mul_small(ops, algorithm, rp, ap, piece, bp, bn, ws);
    for (size_t at = piece; at < an; at += piece) {
        const size_t n = an - at < piece ? an - at : piece;
        memcpy(ws, rp + at, bn * sizeof *ws);
        if (n >= bn) {
            mul_small(ops, algorithm, rp + at, ap + at, n, bp, bn, ws + bn);
        } else {
            mul_small(ops, algorithm, rp + at, bp, bn, ap + at, n, ws + bn);
        }
        const uint64_t carry = limbs_add(rp + at, rp + at, n + bn, ws, bn);
        assert(carry == 0);  // {rp, at + n + bn} is a product of as many limbs
        (void)carry;
    }
}

// {rp, xn} = |{xp, xn} - {yp, yn}|, xn >= yn; returns whether the difference is negative.
static bool subtract_abs(uint64_t *rp, const uint64_t *xp, size_t xn, const uint64_t *yp,
                         size_t yn) {
    if (limbs_normalize(xp + yn, xn - yn) == 0 && limbs_cmp(xp, yp, yn) < 0) {
        limbs_sub_n(rp, yp, xp, yn);
        memset(rp + yn, 0, (xn - yn) * sizeof *rp);
        return true;
    }
    limbs_sub(rp, xp, xn, yp, yn);
    return false;
}

// Karatsuba's step [KaratsubaOfman62]. a = a1 B^h + a0, b = b1 B^h + b0, low = a0 b0, high = a1 b1:
//   a b = high B^2h + (low + high - (a0 - a1) (b0 - b1)) B^h + low.
// ws: 2 h limbs and what a product of h by h limbs, or of the upper halves, needs.
static void karatsuba(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap, size_t an,
                      const uint64_t *bp, size_t bn, uint64_t *ws) {
    assert(karatsuba_shape(an, bn));
    const bool square = ap == bp && an == bn;
    const size_t h = (an + 1) / 2, high_n = an + bn - 2 * h;
    uint64_t *const da = rp, *const db = square ? rp : rp + h, *const middle = ws;
    bool negative = subtract_abs(da, ap, h, ap + h, an - h);
    negative = square ? false : negative ^ subtract_abs(db, bp, h, bp + h, bn - h);
    mul_small(ops, MUL_SMALL_BEST, middle, da, h, db, h, ws + 2 * h);
    mul_small(ops, MUL_SMALL_BEST, rp, ap, h, bp, h, ws + 2 * h);
    mul_small(ops, MUL_SMALL_BEST, rp + 2 * h, ap + h, an - h, bp + h, bn - h, ws + 2 * h);

    // rp = low0, low1, high0, high1, the first three of h limbs, high1 of high_n - h <= h.
    // low1 + high0 is wanted twice: low + high at B^h is low0 + (low1 + high0) and
    // (low1 + high0) + high1.
    assert(h <= high_n && high_n <= 2 * h);
    const uint64_t twice = limbs_add_n(rp + 2 * h, rp + 2 * h, rp + h, h);
    const uint64_t at_2h = twice + limbs_add_n(rp + h, rp + 2 * h, rp, h);
    uint64_t at_3h = twice + limbs_add(rp + 2 * h, rp + 2 * h, h, rp + 3 * h, high_n - h);
    at_3h += limbs_add_1(rp + 2 * h, rp + 2 * h, h, at_2h);
    if (negative) {
        at_3h += limbs_add_n(rp + h, rp + h, middle, 2 * h);
    } else {
        at_3h -= limbs_sub_n(rp + h, rp + h, middle, 2 * h);
    }
    assert(at_3h <= 4);  // not negative: what is added at B^h, with what was there, is not
    const uint64_t carry = limbs_add_1(rp + 3 * h, rp + 3 * h, high_n - h, at_3h);
    assert(carry == 0);  // {rp, an + bn} is a product of as many limbs
    (void)carry;
}

// best is a toom3_multiply.
static void best(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap, size_t an,
                 const uint64_t *bp, size_t bn, uint64_t *ws) {
    mul_small(ops, MUL_SMALL_BEST, rp, ap, an, bp, bn, ws);
}

void mul_small(const limbs_ops *ops, mul_small_algorithm algorithm, uint64_t *rp,
               const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn, uint64_t *ws) {
    assert(an >= bn && bn >= 1);
    const bool square = ap == bp && an == bn;
    switch (choose(ops, algorithm, an, bn, square)) {
        case STEP_SCHOOLBOOK:
            if (square) {
                ops->sqr(rp, ap, an);
            } else {
                ops->mul(rp, ap, an, bp, bn);
            }
            return;
        case STEP_CUT:
            cut(ops, algorithm, rp, ap, an, bp, bn, ws);
            return;
        case STEP_KARATSUBA:
            karatsuba(ops, rp, ap, an, bp, bn, ws);
            return;
        case STEP_TOOM3:
            mul_toom3(ops, best, rp, ap, an, bp, bn, ws);
            return;
    }
}

void sqr_small(const limbs_ops *ops, mul_small_algorithm algorithm, uint64_t *rp,
               const uint64_t *ap, size_t n, uint64_t *ws) {
    mul_small(ops, algorithm, rp, ap, n, ap, n, ws);
}
