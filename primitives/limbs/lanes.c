// lanes.c: eight products at once, one to a lane of AVX-512 IFMA: the schoolbook, and Karatsuba's
// step above it, on digits of 52 bits. Compiled for AVX-512 with IFMA and VBMI2 on x86-64, empty
// elsewhere. May include lanes.h.
//
//   limbs of eight numbers -> blocks of four limbs, transposed -> five digits a block
//         -> products of blocks, ten columns each -> carries -> limbs, transposed back
//
// A number is a polynomial in X = 2^256. Its coefficients are blocks of five digits, 260 bits, so a
// sum of up to 16 blocks is a block again. Digit d of block j of all lanes is the vector at
// [8 (5 j + d)]. Bits 52 and up of a digit's word mean nothing: multiply-adds ignore them. Columns
// are words modulo 2^64, signed once differences have been added. Ranges:
// docs/proofs/schoolbook.md.
#include "primitives/limbs/lanes.h"

#if defined(__x86_64__)

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "primitives/limbs/transpose.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    LIMBS = LIMBS_LANES_BLOCK,     // of a block
    DIGITS = 5,                    // of a block
    COLUMNS = 2 * DIGITS,          // of a product of blocks
    BLOCK = DIGITS * LIMBS_LANES,  // words
    PRODUCT = COLUMNS * LIMBS_LANES,
    BITS = 52,
    TOP_BITS = 64 * LIMBS - (DIGITS - 1) * BITS,  // of a block's highest digit
    // Blocks from which Karatsuba's step takes less than the schoolbook. Xeon with AMX.
    KARATSUBA_FROM = 7,
};

INLINE __m512i load(const uint64_t *p) { return _mm512_load_si512(p); }
INLINE void store(uint64_t *p, __m512i x) { _mm512_store_si512(p, x); }
INLINE __m512i add(__m512i x, __m512i y) { return _mm512_add_epi64(x, y); }
INLINE __m512i sub(__m512i x, __m512i y) { return _mm512_sub_epi64(x, y); }

// shift_pair: the lower words of (high B + low) / 2^s, B = 2^64.
#define SHIFT_PAIR(high, low, s) _mm512_shrdi_epi64(low, high, s)

static size_t blocks_of(size_t n) { return (n + LIMBS - 1) / LIMBS; }

// clear makes the columns of one product zero.
INLINE void clear(uint64_t *c) {
    for (size_t k = 0; k < PRODUCT; k += LIMBS_LANES) store(c + k, _mm512_setzero_si512());
}

// --- Limbs and digits ----------------------------------------------------------------------------

// blocks_at: which limbs of a block that begins at limb `at` numbers of n limbs have.
INLINE void blocks_at(__mmask8 *which, size_t n, size_t at) {
    const __mmask8 all = transpose_which(n, at);
#pragma GCC unroll 8
    for (size_t k = 0; k < LIMBS_LANES; k++) which[k] = all;
}

static void read_numbers(uint64_t *x, const uint64_t *const *ap, size_t n) {
    for (size_t at = 0; at < n; at += LIMBS, x += BLOCK) {
        __m512i limb[LIMBS];
        __mmask8 which[LIMBS_LANES];
        blocks_at(which, n, at);
        transpose_in(limb, ap, at, which);
        store(x, limb[0]);
        store(x + 8, SHIFT_PAIR(limb[1], limb[0], 52));
        store(x + 16, SHIFT_PAIR(limb[2], limb[1], 40));
        store(x + 24, SHIFT_PAIR(limb[3], limb[2], 28));
        store(x + 32, _mm512_srli_epi64(limb[3], 16));
    }
}

// write_block: the block at limb `at` of numbers of n limbs, from its digits.
INLINE void write_block(uint64_t *const *rp, size_t n, size_t at, const __m512i *x) {
    __m512i up[DIGITS - 1];  // the digits at the top of their words
    __mmask8 which[LIMBS_LANES];
#pragma GCC unroll 4
    for (size_t k = 0; k + 1 < DIGITS; k++) up[k] = _mm512_slli_epi64(x[k], 12);
    const __m512i limb[LIMBS] = {SHIFT_PAIR(x[1], up[0], 12), SHIFT_PAIR(x[2], up[1], 24),
                                 SHIFT_PAIR(x[3], up[2], 36), SHIFT_PAIR(x[4], up[3], 48)};
    blocks_at(which, n, at);
    transpose_out(rp, at, which, limb);
}

// write_numbers: {rp, n} of each number, from products of blocks, the last of which is 0. The upper
// columns of a product join the lower ones of the next, which stand BITS - TOP_BITS lower. Above n
// limbs the columns and the carry are 0 together.
static void write_numbers(uint64_t *const *rp, size_t n, const uint64_t *c) {
    __m512i upper[DIGITS], carry = _mm512_setzero_si512();
    for (size_t k = 0; k < DIGITS; k++) upper[k] = carry;
    for (size_t at = 0; at < n; at += LIMBS, c += PRODUCT) {
        __m512i x[DIGITS];
#pragma GCC unroll 5
        for (size_t k = 0; k < DIGITS; k++) {
            const __m512i sum = add(load(c + 8 * k), _mm512_slli_epi64(upper[k], BITS - TOP_BITS));
            x[k] = add(sum, carry);
            carry = _mm512_srai_epi64(x[k], k + 1 < DIGITS ? BITS : TOP_BITS);
            upper[k] = load(c + 8 * (DIGITS + k));
        }
        write_block(rp, n, at, x);
    }
}

// --- Products ------------------------------------------------------------------------------------

// add_product: column += {a, 1 block} {b, 1 block}. High halves belong to the column above.
INLINE void add_product(__m512i *column, const uint64_t *a, const uint64_t *b) {
    __m512i digits[DIGITS];
#pragma GCC unroll 5
    for (size_t k = 0; k < DIGITS; k++) digits[k] = load(b + 8 * k);
#pragma GCC unroll 5
    for (size_t j = 0; j < DIGITS; j++) {
        const __m512i factor = load(a + 8 * j);
#pragma GCC unroll 5
        for (size_t k = 0; k < DIGITS; k++) {
            column[j + k] = _mm512_madd52lo_epu64(column[j + k], factor, digits[k]);
        }
#pragma GCC unroll 5
        for (size_t k = 0; k < DIGITS; k++) {
            column[j + k + 1] = _mm512_madd52hi_epu64(column[j + k + 1], factor, digits[k]);
        }
    }
}

// schoolbook: {c, m + n - 1} = {x, m} {y, n}, one sum of products of blocks after the other.
static void schoolbook(uint64_t *c, const uint64_t *x, size_t m, const uint64_t *y, size_t n) {
    for (size_t s = 0; s + 1 < m + n; s++, c += PRODUCT) {
        __m512i column[COLUMNS];
#pragma GCC unroll 10
        for (size_t k = 0; k < COLUMNS; k++) column[k] = _mm512_setzero_si512();
        const size_t end = s < m ? s + 1 : m;
        for (size_t i = s < n ? 0 : s - n + 1; i < end; i++) {
            add_product(column, x + BLOCK * i, y + BLOCK * (s - i));
        }
#pragma GCC unroll 10
        for (size_t k = 0; k < COLUMNS; k++) store(c + 8 * k, column[k]);
    }
}

// add_halves: {r, h} = {x, h} + {x + h, n - h}, block by block; n is 2 h or 2 h - 1. A multiply-add
// by 1 adds the 52 bits of a word that count.
static void add_halves(uint64_t *r, const uint64_t *x, size_t h, size_t n) {
    const uint64_t *y = x + h * BLOCK;
    const __m512i one = _mm512_set1_epi64(1);
    for (size_t j = h; j < n; j++, r += BLOCK, x += BLOCK, y += BLOCK) {
        __m512i carry = _mm512_setzero_si512();
#pragma GCC unroll 5
        for (size_t k = 0; k < DIGITS; k++) {
            const __m512i sum = _mm512_madd52lo_epu64(
                _mm512_madd52lo_epu64(carry, load(x + 8 * k), one), load(y + 8 * k), one);
            store(r + 8 * k, sum);
            carry = _mm512_srli_epi64(sum, BITS);
        }
    }
    if (n < 2 * h) memcpy(r, x, BLOCK * sizeof *r);
}

// multiply: {c, 2 n - 1} = {x, n} {y, n}. Karatsuba's step: with x = x1 X^h + x0, y = y1 X^h + y0,
//   x y = high X^2h + ((x0 + x1) (y0 + y1) - low - high) X^h + low.
// d is the upper half of low minus the lower half of high: where the middle meets them, both halves
// of it get d, with either sign.
static void multiply(uint64_t *c, const uint64_t *x, const uint64_t *y, size_t n, uint64_t *ws) {
    if (n < KARATSUBA_FROM) {
        schoolbook(c, x, n, y, n);
        return;
    }
    const size_t h = (n + 1) / 2, half = h * PRODUCT;
    const size_t high_upper = (2 * (n - h) - 1 - h) * PRODUCT;  // columns of high above its half
    uint64_t *const high = c + 2 * half, *const xs = ws, *const ys = xs + h * BLOCK;
    uint64_t *const middle = ys + h * BLOCK, *const rest = middle + 2 * half;
    add_halves(xs, x, h, n);
    add_halves(ys, y, h, n);
    multiply(middle, xs, ys, h, rest);
    multiply(c, x, y, h, rest);
    multiply(high, x + h * BLOCK, y + h * BLOCK, n - h, rest);
    clear(high - PRODUCT);
    clear(middle + 2 * half - PRODUCT);
    for (size_t k = 0; k < half; k += LIMBS_LANES) {
        const __m512i d = sub(load(c + half + k), load(high + k));
        __m512i upper = sub(load(middle + half + k), d);
        if (k < high_upper) upper = sub(upper, load(high + half + k));
        store(c + half + k, add(sub(load(middle + k), load(c + k)), d));
        store(high + k, upper);
    }
}

// settle carries from column to column within the upper half of each product, so that they do not
// grow too large when they join the next product.
static void settle(uint64_t *c, size_t products) {
    const __m512i mask = _mm512_set1_epi64(((int64_t)1 << BITS) - 1);
    for (; products > 0; products--, c += PRODUCT) {
        __m512i carry = _mm512_setzero_si512();
#pragma GCC unroll 5
        for (size_t k = DIGITS; k < COLUMNS; k++) {
            const __m512i sum = add(load(c + 8 * k), carry);
            store(c + 8 * k, k + 1 < COLUMNS ? _mm512_and_si512(sum, mask) : sum);
            carry = _mm512_srai_epi64(sum, BITS);
        }
    }
}

void limbs_lanes_mul(uint64_t *const *rp, const uint64_t *const *ap, size_t an,
                     const uint64_t *const *bp, size_t bn, uint64_t *ws) {
    assert(1 <= an && an <= LIMBS_LANES_MAX && 1 <= bn && bn <= LIMBS_LANES_MAX);
    const size_t a_blocks = blocks_of(an), b_blocks = blocks_of(bn);
    const size_t longer = a_blocks > b_blocks ? a_blocks : b_blocks;
    const size_t shorter = a_blocks + b_blocks - longer;
    // Lengths that differ little are made equal by zeros on top, for Karatsuba's step.
    const bool equal =
        shorter == longer || (shorter >= KARATSUBA_FROM && 4 * shorter >= 3 * longer);
    const size_t m = equal ? longer : a_blocks, n = equal ? longer : b_blocks;
    uint64_t *const x = ws, *const y = x + BLOCK * m, *const c = y + BLOCK * n;
    uint64_t *const top = c + PRODUCT * (m + n - 1);
    read_numbers(x, ap, an);
    read_numbers(y, bp, bn);
    if (a_blocks < m) memset(x + BLOCK * a_blocks, 0, BLOCK * (m - a_blocks) * sizeof *x);
    if (b_blocks < n) memset(y + BLOCK * b_blocks, 0, BLOCK * (n - b_blocks) * sizeof *y);
    if (equal) {
        multiply(c, x, y, n, top + PRODUCT);
    } else {
        schoolbook(c, x, m, y, n);
    }
    clear(top);
    if (shorter >= KARATSUBA_FROM) settle(c, m + n - 1);
    write_numbers(rp, an + bn, c);
}

#endif
