// product_shapes.h: products on a device by every shape that has kernels. Plain C; includes
// bench/device/record.h.
#ifndef BENCH_MUL_PRODUCT_SHAPES_H_
#define BENCH_MUL_PRODUCT_SHAPES_H_

#include "bench/device/record.h"

// product_shapes times products of numbers that fill a shape, for every shape of up to 2^lg points
// and several launches, modulo three primes; long ones of one to three pieces, as plans choose
// there, modulo more, and two pieces behind an outer pass. A line each, and a record for ./dev tune
// --shapes. Takes 2^(lg + 1) limbs of the host's memory.
void product_shapes(const device_run *run, unsigned lg);

#endif  // BENCH_MUL_PRODUCT_SHAPES_H_
