// powm_device_plan.c: see powm_device.h: plans of batches of modular powers. May include word.h.
#include <assert.h>

#include "primitives/powm_device.h"
#include "primitives/word.h"

enum { DIGIT_BITS = 52, WARP = 32, WINDOW_MAX = 6 };

// window_bits: windows of w bits cost 2^w products once and one for every w bits.
static unsigned window_bits(uint64_t exponent_bits) {
    unsigned best = 1;
    for (unsigned w = 2; w <= WINDOW_MAX; w++) {
        if ((UINT64_C(1) << w) + exponent_bits / w < (UINT64_C(1) << best) + exponent_bits / best) {
            best = w;
        }
    }
    return best;
}

result powm_device_plan_make(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                             uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes) {
    assert(count > 0 && multiprocessors > 0);
    if (modulus_bits > POWM_DEVICE_BITS_MAX || exponent_limbs > POWM_DEVICE_EXPONENT_MAX) {
        return RESULT_REFUSED;
    }
    // R >= 4 M.
    const uint64_t digits = word_ceil_div(modulus_bits + 2, DIGIT_BITS);
    const uint64_t most_blocks = (uint64_t)multiprocessors * POWM_DEVICE_BLOCKS_EACH;
    // Many powers: more digits a lane, so that less goes from lane to lane. Few: more lanes, so
    // that there are warps for every multiprocessor.
    *plan = (powm_device_plan){.each = POWM_DEVICE_EACH};
    const uint64_t few = word_ceil_div(digits, POWM_DEVICE_EACH / 2);
    if (few <= WARP && count * few <= most_blocks * POWM_DEVICE_THREADS / 2) {
        plan->each = POWM_DEVICE_EACH / 2;
    }
    plan->lanes = (unsigned)word_ceil_div(digits, plan->each);
    plan->window = window_bits(64 * exponent_limbs);
    const uint64_t groups = WARP / plan->lanes * (POWM_DEVICE_THREADS / WARP);
    const uint64_t block_bytes = (groups << plan->window) * plan->each * plan->lanes * 8;
    uint64_t blocks = word_ceil_div(count, groups);
    blocks = blocks < most_blocks ? blocks : most_blocks;
    if (most_bytes != 0 && blocks * block_bytes > most_bytes) {
        blocks = most_bytes / block_bytes;
    }
    plan->blocks = (unsigned)blocks;
    plan->workspace_bytes = blocks * block_bytes;
    return blocks == 0 ? RESULT_NO_MEMORY : RESULT_OK;
}
