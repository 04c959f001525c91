// division_device_plan.c: see division_device.h: plans of batches. May include word.h.
#include <assert.h>

#include "primitives/residues/division_device.h"
#include "primitives/words/word.h"

enum { DIGIT_BITS = 48 };

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
    const uint64_t groups = numbers_device_groups(plan->lanes, DIVISION_DEVICE_THREADS);
    const uint64_t block_bytes = groups * plan->quotient_digits * sizeof(uint64_t);
    const uint64_t most_blocks =
        (uint64_t)multiprocessors *
        (work == DIVISION_DEVICE_INVERSE ? DIVISION_DEVICE_INVERSE_BLOCKS : DIVISION_DEVICE_BLOCKS);
    return numbers_device_blocks(&plan->blocks, &plan->workspace_bytes, count, groups, most_blocks,
                                 block_bytes, most_bytes);
}
