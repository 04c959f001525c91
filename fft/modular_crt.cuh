// modular_crt.cuh: Chinese remaindering of residues modulo the three primes into a signed
// coefficient of three words (Garner's mixed radix), for kernels of any room. Includes modular.cuh
// and primitives/modarith.h.
//
// With digits v0 = r0, v1 = (r1 - v0) / p0 and v2 = ((r2 - v0) / p0 - v1) / p1, each modulo its
// prime, the coefficient is v0 + p0 v1 + p0 p1 v2: |v0| <= p0 / 2 + 1, |v1| <= 0.95 p1,
// |v2| <= p2 / 2 + 1, so what is computed is within p0 p1 p2 / 2 + 2.0 p0 p1. It and a coefficient
// within (1 + 2^-21) 2^148 are congruent and less than p0 p1 p2 apart, hence equal
// (docs/proofs/modular_device.md).
//
// As integers the digits are v0 + p0, v1 + 2 p1 and v2 + p2, which are not negative and below 2^52;
// what that adds, p0 + 2 p0 p1 + p0 p1 p2, is taken off in the end.
#ifndef FFT_MODULAR_CRT_CUH_
#define FFT_MODULAR_CRT_CUH_

#include "fft/modular.cuh"
#include "primitives/modarith.h"

__extension__ typedef __int128 SignedPair;

struct ModularCrt {
    fft_modular_field field[FFT_PRIMES_USED];
    double i01, i012, i12;          // 1 / p0 modulo p1, 1 / (p0 p1) and 1 / p1 modulo p2
    double shift[FFT_PRIMES_USED];  // 2^52 and what makes the digit positive
    uint64_t p0, low, high;         // p0 p1 = high 2^50 + low, low < 2^50, high < 2^50
    int64_t less_lower;             // p0 + 2 p0 p1 + p0 p1 p2 modulo 2^50
    SignedPair less_upper;          // and what is above

    // a b for a, b < 2^52: the products of their halves.
    DEVICE static word_pair Multiply(uint64_t a, uint64_t b) {
        const uint32_t a0 = (uint32_t)a, a1 = (uint32_t)(a >> 32);
        const uint32_t b0 = (uint32_t)b, b1 = (uint32_t)(b >> 32);
        const uint64_t least = (uint64_t)a0 * b0;
        const uint64_t middle = (uint64_t)a0 * b1 + (uint64_t)a1 * b0;  // below 2^53
        const uint64_t above = (least >> 32) + (uint32_t)middle;
        const uint64_t high_word = (uint64_t)a1 * b1 + (middle >> 32) + (above >> 32);
        return (word_pair)high_word << 64 | (above << 32 | (uint32_t)least);
    }

    // The integer x + shift - 2^52: the digits of a double in [2^52, 2^53).
    DEVICE static uint64_t Integer(double x, double shift) {
        const double moved = x + shift;
        uint64_t bits;
        memcpy(&bits, &moved, sizeof bits);
        return bits & ((UINT64_C(1) << 52) - 1);
    }

    // c = the coefficient that is congruent to r0, r1, r2, |r| <= 4.22 p, in two's complement. 25
    // operations on doubles, 12 products of half words.
    DEVICE void Coefficient(double r0, double r1, double r2, uint64_t (&c)[3]) const {
        const double v0 = ModularReduce(r0, field[0]);
        const double v1 = ModularMul(r1 - v0, i01, field[1]);
        const double of_v1 = ModularMul(v1, i12, field[2]);
        const double v2 = ModularReduce(ModularMul(r2 - v0, i012, field[2]) - of_v1, field[2]);
        const uint64_t d0 = Integer(v0, shift[0]), d1 = Integer(v1, shift[1]);
        const uint64_t d2 = Integer(v2, shift[2]);
        // Within 2^102 of zero both.
        const SignedPair lower = (SignedPair)Multiply(p0, d1) + (SignedPair)Multiply(low, d2) +
                                 (SignedPair)((int64_t)d0 - less_lower);
        const SignedPair upper = (SignedPair)Multiply(high, d2) - less_upper;
        c[0] = (uint64_t)upper << 50;
        c[1] = (uint64_t)(upper >> 14);
        c[2] = (uint64_t)(upper >> 78);
        const uint64_t add[3] = {(uint64_t)lower, (uint64_t)(lower >> 64),
                                 (uint64_t)(lower >> 64 >> 63)};
        AddWords<3>(c, add, 0);
    }
};

inline ModularCrt MakeModularCrt() {
    ModularCrt crt;
    uint64_t p[FFT_PRIMES_USED];
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        p[i] = (uint64_t)fft_primes[i].p;
        crt.field[i] = {fft_primes[i].p, 1 / fft_primes[i].p};
        crt.shift[i] = 0x1p52 + (i == 1 ? 2 : 1) * fft_primes[i].p;
    }
    crt.i01 = (double)mod_balance(fft_crt_inverse.i01, p[1]);
    crt.i012 = (double)mod_balance(fft_crt_inverse.i012, p[2]);
    crt.i12 = (double)mod_balance(fft_crt_inverse.i12, p[2]);
    const word_pair p01 = (word_pair)p[0] * p[1];
    crt.p0 = p[0];
    crt.low = (uint64_t)p01 & ((UINT64_C(1) << 50) - 1);
    crt.high = (uint64_t)(p01 >> 50);
    // p0 + p0 p1 (p2 + 2): parts of 50 bits, then all above the lowest one.
    const uint64_t mask = (UINT64_C(1) << 50) - 1;
    const word_pair lower = (word_pair)crt.low * (p[2] + 2) + p[0];
    crt.less_lower = (int64_t)((uint64_t)lower & mask);
    crt.less_upper = (SignedPair)((word_pair)crt.high * (p[2] + 2) + (lower >> 50));
    return crt;
}

#endif  // FFT_MODULAR_CRT_CUH_
