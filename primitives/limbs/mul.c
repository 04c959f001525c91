// mul.c: the multiplying operations of limbs.h in portable C, and the choice between the
// tables. May include word.h, adx.h, ifma.h and tiled.h.
#include <assert.h>

#include "primitives/limbs/adx.h"
#include "primitives/limbs/ifma.h"
#include "primitives/limbs/limbs.h"
#include "primitives/limbs/tiled.h"
#include "primitives/words/word.h"

static uint64_t mul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        const word_pair t = (word_pair)ap[i] * b + carry;  // at most (B-1)^2 + B-1 < B^2, B = 2^64
        rp[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    return carry;
}

static uint64_t addmul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    uint64_t carry = 0;
    _Pragma("GCC unroll 4") for (size_t i = 0; i < n; i++) {
        const word_pair t =
            (word_pair)ap[i] * b + rp[i] + carry;  // at most (B-1)^2 + 2 (B-1) = B^2 - 1
        rp[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    return carry;
}

static uint64_t submul_1(uint64_t *rp, const uint64_t *ap, size_t n, uint64_t b) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < n; i++) {
        // at most B^2 - B: the top word is B - 1 only over a low word of 0, so the borrow fits
        const word_pair t = (word_pair)ap[i] * b + borrow;
        const uint64_t r = rp[i], low = (uint64_t)t;
        rp[i] = r - low;
        borrow = (uint64_t)(t >> 64) + (r < low);
    }
    return borrow;
}

// Limbs of the shorter factor from which columns take less than rows: their sums stay in registers,
// but each ends a loop of its own length.
enum { COLUMNS_FROM = 16 };

static void mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(an >= bn && bn >= 1);
    if (an == bn && an <= LIMBS_FEW) {
        limbs_portable_mul_few[an](rp, ap, bp);
        return;
    }
    if (bn >= COLUMNS_FROM) {
        limbs_mul_columns(rp, ap, an, bp, bn);
        return;
    }
    rp[an] = mul_1(rp, ap, an, bp[0]);
    for (size_t i = 1; i < bn; i++) rp[an + i] = addmul_1(rp + i, ap, an, bp[i]);
}

// a^2 = 2 sum_{i<j} a_i a_j B^(i+j) + sum a_i^2 B^(2i): the triangle by rows, then one pass that
// doubles it and adds the squares.
static void sqr(uint64_t *rp, const uint64_t *ap, size_t n) {
    if (n <= LIMBS_SQUARES_UNROLLED) {
        limbs_portable_sqr_few[n](rp, ap);
        return;
    }
    rp[0] = 0;
    rp[n] = mul_1(rp + 1, ap + 1, n - 1, ap[0]);
    for (size_t i = 1; i + 1 < n; i++)
        rp[n + i] = addmul_1(rp + 2 * i + 1, ap + i + 1, n - 1 - i, ap[i]);
    rp[2 * n - 1] = 0;

    uint64_t top = 0, carry = 0;  // top: the bit that doubling moves into the next limb
    for (size_t i = 0; i < n; i++) {
        uint64_t hi;
        const uint64_t lo = word_mul(&hi, ap[i], ap[i]);
        const uint64_t r0 = rp[2 * i], r1 = rp[2 * i + 1];
        rp[2 * i] = word_add(r0 << 1 | top, lo, &carry);
        rp[2 * i + 1] = word_add(r1 << 1 | r0 >> 63, hi, &carry);
        top = r1 >> 63;
    }
    assert(top == 0 && carry == 0);  // a^2 < B^(2 n)
}

// Row i makes limb i zero, whose place then keeps the row's top limb until all are added at once.
static uint64_t redc(uint64_t *rp, uint64_t *tp, const uint64_t *mp, size_t n, uint64_t inverse) {
    for (size_t i = 0; i < n; i++) tp[i] = addmul_1(tp + i, mp, n, tp[i] * inverse);
    return limbs_add_n(rp, tp, tp + n, n);
}

const limbs_ops limbs_ops_portable = {.table = LIMBS_PORTABLE,
                                      .name = "portable",
                                      .mul_1 = mul_1,
                                      .addmul_1 = addmul_1,
                                      .submul_1 = submul_1,
                                      .mul = mul,
                                      .sqr = sqr,
                                      .mul_few = limbs_portable_mul_few,
                                      .sqr_few = limbs_portable_sqr_few,
                                      .redc = redc,
                                      .mul_redc = limbs_mul_redc_unrolled,
                                      .tiled = limbs_tiled_mul,
                                      .count = &limbs_count_portable};

const limbs_ops *limbs_ops_for(cpu_features features) {
    if (features.adx && features.ifma && limbs_ops_ifma() != NULL) return limbs_ops_ifma();
    if (features.adx && limbs_ops_adx() != NULL) return limbs_ops_adx();
    return &limbs_ops_portable;
}
