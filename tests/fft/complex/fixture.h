// fixture.h: memory, operands and comparisons for tests of complex, real and product
// transforms. May include the room's doors and the reference.
#ifndef TESTS_FFT_COMPLEX_FIXTURE_H_
#define TESTS_FFT_COMPLEX_FIXTURE_H_

#include "fft/complex/complex.h"
#include "fft/complex/reference.h"
#include "tests/support/gen.h"

// The variants that this processor has: simds[0] is portable.
typedef struct {
    unsigned count;
    cpu_simd simd[CPU_SIMDS];
} complex_variants;
complex_variants complex_variants_here(void);

// complex_alloc: 64-byte aligned memory filled with a pattern; ends the program without memory.
// Freed by free().
void *complex_alloc(uint64_t bytes);

// An array of floats of either type, as doubles.
double complex_get(fft_float type, const void *array, uint64_t i);
void complex_set(fft_float type, void *array, uint64_t i, double value);
uint64_t complex_bytes(fft_float type, uint64_t floats);
// Uniform in [-1, 1), of 24 bits: the same in both types.
void complex_random(gen *g, fft_float type, void *array, uint64_t floats);
fft_reference_point *complex_exact(fft_float type, const void *array, uint64_t points);

// complex_with: a plan with its memory, for a team.
typedef struct {
    fft_complex_plan plan;
    void *tables, *workspace, *team_memory;
    fft_complex_run run;
} complex_with;
// Requires a length that is not refused.
void complex_open(complex_with *w, const fft_complex_problem *problem, cpu_simd simd,
                  unsigned threads);
void complex_close(complex_with *w);

// complex_bound: a bound on the relative error in the L2 norm of a transform by this plan, in units
// of u, from the roundings that complex.h states. A level of radix 2 maps (a, b) to a + w b and
// a - w b, sqrt(2) times an isometry. t has a relative error of u, and so has w (c and tau half of
// it each, and second orders): 2 u |b|; the sums u |a + w b| and u |a - w b|. Together
// 2 sqrt(2) u |b| + sqrt(2) u |(a, b)|, relative to sqrt(2) |(a, b)| at most 3 u. An inverse level:
// sums and differences u, t u, w u, the last product u: 4 u. A pass of odd radix r: w^s and its
// product 3 u; each output of the DFT is a sum of r terms bounded by the inputs' moduli, with at
// most 2 r roundings of at most that sum: 2 r u, times sqrt(r) in the norm.
double complex_bound(const fft_complex_plan *plan);
double complex_unit(fft_float type);

// complex_error: |x - y|_2 / |y|_2 over n points, x an array of the type.
double complex_error(fft_float type, const void *x, const fft_reference_point *y, uint64_t n);

#endif  // TESTS_FFT_COMPLEX_FIXTURE_H_
