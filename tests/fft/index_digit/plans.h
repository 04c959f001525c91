// plans.h: plans for the tests and benchmarks of index-digit transforms. May include
// fft/index_digit/index_digit.h.
#ifndef TESTS_FFT_INDEX_DIGIT_PLANS_H_
#define TESTS_FFT_INDEX_DIGIT_PLANS_H_

#include "fft/index_digit/index_digit.h"
#include "tests/support/gen.h"

// problem_of: complex FP64 transforms of 2^digits points.
fft_id_problem problem_of(unsigned digits, fft_id_direction direction, fft_id_order order,
                          uint64_t batch);

fft_id_tuple tuple_of(unsigned p, unsigned s, unsigned x);

// One multiprocessor of compute capability 9.0.
extern const fft_id_limits hopper;

// random_plan: any stages of a problem, in passes, exchanges and registers as they come; not
// always a valid one.
void random_plan(gen *g, fft_id_plan *plan, const fft_id_problem *problem);

#endif  // TESTS_FFT_INDEX_DIGIT_PLANS_H_
