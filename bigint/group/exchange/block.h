// block.h: how the limbs of a number are dealt out to the members of a group. Internal to bigint/.
#ifndef BIGINT_GROUP_EXCHANGE_BLOCK_H_
#define BIGINT_GROUP_EXCHANGE_BLOCK_H_

#include <stdint.h>

// block_range: limbs first .. first + count - 1.
typedef struct {
    uint64_t first, count;
} block_range;

// Blocks are whole cache lines of a device, so that a number which grows by a limb keeps its blocks
// nearly always.
enum { BLOCK_LINE = 16 };

// block_length: the length of the blocks of a number of n <= 2^56 limbs; the last may be shorter,
// and those behind it are empty.
static inline uint64_t block_length(uint64_t n, unsigned members) {
    const uint64_t each = (n + members - 1) / members;
    return (each + BLOCK_LINE - 1) / BLOCK_LINE * BLOCK_LINE;
}

// block_bounds: the limbs that a member holds of it.
static inline block_range block_bounds(uint64_t n, unsigned members, unsigned m) {
    const uint64_t length = block_length(n, members);
    const uint64_t first = m * length < n ? m * length : n;
    return (block_range){first, n - first < length ? n - first : length};
}

// block_common: the limbs that two ranges have in common. Where there are none, count is 0 and
// first is the greater first.
static inline block_range block_common(block_range a, block_range b) {
    const uint64_t a_end = a.first + a.count, b_end = b.first + b.count;
    const uint64_t first = a.first > b.first ? a.first : b.first;
    const uint64_t end = a_end < b_end ? a_end : b_end;
    return (block_range){first, first < end ? end - first : 0};
}

#endif  // BIGINT_GROUP_EXCHANGE_BLOCK_H_
