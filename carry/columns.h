// columns.h: carry_pow2 for coefficients of one word, one function for each instruction set. May
// include carry.h and primitives/.
#ifndef CARRY_COLUMNS_H_
#define CARRY_COLUMNS_H_

#include <stddef.h>
#include <stdint.h>

#include "carry/carry.h"
#include "primitives/words/cpu.h"

// carry_columns is carry_pow2 with words = 1: every variant gives the same limbs and the same
// state. Cost: vectors take 64 coefficients at a time if w is even, 32 <= w <= 62, the stream is at
// the start of a limb and its carry is below 2^w. Otherwise coefficients are taken one by one.
typedef size_t carry_columns(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n,
                             unsigned w);

// carry_columns_for: the variant for these vectors.
carry_columns *carry_columns_for(cpu_simd simd);

carry_columns carry_columns_serial, carry_columns_avx2, carry_columns_avx512;

#endif  // CARRY_COLUMNS_H_
