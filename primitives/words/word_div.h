// word_div.h: division by one word that stays the same: by its reciprocal, with two multiplications
// and no division. May include word.h; what divides is host and device code.
#ifndef PRIMITIVES_WORDS_WORD_DIV_H_
#define PRIMITIVES_WORDS_WORD_DIV_H_

#include <assert.h>
#include <stdbool.h>

#include "primitives/words/word.h"

// word_divisor: d 2^shift with its top bit set, and floor((2^128 - 1) / (d 2^shift)) - 2^64.
typedef struct {
    uint64_t normalized, reciprocal;
    unsigned shift;
} word_divisor;

// word_reciprocal: floor((2^128 - 1) / d) - 2^64 = floor((2^128 - 1 - 2^64 d) / d), whose dividend
// has the upper word ~d.
// Requires: d >= 2^63, so that ~d < d: the quotient is a word.
static inline uint64_t word_reciprocal(uint64_t d) {
    assert(d >> 63 == 1);
#if defined(__x86_64__)  // compilers call a function for two words by one
    uint64_t quotient = UINT64_MAX, rest = ~d;
    __asm__("divq %[d]" : "+a"(quotient), "+d"(rest) : [d] "r"(d) : "cc");
    return quotient;
#else
    return (uint64_t)(((word_pair)~d << 64 | UINT64_MAX) / d);
#endif
}

// Requires: d > 0. Cost: one division.
static inline word_divisor word_divisor_of(uint64_t d) {
    const unsigned shift = word_clz(d);
    return (word_divisor){d << shift, word_reciprocal(d << shift), shift};
}

// word_div_step: the quotient of u1 2^64 + u0 by d.normalized, the remainder in *r.
// Requires: u1 < d.normalized. [MollerGranlund11], algorithm 4: the first estimate is one too large
// or exact or, rarely, one too small; proof: docs/proofs/schoolbook.md.
static HOST_DEVICE uint64_t word_div_step(uint64_t *r, uint64_t u1, uint64_t u0,
                                          const word_divisor *d) {
    assert(u1 < d->normalized);
    const word_pair q = (word_pair)d->reciprocal * u1 + ((word_pair)u1 << 64 | u0);
    uint64_t q1 = (uint64_t)(q >> 64) + 1;
    uint64_t rest = u0 - q1 * d->normalized;
    const uint64_t if_too_large = rest + d->normalized;  // beside the question, not after it
    const bool too_large = rest > (uint64_t)q;
    q1 -= too_large;
    rest = too_large ? if_too_large : rest;
    if (rest >= d->normalized) {  // rare
        q1++;
        rest -= d->normalized;
    }
    assert(rest < d->normalized);
    *r = rest;
    return q1;
}

// word_shift_in: the word above position 0 of (high 2^64 + low) 2^shift, 0 <= shift < 64.
static HOST_DEVICE uint64_t word_shift_in(uint64_t high, uint64_t low, unsigned shift) {
    return high << shift | low >> 1 >> (63 - shift);
}

#endif  // PRIMITIVES_WORDS_WORD_DIV_H_
