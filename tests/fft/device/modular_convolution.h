// modular_convolution.h: a convolution modulo primes on a device, step by step, and what it should
// be, for tests. Includes convolution.h and gen.h.
#ifndef TESTS_FFT_DEVICE_MODULAR_CONVOLUTION_H_
#define TESTS_FFT_DEVICE_MODULAR_CONVOLUTION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/device/modular/convolution.h"
#include "tests/support/gen.h"

typedef struct {
    fft_modular_plan plan, high;
    uint64_t an, bn;
    uint64_t *a, *b;
    uint64_t *da, *db;  // and the rest on the device
    double *x, *y, *high_x, *high_y, *memory, *high_memory;
} convolution;

// convolution_make: operands of such a shape, of an and bn limbs. high: of the plan, if it wraps
// coefficients around.
convolution convolution_make(const fft_modular_plan *plan, const fft_modular_plan *high, gen *g,
                             gen_shape shape, uint64_t an, uint64_t bn);
void convolution_release(convolution *c);

// convolution_plane_bytes: of all primes' planes.
static inline size_t convolution_plane_bytes(const fft_modular_plan *plan) {
    return fft_modular_plane(plan) * plan->primes * sizeof(double);
}

// convolution_run_step: the steps, in the order of a product by this mode, for primes first ..
// first + primes - 1, of one group. convolution_run: all primes, group by group.
result convolution_run_step(const convolution *c, fft_row_mode mode, unsigned first,
                            unsigned primes);
result convolution_run(const convolution *c, fft_row_mode mode);

// convolution_check: planes hold the coefficients of a b, b = a for squares, by the schoolbook.
void convolution_check(const convolution *c, bool square);

#endif  // TESTS_FFT_DEVICE_MODULAR_CONVOLUTION_H_
