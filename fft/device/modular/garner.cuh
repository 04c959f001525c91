// garner.cuh: Chinese remaindering of residues modulo four primes and more into a signed
// coefficient of several words (Garner's mixed radix), for kernels of any room. For three primes
// crt.cuh takes fewer operations. Includes crt.cuh.
//
// The digits are v_j = (r_j - v_0) / (p_0 ... p_(j-1)) - sum of v_i / (p_i ... p_(j-1)), 0 < i < j,
// modulo p_j, and the coefficient is v_0 + p_0 (v_1 + p_1 (v_2 + ...)). The last digit is reduced,
// the others are within 1.2 p_j, so what is computed is within P / 2 + 2 P / p_(k-1), P the product
// of the k primes. It and a coefficient within 2^lg_coefficient (plan.c) are congruent and
// less than P apart, hence equal (docs/proofs/modular_device.md, section 8).
//
// As integers the digits are v_j + 2 p_j, positive and below 2^52; what that adds is taken off in
// the end.
#ifndef FFT_DEVICE_MODULAR_GARNER_CUH_
#define FFT_DEVICE_MODULAR_GARNER_CUH_

#include "fft/device/modular/crt.cuh"

template <unsigned kPrimes>
struct ModularGarner {
    static_assert(kPrimes > 3 && kPrimes <= FFT_MODULAR_PRIMES, "primes that plans have");
    // 49.68 bits a prime, and a factor below 2 for what digits are longer.
    static constexpr unsigned kWords = (kPrimes * 50 + 63) / 64;
    static constexpr double kGrid = 0x1.8p103;

    fft_modular_field field[kPrimes];
    double inverse[kPrimes][kPrimes];  // [j][i], i < j: 1 / (p_i ... p_(j-1)) modulo p_j
    double shift[kPrimes];             // 2^52 + 2 p_j
    uint32_t upper[kPrimes];           // p_j = upper 2^32 + 1
    uint64_t less[kWords];             // ~(the sum of all 2 p_0 ... p_j)

    // Words of the number that digits j .. kPrimes - 1 are, below 2^(51 (kPrimes - j)).
    HOST_DEVICE static constexpr unsigned WordsFrom(unsigned j) {
        const unsigned words = (51 * (kPrimes - j) + 63) / 64;
        return words < kWords ? words : kWords;
    }

    template <unsigned kJ>
    DEVICE void Horner(uint64_t (&c)[kWords], const uint64_t (&d)[kPrimes]) const {
        MixedRadixStep<WordsFrom(kJ + 1)>(c, upper[kJ], d[kJ]);
        if constexpr (kJ > 0) {
            Horner<kJ - 1>(c, d);
        }
    }

    // Sum: products added exactly, on two grids: a multiple of 2^51 within 2^102, to which 2^103 +
    // 2^102 are added so that roundings leave such multiples, and an integer within 2^53.
    struct Sum {
        double upper, lower;

        // a w: three operations.
        DEVICE Sum(double a, double w) : upper(fma(a, w, kGrid)), lower(fma(a, w, kGrid - upper)) {}

        // + a w: four operations.
        DEVICE void Add(double a, double w) {
            const double sum = fma(a, w, upper);
            lower += fma(a, w, upper - sum);
            upper = sum;
        }

        // Modulo p, within 1.2 p: the quotient of so long a sum errs by more than a half.
        DEVICE double Modulo(const fft_modular_field &f) const {
            const double h = upper - kGrid, q = rint((h + lower) * f.inverse);
            return fma(-q, f.p, h) + lower;
        }
    };

    // d = the digits of the coefficient that is congruent to all r_j, |r_j| <= 4.22 p_j, each plus
    // its shift - 2^52; r is used up. 44, 66 and 92 operations on doubles and 5, 6 and 7 roundings
    // modulo 4, 5 and 6 primes.
    DEVICE void Digits(double (&r)[kPrimes], uint64_t (&d)[kPrimes]) const {
#pragma unroll
        for (unsigned j = 0; j < kPrimes; j++) {
            if (j == 0) {
                r[j] = ModularReduce(r[j], field[j]);
            } else if (j == 1) {
                r[j] = ModularMul(r[j] - r[0], inverse[j][0], field[j]);
            } else {
                Sum sum(r[j] - r[0], inverse[j][0]);
#pragma unroll
                for (unsigned i = 1; i < j; i++) {
                    sum.Add(-r[i], inverse[j][i]);
                }
                r[j] = sum.Modulo(field[j]);
            }
            if (j + 1 == kPrimes) {
                r[j] = ModularReduce(r[j], field[j]);
            }
            d[j] = ModularCrt::Integer(r[j], shift[j]);
        }
    }

    // c = the same coefficient in two's complement. 12, 20 and 28 products of half words more.
    DEVICE void Coefficient(double (&r)[kPrimes], uint64_t (&c)[kWords]) const {
        uint64_t d[kPrimes];
        Digits(r, d);
#pragma unroll
        for (unsigned i = 0; i < kWords; i++) {
            c[i] = i == 0 ? d[kPrimes - 1] : 0;
        }
        Horner<kPrimes - 2>(c, d);
        AddWords<kWords>(c, less, 1);
    }
};

// Modulo the first kPrimes of those, largest first.
template <unsigned kPrimes>
ModularGarner<kPrimes> MakeModularGarner(const fft_prime *primes) {
    ModularGarner<kPrimes> garner = {};
    uint64_t prime[kPrimes], offset[kPrimes];
    for (unsigned j = 0; j < kPrimes; j++) {
        const uint64_t p = prime[j] = (uint64_t)primes[j].p;
        garner.field[j] = {primes[j].p, 1 / primes[j].p};
        garner.shift[j] = 0x1p52 + 2 * primes[j].p;
        offset[j] = 2 * prime[j];
        garner.upper[j] = (uint32_t)(p >> 32);
        uint64_t product = 1;
        for (unsigned i = j; i-- > 0;) {
            product = mod_mul(product, prime[i] % p, p);
            garner.inverse[j][i] = (double)mod_balance(mod_inverse(product, p), p);
        }
    }
    MixedRadixLess(garner.less, ModularGarner<kPrimes>::kWords, prime, offset, kPrimes);
    return garner;
}

#endif  // FFT_DEVICE_MODULAR_GARNER_CUH_
