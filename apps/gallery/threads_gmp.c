// threads_gmp.c: the product of two numbers of SIZE bits, by GMP, which has one thread.
#include "apps/gallery/theirs.h"

static mpz_t a, b, r;

void prepare(uint64_t size) {
    const uint64_t words = (size + 63) / 64;
    uint64_t *const w = malloc(words * sizeof *w);
    mpz_inits(a, b, r, NULL);
    random_words(w, words, 1);
    mpz_import(a, words, -1, sizeof *w, 0, 0, w);
    random_words(w, words, 2);
    mpz_import(b, words, -1, sizeof *w, 0, 0, w);
    free(w);
}

void compute(void) { mpz_mul(r, a, b); }

void print(void) { show(r); }
