// word_div.h: division by one word that stays the same: by its reciprocal, with two multiplications
// and no division. May include word.h; what divides is host and device code.
#ifndef PRIMITIVES_WORD_DIV_H_
#define PRIMITIVES_WORD_DIV_H_

#include <assert.h>
#include <stdbool.h>

#include "primitives/word.h"

// word_divisor: d 2^shift with its top bit set, and floor((2^128 - 1) / (d 2^shift)) - 2^64.
typedef struct {
    uint64_t normalized, reciprocal;
    unsigned shift;
} word_divisor;

// Requires: d > 0. Cost: one division.
static inline word_divisor word_divisor_of(uint64_t d) {
    const unsigned shift = word_clz(d);
    const uint64_t normalized = d << shift;
    const word_pair all_but_top = (word_pair)~normalized << 64 | UINT64_MAX;
    return (word_divisor){normalized, (uint64_t)(all_but_top / normalized), shift};
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

#endif  // PRIMITIVES_WORD_DIV_H_
