// word_plan.h: plans of convolutions of words that are digits already, of any radix up to 2^64:
// numbers in base 10^k. Word i of an operand is its digit i. The steps are convolution.h's.
#ifndef FFT_DEVICE_MODULAR_WORD_PLAN_H_
#define FFT_DEVICE_MODULAR_WORD_PLAN_H_

#include "fft/device/modular/convolution.h"

// fft_modular_plan_words: a plan for operands of an, bn >= 1 words up to `most`, modulo three
// primes, and of its high convolution if plan->wrapped > 0. Its shape is the fastest for a product
// of limbs with as many digits, or a digit more. clusters: as of fft_modular_plan_limbs. False if
// coefficients could exceed 2^148, or there is no such shape.
bool fft_modular_plan_words(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an,
                            uint64_t bn, uint64_t most, bool clusters);

#endif  // FFT_DEVICE_MODULAR_WORD_PLAN_H_
