// symbol.c: see symbol.h. In this file bit 1 of `minus` is the sign.
#include "bigint/gcd/symbol.h"

#include <assert.h>

// of_two: bit 1 is set if (2 / b)^twos = -1: b is 3 or 5 modulo 8, and twos is odd.
static inline uint64_t of_two(uint64_t b, unsigned twos) { return (b ^ b >> 1) & twos << 1; }

// odd_words: of odd words. The difference, without its twos, replaces the larger word. If that is
// the lower one, they change places: (a / b) = (b / a), with the other sign if both are 3 modulo 4.
// x, y are a, b without their lowest bits, so that the difference has a sign.
static int odd_words(uint64_t a, uint64_t b, uint64_t minus) {
    uint64_t x = a >> 1, y = b >> 1;
    minus >>= 1;
    while (y != 0) {
        const uint64_t d = x - y, below = 0 - (d >> 63);
        if (__builtin_expect(d == 0, 0)) {
            return 0;
        }
        const unsigned twos = word_ctz(d) + 1;
        minus ^= x & y & below;
        y += d & below;
        x = ((d ^ below) - below) >> (twos - 1) >> 1;
        minus ^= twos & (y ^ y >> 1);
    }
    return (minus & 1) != 0 ? -1 : 1;
}

int symbol_words(uint64_t a, uint64_t b, unsigned minus) {
    assert(b % 2 == 1);
    if (a == 0) {
        return b != 1 ? 0 : minus != 0 ? -1 : 1;
    }
    const unsigned twos = word_ctz(a);
    return odd_words(a >> twos, b, (uint64_t)minus << 1 ^ of_two(b, twos));
}

int symbol_pairs(word_pair a, word_pair b, unsigned minus) {
    assert(b % 2 == 1);
    uint64_t sign = (uint64_t)minus << 1;
    if ((uint64_t)a == 0) {  // 64 twos are an even number of them
        a >>= 64;
    }
    if (a != 0) {
        const unsigned twos = word_ctz((uint64_t)a);
        a >>= twos;
        sign ^= of_two((uint64_t)b, twos);
    }
    while ((uint64_t)((a | b) >> 64) != 0 && a != 0) {
        const uint64_t both = (uint64_t)a & (uint64_t)b;
        uint64_t below;
        const unsigned twos = odd_pair_step(&a, &b, &below);
        sign ^= (both & below) ^ of_two((uint64_t)b, twos);
    }
    return b >> 64 != 0 ? 0 : symbol_words((uint64_t)a, (uint64_t)b, (unsigned)(sign >> 1 & 1));
}
