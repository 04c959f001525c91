// crt.cuh: Chinese remaindering of residues modulo the three primes into a signed
// coefficient of three words (Garner's mixed radix), for kernels of any room. Includes residues.cuh
// and primitives/words/modarith.h.
//
// With digits v0 = r0, v1 = (r1 - v0) / p0 and v2 = ((r2 - v0) / p0 - v1) / p1, each modulo its
// prime, the coefficient is v0 + p0 v1 + p0 p1 v2: |v0| <= p0 / 2 + 1, |v1| <= 0.95 p1,
// |v2| <= p2 / 2 + 1, so what is computed is within p0 p1 p2 / 2 + 2.0 p0 p1. It and a coefficient
// within (1 + 2^-21) 2^148 are congruent and less than p0 p1 p2 apart, hence equal
// (docs/proofs/modular_device.md).
//
// As integers the digits are v0 + p0, v1 + 2 p1 and v2 + p2, which are not negative and below 2^52;
// what that adds, p0 + 2 p0 p1 + p0 p1 p2, is taken off in the end. Horner's rule makes a number of
// them: primes are h 2^32 + 1, so a product by one takes half the products of half words.
#ifndef FFT_DEVICE_MODULAR_CRT_CUH_
#define FFT_DEVICE_MODULAR_CRT_CUH_

#include <algorithm>

#include "fft/device/modular/residues.cuh"
#include "primitives/words/modarith.h"

// c = c p + d, the first kN words of c, for the prime p = upper 2^32 + 1 and d < 2^52; the result
// has kN + 1 words, or all. c upper 2^32 + d is made half a word at a time, of a product and what
// is above the half word before: below 2^51. 2 kN products of half words.
template <unsigned kN, unsigned kWords>
DEVICE void MixedRadixStep(uint64_t (&c)[kWords], uint32_t upper, uint64_t d) {
    constexpr unsigned kSum = kN < kWords ? kN + 1 : kWords;
    uint64_t more[kSum], above = d;
#pragma unroll
    for (unsigned i = 0; i < kSum; i++) {
        const uint32_t low = (uint32_t)above;
        above >>= 32;
        if (i < kN) {
            above += (uint64_t)(uint32_t)c[i] * upper;
        }
        more[i] = above << 32 | low;
        above >>= 32;
        if (i < kN) {
            above += (c[i] >> 32) * upper;
        }
    }
    AddWords<kSum>(c, more, 0);
}

// What takes offsets of mixed-radix digits off again, with a carry of 1: {less, words} =
// ~(offset[0] + p_0 (offset[1] + p_1 (...))).
inline void MixedRadixLess(uint64_t *less, unsigned words, const uint64_t *p,
                           const uint64_t *offset, unsigned primes) {
    std::fill_n(less, words, 0);
    for (unsigned j = primes; j-- > 0;) {
        word_pair carry = offset[j];
        for (unsigned i = 0; i < words; i++) {
            carry += (word_pair)less[i] * p[j];
            less[i] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    std::transform(less, less + words, less, [](uint64_t word) { return ~word; });
}

struct ModularCrt {
    fft_modular_field field[FFT_PRIMES_USED];
    double i01, i012, i12;                 // 1 / p0 modulo p1, 1 / (p0 p1) and 1 / p1 modulo p2
    double shift[FFT_PRIMES_USED];         // 2^52 and what makes the digit positive
    uint32_t upper[FFT_PRIMES_USED];       // p = upper 2^32 + 1
    uint64_t less[FFT_COEFFICIENT_WORDS];  // ~(p0 + 2 p0 p1 + p0 p1 p2)

    // The integer x + shift - 2^52: the digits of a double in [2^52, 2^53).
    DEVICE static uint64_t Integer(double x, double shift) {
        const double moved = x + shift;
        uint64_t bits;
        memcpy(&bits, &moved, sizeof bits);
        return bits & ((UINT64_C(1) << 52) - 1);
    }

    // d = the digits of the coefficient that is congruent to r, |r| <= 4.22 p, each plus its shift
    // - 2^52. 25 operations on doubles.
    DEVICE void Digits(const double (&r)[FFT_PRIMES_USED], uint64_t (&d)[FFT_PRIMES_USED]) const {
        const double v0 = ModularReduce(r[0], field[0]);
        const double v1 = ModularMul(r[1] - v0, i01, field[1]);
        const double of_v1 = ModularMul(v1, i12, field[2]);
        const double v2 = ModularReduce(ModularMul(r[2] - v0, i012, field[2]) - of_v1, field[2]);
        d[2] = Integer(v2, shift[2]);
        d[1] = Integer(v1, shift[1]);
        d[0] = Integer(v0, shift[0]);
    }

    // c = the same coefficient in two's complement. 6 products of half words more.
    DEVICE void Coefficient(double r0, double r1, double r2, uint64_t (&c)[3]) const {
        uint64_t d[FFT_PRIMES_USED];
        Digits({r0, r1, r2}, d);
        c[0] = d[2];
        c[1] = c[2] = 0;
        MixedRadixStep<1>(c, upper[1], d[1]);
        MixedRadixStep<2>(c, upper[0], d[0]);
        AddWords<3>(c, less, 1);
    }
};

inline ModularCrt MakeModularCrt() {
    ModularCrt crt = {};
    uint64_t p[FFT_PRIMES_USED], offset[FFT_PRIMES_USED];
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        p[i] = (uint64_t)fft_primes[i].p;
        offset[i] = (i == 1 ? 2 : 1) * p[i];
        crt.field[i] = {fft_primes[i].p, 1 / fft_primes[i].p};
        crt.shift[i] = 0x1p52 + (double)offset[i];
        crt.upper[i] = (uint32_t)(p[i] >> 32);
    }
    crt.i01 = (double)mod_balance(fft_crt_inverse.i01, p[1]);
    crt.i012 = (double)mod_balance(fft_crt_inverse.i012, p[2]);
    crt.i12 = (double)mod_balance(fft_crt_inverse.i12, p[2]);
    MixedRadixLess(crt.less, FFT_COEFFICIENT_WORDS, p, offset, FFT_PRIMES_USED);
    return crt;
}

#endif  // FFT_DEVICE_MODULAR_CRT_CUH_
