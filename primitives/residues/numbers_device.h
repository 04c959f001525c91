// numbers_device.h: batches of numbers on a device, a group of lanes for each; shared by
// powm_device.h and division_device.h. Plain C; includes C's own headers, result.h and word.h.
#ifndef PRIMITIVES_RESIDUES_NUMBERS_DEVICE_H_
#define PRIMITIVES_RESIDUES_NUMBERS_DEVICE_H_

#include <stdint.h>

#include "primitives/words/result.h"
#include "primitives/words/word.h"

// numbers_device: number i has n limbs and begins at p + i stride; with lengths it has lengths[i]
// <= n limbs, with offsets it begins at p + offsets[i]. Both may be NULL. All arrays are in device
// memory. Top limbs may be zero. The same as bigint_span.
typedef struct {
    uint64_t *p;
    uint64_t n, stride;
    const uint64_t *lengths, *offsets;
} numbers_device;

// numbers_device_groups: the number of groups of `lanes` lanes in a block of that many threads. A
// group stays within its warp.
static HOST_DEVICE uint64_t numbers_device_groups(unsigned lanes, unsigned threads) {
    return (uint64_t)(32 / lanes) * (threads / 32);
}

// numbers_device_blocks: sets *blocks to the number of blocks of `groups` groups that hold `count`
// numbers, limited by `most` and, at block_bytes each, by most_bytes (0: no limit). *bytes is what
// they need. RESULT_NO_MEMORY: not even one fits.
static inline result numbers_device_blocks(unsigned *blocks, uint64_t *bytes, uint64_t count,
                                           uint64_t groups, uint64_t most, uint64_t block_bytes,
                                           uint64_t most_bytes) {
    uint64_t n = word_ceil_div(count, groups);
    n = n < most ? n : most;
    if (most_bytes != 0 && n * block_bytes > most_bytes) {
        n = most_bytes / block_bytes;
    }
    *blocks = (unsigned)n;
    *bytes = n * block_bytes;
    return n == 0 ? RESULT_NO_MEMORY : RESULT_OK;
}

#endif  // PRIMITIVES_RESIDUES_NUMBERS_DEVICE_H_
