// fibonacci_gmp.c: the Fibonacci number F(SIZE), by GMP.
#include "apps/gallery/theirs.h"

static mpz_t r;
static unsigned long n;

void prepare(uint64_t size) {
    mpz_init(r);
    n = size;
}

void compute(void) { mpz_fib_ui(r, n); }

void print(void) { show(r); }
