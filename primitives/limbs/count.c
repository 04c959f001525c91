// count.c: ones of rows of limbs: compiled once for each set of instructions, which LIMBS_COUNT
// names. May include limbs.h.
#include "primitives/limbs/limbs.h"

// ones_of: sums of 2, 4, 8 bits side by side, then all bytes at once in the top one.
static inline uint64_t ones_of(uint64_t x) {
#if defined(__POPCNT__)
    return (uint64_t)__builtin_popcountll(x);
#else
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return ((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56;
#endif
}

static uint64_t ones(const uint64_t *ap, size_t n) {
    uint64_t sum = 0;
    _Pragma("GCC unroll 4") for (size_t i = 0; i < n; i++) sum += ones_of(ap[i]);
    return sum;
}

static uint64_t differences(const uint64_t *ap, const uint64_t *bp, size_t n) {
    uint64_t sum = 0;
    _Pragma("GCC unroll 4") for (size_t i = 0; i < n; i++) sum += ones_of(ap[i] ^ bp[i]);
    return sum;
}

const limbs_count LIMBS_COUNT = {ones, differences};
