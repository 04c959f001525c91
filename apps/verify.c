// verify.c: checks bigmul's product with GMP. May include gmp.h; knows nothing of bigint's
// integers.
#include "apps/verify.h"

#include <gmp.h>
#include <stdlib.h>

#include "apps/gmp_memory.h"
#include "apps/machine.h"

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
    gmp_memory_checked();
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
