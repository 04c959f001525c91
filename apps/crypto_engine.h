// crypto_engine.h: what cryptobench asks of an arithmetic: numbers in numbered registers and the
// few operations that schemes are made of, the same for the library and its rivals. Includes the C
// library only.
#ifndef APPS_CRYPTO_ENGINE_H_
#define APPS_CRYPTO_ENGINE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// CRYPTO_NONE: a quotient or remainder that nobody wants.
enum { CRYPTO_REGISTERS = 20, CRYPTO_NONE = CRYPTO_REGISTERS };

// crypto_engine: open gives one thread's registers, all 0, or NULL; the others return false if they
// failed. Numbers are not negative but for what sub leaves, which only add and div may be given;
// div rounds such that 0 <= remainder < divisor. Any register may be both operand and result; q and
// r differ.
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
    // r = 1 if n is a probable prime by a test of the engine's own, else 0; NULL: it takes steps.
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
// OpenSSL's libcrypto, constant-time powers where exponents are secret; NULL where it was not there
// when this was built.
const crypto_engine *crypto_openssl(void);
// The same with its own test of primality, which is no BPSW.
const crypto_engine *crypto_openssl_prime(void);

#endif  // APPS_CRYPTO_ENGINE_H_
