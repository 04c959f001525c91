// inverse.h: inverses of odd words modulo 2^64. Host code; includes the C library only.
#ifndef PRIMITIVES_WORDS_INVERSE_H_
#define PRIMITIVES_WORDS_INVERSE_H_

#include <stdint.h>

// word_inverse: 1 / a modulo 2^64. Requires: a odd. 3 a xor 2 is right to 5 bits. If a x =
// 1 - e for the first x, x (1 + e) (1 + e^2) (1 + e^4) (1 + e^8) a = 1 - e^16, and 2^80 divides
// e^16. The powers of e do not wait for x, unlike Newton's steps. [Hurchalla22]
static inline uint64_t word_inverse(uint64_t a) {
    uint64_t x = 3 * a ^ 2, e = 1 - a * x;
    for (unsigned step = 0; step < 3; step++) {
        x *= 1 + e;
        e *= e;
    }
    return x * (1 + e);
}

#endif  // PRIMITIVES_WORDS_INVERSE_H_
