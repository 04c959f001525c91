// bigint_number.h: number theory: powers, primes, symbols, and the numbers of combinatorics.
// Include bigint.h: it has the rules and includes this header.
#ifndef BIGINT_BIGINT_NUMBER_H_
#define BIGINT_BIGINT_NUMBER_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_powm: r = base^exponent mod |modulus|, 0 <= r < |modulus|. Any base; 0^0 = 1 (0 if
// |modulus| = 1). Errors: EINVAL for modulus 0 or exponent < 0. Cost: some 1.2 products modulo
// |modulus| for each bit of a long exponent. Memory: its windows' powers, which keep to a quarter
// of the cap and to 1 GiB. The running time depends on the values: do not use it with secrets.
// On a device it waits for the stream to read lengths and signs, for moduli beyond 16384 bits also
// the exponent, and enqueues the rest. For those it allocates integers of its own for the time of
// the call, some 14 times the modulus's memory and the windows' powers, which count against
// options.max_workspace_bytes.
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

// For devices and groups the host computes the calls below, except bigint_powm_u64. M(n) is the
// cost of a product with a result of n limbs, here that of the result. bigint_is_square,
// bigint_is_power and bigint_next_prime allocate an integer at each call.

// --- Powers --------------------------------------------------------------------------------------

// bigint_powm_u64: bigint_powm with a word for the exponent. Devices and groups make an integer of
// the word.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_powm_u64(bigint_ctx *ctx, bigint *r,
                                                           const bigint *base, uint64_t exponent,
                                                           const bigint *modulus);
// bigint_pow_u64: r = a^e, 0^0 = 1. bigint_u64_pow_u64: the same of a word. Errors: ERANGE if the
// power has more than 2^56 limbs. Cost: some 2 M(n). Peak memory: twice the result.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_pow_u64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, uint64_t e);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_u64_pow_u64(bigint_ctx *ctx, bigint *r,
                                                              uint64_t a, uint64_t e);
// bigint_is_square: *yes = 1 if a = x^2, else 0. bigint_is_power: *yes = 1 if a = x^k for an x and
// a k > 1 (so 0, 1 and -1 are powers), else 0. Cost: a square root; for powers a root for each
// prime up to the length in bits that can be an exponent.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_is_square(bigint_ctx *ctx, int *yes,
                                                            const bigint *a);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_is_power(bigint_ctx *ctx, int *yes,
                                                           const bigint *a);

// --- Primes and symbols --------------------------------------------------------------------------

// bigint_next_prime: r = the first number above a that passes bigint_probable_prime; 2 for a < 2.
// Cost: for long numbers some 0.04 tests a bit of a: candidates with small factors take none.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_next_prime(bigint_ctx *ctx, bigint *r,
                                                             const bigint *a);
// bigint_kronecker: *symbol = the Kronecker symbol (a / b): -1, 0 or 1. For odd b > 0 it is
// Jacobi's symbol, for a prime b > 2 Legendre's. Cost: as bigint_gcd.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_kronecker(bigint_ctx *ctx, int *symbol,
                                                            const bigint *a, const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_kronecker_u64(bigint_ctx *ctx, int *symbol,
                                                                const bigint *a, uint64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_kronecker_i64(bigint_ctx *ctx, int *symbol,
                                                                const bigint *a, int64_t b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_u64_kronecker(bigint_ctx *ctx, int *symbol,
                                                                uint64_t a, const bigint *b);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_i64_kronecker(bigint_ctx *ctx, int *symbol,
                                                                int64_t a, const bigint *b);

// --- Divisors ------------------------------------------------------------------------------------

// bigint_remove: r = a / f^k for the largest k with f^k | a, and *count = k; k = 0 where f is 1 or
// -1 or a is 0. count may be NULL. Errors: EINVAL for f = 0. Cost: some divisions of a by powers of
// f, O(M(n) log n). Peak memory: five times a.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_remove(bigint_ctx *ctx, bigint *r,
                                                         uint64_t *count, const bigint *a,
                                                         const bigint *f);
// bigint_lcm_u64: r = the least common multiple of a and b, r >= 0; 0 if one of them is 0. Cost:
// O(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_lcm_u64(bigint_ctx *ctx, bigint *r,
                                                          const bigint *a, uint64_t b);

// --- Combinatorics -------------------------------------------------------------------------------

// bigint_factorial: r = n!. bigint_multifactorial: r = n (n - step) (n - 2 step) ..., factors above
// 0; step 2 gives the double factorial n!!. bigint_primorial: r = the product of all primes up to
// n. Errors: EINVAL for step = 0; ENOMEM for results that no memory holds. Cost: O(M(n) log n);
// factorials by squares of odd parts and their prime factors. Memory: 2 bytes for each of n beside
// the result, for multifactorials 8 bytes a factor. Source: [Luschny], prime swing.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_factorial(bigint_ctx *ctx, bigint *r, uint64_t n);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_multifactorial(bigint_ctx *ctx, bigint *r,
                                                                 uint64_t n, uint64_t step);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_primorial(bigint_ctx *ctx, bigint *r, uint64_t n);
// bigint_binomial_u64: r = n over k; 0 for k > n. bigint_binomial: r = n (n - 1) ... (n - k + 1) /
// k!, for n < 0 that is (-1)^k (k - n - 1) over k. Cost: O(M(n) log n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_binomial_u64(bigint_ctx *ctx, bigint *r,
                                                               uint64_t n, uint64_t k);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_binomial(bigint_ctx *ctx, bigint *r,
                                                           const bigint *n, uint64_t k);
// bigint_fibonacci: r = F(n), and previous = F(n - 1) unless it is NULL; F(0) = 0, F(1) = 1, F(-1)
// = 1.
// bigint_lucas: the same for L(n) = F(n - 1) + F(n + 1); L(0) = 2, L(1) = 1, L(-1) = -1.
// Errors: EINVAL if both are the same integer; ERANGE, ENOMEM. Cost: two squares of half the length
// a doubling: some M(n).
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_fibonacci(bigint_ctx *ctx, bigint *r,
                                                            bigint *previous, uint64_t n);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_lucas(bigint_ctx *ctx, bigint *r,
                                                        bigint *previous, uint64_t n);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_NUMBER_H_
