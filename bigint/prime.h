// prime.h: tests of primality: Montgomery forms of one number, or of eight at once, and the two
// strong tests above them. Internal to bigint/; may include montgomery.h and montgomery_lanes.h.
#ifndef BIGINT_PRIME_H_
#define BIGINT_PRIME_H_

#include "bigint/context.h"
#include "bigint/montgomery.h"
#include "bigint/montgomery_lanes.h"

// prime_number: an odd number above 1; p[n - 1] != 0.
typedef struct {
    const uint64_t *p;
    uint64_t n;
} prime_number;

enum { PRIME_GROUP_MAX = MONTGOMERY_LANES };

// prime_number_bits: the length in bits.
uint64_t prime_number_bits(const prime_number *x);

// --- Forms (prime_forms.c) -----------------------------------------------------------------------

// prime_forms: numbers that are tested together, as moduli. An element is `words` words, one
// residue for each of them, in Montgomery form and not reduced.
typedef struct {
    const prime_number *numbers;
    unsigned count;
    uint64_t limbs, words;    // limbs: of the longest number
    montgomery one;           // count = 1
    montgomery_lanes lanes;   // count > 1
    uint64_t *units, *spare;  // elements: the numbers 1, not their forms; workspace
} prime_forms;

// prime_forms_in_lanes: whether numbers of up to so many bits can be tested several at a time here.
bool prime_forms_in_lanes(const bigint_ctx *ctx, uint64_t bits);
// prime_forms_init takes the memory from the arena; the numbers must stay. count > 1 only where
// prime_forms_in_lanes.
bigint_status prime_forms_init(bigint_ctx *ctx, const char *who, prime_forms *f,
                               const prime_number *numbers, unsigned count);
// prime_forms_new: an element on the arena, zeros; NULL with the error recorded.
uint64_t *prime_forms_new(bigint_ctx *ctx, const char *who, const prime_forms *f);
// prime_forms_unit: {rp, n} = the form of 1 modulo number k. Cost: one division.
bigint_status prime_forms_unit(bigint_ctx *ctx, const char *who, const prime_forms *f, unsigned k,
                               uint64_t *rp);
// prime_forms_put: residue k of x is the one whose form is {ap, n}, below number k.
void prime_forms_put(const prime_forms *f, uint64_t *x, unsigned k, const uint64_t *ap);
// prime_forms_get: {rp + k f->limbs, n} = residue k of x, reduced, for all k.
bigint_status prime_forms_get(bigint_ctx *ctx, const prime_forms *f, uint64_t *rp,
                              const uint64_t *x);
// prime_forms_mul: r = 2 a b for the numbers in `twice`, a b + c for the others; c = NULL stands
// for 0. Requires: c is of prime_forms_put, and NULL unless twice is 0; r may be a or b.
bigint_status prime_forms_mul(bigint_ctx *ctx, const prime_forms *f, uint64_t *r, const uint64_t *a,
                              const uint64_t *b, const uint64_t *c, unsigned twice);
// prime_forms_swap exchanges a and b for the numbers in `which`.
void prime_forms_swap(const prime_forms *f, uint64_t *a, uint64_t *b, unsigned which);

// --- Tests (prime_strong.c) ----------------------------------------------------------------------

// prime_test: *passed = the numbers (bit k for number k) that the test does not show to be
// composite: a test of up to PRIME_GROUP_MAX numbers together, where prime_forms_in_lanes, or of
// one.
typedef bigint_status (*prime_test)(bigint_ctx *ctx, const char *who, const prime_number *numbers,
                                    unsigned count, unsigned *passed);
// prime_strong_base_2: n - 1 = d 2^s, d odd: 2^d = 1, or 2^(d 2^r) = -1 for an r < s.
// Cost: a squaring a bit of the longest number.
bigint_status prime_strong_base_2(bigint_ctx *ctx, const char *who, const prime_number *numbers,
                                  unsigned count, unsigned *passed);
// prime_strong_lucas: n + 1 = d 2^s, d odd: U(d) = 0, or V(d 2^r) = 0 for an r < s, of the Lucas
// sequences with P = 1, Q = (1 - D) / 4, D the first of 5, -7, 9, -11, ... with (D / n) = -1
// (method A of Selfridge). Squares, which have no D, do not pass.
// Cost: a squaring and a product a bit of the longest number, one division.
// Source: [BaillieWagstaff80]; derivation of the ladder: docs/proofs/prime.md.
bigint_status prime_strong_lucas(bigint_ctx *ctx, const char *who, const prime_number *numbers,
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
bigint_status resident_fermat(bigint_ctx *ctx, const char *who, const prime_number *numbers,
                              uint64_t count, unsigned char *passed);

#endif  // BIGINT_PRIME_H_
