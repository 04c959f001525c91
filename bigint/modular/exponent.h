// exponent.h: the windows of a long exponent. Internal to bigint/.
#ifndef BIGINT_MODULAR_EXPONENT_H_
#define BIGINT_MODULAR_EXPONENT_H_

#include <stdint.h>

// natural: a non-negative number; top limbs may be zero, n may be 0.
typedef struct {
    const uint64_t *p;
    uint64_t n;
} natural;

// exponent_window_bits: the longest window, in bits, for an exponent of this many bits and a table
// of up to `most` >= 1 odd powers. A window of w bits costs 2^(w - 1) products once and one product
// every w + 1 bits.
unsigned exponent_window_bits(uint64_t exponent_bits, uint64_t most);
// exponent_powers_most: how many powers of this many bytes a table may hold: as many as fit a
// quarter of the cap, and 1 GiB. For a modulus of 2^25 bits that is 256 powers, with a product
// every 10 bits instead of 17: 4 % more products. With one power it is a product every 2 bits.
uint64_t exponent_powers_most(uint64_t cap, uint64_t bytes);

// exponent_window: zeros of an exponent, and below them `length` bits whose number is 2 index + 1.
typedef struct {
    unsigned zeros, length;
    uint64_t index;
} exponent_window;
// exponent_window_next: below bit `left` > 0, of up to w bits: it begins and ends with a one bit.
// Of many zeros, or the last ones, length and index are 0.
exponent_window exponent_window_next(natural e, uint64_t left, unsigned w);
// exponent_powers: how many odd powers the windows of an exponent of `bits` bits need, at most
// 2^(w - 1). Public exponents are short and need fewer.
uint64_t exponent_powers(natural e, uint64_t bits, unsigned w);

#endif  // BIGINT_MODULAR_EXPONENT_H_
