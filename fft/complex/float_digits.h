// float_digits.h: the digits of an operand of float_product.h. Inside the room only.
#ifndef FFT_COMPLEX_FLOAT_DIGITS_H_
#define FFT_COMPLEX_FLOAT_DIGITS_H_

#include "fft/complex/float_product.h"

// fft_float_digits_n: how many digits an operand has.
uint64_t fft_float_digits_n(const fft_float_plan *plan, const fft_float_operand *a);

// fft_float_digits: d = digits first .. first + n - 1 of the operand, which has `all` of them;
// n <= FFT_FLOAT_BLOCK. Safe from several threads.
void fft_float_digits(int32_t *d, const fft_float_convolution *c, const fft_float_operand *a,
                      uint64_t all, uint64_t first, size_t n);

#endif  // FFT_COMPLEX_FLOAT_DIGITS_H_
