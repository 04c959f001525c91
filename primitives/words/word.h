// word.h: arithmetic of single 64-bit words. May include host_device.h and the C library; host and
// device code, except word_clz and word_ctz.
#ifndef PRIMITIVES_WORDS_WORD_H_
#define PRIMITIVES_WORDS_WORD_H_

#include <stdint.h>

#include "primitives/words/host_device.h"

// The double-width word; __extension__ because ISO C has no name for it.
__extension__ typedef unsigned __int128 word_pair;

// word_mul: hi 2^64 + lo = a b.
static HOST_DEVICE uint64_t word_mul(uint64_t *hi, uint64_t a, uint64_t b) {
    word_pair t = (word_pair)a * b;
    *hi = (uint64_t)(t >> 64);
    return (uint64_t)t;
}

// word_add: a + b + carry; carry is 0 or 1 before and after.
static HOST_DEVICE uint64_t word_add(uint64_t a, uint64_t b, uint64_t *carry) {
    uint64_t s = a + b, c = s < a;
    uint64_t r = s + *carry;
    *carry = c | (r < s);  // both cannot happen: if a + b wrapped, s <= 2^64 - 2
    return r;
}

// word_sub: a - b - borrow; borrow is 0 or 1 before and after.
static HOST_DEVICE uint64_t word_sub(uint64_t a, uint64_t b, uint64_t *borrow) {
    uint64_t d = a - b, c = a < b;
    uint64_t r = d - *borrow;
    *borrow = c | (d < *borrow);  // both cannot happen: if a - b wrapped, d >= 1
    return r;
}

// word_clz, word_ctz: zero bits above the top, below the lowest one bit. Requires: x != 0.
static inline unsigned word_clz(uint64_t x) { return (unsigned)__builtin_clzll(x); }
static inline unsigned word_ctz(uint64_t x) { return (unsigned)__builtin_ctzll(x); }

// word_ceil_div: the least q with q b >= a. Requires: b > 0.
static HOST_DEVICE uint64_t word_ceil_div(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

#endif  // PRIMITIVES_WORDS_WORD_H_
