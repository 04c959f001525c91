// division_device_plan.c: see division_device.h: plans of batches. May include word.h.
#include <assert.h>

#include "primitives/division_device.h"
#include "primitives/word.h"

enum { DIGIT_BITS = 48, WARP = 32 };

result division_device_plan_make(division_device_plan *plan, division_device_work work,
                                 uint64_t count, uint64_t modulus_limbs, uint64_t dividend_limbs,
                                 int multiprocessors, uint64_t most_bytes) {
    assert(count > 0 && multiprocessors > 0);
    *plan = (division_device_plan){.work = work};
    if (modulus_limbs > DIVISION_DEVICE_LIMBS_MAX) {
        return RESULT_REFUSED;
    }
    // Numbers below R / 4, R = 2^(48 digits).
    const uint64_t digits = word_ceil_div(64 * modulus_limbs + 2, DIGIT_BITS);
    plan->lanes = (unsigned)word_ceil_div(digits, DIVISION_DEVICE_EACH);
    // Rows of a dividend, whose scale adds digits that the first ones take away, and a carry.
    plan->quotient_digits =
        dividend_limbs == 0 ? 0 : word_ceil_div(64 * dividend_limbs, DIGIT_BITS) + 2;
    const uint64_t groups = (uint64_t)(WARP / plan->lanes) * (DIVISION_DEVICE_THREADS / WARP);
    const uint64_t block_bytes = groups * plan->quotient_digits * sizeof(uint64_t);
    const uint64_t most_blocks =
        (uint64_t)multiprocessors *
        (work == DIVISION_DEVICE_INVERSE ? DIVISION_DEVICE_INVERSE_BLOCKS : DIVISION_DEVICE_BLOCKS);
    uint64_t blocks = word_ceil_div(count, groups);
    blocks = blocks < most_blocks ? blocks : most_blocks;
    if (most_bytes != 0 && blocks * block_bytes > most_bytes) {
        blocks = most_bytes / block_bytes;
    }
    plan->blocks = (unsigned)blocks;
    plan->workspace_bytes = blocks * block_bytes;
    return blocks == 0 ? RESULT_NO_MEMORY : RESULT_OK;
}
