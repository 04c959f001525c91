// random_prime.c: see random_prime.h.
#define _POSIX_C_SOURCE 199309L
#include "bench/mul/random_prime.h"

#include <gmp.h>
#include <time.h>

uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t random_prime(void) {
    gmp_randstate_t random;
    gmp_randinit_default(random);
    gmp_randseed_ui(random, now_ns());
    mpz_t p;
    mpz_init(p);
    do {
        mpz_urandomb(p, random, 60);
        mpz_setbit(p, 60);
        mpz_nextprime(p, p);
    } while (mpz_sizeinbase(p, 2) > 61);
    const uint64_t prime = mpz_get_ui(p);
    mpz_clear(p);
    gmp_randclear(random);
    return prime;
}
