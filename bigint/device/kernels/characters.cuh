// characters.cuh: decimal characters to numbers and back, in kernels. Characters are in shared
// memory at any distance from a line. Includes primitives/cuda/device.cuh. Proofs:
// docs/proofs/modular_device.md, section 14; carry.md, section 7.
#ifndef BIGINT_DEVICE_KERNELS_CHARACTERS_CUH_
#define BIGINT_DEVICE_KERNELS_CHARACTERS_CUH_

#include <cassert>

#include "primitives/cuda/device.cuh"

// 10^n, n <= 38; the bits of a number.
HOST_DEVICE constexpr word_pair PowerOfTen(unsigned n) {
    word_pair power = 1;
    for (; n > 0; n--) {
        power *= 10;
    }
    return power;
}
HOST_DEVICE constexpr unsigned BitLength(word_pair x) {
    unsigned bits = 0;
    for (; x > 0; x >>= 1) {
        bits++;
    }
    return bits;
}

// What one load or store of device memory moves.
constexpr unsigned kCharactersVector = 16;
struct alignas(kCharactersVector) CharactersVector {
    uint64_t word[2];
};

// Eight characters, the first one lowest. Reads up to three more.
DEVICE uint64_t EightCharacters(const char *at) {
    const unsigned apart = (unsigned)((uintptr_t)at % sizeof(uint32_t)), shift = 8 * apart;
    const uint32_t *const from = (const uint32_t *)(at - apart);
    const uint64_t low = from[0] | (uint64_t)from[1] << 32, high = from[2];
    return low >> shift | high << 1 << (63 - shift);
}

// Whether one of eight characters is no digit: a byte of x, the characters xor '0', is above 9. A
// byte that the sum carries out of is above 15 itself.
DEVICE bool AnyBadOfEight(uint64_t x) {
    constexpr uint64_t kUpper = UINT64_C(0xf0f0f0f0f0f0f0f0);
    return ((x | (x + UINT64_C(0x0606060606060606))) & kUpper) != 0;
}

// The number of eight digits, the first one lowest: pairs, then fours, then all.
DEVICE uint64_t NumberOfEight(uint64_t x) {
    constexpr uint64_t kPairs = UINT64_C(0x000000ff000000ff);
    x = x * 10 + (x >> 8);
    return ((x & kPairs) * (UINT64_C(1000000) << 32 | 100) +
            (x >> 16 & kPairs) * (UINT64_C(10000) << 32 | 1)) >>
           32;
}

// The number of kN <= 19 digits; *bad becomes true if a character is none.
template <unsigned kN>
DEVICE uint64_t NumberOf(const char *at, bool *bad) {
    static_assert(kN <= 19, "a word");
    constexpr unsigned kSingle = kN % 8;
    uint64_t number = 0;
    if constexpr (kSingle > 0) {
#pragma unroll
        for (unsigned k = 0; k < kSingle; k++) {
            const unsigned digit = (unsigned)(unsigned char)at[k] - '0';
            *bad = *bad || digit > 9;
            number = number * 10 + digit;
        }
    }
#pragma unroll
    for (unsigned k = kSingle; k < kN; k += 8) {
        const uint64_t x = EightCharacters(at + k) ^ UINT64_C(0x3030303030303030);
        *bad = *bad || AnyBadOfEight(x);
        number = number * 100000000 + NumberOfEight(x);
    }
    return number;
}

// The characters of two digits of a number below 100, and of four below 10^4, the first one lowest.
// 103 / 2^10 and 5243 / 2^19 are 1 / 10 and 1 / 100, and too large by too little to matter.
DEVICE uint32_t TwoCharacters(uint32_t x) {
    const uint32_t tens = x * 103 >> 10;
    return 0x3030 + (x << 8) - tens * (10 * 256 - 1);
}
DEVICE uint32_t FourCharacters(uint32_t x) {
    const uint32_t hundreds = x * 5243 >> 19;
    const uint32_t pairs = (x << 16) - hundreds * (100 * 65536 - 1);
    const uint32_t tens = pairs * 103 >> 10 & 0x000f000f;
    return 0x30303030 + (pairs << 8) - tens * (10 * 256 - 1);
}

// DecimalText: the kDigits characters of a number. The number becomes a fraction of 10^kDigits:
// half words of it times 10^4 have four more digits as their integer part, and those that no digit
// needs any more are left out. The fraction is too large by half of what would change a digit, so
// that what is left out does not matter.
template <unsigned kDigits>
struct DecimalText {
    // Half words of a fraction with n digits: 2^(32 of them) is at least 4 10^n.
    HOST_DEVICE static constexpr unsigned HalvesOf(unsigned n) {
        return (BitLength(PowerOfTen(n)) + 2 + 31) / 32;
    }

    static constexpr word_pair kPower = PowerOfTen(kDigits);
    static constexpr unsigned kBits = BitLength(kPower), kHalves = (kBits + 31) / 32;
    static constexpr unsigned kAll = HalvesOf(kDigits), kFirst = kDigits % 4;
    static constexpr bool kEven = kDigits % 2 == 0;  // then characters are put by twos
    static_assert(kFirst > 0, "the first digits are fewer than four");

    struct Reciprocal {
        uint32_t half[kAll], margin;
    };
    // floor(2^(32 kAll + kBits - 1) / 10^kDigits), and a half of 2^(32 kAll - 1) / 10^kDigits.
    HOST_DEVICE static constexpr Reciprocal MakeReciprocal() {
        Reciprocal r = {};
        word_pair rest = (word_pair)1 << (kBits - 1);
        for (unsigned i = 0; i < 32 * kAll; i++) {
            rest *= 2;  // below 2^128
            const bool one = rest >= kPower;
            rest -= one ? kPower : 0;
            r.half[kAll - 1 - i / 32] |= (one ? 1u : 0u) << (31 - i % 32);
        }
        word_pair one = 1, slack = 0;
        for (unsigned i = 0; i < 32 * kAll - 2; i++) {
            one *= 2;
            slack = slack * 2 + (one >= kPower ? 1 : 0);
            one -= one >= kPower ? kPower : 0;
        }
        r.margin = (uint32_t)slack;
        return r;
    }

    template <unsigned kN>
    DEVICE static void PutSome(char *at, uint32_t characters) {
        constexpr unsigned kEach = kEven ? 2 : 1;
#pragma unroll
        for (unsigned i = 0; i < kN; i += kEach) {
            if constexpr (kEven) {
                *(uint16_t *)(at + i) = (uint16_t)(characters >> 8 * i);
            } else {
                at[i] = (char)(characters >> 8 * i);
            }
        }
    }

    // Half words of a fraction times `factor` and `more` units; the integer part.
    template <unsigned kN>
    DEVICE static uint32_t Step(uint32_t *fraction, uint32_t factor, uint64_t more) {
#pragma unroll
        for (unsigned i = 0; i < kN; i++) {
            const uint64_t product = (uint64_t)fraction[i] * factor + more;
            fraction[i] = (uint32_t)product;
            more = product >> 32;
        }
        return (uint32_t)more;
    }

    // The last kLeft digits, of a fraction of kN half words.
    template <unsigned kLeft, unsigned kN>
    DEVICE static void PutFours(char *at, uint32_t *fraction) {
        if constexpr (kLeft > 0) {
            constexpr unsigned kNeeded = HalvesOf(kLeft);
            uint32_t *const used = fraction + (kN - kNeeded);
            PutSome<4>(at, FourCharacters(Step<kNeeded>(used, 10000, 0)));
            PutFours<kLeft - 4, kNeeded>(at + 4, used);
        }
    }

    // `at` is even if kEven is set.
    DEVICE static void Put(char *at, word_pair x) {
        assert(!kEven || (uintptr_t)at % 2 == 0);
        assert(x < kPower);
        constexpr Reciprocal kReciprocal = MakeReciprocal();
        uint32_t product[kHalves + kAll] = {};
        x <<= 32 * kHalves - kBits;
#pragma unroll
        for (unsigned i = 0; i < kHalves; i++) {
            const uint32_t half = (uint32_t)(x >> 32 * i);
            uint64_t sum = 0;
#pragma unroll
            for (unsigned j = kHalves - 1 - i; j < kAll; j++) {  // what is lower does not matter
                sum = (uint64_t)half * kReciprocal.half[j] + product[i + j] + (sum >> 32);
                product[i + j] = (uint32_t)sum;
            }
            product[i + kAll] = (uint32_t)(sum >> 32);
        }
        constexpr uint32_t kTwice = 2 * (uint32_t)PowerOfTen(kFirst);
        uint32_t *const fraction = product + kHalves;
        const uint32_t first = Step<kAll>(fraction, kTwice, (uint64_t)kReciprocal.margin * kTwice);
        PutSome<kFirst>(
            at, kFirst == 2 ? TwoCharacters(first) : FourCharacters(first) >> (32 - 8 * kFirst));
        PutFours<kDigits - kFirst, kAll>(at + kFirst, fraction);
    }
};

#endif  // BIGINT_DEVICE_KERNELS_CHARACTERS_CUH_
