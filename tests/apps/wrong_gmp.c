// wrong_gmp.c: preloaded in front of GMP, an mpz_mul that is off by one. May include gmp.h.
#include <gmp.h>

// Catches a --verify that compares nothing: with this mpz_mul every product must be called wrong.
__attribute__((visibility("default"))) void mpz_mul(mpz_ptr r, mpz_srcptr a, mpz_srcptr b) {
    mpz_t sum;
    mpz_init_set_ui(sum, 1);
    mpz_addmul(sum, a, b);
    mpz_swap(r, sum);
    mpz_clear(sum);
}
