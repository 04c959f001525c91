// montgomery_lanes.h: Montgomery products of eight numbers at once, each modulo a number of its
// own, a lane of AVX-512 IFMA for each. Internal to bigint/.
//
// An element is eight numbers of `digits` digits below 2^52, digit i of lane k at [8 i + k]: 8
// digits words, 64-byte aligned. R = 2^(52 digits), at least 16 times each modulus, so that twice a
// product, or a product and a number, need no reduction before they are multiplied.
#ifndef BIGINT_MODULAR_MONTGOMERY_LANES_H_
#define BIGINT_MODULAR_MONTGOMERY_LANES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/modular/montgomery_digits.h"

enum {
    MONTGOMERY_LANES = 8,
    MONTGOMERY_LANES_BITS = MONTGOMERY_DIGIT_BITS,
    MONTGOMERY_LANES_DIGITS_MAX = 160
};

// montgomery_lanes: eight odd moduli M_k < 2^(52 digits - 4); a lane whose modulus is 0 holds
// zeros.
typedef struct {
    size_t digits;            // a multiple of 4, up to MONTGOMERY_LANES_DIGITS_MAX
    const uint64_t *modulus;  // an element
    const uint64_t *inverse;  // eight words: -1 / M_k mod 2^52, 64-byte aligned
    uint64_t *sums;  // workspace: montgomery_lanes_sums_words(digits) words, 64-byte aligned
} montgomery_lanes;

// Whether this build has the code; the processor needs cpu_features.ifma too.
bool montgomery_lanes_built(void);
// montgomery_lanes_digits: the digits for moduli of up to `bits` bits; may exceed the maximum.
static inline size_t montgomery_lanes_digits(uint64_t bits) {
    return (size_t)((bits + 4 + 4 * MONTGOMERY_LANES_BITS - 1) / (4 * MONTGOMERY_LANES_BITS) * 4);
}
static inline size_t montgomery_lanes_sums_words(size_t digits) { return 16 * digits; }

// montgomery_lanes_put: lane k of r = {ap, n} < 2^(52 digits). Cost: O(digits).
void montgomery_lanes_put(uint64_t *r, size_t digits, unsigned k, const uint64_t *ap, size_t n);
// montgomery_lanes_put_all: lane k of r = {ap[k], n[k]} for all eight k. montgomery_lanes_get_all:
// {rp[k], n[k]} = lane k of a, which fits. Pointers are valid where n[k] is 0, too. ws:
// montgomery_lanes_sums_words(digits) words, 64-byte aligned. Cost: O(digits), about as put.
void montgomery_lanes_put_all(uint64_t *r, size_t digits, const uint64_t *const *ap,
                              const size_t *n, uint64_t *ws);
void montgomery_lanes_get_all(uint64_t *const *rp, const size_t *n, const uint64_t *a,
                              size_t digits);
// montgomery_lanes_reduce: a = a mod M in every lane, for a < 2 M.
void montgomery_lanes_reduce(const montgomery_lanes *m, uint64_t *a);

// montgomery_lanes_mul: r = (a b / R mod M) 2^t + c in every lane, t = 1 in the lanes of `twice`,
// else 0; c = NULL: nothing is added. Up to a multiple of M: for a, b < 4 M the product is below
// 2 M, so r < 4 M.
// Requires: a, b < 4 M, c <= M, and not both twice and c in one lane. r may be a, b or both.
// Cost:     4 digits^2 vector multiplications, 3 digits^2 for a == b.
// Source:   [Montgomery85]. Bounds: docs/proofs/prime.md, section 3.
void montgomery_lanes_mul(const montgomery_lanes *m, uint64_t *r, const uint64_t *a,
                          const uint64_t *b, const uint64_t *c, unsigned twice);

// montgomery_lanes_swap exchanges a and b in the lanes of `which`.
void montgomery_lanes_swap(uint64_t *a, uint64_t *b, size_t digits, unsigned which);

#endif  // BIGINT_MODULAR_MONTGOMERY_LANES_H_
