// gmp.c: cryptobench's registers on GMP. May include gmp.h and program.h.
#include <gmp.h>
#include <stdlib.h>

#include "apps/crypto/engine.h"
#include "apps/program.h"

typedef struct {
    mpz_t x[CRYPTO_REGISTERS], spare;
} registers;

static void *begin(void) {
    registers *s = program_memory(1, sizeof *s, "registers");
    for (unsigned i = 0; i < CRYPTO_REGISTERS; i++) {
        mpz_init(s->x[i]);
    }
    mpz_init(s->spare);
    return s;
}

static void end(void *self) {
    registers *s = self;
    for (unsigned i = 0; i < CRYPTO_REGISTERS; i++) {
        mpz_clear(s->x[i]);
    }
    mpz_clear(s->spare);
    free(s);
}

static bool set(void *self, unsigned r, const uint64_t *p, size_t n) {
    registers *s = self;
    mpz_import(s->x[r], n, -1, sizeof *p, 0, 0, p);
    return true;
}

static bool equals(void *self, unsigned r, const uint64_t *p, size_t n) {
    registers *s = self;
    mpz_import(s->spare, n, -1, sizeof *p, 0, 0, p);
    return mpz_cmp(s->spare, s->x[r]) == 0;
}

static bool powm(void *self, unsigned r, unsigned base, unsigned e, unsigned m, bool secret) {
    registers *s = self;
    (void)secret;
    mpz_powm(s->x[r], s->x[base], s->x[e], s->x[m]);
    return true;
}

static bool mul(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    mpz_mul(s->x[r], s->x[a], s->x[b]);
    return true;
}

static bool add(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    mpz_add(s->x[r], s->x[a], s->x[b]);
    return true;
}

static bool sub(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    mpz_sub(s->x[r], s->x[a], s->x[b]);
    return true;
}

static bool divide(void *self, unsigned q, unsigned r, unsigned a, unsigned d) {
    registers *s = self;
    if (q == CRYPTO_NONE) {
        mpz_mod(s->x[r], s->x[a], s->x[d]);
    } else {
        mpz_fdiv_qr(s->x[q], r == CRYPTO_NONE ? s->spare : s->x[r], s->x[a], s->x[d]);
    }
    return true;
}

// In GMP 6.2 and later, 24 repetitions mean trial division and BPSW, without further bases.
static bool prime(void *self, unsigned r, unsigned n) {
    registers *s = self;
    mpz_set_ui(s->x[r], mpz_probab_prime_p(s->x[n], 24) != 0);
    return true;
}

const crypto_engine crypto_gmp = {"gmp", begin, end, set,    equals, powm,
                                  mul,   add,   sub, divide, NULL,   NULL};
const crypto_engine crypto_gmp_prime = {"gmp-prime", begin, end, set,    equals, powm,
                                        mul,         add,   sub, divide, prime,  NULL};
