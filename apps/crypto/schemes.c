// schemes.c: see schemes.h: the steps of each scheme. Items are items.c's. May
// include schemes.h, items.h and program.h.
#include "apps/crypto/schemes.h"

#include <stdlib.h>
#include <string.h>

#include "apps/crypto/items.h"
#include "apps/program.h"

// --- Steps that schemes share --------------------------------------------------------------------

// recombine: r = the number below p q that is rp modulo p and rq modulo q; inverse = 1 / q mod p.
static bool recombine(const crypto_engine *e, void *s, unsigned r, unsigned rp, unsigned rq,
                      unsigned p, unsigned q, unsigned inverse) {
    return e->sub(s, r, rp, rq) && e->div(s, CRYPTO_NONE, r, r, p) && e->mul(s, r, r, inverse) &&
           e->div(s, CRYPTO_NONE, r, r, p) && e->mul(s, r, r, q) && e->add(s, r, r, rq);
}

// mulmod: r = a b mod m.
static bool mulmod(const crypto_engine *e, void *s, unsigned r, unsigned a, unsigned b,
                   unsigned m) {
    return e->mul(s, r, a, b) && e->div(s, CRYPTO_NONE, r, r, m);
}

static bool is_one(const crypto_engine *e, void *s, unsigned r) {
    const uint64_t one = 1;
    return e->equals(s, r, &one, 1);
}

// --- RSA (RFC 8017) ------------------------------------------------------------------------------
// Signing by the Chinese remainder theorem: the padded message, p, q, d mod p - 1, d mod q - 1,
// 1 / q mod p.

static bool rsa_sign(const crypto_engine *e, void *s, const crypto_number *inputs) {
    (void)inputs;
    return recombine(e, s, 8, 6, 7, 1, 2, 5);
}

// --- Paillier ------------------------------------------------------------------------------------
// [Paillier99] with g = 1 + n: g^m = 1 + m n mod n^2. Decryption modulo p^2 and q^2: c^(p-1) =
// 1 + p times what h = 1 / L(g^(p-1)) takes to the message mod p.

// Message, random number, n, n^2, 1; the power r^n.
static bool paillier_encrypt(const crypto_engine *e, void *s, const crypto_number *inputs) {
    (void)inputs;
    return e->mul(s, 6, 0, 2) && e->add(s, 6, 6, 4) && mulmod(e, s, 6, 6, 5, 3);
}

// Two ciphertexts and n^2.
static bool paillier_add(const crypto_engine *e, void *s, const crypto_number *inputs) {
    (void)inputs;
    return mulmod(e, s, 3, 0, 1, 2);
}

// Ciphertext, p^2, q^2, p - 1, q - 1, p, q, h mod p, h mod q, 1 / q mod p, 1; the two powers.
static bool paillier_decrypt(const crypto_engine *e, void *s, const crypto_number *inputs) {
    (void)inputs;
    return e->sub(s, 11, 11, 10) && e->div(s, 11, CRYPTO_NONE, 11, 5) &&
           mulmod(e, s, 11, 11, 7, 5) && e->sub(s, 12, 12, 10) &&
           e->div(s, 12, CRYPTO_NONE, 12, 6) && mulmod(e, s, 12, 12, 8, 6) &&
           recombine(e, s, 13, 11, 12, 5, 6, 9);
}

// --- Primality -----------------------------------------------------------------------------------
// Base, d, n = 1 + d 2^s, n - 1; the power y = base^d. The answer is 1 for a probable prime, else
// 0. Engines have their own tests for BPSW.
enum { P_N = 2, P_MINUS = 3, P_Y = 4, P_ANSWER = 5 };

static unsigned trailing_zeros(const crypto_number *x) {
    unsigned k = 0;
    while (x->p[k / 64] >> k % 64 == 0) {
        k = (k / 64 + 1) * 64;
    }
    return k + (unsigned)__builtin_ctzll(x->p[k / 64] >> k % 64);
}

// miller_rabin: whether y, y^2, ... show n to be composite; destroys y. false: an error.
static bool miller_rabin(const crypto_engine *e, void *s, const crypto_number *inputs,
                         bool *prime) {
    const unsigned twos = trailing_zeros(&inputs[P_MINUS]);
    *prime = is_one(e, s, P_Y);
    for (unsigned i = 0; i < twos && !*prime; i++) {
        if (i > 0 && !mulmod(e, s, P_Y, P_Y, P_Y, P_N)) {
            return false;
        }
        *prime = e->equals(s, P_Y, inputs[P_MINUS].p, inputs[P_MINUS].n);
    }
    return true;
}

static bool miller_rabin_finish(const crypto_engine *e, void *s, const crypto_number *inputs) {
    bool prime = false;
    const bool ok = miller_rabin(e, s, inputs, &prime);
    const uint64_t answer = prime;
    return ok && e->set(s, P_ANSWER, &answer, 1);
}

// --- The list ------------------------------------------------------------------------------------

enum { FEW = 8, MANY = 64 };

const crypto_scheme crypto_schemes[] = {
    {"rsa-sign",
     {2048, 3072, 4096},
     6,
     2,
     {{6, 0, 3, 1, true}, {7, 0, 4, 2, true}},
     8,
     rsa_sign,
     crypto_make_rsa_sign,
     0,
     FEW},
    {"rsa-verify",
     {2048, 3072, 4096},
     3,
     1,
     {{3, 0, 1, 2, false}},
     3,
     NULL,
     crypto_make_rsa_verify,
     0,
     FEW},
    {"dh",
     {2048, 3072, 4096, 6144, 8192},
     3,
     1,
     {{3, 0, 1, 2, true}},
     3,
     NULL,
     crypto_make_dh,
     0,
     FEW},
    {"paillier-encrypt",
     {2048, 3072},
     5,
     1,
     {{5, 1, 2, 3, false}},
     6,
     paillier_encrypt,
     crypto_make_paillier_encrypt,
     0,
     FEW},
    {"paillier-add", {2048, 3072}, 3, 0, {{0}}, 3, paillier_add, crypto_make_paillier_add, 0, FEW},
    {"paillier-decrypt",
     {2048, 3072},
     11,
     2,
     {{11, 0, 3, 1, true}, {12, 0, 4, 2, true}},
     13,
     paillier_decrypt,
     crypto_make_paillier_decrypt,
     0,
     FEW},
    {"miller-rabin",
     {1024, 2048},
     4,
     1,
     {{P_Y, 0, 1, P_N, false}},
     P_ANSWER,
     miller_rabin_finish,
     crypto_make_candidates,
     0,
     FEW},
    {"bpsw", {1024, 2048}, 4, 0, {{0}}, P_ANSWER, NULL, crypto_make_candidates, P_N, MANY},
};
const unsigned crypto_schemes_count = sizeof crypto_schemes / sizeof *crypto_schemes;

bool crypto_load(const crypto_engine *e, void *self, const crypto_items *items, unsigned i) {
    const unsigned inputs = items->scheme->inputs;
    for (unsigned k = 0; k < inputs; k++) {
        const crypto_number *const x = &items->inputs[i * inputs + k];
        if (!e->set(self, k, x->p, x->n)) {
            return false;
        }
    }
    return true;
}

bool crypto_finish(const crypto_engine *e, void *self, const crypto_items *items, unsigned i) {
    const crypto_scheme *const scheme = items->scheme;
    const crypto_number *const answer = &items->answers[i];
    return (scheme->finish == NULL ||
            scheme->finish(e, self, items->inputs + i * scheme->inputs)) &&
           e->equals(self, scheme->answer, answer->p, answer->n);
}

bool crypto_run(const crypto_engine *e, void *self, const crypto_items *items, unsigned i) {
    if (e->prime != NULL) {
        const crypto_number *const answer = &items->answers[i];
        return e->prime(self, items->scheme->answer, items->scheme->candidate) &&
               e->equals(self, items->scheme->answer, answer->p, answer->n);
    }
    for (unsigned k = 0; k < items->scheme->powers; k++) {
        const crypto_power *const p = &items->scheme->power[k];
        if (!e->powm(self, p->result, p->base, p->exponent, p->modulus, p->secret)) {
            return false;
        }
    }
    return crypto_finish(e, self, items, i);
}

bool crypto_run_all(const crypto_engine *e, void *self, const crypto_items *items) {
    const crypto_scheme *const scheme = items->scheme;
    size_t n = 1;
    for (unsigned i = 0; i < items->count; i++) {
        const size_t its = items->inputs[i * scheme->inputs + scheme->candidate].n;
        n = its > n ? its : n;
    }
    uint64_t *const numbers = program_memory(items->count * n, sizeof *numbers, "candidates");
    unsigned char *const prime = program_memory(items->count, 1, "results");
    for (unsigned i = 0; i < items->count; i++) {
        const crypto_number *const x = &items->inputs[i * scheme->inputs + scheme->candidate];
        memcpy(numbers + i * n, x->p, x->n * sizeof *numbers);
    }
    bool right = e->primes(self, prime, numbers, n, items->count);
    for (unsigned i = 0; i < items->count && right; i++) {
        right = prime[i] == items->answers[i].p[0];
    }
    free(numbers), free(prime);
    return right;
}
