// transform_exact.h: transforms of any length by sums in long double, which results on a device are
// held against. Includes the plans.
#ifndef TESTS_FFT_DEVICE_TRANSFORM_EXACT_H_
#define TESTS_FFT_DEVICE_TRANSFORM_EXACT_H_

#include "fft/index_digit/index_digit.h"

// transform_exact: y = the transforms of x, of the whole batch of complex items or reals, problem
// after problem, as transform_fixture.h has numbers. Knows nothing of the plan but its problem.
// Cost of a problem of n = n1 n2 ... points: n (n1 + n2 + ...) products, each factor prime or the
// last one, of at most 400.
void transform_exact(const fft_id_plan *plan, const double *x, double *y);

#endif  // TESTS_FFT_DEVICE_TRANSFORM_EXACT_H_
