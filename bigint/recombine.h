// recombine.h: from the planes of a convolution to limbs or decimal digits: coefficients and
// carries, in parallel ranges that are joined at the end. Internal to bigint/; the one place where
// fft/ and carry/ meet.
#ifndef BIGINT_RECOMBINE_H_
#define BIGINT_RECOMBINE_H_

#include <stddef.h>
#include <stdint.h>

#include "fft/fft.h"

// recombine_limbs: {rp, rn} = sum c_i 2^(w i), i < coefficients, w = the plan's digit bits.
// Requires: the value is below 2^(64 rn); coefficients w >= 64 (rn - 1); rp overlaps no plane.
// Cost: one pass over the planes; a carry that ripples through whole ranges costs one more over the
// limbs.
void recombine_limbs(uint64_t *rp, uint64_t rn, const fft_convolution *c, uint64_t coefficients);

// recombine_decimal: digits d_i < 10^k, i < coefficients, with sum d_i 10^(k i) = sum c_i 10^(k i).
// Requires: the value is below 10^(k coefficients).
void recombine_decimal(uint64_t *digits, const fft_convolution *c, uint64_t coefficients,
                       unsigned k);

#endif  // BIGINT_RECOMBINE_H_
