// half.h: half a gcd: the quotients that the upper half of two numbers determines, as one matrix.
// Internal to bigint/.
#ifndef BIGINT_GCD_HALF_H_
#define BIGINT_GCD_HALF_H_

#include "bigint/gcd/pair.h"

// half_gcd reduces the limbs of x from `low` on, n = x->n - low of them, n >= 2, until one of them
// is nearly as short as B^s, s = floor(n / 2) + 1, and x with them: x = M^-1 x. Both numbers {p +
// low, ...} stay at or above B^s if they were. *m is the unit matrix, with room for
// half_gcd_limbs(n) limbs, and stays it if no quotient is possible.
// Cost: O(M(n) log n); below the threshold O(n^2). Source: [Moller08]. Proof: docs/proofs/gcd.md,
// section 3. Errors: as bigint_mul_limbs; x is then lost.
static inline uint64_t half_gcd_limbs(uint64_t n) { return n - n / 2; }
// half_gcd_is_small: whether it takes steps of Lehmer alone, not two others. half_gcd_lengths_of:
// the first one's `low`, the limbs that it leaves at most, and `least`, s.
bool half_gcd_is_small(const gcd_run *run, uint64_t n);
typedef struct {
    uint64_t low, middle, least;
} half_gcd_lengths;
half_gcd_lengths half_gcd_lengths_of(uint64_t n);
bigint_status half_gcd(const gcd_run *run, gcd_pair *x, uint64_t low, gcd_matrix *m);

#endif  // BIGINT_GCD_HALF_H_
