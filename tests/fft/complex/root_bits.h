// root_bits.h: the roots of root.h as different compilers and processors make them, for a test that
// compares their bits. Plain C; includes root.h.
#ifndef TESTS_FFT_COMPLEX_ROOT_BITS_H_
#define TESTS_FFT_COMPLEX_ROOT_BITS_H_

#include <stdbool.h>
#include <stddef.h>

#include "fft/complex/root.h"

#ifdef __cplusplus
extern "C" {
#endif

// w[i] = root number (first + i * step) mod 2^lg of 2^lg, i < n: by C without and with an
// instruction for fma() (root_bits.c), and by a kernel into device memory (root_kernels.cu; false
// if the launch failed).
void root_bits_portable(fft_root_f64 *w, size_t n, uint64_t first, uint64_t step, unsigned lg);
void root_bits_fma(fft_root_f64 *w, size_t n, uint64_t first, uint64_t step, unsigned lg);
bool root_bits_kernel(fft_root_f64 *w, size_t n, uint64_t first, uint64_t step, unsigned lg);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_FFT_COMPLEX_ROOT_BITS_H_
