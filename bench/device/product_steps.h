// product_steps.h: the kernels of a product on a device, each timed alone, and how results are held
// against GMP's. Plain C; includes device_record.h.
#ifndef BENCH_DEVICE_PRODUCT_STEPS_H_
#define BENCH_DEVICE_PRODUCT_STEPS_H_

#include "bench/device/device_record.h"

// product_stop ends the program with a text about operands of so many bits.
void product_stop(const char *what, uint64_t bits);

// product_check ends the program unless {r, 2 n} = {a, n} {b, n}: by GMP's product, above 2^28 bits
// modulo 2^61 - 1 and another prime. Returns what GMP took on one core of the host, in nanoseconds,
// by the host's clock: the median of up to 11 products, short ones many at a time; 0 above 2^28.
double product_check(const uint64_t *r, const uint64_t *a, const uint64_t *b, uint64_t n);

// A shape of fft/modular.h: pieces, and logarithms; without columns all of it is one launch. Digits
// of up to `most` bits modulo so many primes.
typedef struct {
    unsigned pieces, lg_outer, lg_rows, lg_columns, primes, most;
} product_shape;

// product_steps times the kernels of {limbs[0], n} times {limbs[1], n} by that shape, or the chosen
// one for NULL; prints a line, and appends a record to OUT/<chip>-product-steps.jsonl. Nothing if
// there is no such plan.
void product_steps(const device_run *run, const uint64_t *limbs[2], uint64_t n,
                   const product_shape *forced);

#endif  // BENCH_DEVICE_PRODUCT_STEPS_H_
