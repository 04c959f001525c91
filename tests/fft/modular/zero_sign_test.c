// The transform of one variant with fused operations that make a -0 of every zero of which the
// processor's make a +0. valgrind 3.19 has such ones: it computes c - a b as -(a b - c).
#include <stdlib.h>

#include "primitives/words/vec.h"

// The same values, except for the signs of zeros.
static vec negated(vec a) { return vec_sub(vec_set1(-0.0), a); }
static vec emulated_fms(vec a, vec b, vec c) { return negated(vec_fnma(a, b, c)); }
static vec emulated_fnma(vec a, vec b, vec c) { return negated(vec_fms(a, b, c)); }
#define vec_fms emulated_fms
#define vec_fnma emulated_fnma
#undef VEC_VARIANT
#define VEC_VARIANT emulated
#include "fft/modular/variant.c"

#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/fft/modular/operand.h"
#include "tests/fft/modular/reference.h"
#include "tests/fft/modular/variant.h"
#include "tests/support/gen.h"

enum { DIGITS = 100 };

// Zeros are in coefficients past the product's end, and wherever operands have them. Mutation:
// field_canonical tests the sign bit, so that it makes p of -0.
TEST(ZeroSign, Convolution) {
    REQUIRE_VARIANT();
    static const gen_shape shapes[] = {GEN_ZERO, GEN_UNIFORM, GEN_POWER, GEN_SPARSE, GEN_RUNS};
    gen g = gen_seed(1);
    uint64_t *const right = fixture_words((2 * DIGITS - 1) * FFT_COEFFICIENT_WORDS);
    const fft_plan plan = operand_plan(DIGITS, DIGITS, 64);
    for (size_t i = 0; i < 25; i++) {
        SCOPED_TRACE("%s by %s", gen_shape_name(shapes[i / 5]), gen_shape_name(shapes[i % 5]));
        operand a = operand_make(DIGITS, 64), b = operand_make(DIGITS, 64);
        gen_limbs(&g, shapes[i / 5], a.digits, DIGITS);
        gen_limbs(&g, shapes[i % 5], b.digits, DIGITS);
        operand_pack(&a);
        operand_pack(&b);
        reference_convolution(right, a.digits, DIGITS, b.digits, DIGITS);
        fixture f;
        fixture_start(&f, &fft_ops_emulated, &plan, &(fixture_options){0});
        fixture_convolve(&f, &a.as, &b.as, false);
        operand_expect_coefficients(&f, right, 2 * DIGITS - 1, "a b");
        fixture_stop(&f);
        operand_free(&a);
        operand_free(&b);
    }
    free(right);
}
