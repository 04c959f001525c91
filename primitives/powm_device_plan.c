// powm_device_plan.c: see powm_device.h: plans of batches of modular powers. May include word.h.
#include <assert.h>
#include <stdbool.h>

#include "primitives/powm_device.h"
#include "primitives/word.h"

enum { DIGIT_BITS = 52, WARP = 32, WINDOW_MAX = 6 };
// Lanes of a multiprocessor from which many digits for each of them pay: some less than a warp for
// each of its four schedulers. NVIDIA H200, 1024 to 4096 bits.
enum { LANES_LEAST = 112 };

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

// R >= 4 M.
static uint64_t digits_of(uint64_t modulus_bits) {
    return word_ceil_div(modulus_bits + 2, DIGIT_BITS);
}

result powm_device_plan_each(powm_device_plan *plan, unsigned each, uint64_t count,
                             uint64_t modulus_bits, uint64_t exponent_limbs, int multiprocessors,
                             uint64_t most_bytes) {
    assert(count > 0 && multiprocessors > 0);
    *plan = (powm_device_plan){.each = each};
    if (modulus_bits > POWM_DEVICE_BITS_MAX || exponent_limbs > POWM_DEVICE_EXPONENT_MAX ||
        digits_of(modulus_bits) > (uint64_t)WARP * each) {
        return RESULT_REFUSED;
    }
    plan->lanes = (unsigned)word_ceil_div(digits_of(modulus_bits), each);
    plan->window = window_bits(64 * exponent_limbs);
    const uint64_t groups = numbers_device_groups(plan->lanes, POWM_DEVICE_THREADS);
    const uint64_t block_bytes = (groups << plan->window) * each * plan->lanes * sizeof(double);
    const unsigned blocks_each =
        each == POWM_DEVICE_EACH ? POWM_DEVICE_BLOCKS : POWM_DEVICE_BLOCKS_FEW;
    const uint64_t most_blocks = (uint64_t)multiprocessors * blocks_each;
    return numbers_device_blocks(&plan->blocks, &plan->workspace_bytes, count, groups, most_blocks,
                                 block_bytes, most_bytes);
}

result powm_device_plan_make(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                             uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes) {
    // More digits a lane are less to and fro; more lanes fill the device.
    const uint64_t digits = digits_of(modulus_bits);
    const bool many =
        digits > (uint64_t)WARP * POWM_DEVICE_EACH_FEW ||
        count * word_ceil_div(digits, POWM_DEVICE_EACH) >= (uint64_t)multiprocessors * LANES_LEAST;
    const unsigned each = many ? POWM_DEVICE_EACH : POWM_DEVICE_EACH_FEW;
    return powm_device_plan_each(plan, each, count, modulus_bits, exponent_limbs, multiprocessors,
                                 most_bytes);
}
