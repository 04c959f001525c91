// far_plan.h: plans of products that need the inner pass of share.h. Plain C.
#ifndef FFT_DEVICE_MODULAR_FAR_PLAN_H_
#define FFT_DEVICE_MODULAR_FAR_PLAN_H_

#include "fft/device/modular/convolution.h"

// fft_modular_plan_far gives a plan that has pieces, lg_outer, lg_rows and lg_columns the digits of
// operands of an, bn >= 1 limbs, for an inner pass of 2^lg_inner points. False if it has too few
// points, no kernels, or digits that are not exact.
bool fft_modular_plan_far(fft_modular_plan *plan, unsigned lg_inner, uint64_t an, uint64_t bn);

#endif  // FFT_DEVICE_MODULAR_FAR_PLAN_H_
