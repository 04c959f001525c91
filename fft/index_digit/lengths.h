// lengths.h: radices and their prime factors, for the files of this folder. Includes index_digit.h
// only. lengths.c also defines what index_digit.h says of lengths and sizes.
#ifndef FFT_INDEX_DIGIT_LENGTHS_H_
#define FFT_INDEX_DIGIT_LENGTHS_H_

#include "fft/index_digit/index_digit.h"

enum { FFT_ID_PRIMES = 4 };
extern const uint8_t fft_id_primes[FFT_ID_PRIMES];  // 2, 3, 5, 7

// fft_id_radix_digits: the number of prime factors 2, 3, 5, 7 of a radix, with multiplicity.
unsigned fft_id_radix_digits(unsigned radix);

#endif  // FFT_INDEX_DIGIT_LENGTHS_H_
