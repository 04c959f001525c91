// transform_fixture.h: what the tests of transforms on a device, or under the kernel emulation,
// have in common. Includes the door and C's own headers.
//
// Numbers are stored as doubles, two to a complex item, with values of the plan's type:
// transform_input rounds to it. One side of a transform of reals has as many numbers as the length,
// and the other side two more.
#ifndef TESTS_FFT_DEVICE_TRANSFORM_FIXTURE_H_
#define TESTS_FFT_DEVICE_TRANSFORM_FIXTURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fft/device/complex/transform.h"

// transform_problem: of 2^n points in natural order.
fft_id_problem transform_problem(fft_id_element element, fft_id_direction direction, unsigned n,
                                 uint64_t batch);

// transform_numbers: of all input, or of all output.
size_t transform_numbers(const fft_id_plan *plan, bool output);

// transform_input: random numbers in [-1, 1); the caller frees them.
double *transform_input(const fft_id_plan *plan, uint64_t seed);

// transform_upload, transform_download: numbers to and from device memory, as the plan's type.
void transform_upload(const fft_id_plan *plan, void *to, const double *x, size_t n);
void transform_download(const fft_id_plan *plan, double *y, const void *from, size_t n);

// transform_run: y = what the device makes of x. Expects of the workspace that it is one copy of
// the data where passes move items, else nothing, of what lies beyond each array that it keeps its
// pattern, and of the input that it keeps its values unless it is the output.
void transform_run(const fft_id_plan *plan, const double *x, double *y, bool in_place);

// transform_distance: of y to what is wanted, relative in the 2-norm, absolute if that is 0.
double transform_distance(const double *y, const double *want, size_t n);

// transform_tolerance: 0.5 u for each level of radix 2 is above what transforms of independent
// roundings show (0.3 u), and far below what any wrong root or place gives. Between pairs and reals
// there is one level more, and a product.
double transform_tolerance(const fft_id_plan *plan);

// transform_truth: y = the exact transforms of x, of the whole batch.
typedef void transform_truth(const fft_id_plan *plan, const double *x, double *y);

// transform_reference: the truth of complex items by the reference that executes the same plan
// literally.
void transform_reference(const fft_id_plan *plan, const double *x, double *y);

// transform_check expects of random input a result within the tolerance of the truth, out of place,
// and in place where that is allowed.
void transform_check(const fft_id_plan *plan, uint64_t seed, transform_truth *truth);

// transform_expect_plans expects a plan for every power of two from 2^least to 2^33, in batches of
// up to 64 problems.
void transform_expect_plans(fft_id_element element, unsigned least);

// transform_expect_refused expects of each spec that it is refused, with these words where there
// are kernels, and that nothing is written.
typedef struct {
    const char *spec, *why;
} transform_refused;
void transform_expect_refused(const transform_refused *refused, size_t n);

#endif  // TESTS_FFT_DEVICE_TRANSFORM_FIXTURE_H_
