// factorial_gmp.c: SIZE!, by GMP.
#include "apps/gallery/theirs.h"

static mpz_t r;
static unsigned long n;

void prepare(uint64_t size) {
    mpz_init(r);
    n = size;
}

void compute(void) { mpz_fac_ui(r, n); }

void print(void) { show(r); }
