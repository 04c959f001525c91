// powm_device_plan.c: see powm_device.h: plans of batches of modular powers. May include word.h.
#include <assert.h>
#include <stdbool.h>

#include "primitives/residues/powm_device.h"
#include "primitives/words/word.h"

enum { DIGIT_BITS = 52, WARP = 32, SCHEDULERS = 4, WINDOW_MAX = 6 };
// The following costs are fitted to trials (docs/batch_limits.md). The unit is about a quarter of
// an instruction.
// A row of a product in one warp: the cost for each of a lane's digits, and for the row.
enum { ROW_DIGIT = 10, ROW = 40 };
// Numbers of more than POWM_DEVICE_EACH_FEW digits in one lane: their squares take half of the
// digit products, so an average product takes this many eighths.
enum { ONE_EIGHTHS = 7 };
// A single warp on a scheduler takes this many fourths of the time of one among several.
enum { ALONE_FOURTHS = 5 };
// A product of t tiles with w warps on each scheduler: (TILE_SQUARE t + TILE) t (2 w + 1), and
// TILES_WAIT for latency.
enum { TILE_BITS = 1024, TILE_SQUARE = 87, TILE = 380, TILES_WAIT = 3000 };
// For moduli of at most this many bits for each tile the way to R^2 takes too long.
enum { TILE_BITS_FEW = 256 };

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
    const uint64_t block_bytes =
        groups * powm_device_entries(plan->window) * each * plan->lanes * sizeof(double);
    const unsigned blocks_each = each == POWM_DEVICE_EACH_FEW    ? POWM_DEVICE_BLOCKS_FEW
                                 : each == POWM_DEVICE_EACH_SOME ? POWM_DEVICE_BLOCKS_SOME
                                                                 : POWM_DEVICE_BLOCKS;
    const uint64_t most_blocks = (uint64_t)multiprocessors * blocks_each;
    return numbers_device_blocks(&plan->blocks, &plan->workspace_bytes, count, groups, most_blocks,
                                 block_bytes, most_bytes);
}

// digits_cost: the cost of one product for each of `count` numbers, up to a factor: rows, times the
// instructions of a row, times the warps of a scheduler.
static uint64_t digits_cost(const powm_device_plan *plan, uint64_t count, int multiprocessors) {
    const uint64_t warps = word_ceil_div(count, WARP / plan->lanes);
    const uint64_t each = word_ceil_div(warps, SCHEDULERS * (uint64_t)multiprocessors);
    const uint64_t fourths = each == 1 ? ALONE_FOURTHS : 4 * each;
    const bool one = plan->lanes == 1 && plan->each > POWM_DEVICE_EACH_FEW;
    return plan->each * plan->lanes * (ROW_DIGIT * plan->each + ROW) * fourths *
           (one ? ONE_EIGHTHS : 8) / 8;
}

// tiles_cost: the same for tiles, from rates and latencies on an NVIDIA H200.
static uint64_t tiles_cost(const powm_device_plan *plan, uint64_t count, int multiprocessors) {
    const uint64_t warps = word_ceil_div(count, SCHEDULERS * (uint64_t)multiprocessors);
    return (TILE_SQUARE * plan->tiles + TILE) * plan->tiles * (2 * warps + 1) + TILES_WAIT;
}

result powm_device_plan_digits(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                               uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes) {
    static const unsigned eaches[] = {POWM_DEVICE_EACH, POWM_DEVICE_EACH_MORE,
                                      POWM_DEVICE_EACH_SOME, POWM_DEVICE_EACH_FEW};
    unsigned best = POWM_DEVICE_EACH;
    uint64_t least = UINT64_MAX;
    for (unsigned k = 0; k < sizeof eaches / sizeof *eaches; k++) {
        if (powm_device_plan_each(plan, eaches[k], count, modulus_bits, exponent_limbs,
                                  multiprocessors, 0) == RESULT_OK) {
            const uint64_t cost = digits_cost(plan, count, multiprocessors);
            best = cost < least ? eaches[k] : best;
            least = cost < least ? cost : least;
        }
    }
    return powm_device_plan_each(plan, best, count, modulus_bits, exponent_limbs, multiprocessors,
                                 most_bytes);
}

result powm_device_plan_tiles(powm_device_plan *plan, unsigned tiles, uint64_t count,
                              uint64_t modulus_bits, uint64_t exponent_limbs, int multiprocessors,
                              uint64_t most_bytes) {
    assert(count > 0 && multiprocessors > 0);
    *plan = (powm_device_plan){.tiles = tiles};
    if (modulus_bits > TILE_BITS * (uint64_t)tiles || exponent_limbs > POWM_DEVICE_EXPONENT_MAX) {
        return RESULT_REFUSED;
    }
    plan->window = window_bits(64 * exponent_limbs);
    const unsigned held = POWM_DEVICE_TILES / tiles;
    const uint64_t most = held < POWM_DEVICE_TILED_BLOCKS ? held : POWM_DEVICE_TILED_BLOCKS;
    // As many powers for each block as possible, and the same number of blocks on each
    // multiprocessor.
    const uint64_t rounds = word_ceil_div(count, most * (uint64_t)multiprocessors);
    const uint64_t blocks = word_ceil_div(word_ceil_div(count, rounds), (uint64_t)multiprocessors);
    const uint64_t most_blocks = blocks * (uint64_t)multiprocessors;
    return numbers_device_blocks(&plan->blocks, &plan->workspace_bytes, count, 1, most_blocks,
                                 TILE_BITS / 8 * tiles * powm_device_entries(plan->window),
                                 most_bytes);
}

result powm_device_plan_make(powm_device_plan *plan, uint64_t count, uint64_t modulus_bits,
                             uint64_t exponent_limbs, int multiprocessors, uint64_t most_bytes) {
    static const unsigned sizes[] = {2, 3, 4, 6, 8, 12, 16};
    const result digits = powm_device_plan_digits(plan, count, modulus_bits, exponent_limbs,
                                                  multiprocessors, most_bytes);
    if (digits == RESULT_REFUSED) {
        return digits;
    }
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        powm_device_plan tiled;
        if (modulus_bits > TILE_BITS_FEW * (uint64_t)sizes[k] &&
            powm_device_plan_tiles(&tiled, sizes[k], count, modulus_bits, exponent_limbs,
                                   multiprocessors, most_bytes) == RESULT_OK &&
            tiles_cost(&tiled, count, multiprocessors) <
                digits_cost(plan, count, multiprocessors)) {
            *plan = tiled;
            return RESULT_OK;
        }
    }
    return digits;
}
