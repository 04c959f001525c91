// digit.cuh: digits of 52 bits, and shorter ones, held in doubles, and their products. Includes
// device.cuh only. Valid on: any device, the emulation.
//
// An integer below 2^52 is a double. Adding 2^52 puts it into the double's lowest bits.
#ifndef PRIMITIVES_RESIDUES_DIGIT_CUH_
#define PRIMITIVES_RESIDUES_DIGIT_CUH_

#include <cassert>

#include "primitives/cuda/device.cuh"

constexpr unsigned kDigitBits = 52;
constexpr uint64_t kDigitMask = ((uint64_t)1 << kDigitBits) - 1;
constexpr uint64_t kLowBits = (uint64_t)0x433 << kDigitBits;   // the bits of 2^52
constexpr uint64_t kHighBits = (uint64_t)0x467 << kDigitBits;  // the bits of 2^104

// DigitToDouble, DigitOf: from integer to double and back. Requires: at most 2^52.
DEVICE double DigitToDouble(uint64_t digit) {
#if defined(__CUDACC__)
    return __longlong_as_double((long long)(digit + kLowBits)) - 0x1p52;
#else
    assert(digit <= kDigitMask + 1);
    return (double)digit;
#endif
}

DEVICE uint64_t DigitOf(double digit) {
#if defined(__CUDACC__)
    return (uint64_t)__double_as_longlong(digit + 0x1p52) - kLowBits;
#else
    return (uint64_t)digit;
#endif
}

// Anew: v, hidden from the compiler, so that values derived from it are computed again each time
// and does not hold registers in between.
DEVICE double Anew(double v) {
#if defined(__CUDACC__)
    asm volatile("" : "+d"(v));
#endif
    return v;
}

// DigitEither: a or b, by masks: no compiler makes a branch of it.
DEVICE double DigitEither(bool first, double a, double b) {
    const uint64_t mask = 0 - (uint64_t)first;
    uint64_t x, y;
    memcpy(&x, &a, sizeof x), memcpy(&y, &b, sizeof y);
    x = (x & mask) | (y & ~mask);
    memcpy(&a, &x, sizeof a);
    return a;
}

// DigitProduct: a b = high 2^52 + low of two digits, either at most 2^52. Returns low + kLowBits,
// and high + kHighBits in *high. Rounding toward zero, 2^104 + a b is 2^104 + 2^52 high; taken off,
// low is left, exact.
DEVICE uint64_t DigitProduct(uint64_t *high, double a, double b) {
#if defined(__CUDACC__)
    const double above = __fma_rz(a, b, 0x1p104);
    const double below = __fma_rz(a, b, (0x1p104 + 0x1p52) - above);
    *high = (uint64_t)__double_as_longlong(above);
    return (uint64_t)__double_as_longlong(below);
#else
    assert(0 <= a && a <= 0x1p52 && 0 <= b && b <= 0x1p52);
    const word_pair product = (word_pair)(uint64_t)a * (uint64_t)b;
    *high = (uint64_t)(product >> kDigitBits) + kHighBits;
    return ((uint64_t)product & kDigitMask) + kLowBits;
#endif
}

// DigitHigh: what DigitProduct puts in *high.
DEVICE uint64_t DigitHigh(double a, double b) {
#if defined(__CUDACC__)
    return (uint64_t)__double_as_longlong(__fma_rz(a, b, 0x1p104));
#else
    uint64_t high;
    DigitProduct(&high, a, b);
    return high;
#endif
}

// --- Short digits --------------------------------------------------------------------------------
// Of 48 bits, so that one factor of a product may be a few bits longer and either may be negative.

constexpr unsigned kShortBits = 48;
constexpr uint64_t kShortMask = ((uint64_t)1 << kShortBits) - 1;
constexpr uint64_t kShortHighBits = (uint64_t)0x4638 << 48;  // the bits of 1.5 2^100

// SignedToDouble, SignedOf: from integer to double and back. Requires: in [-2^51, 2^51).
DEVICE double SignedToDouble(int64_t v) {
#if defined(__CUDACC__)
    return __longlong_as_double(v + ((long long)0x4338 << 48)) - 0x1.8p52;
#else
    assert(-((int64_t)1 << 51) <= v && v < (int64_t)1 << 51);
    return (double)v;
#endif
}

DEVICE int64_t SignedOf(double v) {
#if defined(__CUDACC__)
    return __double_as_longlong(v + 0x1.8p52) - ((long long)0x4338 << 48);
#else
    return (int64_t)v;
#endif
}

// ShortProduct: a b = high 2^48 + low, 0 <= low < 2^48, of integers with |a b| < 2^99. Returns low
// + kLowBits, and high + kShortHighBits in *high. As DigitProduct: from 2^100 to 2^101, where 1.5
// 2^100 + a b lies, doubles are 2^48 apart, and rounding toward zero is rounding down.
DEVICE uint64_t ShortProduct(uint64_t *high, double a, double b) {
#if defined(__CUDACC__)
    const double above = __fma_rz(a, b, 0x1.8p100);
    const double below = __fma_rz(a, b, (0x1.8p100 + 0x1p52) - above);
    *high = (uint64_t)__double_as_longlong(above);
    return (uint64_t)__double_as_longlong(below);
#else
    assert(-0x1p99 < a * b && a * b < 0x1p99);
    const __int128 product = (__int128)(int64_t)a * (int64_t)b;
    *high = (uint64_t)(int64_t)(product >> kShortBits) + kShortHighBits;
    return ((uint64_t)product & kShortMask) + kLowBits;
#endif
}

// DigitInverse: 1 / a mod 2^52 for odd a. Newton: a itself is right to 3 bits, each step doubles
// them.
DEVICE uint64_t DigitInverse(uint64_t a) {
    uint64_t x = a;
    for (unsigned bits = 3; bits < kDigitBits; bits *= 2) {
        x *= 2 - a * x;
    }
    return x & kDigitMask;
}

#endif  // PRIMITIVES_RESIDUES_DIGIT_CUH_
