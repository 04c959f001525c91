// bigint_gcd.h: greatest common divisors, cofactors, inverses. Include bigint.h: it has the rules
// and includes this header.
//
// Numbers may have any size and sign; the results say theirs. For devices and groups the host
// computes these calls.
//
// Cost of a gcd of n limbs: O(n^2) below some 150 limbs, O(M(n) log n) from there on, M(n) the cost
// of a product; operands of different lengths take a division first. The running time depends on
// the values: do not use these calls with secrets.
#ifndef BIGINT_BIGINT_GCD_H_
#define BIGINT_BIGINT_GCD_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_gcd: g = the greatest common divisor of a and b, g >= 0; gcd(0, 0) = 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_gcd(bigint_ctx *ctx, bigint *g, const bigint *a,
                                                      const bigint *b);
// bigint_gcd_u64: *g = gcd(|a|, b). Errors: ERANGE for b = 0 and |a| >= 2^64.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_gcd_u64(bigint_ctx *ctx, uint64_t *g,
                                                          const bigint *a, uint64_t b);

// bigint_gcdext: g = gcd(a, b) = s a + t b. g, s and t may be NULL if not wanted; they are
// different objects (EINVAL). The cofactors are the least ones: |s| < |b| / (2 g) and
// |t| < |a| / (2 g), which leaves one choice. Where that is impossible:
//   |a| = |b|, or a = 0             s = 0, t = the sign of b
//   b = 0, or |b| = 2 g             s = the sign of a
//   |a| = 2 g                       t = the sign of b
// These are the cofactors of GMP's mpz_gcdext. Cost: as bigint_gcd, and products for the cofactor;
// t, or s where a is shorter than b, takes a product and a division more.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_gcdext(bigint_ctx *ctx, bigint *g, bigint *s,
                                                         bigint *t, const bigint *a,
                                                         const bigint *b);

// bigint_lcm: r = the least common multiple of a and b, r >= 0; 0 if one of them is 0.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_lcm(bigint_ctx *ctx, bigint *r, const bigint *a,
                                                      const bigint *b);

// bigint_invert: r a = 1 mod |modulus|, 0 <= r < |modulus| (0 for |modulus| = 1). *exists says
// whether there is an inverse; if not, r keeps its value. exists may be NULL: then a missing
// inverse is EINVAL. Errors: EINVAL for modulus 0. For several inverses at once:
// bigint_invmod_batch. Cost: as bigint_gcdext without t.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_invert(bigint_ctx *ctx, int *exists, bigint *r,
                                                         const bigint *a, const bigint *modulus);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_GCD_H_
