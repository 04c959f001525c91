// numbers_device.h: many numbers on a device, each by a group of lanes: what powm_device.h and
// division_device.h share. Plain C; includes C's own headers, result.h and word.h.
#ifndef PRIMITIVES_RESIDUES_NUMBERS_DEVICE_H_
#define PRIMITIVES_RESIDUES_NUMBERS_DEVICE_H_

#include <stdint.h>

#include "primitives/words/result.h"
#include "primitives/words/word.h"

// numbers_device: as bigint_span: number i has n limbs and begins at p + i stride, or has
// lengths[i] <= n limbs and begins at p + offsets[i]; all of it device memory, lengths and offsets
// too, where they are not NULL. Top limbs may be zero.
typedef struct {
    uint64_t *p;
    uint64_t n, stride;
    const uint64_t *lengths, *offsets;
} numbers_device;

// numbers_device_groups: of `lanes` lanes in a block of so many threads; a group stays in its warp.
static HOST_DEVICE uint64_t numbers_device_groups(unsigned lanes, unsigned threads) {
    return (uint64_t)(32 / lanes) * (threads / 32);
}

// numbers_device_blocks: blocks of `groups` groups each for `count` numbers: as many as hold them
// all, at most `most`, and of at most most_bytes together, 0: any, where each needs block_bytes. 0
// is RESULT_NO_MEMORY.
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
