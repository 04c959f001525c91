// digit.cuh: digits of 52 bits held in doubles, and their products. Includes device.cuh only. Valid
// on: any device, the emulation.
//
// An integer below 2^52 is a double; 2^52 more, and it is the double's lowest bits.
#ifndef PRIMITIVES_DIGIT_CUH_
#define PRIMITIVES_DIGIT_CUH_

#include <cassert>

#include "primitives/device.cuh"

constexpr unsigned kDigitBits = 52;
constexpr uint64_t kDigitMask = ((uint64_t)1 << kDigitBits) - 1;
constexpr uint64_t kLowBits = (uint64_t)0x433 << kDigitBits;   // the bits of 2^52
constexpr uint64_t kHighBits = (uint64_t)0x467 << kDigitBits;  // the bits of 2^104

// DigitToDouble, DigitOf: from integer to double and back. Requires: below 2^52.
DEVICE double DigitToDouble(uint64_t digit) {
#if defined(__CUDACC__)
    return __longlong_as_double((long long)(digit | kLowBits)) - 0x1p52;
#else
    assert(digit <= kDigitMask);
    return (double)digit;
#endif
}

DEVICE uint64_t DigitOf(double digit) {
#if defined(__CUDACC__)
    return (uint64_t)__double_as_longlong(digit + 0x1p52) & kDigitMask;
#else
    return (uint64_t)digit;
#endif
}

// Anew: v, of which the compiler knows nothing, so that what is made of it is made again each time
// and does not hold registers in between.
DEVICE double Anew(double v) {
#if defined(__CUDACC__)
    asm volatile("" : "+d"(v));
#endif
    return v;
}

// DigitProduct: a b = high 2^52 + low of two digits. Returns low + kLowBits, and high + kHighBits
// in *high. Rounding toward zero, 2^104 + a b is 2^104 + 2^52 high; taken off, low is left, exact.
DEVICE uint64_t DigitProduct(uint64_t *high, double a, double b) {
#if defined(__CUDACC__)
    const double above = __fma_rz(a, b, 0x1p104);
    const double below = __fma_rz(a, b, (0x1p104 + 0x1p52) - above);
    *high = (uint64_t)__double_as_longlong(above);
    return (uint64_t)__double_as_longlong(below);
#else
    assert(0 <= a && a < 0x1p52 && 0 <= b && b < 0x1p52);
    const word_pair product = (word_pair)(uint64_t)a * (uint64_t)b;
    *high = (uint64_t)(product >> kDigitBits) + kHighBits;
    return ((uint64_t)product & kDigitMask) + kLowBits;
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

#endif  // PRIMITIVES_DIGIT_CUH_
