// bits.h: integers on the host as limbs of their two's complement. Internal to bigint/bits.
#ifndef BIGINT_BITS_BITS_H_
#define BIGINT_BITS_BITS_H_

#include "bigint/core/integer.h"

// complement: reads the two's complement of a number limb by limb: the magnitude's limbs xor mask,
// plus a carry that starts as 1 for negative numbers.
typedef struct {
    const uint64_t *p;
    uint64_t n, mask, carry;
} complement;

static inline complement bits_of(const bigint *a) {
    const bool negative = a->sign_ < 0;
    return (complement){a->d_, a->n_, negative ? UINT64_MAX : 0, negative};
}

// bits_next: limb i; called once for each i from 0 on, which may go beyond the magnitude.
static inline uint64_t bits_next(complement *c, uint64_t i) {
    const uint64_t magnitude = i < c->n ? c->p[i] : 0;
    return word_add(magnitude ^ c->mask, 0, &c->carry);
}

#endif  // BIGINT_BITS_BITS_H_
