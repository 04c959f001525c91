// float_ops.h: the loops of float_product.c over digits and coefficients, one table for each
// instruction set (float_variant.c). Inside the room only. Includes only C's own headers.
#ifndef FFT_COMPLEX_FLOAT_OPS_H_
#define FFT_COMPLEX_FLOAT_OPS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FFT_FLOAT_WIDTH_MAX = 24,  // a balanced digit and the bit below it lie in four bytes
    FFT_FLOAT_BLOCK = 512,     // digits or coefficients at a time
};

typedef struct fft_float_ops {
    // d[i] = the digit of `width` bits from bit at + i width of the words on, n <= FFT_FLOAT_BLOCK;
    // balanced: as a signed number, plus the bit below it. Requires: at >= 1; four bytes of the
    // words from the byte where each begins.
    void (*digits)(int32_t *d, const uint64_t *words, uint64_t at, unsigned width, bool balanced,
                   size_t n);
    // x[2 i] = d[i]
    void (*store_f64)(double *x, const int32_t *d, size_t n);
    void (*store_f32)(float *x, const int32_t *d, size_t n);
    // u[i] = v[i], rounded to the nearest integer, + bias, where |v[i]| < 2^51; else some word.
    void (*round)(uint64_t *u, const double *v, uint64_t bias, size_t n);
    // out[j] = low parts of u[2 j] + u[2 j + 1] 2^w, and high parts of u[2 j - 1] + u[2 j] 2^w,
    // where u = low + high 2^w is what round makes of v[0 .. 2 n), and below the high part of
    // u[-1].
    void (*pair)(uint64_t *out, const double *v, uint64_t below, uint64_t bias, unsigned w,
                 size_t n);
} fft_float_ops;

extern const fft_float_ops fft_float_ops_portable, fft_float_ops_avx2, fft_float_ops_avx512;

#endif  // FFT_COMPLEX_FLOAT_OPS_H_
