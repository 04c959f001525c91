// scan.h: the carry of carry.h in parallel form: rounds without a carry chain, then one scan. The
// reference for the device kernels and an independent check of carry.c; products do not use it.
// Includes carry.h.
//
//   coefficients --release--> ... --release--> values of at most 2 R - 2 --scan--> digits
//
// A release round replaces every value t_i by (t_i mod R) + floor(t_(i-1) / R), all positions at
// once. Rounds end when no position can carry out more than 1; the carries are then a scan of the
// kill / propagate / generate states of the positions (monoid.h). Digits are unsigned.
#ifndef CARRY_SCAN_H_
#define CARRY_SCAN_H_

#include "carry/carry.h"

// Words of workspace for n coefficients.
size_t carry_scan_workspace_words(size_t n);

// As carry_pow2 and carry_pow10, with workspace. Cost: a few passes for every 64 words / log2(R).
size_t carry_scan_pow2(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                       unsigned w, uint64_t *ws);
void carry_scan_pow10(uint64_t *digits, carry_stream *s, const uint64_t *c, size_t n,
                      unsigned words, unsigned k, uint64_t *ws);

#endif  // CARRY_SCAN_H_
