// symbol.h: Jacobi's symbol of two numbers while a gcd reduces them, and that of words. Internal to
// bigint/. Proof: docs/proofs/gcd.md, section 6. Source: [Moller19].
#ifndef BIGINT_GCD_SYMBOL_H_
#define BIGINT_GCD_SYMBOL_H_

#include <stdint.h>

#include "primitives/words/word.h"

// gcd_symbol: two numbers modulo 4, which one of them is below in the symbol, and the sign that has
// been gathered. The number below is odd.
typedef struct {
    unsigned first, second, first_below, minus;
} gcd_symbol;

// gcd_symbol_step: the first number loses q times the second one; both stay above 0. The number
// below may change; sign and symbol together do not.
static inline void gcd_symbol_step(gcd_symbol *s, uint64_t q) {
    const unsigned x = s->first, y = s->second, low = (unsigned)q & 3, odd = y & 1;
    const unsigned both_three = (x & y) >> 1;                     // reciprocity
    const unsigned twice = y >> 1 & ((low & x >> 1) ^ low >> 1);  // (y / x - q y), y = 2 mod 4
    s->minus ^= s->first_below & (odd ? both_three : twice);
    s->first_below &= ~odd;
    s->first = (x - low * y) & 3;
}

static inline void gcd_symbol_swap(gcd_symbol *s) {
    *s = (gcd_symbol){s->second, s->first, s->first_below ^ 1, s->minus};
}

// gcd_symbol_step_at: the same for number i, 0 or 1, which loses q times the other one.
static inline void gcd_symbol_step_at(gcd_symbol *s, unsigned i, uint64_t q) {
    if (i == 1) {
        gcd_symbol_swap(s);
    }
    gcd_symbol_step(s, q);
    if (i == 1) {
        gcd_symbol_swap(s);
    }
}

// odd_pair_step: of odd a, b: b becomes the lesser one, and a what is left of the difference
// without its twos, or 0. *below is all ones if a was less. Returns the twos, or 64 less.
static inline unsigned odd_pair_step(word_pair *a, word_pair *b, uint64_t *below) {
    const word_pair d = *a - *b;
    const uint64_t low = (uint64_t)d, high = (uint64_t)(d >> 64), mask = 0 - (uint64_t)(*a < *b);
    *below = mask;
    *b += d & ((word_pair)mask << 64 | mask);
    if (__builtin_expect(low == 0, 0)) {
        const uint64_t rest = (high ^ mask) - mask;
        const unsigned twos = rest == 0 ? 0 : word_ctz(rest);
        *a = rest >> twos;
        return twos;
    }
    // The lower word is not 0, so that its complement carries nothing. It ends in 1 to 63 zeros.
    const uint64_t magnitude_low = (low ^ mask) - mask, magnitude_high = high ^ mask;
    const unsigned twos = word_ctz(low);
    *a = (word_pair)(magnitude_high >> twos) << 64 |
         (magnitude_low >> twos | magnitude_high << (64 - twos));
    return twos;
}

// symbol_words, symbol_pairs: (a / b), or the opposite where minus is 1; b odd. By subtraction and
// halving. Cost: some 0.7 steps a bit.
int symbol_words(uint64_t a, uint64_t b, unsigned minus);
int symbol_pairs(word_pair a, word_pair b, unsigned minus);

#endif  // BIGINT_GCD_SYMBOL_H_
