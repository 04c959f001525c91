// decimal_parts.cuh: coefficients of a product in base R = 10^k, from residues modulo several
// primes to digits below R. Includes characters.cuh and fft/device/modular/garner.cuh.
//
// Remaindering gives mixed-radix digits m_j < 2^52: the coefficient is sum m_j P_j - O, P_j the
// product of the primes before number j and O what the digits' offsets add. Constants hold P_j =
// a_j + R b_j and O = R b - a, 0 < a <= R. So the coefficient is low + R high with
//
//   low = a + sum m_j a_j < 2^55 R,   high = sum m_j b_j - b,
//
// and two quotients of a word give its digits: low by R, and high plus that quotient by R. Proof:
// docs/proofs/carry.md, section 7.
#ifndef BIGINT_DEVICE_KERNELS_DECIMAL_PARTS_CUH_
#define BIGINT_DEVICE_KERNELS_DECIMAL_PARTS_CUH_

#include <cassert>
#include <type_traits>

#include "bigint/device/kernels/characters.cuh"
#include "fft/device/modular/garner.cuh"

// DecimalRadix: R = 10^kDigits of one word or two, and what divides by it.
template <unsigned kDigits>
struct DecimalRadix {
    static_assert(kDigits >= 1 && kDigits <= 38, "three digits of the radix have room in 128 bits");
    static constexpr word_pair kRadix = PowerOfTen(kDigits);
    static constexpr unsigned kBits = BitLength(kRadix), kWords = (kBits + 63) / 64;
    static constexpr unsigned kShift = kBits - 8;

    // floor(2^(64 + kShift) / R), between 2^56 and 2^57.
    static constexpr uint64_t MakeReciprocal() {
        word_pair rest = 1;
        uint64_t quotient = 0;
        for (unsigned i = 0; i < 64 + kShift; i++) {
            rest *= 2;  // below 2 R < 2^128
            quotient *= 2;
            if (rest >= kRadix) {
                rest -= kRadix;
                quotient++;
            }
        }
        return quotient;
    }
    static constexpr uint64_t kReciprocal = MakeReciprocal();

    // Takes R off *x < 2 R if it is R or more; how often. R < 2^127, so a difference has its sign.
    HOST_DEVICE static unsigned TakeOff(word_pair *x) {
        const word_pair less = *x - kRadix;
        const bool is_less = (int64_t)(uint64_t)(less >> 64) < 0;
        *x = is_less ? *x : less;
        return is_less ? 0 : 1;
    }

    // The quotient of {x, kWords + 1} < 2^55 R by R, the remainder in *rest. The estimate is the
    // quotient or 1 less: top loses less than 2^-7, the reciprocal less than 1/2.
    HOST_DEVICE static uint64_t Divide(const uint64_t (&x)[kWords + 1], word_pair *rest) {
        constexpr unsigned kAt = kShift / 64, kUp = kShift % 64;
        const uint64_t top = x[kAt] >> kUp | x[kAt + 1] << 1 << (63 - kUp);
        uint64_t quotient;
        word_mul(&quotient, top, kReciprocal);
        *rest = (x[0] | (word_pair)x[1] << 64) - quotient * kRadix;
        quotient += TakeOff(rest);
        assert(*rest < kRadix);
        return quotient;
    }
};

// DecimalParts: coefficients modulo the first kPrimes of the primes to digits below 10^kDigits.
template <unsigned kPrimes, unsigned kDigits>
struct DecimalParts {
    using Radix = DecimalRadix<kDigits>;
    using Mixed =
        std::conditional_t<kPrimes == FFT_PRIMES_USED, ModularCrt, ModularGarner<kPrimes>>;
    static constexpr unsigned kWords = Radix::kWords;

    Mixed mixed;
    uint64_t a[kPrimes][kWords], b[kPrimes][kWords];  // of P_j, from number 1 on
    uint64_t low[kWords], high[kWords + 1];           // a; -b in two's complement

    // Words of a_j and b_j: P_j is below 2^(50 j).
    HOST_DEVICE static constexpr unsigned LowWords(unsigned j) {
        return 50 * j < Radix::kBits ? (50 * j + 63) / 64 : kWords;
    }
    HOST_DEVICE static constexpr unsigned HighWords(unsigned j) {
        return 50 * j < Radix::kBits ? 0 : (50 * j - Radix::kBits + 1 + 63) / 64;
    }

    // {c, kWords + 1} += {by, kN} m.
    template <unsigned kN>
    DEVICE static void AddProduct(uint64_t (&c)[kWords + 1], const uint64_t *by, uint64_t m) {
        static_assert(kN <= kWords, "the product has room");
        uint64_t product[kWords + 1] = {}, above = 0;
#pragma unroll
        for (unsigned i = 0; i < kN; i++) {
            const word_pair sum = (word_pair)by[i] * m + above;
            product[i] = (uint64_t)sum;
            above = (uint64_t)(sum >> 64);
        }
        product[kN] = above;
        AddWords<kWords + 1>(c, product, 0);
    }

    template <unsigned kJ>
    DEVICE void Sum(uint64_t (&lower)[kWords + 1], uint64_t (&upper)[kWords + 1],
                    const uint64_t (&m)[kPrimes]) const {
        if constexpr (kJ < kPrimes) {
            AddProduct<LowWords(kJ)>(lower, a[kJ], m[kJ]);
            if constexpr (HighWords(kJ) > 0) {
                AddProduct<HighWords(kJ)>(upper, b[kJ], m[kJ]);
            }
            Sum<kJ + 1>(lower, upper, m);
        }
    }

    // part[0] + R part[1] + R^2 part[2] = the coefficient >= 0 that is congruent to all r_j, |r_j|
    // <= 4.22 p_j; r is used up. part[0], part[1] < R, part[2] < 2^44.
    DEVICE void Parts(double (&r)[kPrimes], word_pair (&part)[3]) const {
        uint64_t m[kPrimes], lower[kWords + 1], upper[kWords + 1], first[kWords + 1] = {};
        mixed.Digits(r, m);
#pragma unroll
        for (unsigned i = 0; i <= kWords; i++) {
            lower[i] = i < kWords ? low[i] : 0;
            upper[i] = high[i];
        }
        first[0] = m[0];
        AddWords<kWords + 1>(lower, first, 0);
        Sum<1>(lower, upper, m);
        first[0] = Radix::Divide(lower, &part[0]);
        AddWords<kWords + 1>(upper, first, 0);
        part[2] = Radix::Divide(upper, &part[1]);
        assert(part[2] >> 44 == 0);
    }
};

// DecimalSplit: x = low + R high, the high part modulo 2^192, on the host.
template <unsigned kDigits>
struct DecimalSplit {
    using Radix = DecimalRadix<kDigits>;
    word_pair low;
    uint64_t high[3];

    DecimalSplit Plus(const DecimalSplit &y) const {
        DecimalSplit sum = {low + y.low, {}};  // below 2 R < 2^128
        uint64_t carry = sum.low >= Radix::kRadix ? 1 : 0;
        sum.low -= carry * Radix::kRadix;
        for (unsigned i = 0; i < 3; i++) {
            sum.high[i] = word_add(high[i], y.high[i], &carry);
        }
        return sum;
    }

    // factor < 2^54.
    DecimalSplit Times(uint64_t factor) const {
        DecimalSplit product = {};
        uint64_t x[Radix::kWords + 1];
        word_pair sum = 0;
        for (unsigned i = 0; i <= Radix::kWords; i++) {
            sum += (word_pair)(i < 2 ? (uint64_t)(low >> 64 * i) : 0) * factor;
            x[i] = (uint64_t)sum;
            sum >>= 64;
        }
        sum = Radix::Divide(x, &product.low);
        for (unsigned i = 0; i < 3; i++) {
            sum += (word_pair)high[i] * factor;
            product.high[i] = (uint64_t)sum;
            sum >>= 64;
        }
        return product;
    }
};

template <unsigned kPrimes, unsigned kDigits>
DecimalParts<kPrimes, kDigits> MakeDecimalParts() {
    using Split = DecimalSplit<kDigits>;
    DecimalParts<kPrimes, kDigits> parts = {};
    if constexpr (kPrimes == FFT_PRIMES_USED) {
        parts.mixed = MakeModularCrt();
    } else {
        parts.mixed = MakeModularGarner<kPrimes>(fft_primes);
    }
    Split power = {1, {}}, offsets = {};
    for (unsigned j = 0; j < kPrimes; j++) {
        for (unsigned i = 0; i < parts.kWords; i++) {
            parts.a[j][i] = (uint64_t)(power.low >> 64 * i);
            parts.b[j][i] = power.high[i];
        }
        offsets = offsets.Plus(power.Times((uint64_t)(parts.mixed.shift[j] - 0x1p52)));
        power = power.Times((uint64_t)fft_primes[j].p);
    }
    const word_pair low = DecimalRadix<kDigits>::kRadix - offsets.low;  // O = R (high + 1) - low
    for (unsigned i = 0; i < parts.kWords; i++) {
        parts.low[i] = (uint64_t)(low >> 64 * i);
    }
    for (unsigned i = 0; i <= parts.kWords; i++) {
        parts.high[i] = ~offsets.high[i];  // -(high + 1)
    }
    return parts;
}

#endif  // BIGINT_DEVICE_KERNELS_DECIMAL_PARTS_CUH_
