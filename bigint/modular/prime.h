// prime.h: the two strong tests of primality. Internal to bigint/.
#ifndef BIGINT_MODULAR_PRIME_H_
#define BIGINT_MODULAR_PRIME_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/modular/residues.h"

// --- Tests (prime_strong.c) ----------------------------------------------------------------------

// prime_test: *passed = the numbers (bit k for number k) that pass the test, so that it does not
// prove them composite. Tests one number, or up to RESIDUES_MAX numbers above 1 together if
// residues_in_lanes.
typedef bigint_status (*prime_test)(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                    unsigned count, unsigned *passed);
// prime_strong_base_2: n - 1 = d 2^s, d odd: 2^d = 1, or 2^(d 2^r) = -1 for an r < s.
// Cost: a squaring a bit of the longest number.
bigint_status prime_strong_base_2(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                  unsigned count, unsigned *passed);
// prime_strong_lucas: n + 1 = d 2^s, d odd: U(d) = 0, or V(d 2^r) = 0 for an r < s, of the Lucas
// sequences with P = 1, Q = (1 - D) / 4, D the first of 5, -7, 9, -11, ... with (D / n) = -1
// (method A of Selfridge). Squares, which have no D, do not pass.
// Cost: a squaring and a product a bit of the longest number, one division.
// Source: [BaillieWagstaff80]; derivation of the ladder: docs/proofs/prime.md.
bigint_status prime_strong_lucas(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                 unsigned count, unsigned *passed);

// prime_selfridge: *magnitude = |D|, or 0 if the search proves x composite (prime_selfridge.c).
// Cost: a division by a word for each D; one root if many fail.
bigint_status prime_selfridge(bigint_ctx *ctx, const char *who, const odd_number *x,
                              uint64_t *magnitude);
// prime_parameter: {rp, n} = unit / Q - 2 unit for the Q of |D|: P' = 1 / Q - 2 for 1, its form
// for that of 1; {rp, n + 1} has room. False: x is composite. Cost: O(n).
bool prime_parameter(const limbs_ops *ops, uint64_t *rp, const uint64_t *unit, const odd_number *x,
                     uint64_t magnitude);

// prime_jacobi: (a / m), m odd.
int prime_jacobi(uint64_t a, uint64_t m);

// prime_count_most: no fewer than the primes up to n, 2 <= n < 2^50: there are less than 1.25506
// n / ln n [RosserSchoenfeld62], and ln n >= 0.69314 (bits - 1); 1.25506 / 0.69314 < 1.811.
static inline uint64_t prime_count_most(uint64_t n) {
    return 1811 * n / (1000 * (uint64_t)(63 - word_clz(n)));
}

// prime_test_need: what either test needs for `count` numbers of n limbs at once, one or all lanes.
// prime_selfridge_need: prime_selfridge.
void prime_test_need(work_need *w, uint64_t n, unsigned count);
void prime_selfridge_need(work_need *w, uint64_t n);
// prime_ends_need: the steps before and after the main loop of one number's test.
void prime_ends_need(work_need *w, uint64_t n);

// --- One word (prime_word.c) ---------------------------------------------------------------------
// prime_word_base_2, prime_word_lucas: the same tests of an odd n > 1. prime_word: whether n is
// prime: divisions by the primes below 67, then both tests; no composite word passes them.
// Cost: a product modulo n a bit, 3 to 5, and those of both for a prime.
bool prime_word_base_2(uint64_t n);
bool prime_word_lucas(uint64_t n);
bool prime_word(uint64_t n);

// --- Parts of the tests --------------------------------------------------------------------------

// The steps before and after the main loop of one number's test, on residues that are not in
// Montgomery form; {.., n}. prime_base_2_shift, prime_lucas_shift: how many bits of the number lie
// below the exponents d, and e with d = 2 e + 1.
uint64_t prime_base_2_shift(const odd_number *x);
uint64_t prime_lucas_shift(const odd_number *x);
// prime_base_2_ends: *passes, from {yp} = 2^d.
bigint_status prime_base_2_ends(bigint_ctx *ctx, const char *who, const odd_number *x,
                                const uint64_t *yp, bool *passes);
// prime_lucas_begins: {pp, n + 1} = P' = 1 / Q - 2; *possible = false: x is composite.
bigint_status prime_lucas_begins(bigint_ctx *ctx, const char *who, const odd_number *x,
                                 uint64_t *pp, bool *possible);
// prime_lucas_ends: *passes, from {vp}, {wp} = V'(e), V'(e + 1), either way round.
bigint_status prime_lucas_ends(bigint_ctx *ctx, const char *who, const odd_number *x,
                               const uint64_t *pp, const uint64_t *vp, const uint64_t *wp,
                               bool *passes);

#endif  // BIGINT_MODULAR_PRIME_H_
