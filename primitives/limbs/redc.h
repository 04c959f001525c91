// redc.h: Montgomery products of few limbs in portable C, in registers where the number of limbs is
// known when a function is compiled; no branch depends on the numbers. May include word.h and
// limbs.h, which states what mul_redc ensures. B = 2^64. Proofs: docs/proofs/powm.md, 1.
#ifndef PRIMITIVES_LIMBS_REDC_H_
#define PRIMITIVES_LIMBS_REDC_H_

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// limbs_redc_less_word: t - p, and m more where that is negative; t, p < m. On x86-64 by a move,
// where compilers make masks, two instructions more to wait for, or a branch.
static inline uint64_t limbs_redc_less_word(uint64_t t, uint64_t p, uint64_t m) {
    uint64_t r = t + m - p;
#if defined(__x86_64__)
    __asm__("sub %[p], %[t]\n\tcmovae %[t], %[r]" : [t] "+&r"(t), [r] "+r"(r) : [p] "r"(p) : "cc");
    return r;
#else
    return r - (m & (0 - (uint64_t)(t >= p)));
#endif
}

// limbs_redc_less_pair: the same of two words.
static inline word_pair limbs_redc_less_pair(word_pair t, word_pair p, word_pair m) {
    const word_pair r = t + m - p;
#if defined(__x86_64__)
    uint64_t t0 = (uint64_t)t, t1 = (uint64_t)(t >> 64), r0 = (uint64_t)r;
    uint64_t r1 = (uint64_t)(r >> 64);
    __asm__(
        "sub %[p0], %[t0]\n\t"
        "sbb %[p1], %[t1]\n\t"
        "cmovae %[t0], %[r0]\n\t"
        "cmovae %[t1], %[r1]"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [r0] "+r"(r0), [r1] "+r"(r1)
        : [p0] "r"((uint64_t)p), [p1] "r"((uint64_t)(p >> 64))
        : "cc");
    return (word_pair)r1 << 64 | r0;
#else
    return r - (m & (0 - (word_pair)(t >= p)));
#endif
}

// limbs_redc_pair: {ap, 2} as one number.
static inline word_pair limbs_redc_pair(const uint64_t *ap) {
    return (word_pair)ap[1] << 64 | ap[0];
}

// limbs_mul_redc_word: mul_redc of one limb: inverse = 1 / m mod B, whose sign is the other one:
// with q = a b / m mod B the lower limbs of a b and q m are equal, and a b - q m is the difference
// of the upper ones times B, above -m B and below it. 3 products.
static inline uint64_t limbs_mul_redc_word(uint64_t a, uint64_t b, uint64_t m, uint64_t inverse) {
    assert(b < m);
    uint64_t high, multiple;
    const uint64_t low = word_mul(&high, a, b);
    word_mul(&multiple, low * inverse, m);
    return limbs_redc_less_word(high, multiple, m);
}

// limbs_mul_redc_pair: the same of two limbs, B^2 in place of B, which a quotient of two words at
// once makes faster than rows. 11 products.
static inline word_pair limbs_mul_redc_pair(word_pair a, word_pair b, word_pair m,
                                            word_pair inverse) {
    assert(b < m);
    const uint64_t x[2] = {(uint64_t)a, (uint64_t)(a >> 64)};
    const uint64_t y[2] = {(uint64_t)b, (uint64_t)(b >> 64)};
    const uint64_t z[2] = {(uint64_t)m, (uint64_t)(m >> 64)};
    uint64_t t[4], p[4];
    limbs_mul_2(t, x, y);
    const word_pair q = ((word_pair)t[1] << 64 | t[0]) * inverse;
    const uint64_t quotient[2] = {(uint64_t)q, (uint64_t)(q >> 64)};
    limbs_mul_2(p, quotient, z);
    return limbs_redc_less_pair((word_pair)t[3] << 64 | t[2], (word_pair)p[3] << 64 | p[2], m);
}

// limbs_redc_inverse_pair: 1 / m mod B^2 from 1 / m mod B.
static inline word_pair limbs_redc_inverse_pair(word_pair m, uint64_t inverse) {
    return inverse * (2 - m * inverse);
}

// limbs_mul_redc_rows: mul_redc of n limbs, 1 <= n <= LIMBS_REDC_FEW, a constant. A turn for each
// limb of a makes T = (T + a_i {bp, n} + q M) / B, n limbs and a carry. 2 n^2 + n products.
static inline __attribute__((always_inline)) void limbs_mul_redc_rows(
    uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const uint64_t *mp, uint64_t inverse,
    const size_t n) {
    uint64_t t[LIMBS_REDC_FEW] = {0}, less[LIMBS_REDC_FEW], top = 0, borrow = 0;
#pragma GCC unroll 6
    for (size_t i = 0; i < n; i++) {
        uint64_t carry = 0;
#pragma GCC unroll 6
        for (size_t j = 0; j < n; j++) {
            const word_pair s = (word_pair)ap[i] * bp[j] + t[j] + carry;
            t[j] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        }
        const uint64_t q = t[0] * inverse;
        word_pair s = (word_pair)q * mp[0] + t[0];  // its lower limb is zero
#pragma GCC unroll 6
        for (size_t j = 1; j < n; j++) {
            s = (word_pair)q * mp[j] + t[j] + (uint64_t)(s >> 64);
            t[j - 1] = (uint64_t)s;
        }
        s = (s >> 64) + carry + top;
        t[n - 1] = (uint64_t)s;
        top = (uint64_t)(s >> 64);
    }
#pragma GCC unroll 6
    for (size_t i = 0; i < n; i++) less[i] = word_sub(t[i], mp[i], &borrow);
    const uint64_t keep = top - borrow;  // all ones if T < M, else zero: T < 2 M
#pragma GCC unroll 6
    for (size_t i = 0; i < n; i++) rp[i] = less[i] ^ ((t[i] ^ less[i]) & keep);
}

// limbs_mul_redc_inline: mul_redc of n limbs, a constant.
static inline __attribute__((always_inline)) void limbs_mul_redc_inline(
    uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const uint64_t *mp, uint64_t inverse,
    const size_t n) {
    if (n == 1) {
        rp[0] = limbs_mul_redc_word(ap[0], bp[0], mp[0], -inverse);
    } else if (n == 2) {
        const word_pair m = limbs_redc_pair(mp);
        const word_pair r = limbs_mul_redc_pair(limbs_redc_pair(ap), limbs_redc_pair(bp), m,
                                                limbs_redc_inverse_pair(m, -inverse));
        rp[0] = (uint64_t)r;
        rp[1] = (uint64_t)(r >> 64);
    } else {
        limbs_mul_redc_rows(rp, ap, bp, mp, inverse, n);
    }
}

#endif  // PRIMITIVES_LIMBS_REDC_H_
