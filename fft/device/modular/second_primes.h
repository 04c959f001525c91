// second_primes.h: primes for products of more points than roots of order 2^32 reach. C and C++.
#ifndef FFT_DEVICE_MODULAR_SECOND_PRIMES_H_
#define FFT_DEVICE_MODULAR_SECOND_PRIMES_H_

#include "fft/modular/primes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Largest first, with roots of order 2^FFT_SECOND_LG_ROOT; half the product of all is above 1.701
// 2^296 (second_primes.c; docs/proofs/check_device.py).
enum { FFT_SECOND_PRIMES = 6, FFT_SECOND_LG_ROOT = 40 };
extern const fft_prime fft_second_primes[FFT_SECOND_PRIMES];

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_MODULAR_SECOND_PRIMES_H_
