// lengths.h: what layout.c, lengths.c and text.c ask of each
// other: radices other than 2, and stages one after the other. Not part of the door. Includes
// index_digit.h only.
#ifndef FFT_INDEX_DIGIT_LENGTHS_H_
#define FFT_INDEX_DIGIT_LENGTHS_H_

#include "fft/index_digit/index_digit.h"

enum { FFT_ID_PRIMES = 4 };
extern const uint8_t fft_id_primes[FFT_ID_PRIMES];  // 2, 3, 5, 7

// fft_id_radix_digits: the prime factors 2, 3, 5, 7 of a radix, each as often as it divides it.
unsigned fft_id_radix_digits(unsigned radix);

// fft_id_append: one stage more, by the rule, for the digits below those that the plan's stages
// consume. Requires room for it.
void fft_id_append(fft_id_plan *plan, unsigned radix, fft_id_where where, fft_id_twiddle rule);

// fft_id_mixed_make: the stages of a plan whose problem and tuple are not refused, of a length
// that is no power of two. NULL, or why there are none.
const char *fft_id_mixed_make(fft_id_plan *plan, fft_id_twiddle rule);

#endif  // FFT_INDEX_DIGIT_LENGTHS_H_
