// modular_crt.cuh: Chinese remaindering of residues modulo the three primes into a signed
// coefficient of three words (Garner's mixed radix), for kernels of any room. Includes modular.cuh
// and primitives/modarith.h.
//
// With balanced digits v0, v1, v2 the coefficient is v0 + p0 v1 + p0 p1 v2. The last digit is
// reduced to within p2 / 2 + 1, so what is computed is within p0 p1 p2 / 2 + 2.5 p0 p1. It and a
// coefficient within 1.004 2^148 are congruent and less than p0 p1 p2 apart, hence equal
// (docs/proofs/modular_device.md).
#ifndef FFT_MODULAR_CRT_CUH_
#define FFT_MODULAR_CRT_CUH_

#include "fft/modular.cuh"
#include "primitives/modarith.h"

__extension__ typedef __int128 SignedPair;

struct ModularCrt {
    fft_modular_field field[FFT_PRIMES_USED];
    double i01, i012, i12;  // 1 / p0 modulo p1, 1 / (p0 p1) and 1 / p1 modulo p2
    int64_t p0, low, high;  // p0 p1 = high 2^50 + low, low < 2^50, high < 2^50

    // An integer |x| < 2^51 as such.
    DEVICE static int64_t Integer(double x) {
        const double moved = x + 0x1.8p52, zero = 0x1.8p52;
        int64_t a, b;
        memcpy(&a, &moved, sizeof a);
        memcpy(&b, &zero, sizeof b);
        return a - b;
    }

    // c = the coefficient that is congruent to r0, r1, r2, |r| <= 5.5 p, in two's complement.
    // 21 operations on doubles, three products of words.
    DEVICE void Coefficient(double r0, double r1, double r2, uint64_t (&c)[3]) const {
        const double v0 = ModularReduce(r0, field[0]);
        const double v1 = ModularMul(r1 - v0, i01, field[1]);  // within 1.4 p1 < 2^51
        const double of_v1 = ModularMul(v1, i12, field[2]);
        const double v2 = ModularReduce(ModularMul(r2 - v0, i012, field[2]) - of_v1, field[2]);
        const int64_t d2 = Integer(v2);
        const SignedPair lower =
            (SignedPair)p0 * Integer(v1) + Integer(v0) + (SignedPair)low * d2;  // within 2^101
        const SignedPair upper = (SignedPair)high * d2;                          // times 2^50
        c[0] = (uint64_t)upper << 50;
        c[1] = (uint64_t)(upper >> 14);
        c[2] = (uint64_t)(upper >> 78);
        const uint64_t add[3] = {(uint64_t)lower, (uint64_t)(lower >> 64), lower < 0 ? ~0ull : 0};
        AddWords<3>(c, add, 0);
    }
};

inline ModularCrt MakeModularCrt() {
    ModularCrt crt;
    uint64_t p[FFT_PRIMES_USED];
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        p[i] = (uint64_t)fft_primes[i].p;
        crt.field[i] = {fft_primes[i].p, 1 / fft_primes[i].p};
    }
    crt.i01 = (double)mod_balance(fft_crt_inverse.i01, p[1]);
    crt.i012 = (double)mod_balance(fft_crt_inverse.i012, p[2]);
    crt.i12 = (double)mod_balance(fft_crt_inverse.i12, p[2]);
    const word_pair p01 = (word_pair)p[0] * p[1];
    crt.p0 = (int64_t)p[0];
    crt.low = (int64_t)((uint64_t)p01 & ((UINT64_C(1) << 50) - 1));
    crt.high = (int64_t)(p01 >> 50);
    return crt;
}

#endif  // FFT_MODULAR_CRT_CUH_
