// bigint_division.h: quotients and roots. Include bigint.h: it has the rules and includes this
// header.
//
// M(n) is the cost of an n-limb product. Operands must be on the context's place (EPLACE). For
// groups the host computes all of these calls. Workspace: bigint_call_workspace_bytes
// (bigint_plan.h).
#ifndef BIGINT_BIGINT_DIVISION_H_
#define BIGINT_BIGINT_DIVISION_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_divrem: a = q d + r with |r| < |d|; r is zero or has the sign of a (like C's / and %). q,
// r or both may be NULL if not wanted. Errors: EINVAL for d = 0. Cost: O(M(n)) for large n.
// On a device the call waits for the length of d and enqueues the rest; a quotient alone, by a
// divisor of 2^23 bits and more, waits once more, for what tells whether the remainder is needed,
// which is unlikely unless d divides a or nearly does. Long divisions and roots whose lengths came
// before run as a CUDA graph, without a cap or checks: the context keeps up to twelve, with memory
// of their own, each up to 1/512 of the device's, until bigint_ctx_trim. The call allocates its
// results, and for long operands integers of its own for the time of the call, some three times the
// divisor's memory and five times the quotient's, which count against options.max_workspace_bytes.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r,
                                                         const bigint *a, const bigint *d);
// bigint_div_prep: a divisor kept with its reciprocal, for many divisions; immutable, and shared by
// any contexts of the place.
typedef struct bigint_div_prep bigint_div_prep;
// bigint_div_prep_create prepares d, for quotients of up to quotient_limbs limbs at a time; 0: as
// many as d has. It does not depend on d afterwards. It may outlive the context that made it:
// destroy it through a context with the same allocator. Errors: EINVAL for d = 0; *out is then
// NULL, as on every failure. Cost: the reciprocal of quotient_limbs limbs and two transforms.
// Memory: some ten times d's, which does not count as workspace; short divisors are copied. On a
// device it waits for the stream, so that every stream may use the result; a cap leaves out the
// transforms.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_div_prep_create(bigint_ctx *ctx,
                                                                  bigint_div_prep **out,
                                                                  const bigint *d,
                                                                  uint64_t quotient_limbs);
// bigint_divrem_prep: bigint_divrem by a prepared divisor: the same results, for dividends of any
// length. Longer quotients take several steps. A context with another variant gains nothing from
// the reciprocal. On a device it waits only where bigint_divrem waits for a quotient alone.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divrem_prep(bigint_ctx *ctx, bigint *q, bigint *r,
                                                              const bigint *a,
                                                              const bigint_div_prep *d);
// bigint_div_prep_destroy frees a prepared divisor; prep NULL is allowed. On a device the memory is
// freed in the order of ctx's stream, so first call bigint_sync on the other contexts that used it.
// If ctx is on another place, nothing is freed, and bigint_ctx_error says so.
BIGINT_API void bigint_div_prep_destroy(bigint_ctx *ctx, bigint_div_prep *prep);

// bigint_fdiv: q = a / d rounded down, r = a - q d: zero, or of d's sign. bigint_cdiv: q = a / d
// rounded up, r = a - q d: zero, or of the sign opposite to d's. q, r or both may be NULL. Errors:
// EINVAL for d = 0. Cost: as bigint_divrem. On a device these calls, and those below that divide by
// d, wait for the signs of remainder and divisor.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fdiv(bigint_ctx *ctx, bigint *q, bigint *r,
                                                       const bigint *a, const bigint *d);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cdiv(bigint_ctx *ctx, bigint *q, bigint *r,
                                                       const bigint *a, const bigint *d);
// bigint_mod: r = a mod |d|, 0 <= r < |d|. Errors: EINVAL for d = 0. Cost: as bigint_divrem.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_mod(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *d);
// bigint_divexact: q = a / d, where d divides a. Errors: EINVAL for d = 0, and if d does not divide
// a. Cost: as bigint_divrem. On a device the call waits twice, for the length of d and the
// remainder.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divexact(bigint_ctx *ctx, bigint *q,
                                                           const bigint *a, const bigint *d);
// bigint_divisible: *yes = 1 if a = k d for an integer k, else 0; d = 0 divides 0 alone.
// bigint_congruent: the same for a - b in place of a. Cost: as bigint_divrem.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divisible(bigint_ctx *ctx, int *yes,
                                                            const bigint *a, const bigint *d);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_congruent(bigint_ctx *ctx, int *yes,
                                                            const bigint *a, const bigint *b,
                                                            const bigint *d);

// By 2^bits, for any bits: bigint_fdiv_2exp: q = a / 2^bits rounded down, a shift of the two's
// complement. bigint_cdiv_2exp: rounded up. Rounded toward zero: bigint_tdiv_2exp
// (bigint_arithmetic.h). Cost: O(n). On a device and a group they wait for the sign of the
// remainder. The host computes the calls below, from copies of the lowest limbs alone.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fdiv_2exp(bigint_ctx *ctx, bigint *q,
                                                            const bigint *a, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cdiv_2exp(bigint_ctx *ctx, bigint *q,
                                                            const bigint *a, uint64_t bits);
// bigint_tdiv_r_2exp, bigint_fdiv_r_2exp, bigint_cdiv_r_2exp: r = a - q 2^bits for the quotient of
// that rounding. The second is a mod 2^bits, the lowest bits of the two's complement. Cost: O(n);
// a remainder of the sign opposite to a's takes bits / 64 limbs.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_tdiv_r_2exp(bigint_ctx *ctx, bigint *r,
                                                              const bigint *a, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fdiv_r_2exp(bigint_ctx *ctx, bigint *r,
                                                              const bigint *a, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_cdiv_r_2exp(bigint_ctx *ctx, bigint *r,
                                                              const bigint *a, uint64_t bits);
// bigint_divisible_2exp: *yes = 1 if 2^bits divides a, else 0. bigint_congruent_2exp: the same for
// a - b in place of a. Cost: O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_divisible_2exp(bigint_ctx *ctx, int *yes,
                                                                 const bigint *a, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_congruent_2exp(bigint_ctx *ctx, int *yes,
                                                                 const bigint *a, const bigint *b,
                                                                 uint64_t bits);

// bigint_sqrt: s = sqrt(a) rounded down, r = a - s^2, 0 <= r <= 2 s. s, r or both may be NULL if
// not wanted. Without r it is faster, unless a is a square or nearly one. Errors: EINVAL for a < 0.
// Cost: O(M(n)). On a device the call waits for the length, the sign and the top limbs of a and
// enqueues the rest; it allocates as bigint_divrem does.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a);
// bigint_rsqrt_fixed: r = 2^bits / sqrt(a), rounded: |r - 2^bits / sqrt(a)| <= 1/2 + 2^-36. So
// where the fraction is that close to 1/2, r may be either integer next to it, and places may
// differ.
// Errors: EINVAL for a <= 0; ERANGE if the result is too long. Cost: some 3 products of r's length.
// On a device the call waits for the length, the sign and the top limbs of a and enqueues the rest;
// it allocates as bigint_divrem does.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_rsqrt_fixed(bigint_ctx *ctx, bigint *r,
                                                              const bigint *a, uint64_t bits);
// bigint_root: s = the k-th root of a rounded toward zero, r = a - s^k, which is zero or has the
// sign of a. s and r may be NULL as for bigint_sqrt. Errors: EINVAL for k = 0, and for a < 0 with k
// even. Cost: O(M(n / k) log k) for s, O(M(n)) for r. On a device the call waits as
// bigint_sqrt does and, for k >= 3, once more for a limb of the root's fraction; it enqueues the
// rest, and allocates integers of some 20 times the root's memory and 6 times a's.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r,
                                                       const bigint *a, uint64_t k);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_DIVISION_H_
