// reference.h: executes a plan of index_digit.h on complex doubles exactly as it says:
// pass after pass, block after block, through the registers and the shared memory that its mapping
// vectors name. Slow; the truth for every faster executor. May include index_digit.h.
#ifndef FFT_INDEX_DIGIT_REFERENCE_H_
#define FFT_INDEX_DIGIT_REFERENCE_H_

#include "fft/index_digit/index_digit.h"

typedef struct {
    double re, im;
} fft_id_complex;

// fft_id_reference_items: how many items of workspace fft_id_reference takes.
uint64_t fft_id_reference_items(const fft_id_plan *plan);

// fft_id_reference: y = transform of x, both of batch times 2^n items. NULL, or why not (a plan
// that is refused, or elements that are not complex). Natural order: x and y do not overlap.
// Reversed order: y may be x. workspace overlaps neither.
// Accuracy: a node and its twiddles are computed in long double (64 bits or more of significand)
// and each result is rounded once, so with u = 2^-53, in the 2-norm,
//     |y - exact| <= stages (u + 2^-54) |exact|    (derived in docs/index_digit.md).
// Cost: about n + radix operations for each item and stage.
const char *fft_id_reference(const fft_id_plan *plan, const fft_id_complex *x, fft_id_complex *y,
                             fft_id_complex *workspace);

// fft_id_root: w = exp(2 pi i k / 2^lg), k < 2^lg, lg <= 60, each part rounded once from long
// double after reduction to an eighth of the turn: error below 0.51 ulp, exact at multiples of an
// eighth where the value is 0 or 1, and w(-k) the exact conjugate of w(k).
fft_id_complex fft_id_root(uint64_t k, unsigned lg);

#endif  // FFT_INDEX_DIGIT_REFERENCE_H_
