// check.h: the self-check of a product by residues modulo a random prime. Internal to bigint/.
#ifndef BIGINT_CORE_CHECK_H_
#define BIGINT_CORE_CHECK_H_

#include <stdbool.h>
#include <stdint.h>

// check_modulus_draw returns a prime drawn uniformly from [2^60, 2^61), from the system's random
// source or, if there is none, from the clock. Cost: tens of microseconds.
uint64_t check_modulus_draw(void);

// check_product: whether {rp, an + bn} == {ap, an} {bp, bn} modulo m.
// Requires: m a prime of check_modulus_draw
// Ensures:  true for a right product; a wrong one for fewer than (an + bn) 2^-54 of the primes
// Cost:     one read of the three numbers, nine multiplications for seven limbs
// Proof:    docs/proofs/check.md
bool check_product(uint64_t m, const uint64_t *rp, const uint64_t *ap, uint64_t an,
                   const uint64_t *bp, uint64_t bn);

// check_product_words: the same for numbers given as words that weigh radix^i.
// Cost: one read of the three numbers, a 128-bit division a word.
bool check_product_words(uint64_t m, uint64_t radix, const uint64_t *rp, const uint64_t *ap,
                         uint64_t an, const uint64_t *bp, uint64_t bn);

// check_residue: {p, n} modulo m. Requires m as check_product.
// Cost: one read of the number and a power of 2.
uint64_t check_residue(uint64_t m, const uint64_t *p, uint64_t n);

#endif  // BIGINT_CORE_CHECK_H_
