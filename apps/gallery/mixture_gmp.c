// mixture_gmp.c: the polynomial x^3 - 7 x + 5 at a number x of SIZE bits, by GMP.
#include "apps/gallery/theirs.h"

static mpz_t x, r;

void prepare(uint64_t size) {
    const uint64_t words = (size + 63) / 64;
    uint64_t *const w = malloc(words * sizeof *w);
    mpz_inits(x, r, NULL);
    random_words(w, words, 1);
    mpz_import(x, words, -1, sizeof *w, 0, 0, w);
    free(w);
}

void compute(void) {
    mpz_mul(r, x, x);
    mpz_sub_ui(r, r, 7);
    mpz_mul(r, r, x);
    mpz_add_ui(r, r, 5);
}

void print(void) { show(r); }
