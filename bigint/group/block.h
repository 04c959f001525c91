// block.h: how the limbs of a number are dealt out to the members of a group. Internal to bigint/.
#ifndef BIGINT_GROUP_BLOCK_H_
#define BIGINT_GROUP_BLOCK_H_

#include <stdint.h>

// block_range: limbs first .. first + count - 1.
typedef struct {
    uint64_t first, count;
} block_range;

// Blocks are whole cache lines of a device, so that a number which grows by a limb keeps its blocks
// nearly always.
enum { BLOCK_LINE = 16 };

// block_bounds: the limbs that member m holds of a number of n <= 2^56 limbs: blocks of equal
// length; the last of them may be shorter and those behind it empty.
static inline block_range block_bounds(uint64_t n, unsigned members, unsigned m) {
    const uint64_t each = (n + members - 1) / members;
    const uint64_t length = (each + BLOCK_LINE - 1) / BLOCK_LINE * BLOCK_LINE;
    const uint64_t first = m * length < n ? m * length : n;
    return (block_range){first, n - first < length ? n - first : length};
}

#endif  // BIGINT_GROUP_BLOCK_H_
