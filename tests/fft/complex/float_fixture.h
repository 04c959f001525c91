// float_fixture.h: what the tests of products through floating-point transforms have in common:
// operands whose digits are as bad as they can be, and digits bit by bit. Includes gen.h.
#ifndef TESTS_FFT_COMPLEX_FLOAT_FIXTURE_H_
#define TESTS_FFT_COMPLEX_FLOAT_FIXTURE_H_

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/gen.h"

// float_digits: of a plan: radix = 2^width, or a word is a digit for width 0.
typedef struct {
    uint64_t radix;
    unsigned width;
    bool balanced;
} float_digits;

typedef enum {
    FLOAT_ONES,
    FLOAT_TOP_BITS,     // balanced: nearly -largest everywhere
    FLOAT_BELOW_TOP,    // largest - 1 everywhere
    FLOAT_ALTERNATING,  // -largest and +largest, alternating
    FLOAT_COINS,        // one of these two fields at random
    FLOAT_TRAIN,        // the same at every 2^q-th digit, zeros between
    FLOAT_WAVE,         // signs of a cosine: one frequency takes it all
    FLOAT_UNIFORM,
    FLOAT_SHAPES
} float_shape;

// float_fill: an operand of n words whose digits have this shape.
void float_fill(gen *g, const float_digits *digits, uint64_t *words, uint64_t n, float_shape s);

// float_slow_digits: the first `count` digits, all that there are, by the formula of
// docs/proofs/complex_fft.md, section 6. The caller frees them.
int64_t *float_slow_digits(const float_digits *digits, const uint64_t *words, uint64_t n,
                           uint64_t count);

#endif  // TESTS_FFT_COMPLEX_FLOAT_FIXTURE_H_
