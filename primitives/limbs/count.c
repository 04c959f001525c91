// count.c: ones and sums of rows of limbs: compiled once for each set of instructions, which
// LIMBS_COUNT names. May include limbs.h and word.h.
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

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

// fold: sums of the halves of limbs, which have no carries, MOST limbs at once: below 2^63. For FEW
// limbs a chain of carries is shorter. Xeon with AMX; by hand.
static uint64_t fold(const uint64_t *ap, size_t n) {
    const size_t FEW = 12, MOST = (size_t)1 << 31;
    word_pair sum = 0;
    for (; n > 0 && n < FEW; n--) sum += *ap++;
    while (n > 0) {
        const size_t some = n < MOST ? n : MOST;
        uint64_t low = 0, high = 0;
        for (size_t i = 0; i < some; i++) {
            low += ap[i] & UINT32_MAX;
            high += ap[i] >> 32;
        }
        sum += low + ((word_pair)high << 32);
        ap += some;
        n -= some;
    }
    const uint64_t top = (uint64_t)(sum >> 64), wrapped = (uint64_t)sum + top;
    return wrapped + (wrapped < top);
}

const limbs_count LIMBS_COUNT = {ones, differences, fold};
