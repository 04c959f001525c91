// product_steps.h: the kernels of a product on a device, each timed alone. Plain C; includes
// bench/device/record.h.
#ifndef BENCH_MUL_PRODUCT_STEPS_H_
#define BENCH_MUL_PRODUCT_STEPS_H_

#include "bench/device/record.h"

// A shape of fft/device/modular/convolution.h: pieces, and logarithms; without columns all of it is
// one launch. Digits have up to `most` bits modulo `primes` primes. whole: the steps are not timed
// one by one.
typedef struct {
    unsigned pieces, lg_outer, lg_rows, lg_columns, primes, most;
    bool whole;
} product_shape;

// product_steps times the kernels of {limbs[0], n} times {limbs[1], n} with that shape (NULL: the
// chosen one). It prints a line and appends a record to OUT/<chip>-product-steps.jsonl or, for a
// given shape, to OUT/<chip>-product-shapes.jsonl. It does nothing if there is no such plan. The
// product is compared with GMP's, for a `whole` shape by residues.
void product_steps(const device_run *run, const uint64_t *limbs[2], uint64_t n,
                   const product_shape *forced);

#endif  // BENCH_MUL_PRODUCT_STEPS_H_
