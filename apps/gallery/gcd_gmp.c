// gcd_gmp.c: the greatest common divisor of two numbers of SIZE bits, by GMP.
#include "apps/gallery/theirs.h"

static mpz_t a, b, r;

void prepare(uint64_t size) {
    const uint64_t words = (size + 127) / 128;
    uint64_t *const w = malloc(words * sizeof *w);
    mpz_t common;
    mpz_inits(a, b, r, common, NULL);
    random_words(w, words, 1);
    mpz_import(a, words, -1, sizeof *w, 0, 0, w);
    random_words(w, words, 2);
    mpz_import(b, words, -1, sizeof *w, 0, 0, w);
    random_words(w, words, 3);
    mpz_import(common, words, -1, sizeof *w, 0, 0, w);
    mpz_mul(a, a, common);
    mpz_mul(b, b, common);
    mpz_clear(common);
    free(w);
}

void compute(void) { mpz_gcd(r, a, b); }

void print(void) { show(r); }
