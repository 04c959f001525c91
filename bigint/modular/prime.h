// prime.h: the two strong tests of primality, and what a device does for them. Internal to
// bigint/; may include residues.h.
#ifndef BIGINT_MODULAR_PRIME_H_
#define BIGINT_MODULAR_PRIME_H_

#include "bigint/core/context.h"
#include "bigint/modular/residues.h"

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

// prime_selfridge: *magnitude = |D|, or 0 where the search shows x to be composite
// (prime_selfridge.c). Cost: a division by a word for each D; one root where many fail.
bigint_status prime_selfridge(bigint_ctx *ctx, const char *who, const odd_number *x,
                              uint64_t *magnitude);
// prime_parameter: {rp, n} = unit / Q - 2 unit for the Q of |D|: P' = 1 / Q - 2 for 1, its form
// for that of 1; {rp, n + 1} has room. False: x is composite. Cost: O(n).
bool prime_parameter(const limbs_ops *ops, uint64_t *rp, const uint64_t *unit, const odd_number *x,
                     uint64_t magnitude);

// What is before and after the long way of one number's test, on residues that are no forms; {..,
// n}. prime_base_2_shift, prime_lucas_shift: bits of the number below those of the exponents d,
// and e with d = 2 e + 1.
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

// --- On a device (device/prime.c) ----------------------------------------------------------------

// device_candidates: *view = the numbers of a span in device memory, in host memory on the
// arena, with the gaps between them. Waits for the stream.
bigint_status device_candidates(bigint_ctx *ctx, const char *who, const bigint_span *n,
                                bigint_span *view);
// device_prime_test: passed[i] = whether number i passes the test, i < count, count >= 1; the
// numbers in host memory, of POWM_DEVICE_LIMBS_MAX limbs at most. The device computes a power, or
// V'(e) and V'(e + 1), of each, the host what is before and after that. Waits for the stream.
// Cost: bigint_powm_batch's for numbers as long as the longest, of Lucas's test twice that; copies
// of all, twice or three times to the device and once or twice back. Device memory beside the
// workspace: 3 times the numbers, of Lucas's test 5 times.
typedef bigint_status (*device_prime_test)(bigint_ctx *ctx, const char *who,
                                           const odd_number *numbers, uint64_t count,
                                           unsigned char *passed);
bigint_status device_strong_base_2(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                   uint64_t count, unsigned char *passed);
bigint_status device_strong_lucas(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                  uint64_t count, unsigned char *passed);

#endif  // BIGINT_MODULAR_PRIME_H_
