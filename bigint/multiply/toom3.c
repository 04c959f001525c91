// toom3.c: Toom-3: evaluation at 0, 1, -1, 2, infinity, five products, interpolation. May
// include toom3.h and primitives/. B = 2^64, k = ceil(an / 3), x = B^k. Ranges:
// docs/proofs/toom3.md.
#include "bigint/multiply/toom3.h"

#include <assert.h>
#include <string.h>

#include "primitives/words/word.h"

// pieces: a number as a0 + a1 x + a2 x^2; a0 and a1 have k limbs, a2 has n2 of them, 1 <= n2 <= k.
typedef struct {
    const uint64_t *a0, *a1, *a2;
    size_t k, n2;
} pieces;

static pieces cut_in_three(const uint64_t *ap, size_t an, size_t k) {
    assert(2 * k < an && an <= 3 * k);
    return (pieces){ap, ap + k, ap + 2 * k, k, an - 2 * k};
}

// {one, k + 1} = a(1) < 3 x, {minus_one, k + 1} = |a(-1)| < 2 x; returns whether a(-1) < 0.
static bool evaluate_1(uint64_t *one, uint64_t *minus_one, pieces a) {
    const size_t k = a.k;
    const uint64_t top = limbs_add(one, a.a0, k, a.a2, a.n2);  // {one, k} + top x = a0 + a2
    const bool negative = top == 0 && limbs_cmp(one, a.a1, k) < 0;
    if (negative) {
        minus_one[k] = limbs_sub_n(minus_one, a.a1, one, k);
    } else {
        minus_one[k] = top - limbs_sub_n(minus_one, one, a.a1, k);
    }
    one[k] = top + limbs_add_n(one, one, a.a1, k);
    assert(minus_one[k] <= 1 && one[k] <= 2);
    return negative;
}

// {two, k + 1} = a(2) = 2 (a1 + a2 + a2) + a0 < 7 x.
static void evaluate_2(uint64_t *two, pieces a) {
    const size_t k = a.k;
    uint64_t top = limbs_add(two, a.a1, k, a.a2, a.n2);
    top += limbs_add(two, two, k, a.a2, a.n2);
    top = 2 * top + limbs_lshift(two, two, k, 1);
    two[k] = top + limbs_add_n(two, two, a.a0, k);
    assert(two[k] <= 6);
}

// {rp, n} /= 3, a multiple of 3: from the bottom, each quotient limb is the rest times 1/3 mod B,
// and floor(3 q / B), 0 to 2, is subtracted from the limb above.
static void divide_by_3(uint64_t *rp, size_t n) {
    const uint64_t inverse = UINT64_C(0xaaaaaaaaaaaaaaab);  // 3 inverse = 2 B + 1
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t rest = rp[i] - carry;
        const uint64_t borrow = rp[i] < carry;
        const uint64_t q = rest * inverse;
        rp[i] = q;
        carry = borrow + (q > UINT64_MAX / 3) + (q > UINT64_MAX / 3 * 2);
    }
    assert(carry == 0);
}

// {rp, rn} += or -= {cp, cn}, cn <= rn. What is left is known to fit.
static void add_fitting(uint64_t *rp, size_t rn, const uint64_t *cp, size_t cn) {
    cn = limbs_normalize(cp, cn);
    assert(cn <= rn);
    const uint64_t carry = limbs_add(rp, rp, rn, cp, cn);
    assert(carry == 0);
    (void)carry;
}
static void subtract_fitting(uint64_t *rp, size_t rn, const uint64_t *cp, size_t cn) {
    const uint64_t borrow = limbs_sub(rp, rp, rn, cp, cn);
    assert(borrow == 0);
    (void)borrow;
}

// interpolate: from the product polynomial c at 0 {rp, 2 k}, at infinity {rp + 4 k, rn - 4 k}, at 1
// {v1, n}, at -1 (+- {vm1, n}) and at 2 {v2, n}, n = 2 k + 2, to its value at x, {rp, rn}. The
// order of [BodratoZanoni06]; every intermediate value is the positive combination on its line.
static void interpolate(uint64_t *rp, size_t rn, size_t k, uint64_t *v1, uint64_t *vm1,
                        bool vm1_negative, uint64_t *v2) {
    const size_t n = 2 * k + 2, n4 = rn - 4 * k;
    const uint64_t *const c0 = rp, *const c4 = rp + 4 * k;
    if (vm1_negative) {
        limbs_add_n(v2, v2, vm1, n);
        limbs_add_n(vm1, v1, vm1, n);
    } else {
        limbs_sub_n(v2, v2, vm1, n);
        limbs_sub_n(vm1, v1, vm1, n);
    }
    divide_by_3(v2, n);                  // v2  = c1 + c2 + 3 c3 + 5 c4
    limbs_rshift(vm1, vm1, n, 1);        // vm1 = c1 + c3
    subtract_fitting(v1, n, c0, 2 * k);  // v1  = c1 + c2 + c3 + c4
    subtract_fitting(v2, n, v1, n);      //
    limbs_rshift(v2, v2, n, 1);          // v2  = c3 + 2 c4
    subtract_fitting(v1, n, vm1, n);     //
    subtract_fitting(v1, n, c4, n4);     // v1  = c2
    subtract_fitting(v2, n, c4, n4);     //
    subtract_fitting(v2, n, c4, n4);     // v2  = c3
    subtract_fitting(vm1, n, v2, n);     // vm1 = c1

    memcpy(rp + 2 * k, v1, 2 * k * sizeof *rp);
    add_fitting(rp + 4 * k, rn - 4 * k, v1 + 2 * k, 2);
    add_fitting(rp + k, rn - k, vm1, n);
    add_fitting(rp + 3 * k, rn - 3 * k, v2, n);
}

void mul_toom3(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap, size_t an,
               const uint64_t *bp, size_t bn, uint64_t *ws) {
    assert(an >= bn && toom3_shape(an, bn));
    const bool square = ap == bp && an == bn;
    const size_t k = (an + 2) / 3, e = k + 1;
    uint64_t *const v1 = ws, *const vm1 = ws + 2 * e, *const v2 = ws + 4 * e;
    uint64_t *const rest = ws + 6 * e;
    // Values of a and b: at 1 and 2 in rp, which is not needed before the last two products, at -1
    // where v2 will be.
    uint64_t *const a_value = rp, *const b_value = square ? rp : rp + e;
    uint64_t *const a_minus = v2, *const b_minus = square ? v2 : v2 + e;
    assert(2 * e <= an + bn);
    const pieces a = cut_in_three(ap, an, k), b = cut_in_three(bp, bn, k);

    bool negative = evaluate_1(a_value, a_minus, a);
    negative = square ? false : negative ^ evaluate_1(b_value, b_minus, b);
    mul_small(ops, MUL_SMALL_BEST, v1, a_value, e, b_value, e, rest);
    mul_small(ops, MUL_SMALL_BEST, vm1, a_minus, e, b_minus, e, rest);
    evaluate_2(a_value, a);
    if (!square) evaluate_2(b_value, b);
    mul_small(ops, MUL_SMALL_BEST, v2, a_value, e, b_value, e, rest);
    mul_small(ops, MUL_SMALL_BEST, rp, a.a0, k, b.a0, k, rest);
    mul_small(ops, MUL_SMALL_BEST, rp + 4 * k, a.a2, a.n2, b.a2, b.n2, rest);
    interpolate(rp, an + bn, k, v1, vm1, negative, v2);
}
