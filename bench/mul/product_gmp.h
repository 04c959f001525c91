// product_gmp.h: compares products with GMP's, and times GMP on the host. Plain C; includes
// nothing.
#ifndef BENCH_MUL_PRODUCT_GMP_H_
#define BENCH_MUL_PRODUCT_GMP_H_

#include <stdint.h>

// product_stop ends the program with a text that names the operands' bits.
void product_stop(const char *what, uint64_t bits);

// product_gmp: nanoseconds of one product by GMP, by the host's clock. On one core: the median of
// up to 11 samples, with many short products in each; 0 above 2^28 bits. On all cores: one thread
// for each core, all multiplying, and the time divided by the number of products; 0 above 2^26
// bits.
typedef struct {
    double core_ns, cores_ns;
    unsigned cores;
} product_gmp;

// product_check ends the program unless {r, 2 n} = {a, n} {b, n}: by GMP's product, above 2^28 bits
// modulo 2^61 - 1 and another prime, as product_check_residues does at any size, by all cores. gmp,
// unless NULL, gets GMP's times.
void product_check(const uint64_t *r, const uint64_t *a, const uint64_t *b, uint64_t n,
                   product_gmp *gmp);
void product_check_residues(const uint64_t *r, const uint64_t *a, const uint64_t *b, uint64_t n);

#endif  // BENCH_MUL_PRODUCT_GMP_H_
