// operand.h: operands of convolutions as digits and as the words that hold them, their plans, and
// what coefficients must be. Includes the fixture.
#ifndef TESTS_FFT_MODULAR_OPERAND_H_
#define TESTS_FFT_MODULAR_OPERAND_H_

#include "tests/fft/modular/fixture.h"

// operand: digits, and the same as packed words.
typedef struct {
    uint64_t *digits, *words;
    fft_digits as;
} operand;

// operand_make: all digits 0. operand_pack: the words, once there are digits.
operand operand_make(size_t count, unsigned bits);
void operand_pack(operand *o);
void operand_free(operand *o);

// operand_plan: the plan for an by bn digits of the given width, of the shape that
// fft/modular/plan.c chooses.
fft_plan operand_plan(size_t an, size_t bn, unsigned bits);

// operand_expect_coefficients: of f's product of n coefficients all points that the plan computes,
// those past its end included.
void operand_expect_coefficients(const fixture *f, const uint64_t *right, size_t n,
                                 const char *what);

#endif  // TESTS_FFT_MODULAR_OPERAND_H_
