// mixture.c: the polynomial x^3 - 7 x + 5 at an mpz_t x of SIZE bits: a program of GMP's that
// leaves its products to the library.
#include "apps/gallery/theirs.h"
#include "bigint/bigint.h"
#include "bigint/bigint_gmp.h"

#include <err.h>

static bigint_ctx *ctx;
static bigint a, b;
static mpz_t x, r;

static void must(bigint_status status) {
    if (status != BIGINT_OK) {
        errx(1, "%s", bigint_ctx_error(ctx));
    }
}

// multiply: mpz_mul.
static void multiply(mpz_t z, const mpz_t u, const mpz_t v) {
    must(bigint_set_mpz(ctx, &a, u));
    must(u == v ? BIGINT_OK : bigint_set_mpz(ctx, &b, v));
    must(bigint_mul(ctx, &a, &a, u == v ? &a : &b));
    must(bigint_get_mpz(ctx, z, &a));
}

void prepare(uint64_t size) {
    const uint64_t words = (size + 63) / 64;
    uint64_t *const w = malloc(words * sizeof *w);
    must(bigint_ctx_create(&ctx, NULL, NULL));
    mpz_inits(x, r, NULL);
    random_words(w, words, 1);
    mpz_import(x, words, -1, sizeof *w, 0, 0, w);
    free(w);
}

void compute(void) {
    multiply(r, x, x);
    mpz_sub_ui(r, r, 7);
    multiply(r, r, x);
    mpz_add_ui(r, r, 5);
}

void print(void) { show(r); }
