// verify.c: checks bigmul's result with GMP. May include gmp.h; knows nothing of bigint's integers.
#include "apps/verify.h"

#include <gmp.h>
#include <stdlib.h>

#include "apps/gmp_memory.h"
#include "apps/machine.h"

// z = t. False if t is not a number, which only a wrong result can be.
static bool load(mpz_t z, const number_text *t, number_format format) {
    if (format == FORMAT_RAW) {
        mpz_import(z, t->length, -1, 1, 0, 0, t->data);
        return true;
    }
    if (format == FORMAT_GMP) {
        mpz_import(z, t->length - GMP_HEADER, 1, 1, 0, 0, t->data + GMP_HEADER);
        if (gmp_sign(t) < 0) {
            mpz_neg(z, z);
        }
        return true;
    }
    return mpz_set_str(z, t->data, format == FORMAT_HEX ? 16 : 10) == 0;
}

// compute: r = the verb of a and b, modulo m unless that is NULL. What cannot be computed has been
// refused before.
static void compute(mpz_t r, bigmul_verb verb, const mpz_t a, const mpz_t b, mpz_srcptr m) {
    switch (verb) {
        case VERB_PRODUCT:
        case VERB_SQUARE:
            mpz_mul(r, a, verb == VERB_SQUARE ? a : b);
            break;
        case VERB_QUOTIENT:
            if (m == NULL) {
                mpz_tdiv_q(r, a, b);
            } else {
                mpz_invert(r, b, m);
                mpz_mul(r, r, a);
            }
            break;
        case VERB_REMAINDER:
            mpz_tdiv_r(r, a, b);
            break;
        case VERB_POWER:
            if (m == NULL) {
                mpz_pow_ui(r, a, mpz_get_ui(b));
            } else {
                mpz_powm(r, a, b, m);
            }
            break;
        case VERB_GCD:
            mpz_gcd(r, a, b);
            break;
        case VERB_ROOT:
            mpz_root(r, a, mpz_get_ui(b));
            break;
    }
    if (m != NULL) {
        mpz_mod(r, r, m);
    }
}

bool verify_with_gmp(const bigmul_options *o, const number_text *operands, const number_text *r,
                     double *seconds) {
    gmp_memory_checked();
    mpz_t x, y, m, result;
    mpz_inits(x, y, m, result, NULL);
    const int count = o->operand_count;
    bool equal = load(x, &operands[0], operand_format(o, 0)) &&
                 (count == 1 || load(y, &operands[1], operand_format(o, 1))) &&
                 (o->modulus == NULL || load(m, &operands[count], operand_format(o, count)));
    const double began = seconds_now();
    compute(result, o->verb, x, y, o->modulus == NULL ? NULL : m);
    *seconds = seconds_now() - began;
    equal = equal && load(x, r, o->to) && mpz_cmp(x, result) == 0;
    mpz_clears(x, y, m, result, NULL);
    return equal;
}
