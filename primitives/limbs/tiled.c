// tiled.c: see tiled.h. Portable.
#include "primitives/limbs/tiled.h"

#include <assert.h>
#include <string.h>

enum {
    BITS = 27,
    TILE = 8,                                          // columns in registers
    DIGITS = (64 * LIMBS_TILED_MAX + BITS - 1) / BITS  // of an operand: 304
};
#define MASK ((UINT64_C(1) << BITS) - 1)

// Columns are sums of at most DIGITS products below 2^54.
_Static_assert(DIGITS < 1 << 10, "columns, with a carry below 2^37, stay below 2^64");

// unpack: the digits of {ap, n}; returns how many.
static size_t unpack(uint32_t *digit, const uint64_t *ap, size_t n) {
    const size_t count = (64 * n + BITS - 1) / BITS;
    for (size_t i = 0; i < count; i++) {
        const size_t limb = BITS * i / 64, shift = BITS * i % 64;
        uint64_t x = ap[limb] >> shift;
        if (shift > 64 - BITS && limb + 1 < n) {
            x |= ap[limb + 1] << (64 - shift);
        }
        digit[i] = (uint32_t)(x & MASK);
    }
    return count;
}

// add_tile: sum[k] += what digits b[i] and a[first + k - i] make, for all i that a has digits for.
// a has TILE zeros below and above.
static void add_tile(uint64_t *sum, const uint32_t *a, size_t an, const uint32_t *b, size_t bn,
                     size_t first) {
    const size_t begin = first + 1 > an ? first + 1 - an : 0;
    const size_t end = first + TILE < bn ? first + TILE : bn;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *const window = a + first - i;  // from TILE - 1 below a[0] on
        for (size_t k = 0; k < TILE; k++) {
            sum[k] += (uint64_t)window[k] * b[i];
        }
    }
}

void limbs_tiled_mul(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    assert(bn >= 1 && an >= bn && an <= LIMBS_TILED_MAX);
    uint32_t room[DIGITS + 2 * TILE] = {0}, b[DIGITS];
    uint32_t *const a = room + TILE;
    const size_t a_digits = unpack(a, ap, an), b_digits = unpack(b, bp, bn);
    memset(rp, 0, (an + bn) * sizeof *rp);
    uint64_t carry = 0;
    for (size_t first = 0; BITS * first < 64 * (an + bn); first += TILE) {
        uint64_t sum[TILE] = {0};
        add_tile(sum, a, a_digits, b, b_digits, first);
        for (size_t k = 0; k < TILE && BITS * (first + k) < 64 * (an + bn); k++) {
            carry += sum[k];
            const size_t limb = BITS * (first + k) / 64, shift = BITS * (first + k) % 64;
            rp[limb] |= (carry & MASK) << shift;
            if (shift > 64 - BITS && limb + 1 < an + bn) {
                rp[limb + 1] = (carry & MASK) >> (64 - shift);
            }
            carry >>= BITS;
        }
    }
    assert(carry == 0);  // the product has no more limbs
}
