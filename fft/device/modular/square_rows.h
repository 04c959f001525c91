// square_rows.h: rows of convolutions of which the product of two operands is wanted and the square
// of the second: a step of series such as (1 + e) (1 + e^2) (1 + e^4) ... Plain C.
#ifndef FFT_DEVICE_MODULAR_SQUARE_ROWS_H_
#define FFT_DEVICE_MODULAR_SQUARE_ROWS_H_

#include "fft/device/modular/convolution.h"

#ifdef __cplusplus
extern "C" {
#endif

// fft_modular_square_rows: what fft_modular_rows makes of x and y by FFT_ROW_MULTIPLY, into x, and
// of y by FFT_ROW_SQUARE, into y, in one launch: rows of y are transformed once. RESULT_REFUSED: as
// there.
result fft_modular_square_rows(const fft_modular_step *step, double *x, double *y);

#ifdef __cplusplus
}
#endif

#endif  // FFT_DEVICE_MODULAR_SQUARE_ROWS_H_
