// multiply.c: prints a few residues of long products, quotients and texts: a program of any user.
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    mpz_t a, b, p;
    mpz_inits(a, b, p, NULL);
    mpz_ui_pow_ui(a, 3, 300000);
    mpz_ui_pow_ui(b, 7, 100000);
    mpz_mul(p, a, b);
    char *const text = mpz_get_str(NULL, 10, p);
    mpz_sub_ui(p, p, 1);
    mpz_tdiv_q(a, p, b);
    mpz_sqrt(b, p);
    printf("%lu %lu %lu %.40s\n", mpz_fdiv_ui(p, 1000000007), mpz_fdiv_ui(a, 1000000007),
           mpz_fdiv_ui(b, 1000000007), text);
    free(text);
    mpz_clears(a, b, p, NULL);
    return 0;
}
