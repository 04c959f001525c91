// prime.h: the two strong tests of primality, and what a device does for them. Internal to bigint/;
// may include residues.h.
#ifndef BIGINT_PRIME_H_
#define BIGINT_PRIME_H_

#include "bigint/context.h"
#include "bigint/residues.h"

// --- Tests (prime_strong.c) ----------------------------------------------------------------------

// prime_test: *passed = the numbers (bit k for number k) that the test does not show to be
// composite: a test of up to RESIDUES_MAX numbers above 1 together, where residues_in_lanes, or of
// one.
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

// --- On a device (device_prime.c) ----------------------------------------------------------------

// resident_candidates: *view = the numbers of a span in device memory, in host memory on the arena,
// with the gaps between them. Waits for the stream.
bigint_status resident_candidates(bigint_ctx *ctx, const char *who, const bigint_span *n,
                                  bigint_span *view);
// resident_fermat: passed[i] = whether 2^(n - 1) = 1 modulo number i, i < count, count >= 1; the
// numbers in host memory, of POWM_DEVICE_LIMBS_MAX limbs at most. Waits for the stream.
// Cost: bigint_powm_batch's for numbers as long as the longest; copies of all twice to the device
// and once back. Device memory beside the workspace: 3 times the numbers.
bigint_status resident_fermat(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                              uint64_t count, unsigned char *passed);

#endif  // BIGINT_PRIME_H_
