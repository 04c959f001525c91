// bigint_number.h: number theory: powers modulo a number, primes. Include bigint.h: it has the
// rules and includes this header.
#ifndef BIGINT_BIGINT_NUMBER_H_
#define BIGINT_BIGINT_NUMBER_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_powm: r = base^exponent mod |modulus|, 0 <= r < |modulus|. Any base; 0^0 = 1 (0 if
// |modulus| = 1). Errors: EINVAL for modulus 0 or exponent < 0. Cost: some 1.2 products modulo
// |modulus| for each bit of a long exponent. The running time depends on the values: do not use it
// with secrets. On a device it waits for the stream to read lengths and signs. For moduli beyond
// 33278 bits the host computes the power, with copies there and back.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm(bigint_ctx *ctx, bigint *r,
                                                       const bigint *base, const bigint *exponent,
                                                       const bigint *modulus);

// bigint_powm_sec: r = base^exponent mod |modulus|, the modulus odd, for a secret exponent of
// exponent_limbs limbs in host memory; top limbs may be zero.
// Promised: the instructions executed and the addresses read and written depend on base, modulus
// and exponent_limbs, and at the very end, where limbs become an integer, on the number of limbs of
// the result. They do not depend on the exponent.
// Not promised: that a single instruction takes the same time for all operands; protection against
// power, radiation or fault attacks; secrecy of base, modulus or result; wiped memory. Workspace
// and a device's staging buffers keep what was in them. Choose exponents of one length.
// Errors: EINVAL for an even modulus. Cost: 1.2 to 1.4 times bigint_powm's up to 129 limbs, beyond
// that n^2 for each product. On a device it waits for the stream, as bigint_powm does.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm_sec(bigint_ctx *ctx, bigint *r,
                                                           const bigint *base,
                                                           const bigint_limb *exponent,
                                                           uint64_t exponent_limbs,
                                                           const bigint *modulus);

// bigint_probable_prime: *prime = 1 if n passes the test of Baillie, Pomerance, Selfridge and
// Wagstaff, 0 if n is composite or below 2. Every prime passes. No composite number is known to
// pass, and none below 2^64 does. The test consists of divisions by small primes, the strong test
// to base 2, and the strong Lucas test with the parameters of Selfridge's method A. It is not
// random: for numbers chosen by an adversary, add tests to bases that the adversary cannot predict.
// Cost: for a prime, 3 products modulo n a bit. On a device it waits for the stream, and the host
// computes it.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_probable_prime(bigint_ctx *ctx, int *prime,
                                                                 const bigint *n);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_NUMBER_H_
