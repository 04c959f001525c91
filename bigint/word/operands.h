// operands.h: signed words as a magnitude and a sign. Internal to bigint/word.
#ifndef BIGINT_WORD_OPERANDS_H_
#define BIGINT_WORD_OPERANDS_H_

#include <stdint.h>

// word_magnitude: |value|, which a word holds even for INT64_MIN. word_sign: its sign, 1 for 0.
static inline uint64_t word_magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}
static inline int word_sign(int64_t value) { return value < 0 ? -1 : 1; }

#endif  // BIGINT_WORD_OPERANDS_H_
