// index_digit_mixed.h: what index_digit.c and index_digit_text.c ask of plans whose digits have
// other radices than 2. Not part of the door. Includes index_digit.h only.
#ifndef FFT_INDEX_DIGIT_MIXED_H_
#define FFT_INDEX_DIGIT_MIXED_H_

#include "fft/index_digit.h"

// fft_id_mixed_refusal, fft_id_mixed_make: as fft_id_refusal and fft_id_make, for lengths that are
// no power of two.
const char *fft_id_mixed_refusal(const fft_id_plan *plan);
const char *fft_id_mixed_make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple,
                              fft_id_twiddle rule);

// fft_id_radix_digits: the prime factors 2, 3, 5, 7 of a radix, each as often as it divides it.
unsigned fft_id_radix_digits(unsigned radix);

// fft_id_one_rule: twiddles after every node but the last, or before every one but the first.
bool fft_id_one_rule(const fft_id_plan *plan);

#endif  // FFT_INDEX_DIGIT_MIXED_H_
