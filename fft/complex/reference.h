// reference.h: readable complex transforms in long double: by the definition, and in plain radix 2.
// Tests compare the fast ones with these. Includes C's own headers only.
#ifndef FFT_COMPLEX_REFERENCE_H_
#define FFT_COMPLEX_REFERENCE_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    long double re, im;
} fft_reference_point;

// fft_reference_at: sum over j < n of x[j] exp(-+2 pi i j (k + quarters / 4) / n), - forward, +
// inverse, with exact reduction of the angle. n < 2^32, quarters < 4. n operations.
fft_reference_point fft_reference_at(const fft_reference_point *x, uint64_t n, uint64_t k,
                                     unsigned quarters, bool inverse);

// fft_reference_roots: roots[j] = exp(-2 pi i j / n), j < n.
void fft_reference_roots(fft_reference_point *roots, uint64_t n);

// fft_reference_radix2: the forward transform of n = 2^k points in natural order, in place, by
// decimation in time; roots as above.
void fft_reference_radix2(fft_reference_point *x, const fft_reference_point *roots, uint64_t n);

#endif  // FFT_COMPLEX_REFERENCE_H_
