// refusal.h: the first half of fft_id_refusal, for construction.c. Includes index_digit.h only.
// refusal.c also defines fft_id_refusal.
#ifndef FFT_INDEX_DIGIT_REFUSAL_H_
#define FFT_INDEX_DIGIT_REFUSAL_H_

#include "fft/index_digit/index_digit.h"

// fft_id_request_refusal: NULL if the plan's problem and tuple are valid, otherwise the reason.
// Does not read the stages.
const char *fft_id_request_refusal(const fft_id_plan *plan);

#endif  // FFT_INDEX_DIGIT_REFUSAL_H_
