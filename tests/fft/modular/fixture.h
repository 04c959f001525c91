// fixture.h: what the tests of fft/ share: the variants, plans of any shape, and a convolution with
// all its memory. Includes fft/modular/fft.h.
#ifndef TESTS_FFT_MODULAR_FIXTURE_H_
#define TESTS_FFT_MODULAR_FIXTURE_H_

#include <stdbool.h>

#include "fft/modular/fft.h"

// Every SIMD variant, with the logarithm of its lanes.
typedef struct {
    const fft_ops *ops;
    unsigned lg_width;
    bool words;  // planes hold 52-bit words
} fixture_variant;
static const fixture_variant fixture_variants[] = {{&fft_ops_portable, 0, true},
                                                   {&fft_ops_avx2, 2, false},
                                                   {&fft_ops_avx2_round, 2, false},
                                                   {&fft_ops_avx512, 3, false},
                                                   {&fft_ops_ifma, 3, true}};

// Whether this machine can run it.
bool fixture_runs(const fixture_variant *v);
// FOR_EACH_VARIANT (v) { ... }: over those that this machine can run.
#define FOR_EACH_VARIANT(v)                                                              \
    for (const fixture_variant *v = fixture_variants;                                    \
         v < fixture_variants + sizeof fixture_variants / sizeof *fixture_variants; v++) \
        if (fixture_runs(v))

// fixture_words: n words, all zero, and nothing behind them; free gives them back.
uint64_t *fixture_words(size_t n);

// fixture_plan: a plan by hand. Rows are padded as fft/modular/plan.c would not do it, so that
// nothing relies on its choice.
fft_plan fixture_plan(unsigned lg_rows, unsigned lg_columns, unsigned lg_strip, uint64_t rows,
                      unsigned digit_bits);

// fixture: a convolution and its memory: planes for the result, for a second operand, for sums and
// for a prepared one; all of it holds rubbish at first.
typedef struct {
    fft_convolution c;
    double *prepared[FFT_PRIMES_USED];
    const double *as_prepared[FFT_PRIMES_USED];
    void *team_memory;
} fixture;

typedef struct {
    unsigned threads;  // 0: no team
    unsigned more_lg;  // tables this much longer than the plan needs
    bool own_planes;   // a plane of the second operand for each thread
} fixture_options;

void fixture_start(fixture *f, const fft_ops *ops, const fft_plan *plan,
                   const fixture_options *options);
void fixture_stop(fixture *f);

// fixture_prepare: the forward transform of b into f->prepared, which fixture_convolve may use.
void fixture_prepare(fixture *f, const fft_digits *b);
// fixture_convolve: f->c.planes = a b; by f->prepared if use_prepared, a a if b is NULL.
void fixture_convolve(fixture *f, const fft_digits *a, const fft_digits *b, bool use_prepared);
// fixture_coefficients: the first n coefficients, three words each.
void fixture_coefficients(const fixture *f, uint64_t *c, uint64_t n);

#endif  // TESTS_FFT_MODULAR_FIXTURE_H_
