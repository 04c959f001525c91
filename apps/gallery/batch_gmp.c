// batch_gmp.c: 4096 products of numbers of SIZE bits, and their sum, by GMP.
#include "apps/gallery/theirs.h"

enum { COUNT = 4096 };
static mpz_t a[COUNT], b[COUNT], r[COUNT], sum;

static void fill(mpz_t *x, uint64_t words, uint64_t seed) {
    uint64_t *const p = malloc(COUNT * words * sizeof *p);
    random_words(p, COUNT * words, seed);
    for (uint64_t i = 0; i < COUNT; i++) {
        mpz_init(x[i]);
        mpz_import(x[i], words, -1, sizeof *p, 0, 0, p + i * words);
    }
    free(p);
}

void prepare(uint64_t size) {
    const uint64_t words = (size + 63) / 64;
    fill(a, words, 1);
    fill(b, words, 2);
    fill(r, 2 * words, 3);
}

void compute(void) {
    for (uint64_t i = 0; i < COUNT; i++) {
        mpz_mul(r[i], a[i], b[i]);
    }
}

void print(void) {
    mpz_init(sum);
    for (uint64_t i = 0; i < COUNT; i++) {
        mpz_add(sum, sum, r[i]);
    }
    show(sum);
}
