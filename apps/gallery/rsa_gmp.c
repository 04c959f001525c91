// rsa_gmp.c: an RSA signature with a modulus of SIZE bits and its check, by GMP.
#include "apps/gallery/theirs.h"

static mpz_t p, q, n, dp, dq, q_inverse, message, signature, checked, e;

static void prime(mpz_t x, uint64_t bits, uint64_t seed) {
    const uint64_t words = (bits + 63) / 64;
    uint64_t *const w = malloc(words * sizeof *w);
    random_words(w, words, seed);
    mpz_import(x, words, -1, sizeof *w, 0, 0, w);
    mpz_fdiv_r_2exp(x, x, bits);
    mpz_setbit(x, bits - 1);
    mpz_setbit(x, bits - 2);
    do {
        mpz_nextprime(x, x);
    } while (mpz_fdiv_ui(x, 65537) == 1);
    free(w);
}

void prepare(uint64_t size) {
    mpz_t one;
    mpz_inits(p, q, n, dp, dq, q_inverse, message, signature, checked, one, NULL);
    mpz_init_set_ui(e, 65537);
    prime(p, size / 2, 1);
    prime(q, size / 2, 2);
    mpz_mul(n, p, q);
    mpz_sub_ui(one, p, 1);
    mpz_invert(dp, e, one);
    mpz_sub_ui(one, q, 1);
    mpz_invert(dq, e, one);
    mpz_invert(q_inverse, q, p);
    mpz_tdiv_q_2exp(message, n, 3);
    mpz_clear(one);
}

void compute(void) {
    mpz_t sp, sq;
    mpz_inits(sp, sq, NULL);
    mpz_powm(sp, message, dp, p);
    mpz_powm(sq, message, dq, q);
    mpz_sub(sp, sp, sq);
    mpz_mul(sp, sp, q_inverse);
    mpz_mod(sp, sp, p);
    mpz_mul(signature, sp, q);
    mpz_add(signature, signature, sq);
    mpz_powm(checked, signature, e, n);
    mpz_clears(sp, sq, NULL);
}

void print(void) {
    show(signature);
    puts(mpz_cmp(checked, message) == 0 ? "the signature is right" : "the signature is wrong");
}
