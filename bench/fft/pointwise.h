// pointwise.h: the product of two spectra, for pipelines that are composed of transforms. Plain C;
// includes result.h only.
#ifndef BENCH_FFT_POINTWISE_H_
#define BENCH_FFT_POINTWISE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// pointwise_multiply enqueues x[i] = x[i] y[i], i < n, for complex numbers of two doubles or, if
// single, of two floats.
bool pointwise_multiply(void *x, const void *y, uint64_t n, bool single, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_FFT_POINTWISE_H_
