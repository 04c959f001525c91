// number.cuh: numbers of a batch in limbs, read in digits of any width. Includes numbers_device.h
// and device.cuh. Valid on: any device, the emulation.
#ifndef PRIMITIVES_RESIDUES_NUMBER_CUH_
#define PRIMITIVES_RESIDUES_NUMBER_CUH_

#include "primitives/cuda/device.cuh"
#include "primitives/residues/numbers_device.h"

// Number: number i of a batch.
struct Number {
    uint64_t *p;
    uint64_t n;

    DEVICE Number(const numbers_device &all, uint64_t i)
        : p(all.p + (all.offsets != nullptr ? all.offsets[i] : i * all.stride)),
          n(all.lengths != nullptr ? all.lengths[i] : all.n) {}

    // Digit: the kBits bits from that bit on; 0 above the number.
    template <unsigned kBits>
    DEVICE uint64_t Digit(uint64_t bit) const {
        const uint64_t limb = bit / 64;
        const unsigned shift = bit % 64;
        uint64_t x = limb < n ? p[limb] >> shift : 0;
        if (shift > 64 - kBits && limb + 1 < n) {
            x |= p[limb + 1] << (64 - shift);
        }
        return x & ~UINT64_C(0) >> (64 - kBits);
    }

    // DigitUp: the kBits bits from that bit on of the number times 2^shift.
    template <unsigned kBits>
    DEVICE uint64_t DigitUp(uint64_t bit, unsigned shift) const {
        const unsigned zeros = bit >= shift ? 0 : (unsigned)min(shift - bit, (uint64_t)kBits);
        const uint64_t x = zeros == kBits ? 0 : Digit<kBits>(bit + zeros - shift);
        return x << zeros & ~UINT64_C(0) >> (64 - kBits);
    }
};

DEVICE unsigned BitLength(uint64_t x) { return 64 - (unsigned)__clzll((long long)x); }

// PutLimbs: x = 2^-shift times the digits of kBits bits that digit(i) tells for i < digits, in all
// its limbs, each by one of the group's lanes.
template <unsigned kBits, class F>
DEVICE void PutLimbs(const Number &x, unsigned rank, unsigned lanes, uint64_t digits,
                     unsigned shift, F digit) {
    for (uint64_t i = rank; i < x.n; i += lanes) {
        const uint64_t bit = 64 * i + shift, first = bit / kBits;
        const unsigned skip = bit % kBits;
        uint64_t limb = 0;
        for (unsigned k = 0; k < 3; k++) {
            const unsigned at = k * kBits;  // of the digit, above the limb's first one
            if (first + k < digits && at < skip + 64) {
                const uint64_t d = digit(first + k);
                limb |= at < skip ? d >> (skip - at) : d << (at - skip);
            }
        }
        x.p[i] = limb;
    }
}

#endif  // PRIMITIVES_RESIDUES_NUMBER_CUH_
