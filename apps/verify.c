// verify.c: checks bigmul's product with GMP. May include gmp.h; knows nothing of bigint's
// integers.
#include "apps/verify.h"

#include <err.h>
#include <gmp.h>
#include <stdlib.h>

#include "apps/machine.h"

static void *gmp_allocate(size_t bytes) {
    void *p = malloc(bytes);
    if (p == NULL) {
        errx(EXIT_MEMORY, "--verify: no memory for GMP (%zu bytes)", bytes);
    }
    return p;
}

static void *gmp_reallocate(void *old, size_t old_bytes, size_t bytes) {
    (void)old_bytes;
    void *p = realloc(old, bytes);
    if (p == NULL) {
        errx(EXIT_MEMORY, "--verify: no memory for GMP (%zu bytes)", bytes);
    }
    return p;
}

static void gmp_release(void *p, size_t bytes) {
    (void)bytes;
    free(p);
}

// z = t. False if t is not a number, which only a wrong product can be.
static bool load(mpz_t z, const number_text *t, number_format format) {
    if (format == FORMAT_RAW) {
        mpz_import(z, t->length, -1, 1, 0, 0, t->data);
        return true;
    }
    return mpz_set_str(z, t->data, format == FORMAT_HEX ? 16 : 10) == 0;
}

bool verify_with_gmp(const number_text *a, const number_text *b, number_format from,
                     const number_text *r, number_format to, double *seconds) {
    mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_release);
    mpz_t x, y, product;
    mpz_inits(x, y, product, NULL);
    bool equal = load(x, a, from) && (b == NULL || load(y, b, from));
    const double began = seconds_now();
    mpz_mul(product, x, b == NULL ? x : y);
    *seconds = seconds_now() - began;
    equal = equal && load(x, r, to) && mpz_cmp(x, product) == 0;
    mpz_clears(x, y, product, NULL);
    return equal;
}
