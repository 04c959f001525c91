// estimate.h: limbs of quotients from the top limbs of dividend and divisor. B = 2^64. Internal to
// bigint/. Bounds: docs/proofs/division.md.
#ifndef BIGINT_DIVIDE_ESTIMATE_H_
#define BIGINT_DIVIDE_ESTIMATE_H_

#include <assert.h>

#include "primitives/words/word.h"
#include "primitives/words/word_div.h"

// reciprocal_3by2: floor((B^3 - 1) / (d1 B + d0)) - B for d1 >= B / 2 [MollerGranlund11, algorithm
// 6]. It uses masks instead of branches, which no processor could predict.
static inline uint64_t reciprocal_3by2(uint64_t d1, uint64_t d0) {
    uint64_t v = word_reciprocal(d1), p = d1 * v + d0;
    const uint64_t over = p < d0, twice = over & (p >= d1);
    v -= over + twice;
    p -= (d1 & (0 - over)) + (d1 & (0 - twice));
    uint64_t t1;
    const uint64_t t0 = word_mul(&t1, v, d0);
    p += t1;
    const uint64_t less = p < t1;
    const uint64_t much = less & (((word_pair)p << 64 | t0) >= ((word_pair)d1 << 64 | d0));
    return v - less - much;
}

// settle: the quotient is the candidate q + 1 with remainder *r, or q with remainder r_and_d if q +
// 1 is one too large; then the high word of r has wrapped past q0. Returns it, with the remainder
// in *r. It avoids the branch that compilers prefer, because that would be mispredicted half the
// time.
static inline uint64_t settle(word_pair *r, word_pair r_and_d, uint64_t q, uint64_t q0) {
    uint64_t high = (uint64_t)(*r >> 64), low = (uint64_t)*r;
    const uint64_t other_high = (uint64_t)(r_and_d >> 64), other_low = (uint64_t)r_and_d;
#if defined(__x86_64__)
    __asm__(
        "cmp %[q0], %[high]\n\t"
        "cmovae %[other_low], %[low]\n\t"
        "cmovae %[other_high], %[high]\n\t"
        "adc $0, %[q]"
        : [high] "+&r"(high), [low] "+&r"(low), [q] "+&r"(q)
        : [q0] "r"(q0), [other_high] "r"(other_high), [other_low] "r"(other_low)
        : "cc");
#else
    const uint64_t too_large = 0 - (uint64_t)(high >= q0);
    q += 1 + too_large;
    high ^= (high ^ other_high) & too_large;
    low ^= (low ^ other_low) & too_large;
#endif
    *r = (word_pair)high << 64 | low;
    return q;
}

// divide_3by2: the quotient of u2 B^2 + u1 B + u0 by d = d1 B + d0, the remainder in *r
// [MollerGranlund11, algorithm 5]. Requires u2 B + u1 < d; v = reciprocal_3by2(d1, d0).
static inline __attribute__((always_inline)) uint64_t divide_3by2(word_pair *r, uint64_t u2,
                                                                  uint64_t u1, uint64_t u0,
                                                                  uint64_t d1, uint64_t d0,
                                                                  uint64_t v) {
    const word_pair d = (word_pair)d1 << 64 | d0;
    assert(((word_pair)u2 << 64 | u1) < d);
    const word_pair q = (word_pair)v * u2 + ((word_pair)u2 << 64 | u1);
    uint64_t q1 = (uint64_t)(q >> 64);
    const uint64_t r1 = u1 - q1 * d1;
    const word_pair over = ((word_pair)r1 << 64 | u0) - (word_pair)d0 * q1;
    word_pair rem = over - d;
    q1 = settle(&rem, over, q1, (uint64_t)q);  // at most one too large ...
    if (__builtin_expect(rem >= d, 0)) {       // ... or, rarely, one too small
        q1++;
        rem -= d;
    }
    *r = rem;
    return q1;
}

#endif  // BIGINT_DIVIDE_ESTIMATE_H_
