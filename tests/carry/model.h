// model.h: what a carry on a device is given and must make of it: rows of coefficients filled
// as a test asks, and their limbs or digits by GMP. Includes the device's jobs and the generators.
#ifndef TESTS_CARRY_MODEL_H_
#define TESTS_CARRY_MODEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carry/device.h"
#include "tests/support/gen.h"

// How coefficients are filled. N stands for the coefficients' largest value, R for the radix.
typedef enum {
    ZERO,
    UNIFORM,
    RUNS,         // every word all ones or zero
    LARGEST,      // N: the longest spills
    SMALLEST,     // signed: - N - 1
    NINES,        // R - 1, and 1 more in the lowest: a carry through the whole number
    NINES_ONLY,   // R - 1: nothing but propagation, and no carry
    MINUS_ONE,    // signed: - 1 in the lowest alone: borrows through the whole number
    ALTERNATING,  // stretches of R - 1 alternate with stretches of 0
    SMALL,
    FILLS,
    MIXED,  // rows take turns: zero, minus one, nines only, ...
} fill;
extern const char *const fill_names[FILLS + 2];

bool carry_model_signed(const carry_job *job);

// carry_model_bytes: of a coefficient.
size_t carry_model_bytes(const carry_job *job);

// carry_model_fill fills a row of job->n coefficients within what the form holds. how: below FILLS.
void carry_model_fill(uint8_t *row, gen *g, const carry_job *job, fill how);

// carry_model_expected: want[0..all) = the limbs or digits of a row's value modulo their power.
void carry_model_expected(uint64_t *want, uint64_t all, const uint8_t *row, const carry_job *job);

#endif  // TESTS_CARRY_MODEL_H_
