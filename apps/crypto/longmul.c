// longmul.c: cryptobench's registers on this library. May include bigint.h and program.h.
#include "apps/crypto/longmul.h"

#include <stdlib.h>
#include <string.h>

#include "apps/crypto/engine.h"
#include "apps/program.h"

enum { LIMBS_MAX = 512 };

typedef struct {
    bigint_ctx *ctx;
    bigint x[CRYPTO_REGISTERS], spare;
} registers;

bool crypto_done(const bigint_ctx *ctx, bigint_status status) {
    if (status == BIGINT_ENOMEM) {
        program_no_memory("%s", bigint_ctx_error(ctx));
    }
    return status == BIGINT_OK;
}

static bool ok(const registers *s, bigint_status status) { return crypto_done(s->ctx, status); }

static void end(void *self) {
    registers *s = self;
    for (unsigned i = 0; i < CRYPTO_REGISTERS; i++) {
        bigint_clear(s->ctx, &s->x[i]);
    }
    bigint_clear(s->ctx, &s->spare);
    bigint_ctx_destroy(s->ctx);
    free(s);
}

static void *begin(void) {
    registers *s = program_memory(1, sizeof *s, "registers");
    const bigint_status status = bigint_ctx_create(&s->ctx, NULL, NULL);
    if (!ok(s, status)) {
        bigint_ctx_destroy(s->ctx);
        free(s);
        return NULL;
    }
    return s;
}

static bool set(void *self, unsigned r, const uint64_t *p, size_t n) {
    registers *s = self;
    return ok(s, bigint_set_limbs(s->ctx, &s->x[r], p, n, 1));
}

static bool equals(void *self, unsigned r, const uint64_t *p, size_t n) {
    registers *s = self;
    uint64_t limbs[LIMBS_MAX] = {0}, need = 0;
    return n <= LIMBS_MAX &&
           ok(s, bigint_get_limbs(s->ctx, limbs, LIMBS_MAX, &need, NULL, &s->x[r])) && need <= n &&
           memcmp(limbs, p, n * sizeof *p) == 0;
}

static bool powm(void *self, unsigned r, unsigned base, unsigned e, unsigned m, bool secret) {
    registers *s = self;
    (void)secret;
    return ok(s, bigint_powm(s->ctx, &s->x[r], &s->x[base], &s->x[e], &s->x[m]));
}

// The exponent's limbs are read out first, as one would keep a secret.
static bool powm_sec(void *self, unsigned r, unsigned base, unsigned e, unsigned m, bool secret) {
    registers *s = self;
    uint64_t limbs[LIMBS_MAX], need = 0;
    return !secret
               ? powm(self, r, base, e, m, false)
               : ok(s, bigint_get_limbs(s->ctx, limbs, LIMBS_MAX, &need, NULL, &s->x[e])) &&
                     ok(s, bigint_powm_sec(s->ctx, &s->x[r], &s->x[base], limbs, need, &s->x[m]));
}

static bool mul(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    return ok(s, bigint_mul(s->ctx, &s->x[r], &s->x[a], &s->x[b]));
}

static bool add(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    return ok(s, bigint_add(s->ctx, &s->x[r], &s->x[a], &s->x[b]));
}

static bool sub(void *self, unsigned r, unsigned a, unsigned b) {
    registers *s = self;
    return ok(s, bigint_sub(s->ctx, &s->x[r], &s->x[a], &s->x[b]));
}

// Adding one divisor corrects a negative remainder. Callers want only the remainder then.
static bool divide(void *self, unsigned q, unsigned r, unsigned a, unsigned d) {
    registers *s = self;
    int sign = 0;
    bigint *const rest = r == CRYPTO_NONE || r == d ? &s->spare : &s->x[r];
    if (!ok(s,
            bigint_divrem(s->ctx, q == CRYPTO_NONE ? NULL : &s->x[q], rest, &s->x[a], &s->x[d])) ||
        !ok(s, bigint_sign(s->ctx, &sign, rest)) ||
        (sign < 0 && !ok(s, bigint_add(s->ctx, rest, rest, &s->x[d])))) {
        return false;
    }
    if (r == d) {
        bigint_swap(rest, &s->x[r]);
    }
    return true;
}

static bool prime(void *self, unsigned r, unsigned n) {
    registers *s = self;
    int answer;
    return ok(s, bigint_probable_prime(s->ctx, &answer, &s->x[n])) &&
           ok(s, bigint_set_u64(s->ctx, &s->x[r], (uint64_t)answer));
}

static bool primes(void *self, unsigned char *answers, const uint64_t *p, size_t n, size_t count) {
    registers *s = self;
    const bigint_span numbers = {.p = (uint64_t *)p, .n = n, .stride = n, .count = count};
    return ok(s, bigint_probable_prime_batch(s->ctx, answers, &numbers));
}

const crypto_engine crypto_longmul = {"longmul", begin, end, set,    equals, powm,
                                      mul,       add,   sub, divide, NULL,   NULL};
const crypto_engine crypto_longmul_sec = {"longmul-sec", begin, end, set,    equals, powm_sec,
                                          mul,           add,   sub, divide, NULL,   NULL};
const crypto_engine crypto_longmul_prime = {
    "longmul-prime", begin, end, set, equals, powm, mul, add, sub, divide, prime, NULL};
const crypto_engine crypto_longmul_batch = {
    "longmul-batch", begin, end, set, equals, powm, mul, add, sub, divide, prime, primes};
