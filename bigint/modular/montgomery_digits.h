// montgomery_digits.h: limbs to digits of 52 bits and back, for the forms of one number
// (montgomery_ifma.h) and for one of eight (montgomery_lanes.h). Internal to bigint/.
#ifndef BIGINT_MODULAR_MONTGOMERY_DIGITS_H_
#define BIGINT_MODULAR_MONTGOMERY_DIGITS_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MONTGOMERY_DIGIT_BITS = 52 };

// montgomery_digits_put: r[stride i] = digit i of {ap, n}, i < digits.
static inline void montgomery_digits_put(uint64_t *r, size_t stride, size_t digits,
                                         const uint64_t *ap, size_t n) {
    for (size_t i = 0; i < digits; i++) {
        const size_t bit = i * MONTGOMERY_DIGIT_BITS, limb = bit / 64, shift = bit % 64;
        uint64_t x = limb < n ? ap[limb] >> shift : 0;
        if (shift > 64 - MONTGOMERY_DIGIT_BITS && limb + 1 < n) {
            x |= ap[limb + 1] << (64 - shift);
        }
        r[stride * i] = x & (((uint64_t)1 << MONTGOMERY_DIGIT_BITS) - 1);
    }
}

// montgomery_digits_get: {rp, n} = the number of the digits a[i], i < digits, which fits.
static inline void montgomery_digits_get(uint64_t *rp, size_t n, const uint64_t *a, size_t digits) {
    memset(rp, 0, n * sizeof *rp);
    for (size_t i = 0; i < digits; i++) {
        const size_t bit = i * MONTGOMERY_DIGIT_BITS, limb = bit / 64, shift = bit % 64;
        if (limb < n) {
            rp[limb] |= a[i] << shift;
        }
        if (shift > 64 - MONTGOMERY_DIGIT_BITS && limb + 1 < n) {
            rp[limb + 1] = a[i] >> (64 - shift);
        }
    }
}

#endif  // BIGINT_MODULAR_MONTGOMERY_DIGITS_H_
