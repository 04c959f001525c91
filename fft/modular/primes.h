// primes.h: what the modular transforms on host and device share: the primes, the constants of
// remaindering, and the modes of the pass over rows. C and C++; includes nothing of the project.
#ifndef FFT_MODULAR_PRIMES_H_
#define FFT_MODULAR_PRIMES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The one prime set, largest first (primes.c; docs/proofs/check_constants.py derives it).
enum { FFT_PRIMES = 8, FFT_PRIMES_USED = 3, FFT_COEFFICIENT_WORDS = 3 };

typedef struct {
    double p;
    double root;  // of order 2^32
} fft_prime;
extern const fft_prime fft_primes[FFT_PRIMES];

// 1 / p0 mod p1, 1 / p1 mod p2, 1 / (p0 p1) mod p2.
typedef struct {
    uint64_t i01, i12, i012;
} fft_crt_inverses;
extern const fft_crt_inverses fft_crt_inverse;

// Rows of an operand are multiplied by another operand's rows, by themselves, or by what
// FFT_ROW_TRANSFORM left of another operand; or they are only transformed.
typedef enum { FFT_ROW_MULTIPLY, FFT_ROW_SQUARE, FFT_ROW_PREPARED, FFT_ROW_TRANSFORM } fft_row_mode;

#ifdef __cplusplus
}
#endif

#endif  // FFT_MODULAR_PRIMES_H_
