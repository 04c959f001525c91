// word_plan.h: plans of convolutions of digits of any radix: numbers in base 10^k. The steps are
// convolution.h's.
#ifndef FFT_DEVICE_MODULAR_WORD_PLAN_H_
#define FFT_DEVICE_MODULAR_WORD_PLAN_H_

#include "fft/device/modular/convolution.h"

// fft_modular_words: digits of `bits` bits, up to most 2^(bits - 64), modulo `primes` primes. Digit
// i is bits [i bits, (i + 1) bits) of an operand's words. bits: 64 of three primes, else as a
// plan's digit_bits.
typedef struct {
    unsigned primes, bits;
    uint64_t most;
} fft_modular_words;

// fft_modular_plan_words: the fastest plan for operands of an, bn >= 1 digits, and of its high
// convolution if plan->wrapped > 0; its cost, to compare plans. clusters: as of
// fft_modular_plan_limbs. UINT64_MAX if coefficients could be inexact, or there is no shape.
uint64_t fft_modular_plan_words(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an,
                                uint64_t bn, const fft_modular_words *words, bool clusters);

#endif  // FFT_DEVICE_MODULAR_WORD_PLAN_H_
