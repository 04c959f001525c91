// scale.h: the factors by which the rows of a system are multiplied before pivots are compared, for
// host and device. C++; includes host_device.h only.
#ifndef PRIMITIVES_TRIDIAGONAL_SCALE_H_
#define PRIMITIVES_TRIDIAGONAL_SCALE_H_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "primitives/words/host_device.h"

// RowScale returns the power of two that brings the largest coefficient of a row into [2, 4), so
// that scaling rounds nothing above the subnormal numbers. Less for subnormal rows, where no power
// is large enough. Zero, and no number as soon as it is multiplied, for a row that is not finite.
// The exponent e of the largest one has the field e + bias, the scale's has (2 bias + 1) - that,
// which is bias + 1 - e: from 0, which is the number 0, for what is not finite, to all ones less
// one, since subnormal numbers count as having the field 1.
HOST_DEVICE float RowScale(float largest) {
    uint32_t bits;
    memcpy(&bits, &largest, sizeof bits);
    const uint32_t exponent = bits & 0x7F800000, least = 0x00800000;
    bits = 0x7F800000 - (exponent > least ? exponent : least);
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

HOST_DEVICE double RowScale(double largest) {
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    const uint32_t exponent = (uint32_t)(bits >> 32) & 0x7FF00000, least = 0x00100000;
    bits = (uint64_t)(0x7FF00000 - (exponent > least ? exponent : least)) << 32;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

// The same for the coefficients of a row. Of doubles the upper halves decide: numbers of one
// exponent have one scale, and it is 0 where one of the three is not finite.
HOST_DEVICE float RowScale(float a, float b, float c) {
    return RowScale(fmaxf(fmaxf(fabsf(a), fabsf(b)), fabsf(c)));
}

HOST_DEVICE double RowScale(double a, double b, double c) {
    const double row[3] = {a, b, c};
    uint32_t largest = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &row[k], sizeof bits);
        const uint32_t upper = (uint32_t)(bits >> 32) & 0x7FFFFFFF;
        largest = upper > largest ? upper : largest;
    }
    const uint64_t bits = (uint64_t)largest << 32;
    double same;
    memcpy(&same, &bits, sizeof same);
    return RowScale(same);
}

#endif  // PRIMITIVES_TRIDIAGONAL_SCALE_H_
