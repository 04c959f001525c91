// modarith.h: integers modulo a word-sized prime, plainly. For tables, constants and references,
// not for inner loops. May include word.h.
#ifndef PRIMITIVES_WORDS_MODARITH_H_
#define PRIMITIVES_WORDS_MODARITH_H_

#include <stdint.h>

#include "primitives/words/word.h"

// a b mod p. Requires: p > 0.
static inline uint64_t mod_mul(uint64_t a, uint64_t b, uint64_t p) {
    return (uint64_t)((word_pair)a * b % p);
}

// a^e mod p. Requires: p > 1.
static inline uint64_t mod_pow(uint64_t a, uint64_t e, uint64_t p) {
    uint64_t r = 1;
    for (a %= p; e != 0; e >>= 1) {
        if (e & 1) {
            r = mod_mul(r, a, p);
        }
        a = mod_mul(a, a, p);
    }
    return r;
}

// 1 / a mod p by Fermat. Requires: p prime, a not 0 mod p.
static inline uint64_t mod_inverse(uint64_t a, uint64_t p) { return mod_pow(a, p - 2, p); }

// The representative of a in (-p/2, p/2]. Requires: a < p < 2^63.
static inline int64_t mod_balance(uint64_t a, uint64_t p) {
    return a > p / 2 ? (int64_t)a - (int64_t)p : (int64_t)a;
}

#endif  // PRIMITIVES_WORDS_MODARITH_H_
