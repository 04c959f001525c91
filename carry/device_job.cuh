// device_job.cuh: a job in the form that the carry kernels take, and how they read a coefficient.
// Includes device_types.h and ripple.cuh.
#ifndef CARRY_DEVICE_JOB_CUH_
#define CARRY_DEVICE_JOB_CUH_

#include <cmath>

#include "carry/device_types.h"
#include "carry/ripple.cuh"
#include "primitives/words/word_div.h"

struct CarryData {
    const void *c;
    uint64_t *r;
    uint64_t *carry_out;  // may be NULL
    carry_form form;
    bool is_signed;
    bool vectors;         // every row of the result begins on a 16-byte boundary
    unsigned w;           // radix 2^w or 10^w
    word_divisor by_w;    // radix 2^w: for the first coefficient of a warp
    uint64_t reciprocal;  // ceil(2^32 / w): for those of its lanes
    uint64_t n;           // coefficients of a row
    uint64_t out;         // limbs or digits of a row that go to r
    uint64_t all;         // with its carry-out
    uint32_t tiles;       // of a row
    // Radix 2^w: words of shared memory for a warp's coefficients, 0 if they are too many.
    unsigned stage;
    // Radix 10^w: digits of a thread; the bias that keeps spills positive, R^bias_at.
    unsigned each, bias_at;
    uint64_t bias[CARRY_DEVICE_WORDS_MAX + 1];
    uint64_t radix;
    word_divisor divisor;

    // The tile that a block has drawn: its row and its number there.
    DEVICE uint64_t Row(uint32_t tile) const { return tile / tiles; }
    DEVICE uint32_t Number(uint32_t tile) const { return tile % tiles; }

    // Element j of an array of coefficients' words in global or shared memory, as an integer.
    DEVICE uint64_t Word(const void *words, uint64_t j) const {
        switch (form) {
            case CARRY_S32:
                return (uint64_t)(int64_t)((const int32_t *)words)[j];
            case CARRY_F64:
                return (uint64_t)llrint(((const double *)words)[j]);
            default:
                return ((const uint64_t *)words)[j];
        }
    }

    // Writes limb or digit i of a row where it belongs.
    DEVICE void Write(uint64_t row, uint64_t i, uint64_t v) const {
        if (i < out) {
            r[row * out + i] = v;
        } else if (i < all && carry_out != nullptr) {
            carry_out[row * (all - out) + i - out] = v;
        }
    }
};

#endif  // CARRY_DEVICE_JOB_CUH_
