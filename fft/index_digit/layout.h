// layout.h: what a block of a pass holds, for the files of this folder. Includes index_digit.h
// only. layout.c also defines what index_digit.h says of passes, words, operators and mapping
// vectors.
#ifndef FFT_INDEX_DIGIT_LAYOUT_H_
#define FFT_INDEX_DIGIT_LAYOUT_H_

#include "fft/index_digit/index_digit.h"

// fft_id_block_slots: the slots that a block of the pass from stage `first` holds, as a mask (bit
// j: slot j). They are the digits that the pass consumes, the digits of the lowest x addresses
// written (the lowest x read are among them, docs/index_digit.md), and then the lowest digits read
// until there are s. *count: the number of slots, above s if the pass does not fit.
uint64_t fft_id_block_slots(const fft_id_plan *plan, unsigned first, unsigned *count);

#endif  // FFT_INDEX_DIGIT_LAYOUT_H_
