// items.c: keys and items for cryptobench, made with GMP from a fixed seed, and their
// answers by definition, not by the measured steps. May include items.h, program.h and
// gmp.h.
#include "apps/crypto/items.h"

#include <gmp.h>
#include <stdlib.h>

#include "apps/program.h"

crypto_number crypto_number_of(const mpz_t z) {
    crypto_number x = {NULL, mpz_size(z) > 0 ? mpz_size(z) : 1};
    x.p = program_memory(x.n, sizeof *x.p, "a number");
    mpz_export(x.p, NULL, -1, sizeof *x.p, 0, 0, z);
    return x;
}

static void put(crypto_items *items, unsigned i, unsigned k, const mpz_t z) {
    items->inputs[i * items->scheme->inputs + k] = crypto_number_of(z);
}

crypto_items crypto_items_room(const crypto_scheme *scheme, unsigned bits, unsigned count) {
    const size_t inputs = (size_t)count * scheme->inputs;
    return (crypto_items){.scheme = scheme,
                          .bits = bits,
                          .count = count,
                          .inputs = program_memory(inputs, sizeof(crypto_number), "inputs"),
                          .answers = program_memory(count, sizeof(crypto_number), "answers")};
}

crypto_items crypto_items_make(const crypto_scheme *scheme, unsigned bits, unsigned count) {
    crypto_items items = crypto_items_room(scheme, bits, count);
    scheme->make(&items);
    return items;
}

void crypto_items_free(crypto_items *items) {
    for (size_t i = 0; i < (size_t)items->count * items->scheme->inputs; i++) {
        free(items->inputs[i].p);
    }
    for (unsigned i = 0; i < items->count; i++) {
        free(items->answers[i].p);
    }
    free(items->inputs);
    free(items->answers);
}

// draw: each size has its own random state, so that items are the same in every run.
static void draw_begin(gmp_randstate_t g, unsigned bits) {
    gmp_randinit_mt(g);
    gmp_randseed_ui(g, bits);
}

// draw_prime: a prime of exactly `bits` bits. The two highest are set, so that products have twice
// as many.
static void draw_prime(mpz_t p, gmp_randstate_t g, unsigned bits) {
    mpz_urandomb(p, g, bits);
    mpz_setbit(p, bits - 1), mpz_setbit(p, bits - 2);
    mpz_nextprime(p, p);
}

// --- RSA -----------------------------------------------------------------------------------------

typedef struct {
    mpz_t p, q, n, e, d, dp, dq, inverse;
} rsa_key;

static void rsa_draw(rsa_key *k, gmp_randstate_t g, unsigned bits) {
    mpz_t less;
    mpz_inits(k->p, k->q, k->n, k->e, k->d, k->dp, k->dq, k->inverse, less, NULL);
    mpz_set_ui(k->e, 65537);
    do {
        draw_prime(k->p, g, bits / 2), draw_prime(k->q, g, bits / 2);
        mpz_mul(k->n, k->p, k->q);
        mpz_sub(less, k->n, k->p), mpz_sub(less, less, k->q), mpz_add_ui(less, less, 1);
    } while (mpz_invert(k->d, k->e, less) == 0);
    mpz_sub_ui(less, k->p, 1), mpz_mod(k->dp, k->d, less);
    mpz_sub_ui(less, k->q, 1), mpz_mod(k->dq, k->d, less);
    mpz_invert(k->inverse, k->q, k->p);
    mpz_clear(less);
}

static void rsa_clear(rsa_key *k) {
    mpz_clears(k->p, k->q, k->n, k->e, k->d, k->dp, k->dq, k->inverse, NULL);
}

void crypto_make_rsa_sign(crypto_items *items) {
    gmp_randstate_t g;
    rsa_key k;
    mpz_t m;
    mpz_init(m);
    draw_begin(g, items->bits);
    rsa_draw(&k, g, items->bits);
    for (unsigned i = 0; i < items->count; i++) {
        mpz_urandomm(m, g, k.n);
        put(items, i, 0, m), put(items, i, 1, k.p), put(items, i, 2, k.q);
        put(items, i, 3, k.dp), put(items, i, 4, k.dq), put(items, i, 5, k.inverse);
        mpz_powm(m, m, k.d, k.n);
        items->answers[i] = crypto_number_of(m);
    }
    mpz_clear(m);
    rsa_clear(&k);
    gmp_randclear(g);
}

void crypto_make_rsa_verify(crypto_items *items) {
    gmp_randstate_t g;
    rsa_key k;
    mpz_t m;
    mpz_init(m);
    draw_begin(g, items->bits);
    rsa_draw(&k, g, items->bits);
    for (unsigned i = 0; i < items->count; i++) {
        mpz_urandomm(m, g, k.n);
        items->answers[i] = crypto_number_of(m);
        mpz_powm(m, m, k.d, k.n);
        put(items, i, 0, m), put(items, i, 1, k.e), put(items, i, 2, k.n);
    }
    mpz_clear(m);
    rsa_clear(&k);
    gmp_randclear(g);
}

// --- Diffie-Hellman ------------------------------------------------------------------------------

// arctan_inverse: r = 2^bits atan(1 / x), with an error of less than a unit a term.
static void arctan_inverse(mpz_t r, unsigned x, unsigned bits) {
    mpz_t power, term;
    mpz_inits(power, term, NULL);
    mpz_set_ui(power, 1);
    mpz_mul_2exp(power, power, bits);
    mpz_fdiv_q_ui(power, power, x);
    mpz_set(r, power);
    for (unsigned k = 3; mpz_sgn(power) != 0; k += 2) {
        mpz_fdiv_q_ui(power, power, x * x);
        mpz_fdiv_q_ui(term, power, k);
        k % 4 == 3 ? mpz_sub(r, r, term) : mpz_add(r, r, term);
    }
    mpz_clears(power, term, NULL);
}

// modp_prime: the prime of RFC 3526: 2^n - 2^(n-64) - 1 + 2^64 (floor(2^(n-130) pi) + c).
static void modp_prime(mpz_t p, unsigned n) {
    static const struct {
        unsigned n, c;
    } groups[] = {{2048, 124476}, {3072, 1690314}, {4096, 240904}, {6144, 929484}, {8192, 4743158}};
    enum { GUARD = 64 };  // bits, for errors of fewer than 2^16 units
    mpz_t other;
    mpz_init(other);
    arctan_inverse(p, 5, n - 130 + GUARD), arctan_inverse(other, 239, n - 130 + GUARD);
    mpz_mul_ui(p, p, 16), mpz_submul_ui(p, other, 4);  // Machin's formula for pi
    mpz_fdiv_q_2exp(p, p, GUARD);
    for (unsigned k = 0; k < sizeof groups / sizeof *groups; k++) {
        mpz_add_ui(p, p, groups[k].n == n ? groups[k].c : 0);
    }
    mpz_mul_2exp(p, p, 64);
    mpz_set_ui(other, 1), mpz_mul_2exp(other, other, n), mpz_add(p, p, other);
    mpz_set_ui(other, 1), mpz_mul_2exp(other, other, n - 64), mpz_sub(p, p, other);
    mpz_sub_ui(p, p, 1);
    mpz_clear(other);
}

// Exponents of the lengths that RFC 3526, section 8, gives for its higher estimate.
void crypto_make_dh(crypto_items *items) {
    const unsigned n = items->bits;
    const unsigned length = n <= 2048   ? 320
                            : n <= 3072 ? 420
                            : n <= 4096 ? 480
                            : n <= 6144 ? 540
                                        : 620;
    gmp_randstate_t g;
    mpz_t p, peer, x;
    mpz_inits(p, peer, x, NULL);
    draw_begin(g, n);
    modp_prime(p, n);
    for (unsigned i = 0; i < items->count; i++) {
        mpz_urandomb(x, g, length), mpz_setbit(x, length - 1);
        mpz_set_ui(peer, 2), mpz_powm(peer, peer, x, p);  // what the other one sent
        mpz_urandomb(x, g, length), mpz_setbit(x, length - 1);
        put(items, i, 0, peer), put(items, i, 1, x), put(items, i, 2, p);
        mpz_powm(peer, peer, x, p);
        items->answers[i] = crypto_number_of(peer);
    }
    mpz_clears(p, peer, x, NULL);
    gmp_randclear(g);
}

// --- Paillier ------------------------------------------------------------------------------------

typedef struct {
    rsa_key key;
    mpz_t n2, g;
} paillier_key;

static void paillier_draw(paillier_key *k, gmp_randstate_t g, unsigned bits) {
    mpz_inits(k->n2, k->g, NULL);
    rsa_draw(&k->key, g, bits);
    mpz_mul(k->n2, k->key.n, k->key.n);
    mpz_add_ui(k->g, k->key.n, 1);
}

static void paillier_clear(paillier_key *k) {
    rsa_clear(&k->key);
    mpz_clears(k->n2, k->g, NULL);
}

// encrypt: c = g^m r^n mod n^2 by definition.
static void encrypt(mpz_t c, const paillier_key *k, const mpz_t m, const mpz_t r) {
    mpz_t t;
    mpz_init(t);
    mpz_powm(t, k->g, m, k->n2), mpz_powm(c, r, k->key.n, k->n2);
    mpz_mul(c, c, t), mpz_mod(c, c, k->n2);
    mpz_clear(t);
}

void crypto_make_paillier_encrypt(crypto_items *items) {
    gmp_randstate_t g;
    paillier_key k;
    mpz_t m, r, c, one;
    mpz_inits(m, r, c, one, NULL);
    mpz_set_ui(one, 1);
    draw_begin(g, items->bits);
    paillier_draw(&k, g, items->bits);
    for (unsigned i = 0; i < items->count; i++) {
        mpz_urandomm(m, g, k.key.n), mpz_urandomm(r, g, k.key.n);
        put(items, i, 0, m), put(items, i, 1, r), put(items, i, 2, k.key.n);
        put(items, i, 3, k.n2), put(items, i, 4, one);
        encrypt(c, &k, m, r);
        items->answers[i] = crypto_number_of(c);
    }
    mpz_clears(m, r, c, one, NULL);
    paillier_clear(&k);
    gmp_randclear(g);
}

void crypto_make_paillier_add(crypto_items *items) {
    gmp_randstate_t g;
    paillier_key k;
    mpz_t m[2], r[2], c[2];
    mpz_inits(m[0], m[1], r[0], r[1], c[0], c[1], NULL);
    draw_begin(g, items->bits);
    paillier_draw(&k, g, items->bits);
    for (unsigned i = 0; i < items->count; i++) {
        for (unsigned j = 0; j < 2; j++) {
            mpz_urandomm(m[j], g, k.key.n), mpz_urandomm(r[j], g, k.key.n);
            encrypt(c[j], &k, m[j], r[j]);
            put(items, i, j, c[j]);
        }
        put(items, i, 2, k.n2);
        // The ciphertext of the sum under the product of both random numbers.
        mpz_add(m[0], m[0], m[1]), mpz_mul(r[0], r[0], r[1]);
        encrypt(c[0], &k, m[0], r[0]);
        items->answers[i] = crypto_number_of(c[0]);
    }
    mpz_clears(m[0], m[1], r[0], r[1], c[0], c[1], NULL);
    paillier_clear(&k);
    gmp_randclear(g);
}

// half_key: p^2, p - 1 and h = 1 / L(g^(p-1) mod p^2) mod p with L(x) = (x - 1) / p.
static void half_key(mpz_t square, mpz_t less, mpz_t h, const mpz_t p, const mpz_t g) {
    mpz_mul(square, p, p), mpz_sub_ui(less, p, 1);
    mpz_powm(h, g, less, square);
    mpz_sub_ui(h, h, 1), mpz_divexact(h, h, p);
    mpz_invert(h, h, p);
}

void crypto_make_paillier_decrypt(crypto_items *items) {
    gmp_randstate_t g;
    paillier_key k;
    mpz_t x[11], m, r;
    for (unsigned j = 0; j < 11; j++) {
        mpz_init(x[j]);
    }
    mpz_inits(m, r, NULL);
    draw_begin(g, items->bits);
    paillier_draw(&k, g, items->bits);
    half_key(x[1], x[3], x[7], k.key.p, k.g), half_key(x[2], x[4], x[8], k.key.q, k.g);
    mpz_set(x[5], k.key.p), mpz_set(x[6], k.key.q), mpz_set(x[9], k.key.inverse);
    mpz_set_ui(x[10], 1);
    for (unsigned i = 0; i < items->count; i++) {
        mpz_urandomm(m, g, k.key.n), mpz_urandomm(r, g, k.key.n);
        encrypt(x[0], &k, m, r);
        for (unsigned j = 0; j < 11; j++) {
            put(items, i, j, x[j]);
        }
        items->answers[i] = crypto_number_of(m);
    }
    for (unsigned j = 0; j < 11; j++) {
        mpz_clear(x[j]);
    }
    mpz_clears(m, r, NULL);
    paillier_clear(&k);
    gmp_randclear(g);
}

// --- Candidates for primes -----------------------------------------------------------------------

void crypto_put_candidate(crypto_items *items, unsigned i, const mpz_t n) {
    mpz_t x[4];
    for (unsigned j = 0; j < 4; j++) {
        mpz_init(x[j]);
    }
    mpz_set_ui(x[0], 2), mpz_set(x[2], n), mpz_sub_ui(x[3], n, 1);
    mpz_fdiv_q_2exp(x[1], x[3], mpz_scan1(x[3], 0));
    for (unsigned j = 0; j < 4; j++) {
        put(items, i, j, x[j]);
        mpz_clear(x[j]);
    }
    mpz_t answer;
    mpz_init_set_ui(answer, mpz_probab_prime_p(n, 25) != 0);
    items->answers[i] = crypto_number_of(answer);
    mpz_clear(answer);
}

// One in eight is prime, alternating between two primes. The others are random odd numbers, most of
// which have small factors.
void crypto_make_candidates(crypto_items *items) {
    gmp_randstate_t g;
    mpz_t n, primes[2];
    mpz_inits(n, primes[0], primes[1], NULL);
    draw_begin(g, items->bits);
    for (unsigned i = 0; i < items->count; i++) {
        mpz_urandomb(n, g, items->bits);
        mpz_setbit(n, items->bits - 1), mpz_setbit(n, 0);
        mpz_t *const prime = &primes[i / 8 % 2];
        if (i % 8 == 0 && mpz_sgn(*prime) == 0) {
            mpz_nextprime(*prime, n);
        }
        crypto_put_candidate(items, i, i % 8 == 0 ? *prime : n);
    }
    mpz_clears(n, primes[0], primes[1], NULL);
    gmp_randclear(g);
}
