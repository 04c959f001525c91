// engine.h: the interface of an arithmetic in cryptobench: numbered registers and the few
// operations that schemes need, the same for the library and its rivals. Includes the C library
// only.
#ifndef APPS_CRYPTO_ENGINE_H_
#define APPS_CRYPTO_ENGINE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// CRYPTO_NONE: a quotient or remainder that is not wanted.
enum { CRYPTO_REGISTERS = 20, CRYPTO_NONE = CRYPTO_REGISTERS };

// crypto_engine: open returns one thread's registers, all 0, or NULL. The others return false if
// they fail. Missing memory ends the program (program.h), as it says nothing about an engine. Only
// sub may leave a negative number, and only add and div accept one. div rounds so
// that 0 <= remainder < divisor. Any register may be both operand and result. q and r differ.
typedef struct {
    const char *name;
    void *(*open)(void);
    void (*close)(void *self);
    bool (*set)(void *self, unsigned r, const uint64_t *p, size_t n);
    bool (*equals)(void *self, unsigned r, const uint64_t *p, size_t n);
    bool (*powm)(void *self, unsigned r, unsigned base, unsigned e, unsigned m, bool secret);
    bool (*mul)(void *self, unsigned r, unsigned a, unsigned b);
    bool (*add)(void *self, unsigned r, unsigned a, unsigned b);
    bool (*sub)(void *self, unsigned r, unsigned a, unsigned b);
    bool (*div)(void *self, unsigned q, unsigned r, unsigned a, unsigned d);
    // r = 1 if n is a probable prime by the engine's own test, else 0. NULL: the engine takes
    // steps.
    bool (*prime)(void *self, unsigned r, unsigned n);
    // prime[i] = 1 or 0 for `count` numbers, one after the other at p, n limbs each; NULL: it takes
    // them one by one.
    bool (*primes)(void *self, unsigned char *prime, const uint64_t *p, size_t n, size_t count);
} crypto_engine;

// The library with bigint_powm; and with bigint_powm_sec for secret exponents.
extern const crypto_engine crypto_longmul, crypto_longmul_sec;
// The library's tests of primality alone, of one number and of a batch.
extern const crypto_engine crypto_longmul_prime, crypto_longmul_batch;
// GMP with mpz_powm; and with mpz_probab_prime_p, for tests of primality alone.
extern const crypto_engine crypto_gmp, crypto_gmp_prime;
// crypto_openssl_begin comes before any other use of OpenSSL.
void crypto_openssl_begin(void);
// Its name and version, or "no OpenSSL".
const char *crypto_openssl_version(void);
// OpenSSL's libcrypto, constant-time powers where exponents are secret; NULL if it was missing when
// this was built.
const crypto_engine *crypto_openssl(void);
// The same with its own primality test, which is not BPSW.
const crypto_engine *crypto_openssl_prime(void);

#endif  // APPS_CRYPTO_ENGINE_H_
