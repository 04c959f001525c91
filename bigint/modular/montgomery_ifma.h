// montgomery_ifma.h: Montgomery products in digits of 52 bits with AVX-512 IFMA. Internal to
// bigint/.
//
// A number is `digits` digits below 2^52 in vectors of eight, zeros above, 64-byte aligned:
// montgomery_ifma_words words. The modulus is replaced by a multiple M' = -1 mod 2^52. Each digit
// of the quotient then equals the digit it removes, and products need only M1 = (M' + 1) / 2^52.
#ifndef BIGINT_MODULAR_MONTGOMERY_IFMA_H_
#define BIGINT_MODULAR_MONTGOMERY_IFMA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/modular/montgomery_digits.h"

enum {
    MONTGOMERY_IFMA_BITS = MONTGOMERY_DIGIT_BITS,
    MONTGOMERY_IFMA_DIGITS_MAX = 160,
    MONTGOMERY_IFMA_SLACK = 4
};

// Whether this build has the code; the processor needs cpu_features.ifma too.
bool montgomery_ifma_built(void);

// Words of a number of up to MONTGOMERY_IFMA_DIGITS_MAX digits: eight for each vector, for one of
// the twelve numbers of vectors, 1 to 20, that fit in registers and are compiled.
size_t montgomery_ifma_words(size_t digits);

// montgomery_ifma_unpack: r = the digits of {ap, n} < 2^(52 digits), zeros above.
void montgomery_ifma_unpack(uint64_t *r, size_t digits, const uint64_t *ap, size_t n);
// montgomery_ifma_pack: {rp, n} = the number of the digits a, which fits.
void montgomery_ifma_pack(uint64_t *rp, size_t n, const uint64_t *a, size_t digits);

// montgomery_ifma_mul: r = a b / 2^(52 digits) mod M', below 2 M', for a, b < 4 M'.
// Requires: M' = 2^52 M1 - 1, 2^MONTGOMERY_IFMA_SLACK M' <= 2^(52 digits), 1 <= digits <=
//           MONTGOMERY_IFMA_DIGITS_MAX; r may be a or b.
// Cost:     4 digits words / 8 vector multiplications; at least one addition, one multiplication
//           and one move in sequence for each digit.
// Source:   [Montgomery85], [Orup95]; carries as in [GueronKrasnov12]. Bounds: docs/proofs/powm.md.
void montgomery_ifma_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m1,
                         size_t digits);
// montgomery_ifma_add: r = a + b < 2^(52 digits); r may be a or b. Cost: O(words).
void montgomery_ifma_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t digits);

#endif  // BIGINT_MODULAR_MONTGOMERY_IFMA_H_
