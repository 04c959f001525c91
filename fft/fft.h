// fft.h: the door of the transform room. Digits in, coefficients out; knows nothing of carries or of signs.
// May include primitives/.
#ifndef FFT_FFT_H_
#define FFT_FFT_H_

#include <stddef.h>
#include <stdint.h>

// The number of primes in the one prime set (docs/proofs/check_constants.py derives it).
enum { FFT_PRIMES = 8 };

typedef struct fft_ops fft_ops;
typedef struct fft_tables fft_tables;

#endif  // FFT_FFT_H_
