// twofold.h: numbers with twice the digits of a type, for host and device: a double in place of a
// float, a sum of two doubles in place of a double. C++; includes host_device.h only.
//
// Template code whose T is float or double takes Twofold<T> as well, if it keeps to +0, -, *, /,
// fma, fabs for comparisons, TimesPower and Rounded.
#ifndef PRIMITIVES_WORDS_TWOFOLD_H_
#define PRIMITIVES_WORDS_TWOFOLD_H_

#include <math.h>

#include "primitives/words/host_device.h"

template <class T>
struct Twofold;

// StoredOf<T>: what stands in memory where T computes.
template <class T>
struct StoredOf {
    using Type = T;
};
template <class T>
struct StoredOf<Twofold<T>> {
    using Type = T;
};
template <class T>
using Stored = typename StoredOf<T>::Type;

// Rounded returns the nearest number of the stored type.
HOST_DEVICE float Rounded(float v) { return v; }
HOST_DEVICE double Rounded(double v) { return v; }

// TimesPower returns v times a power of two, or NaN if `power` is 0 and v is not finite.
HOST_DEVICE float TimesPower(float v, float power) { return v * power; }
HOST_DEVICE double TimesPower(double v, double power) { return v * power; }

template <>
struct Twofold<float> {
    double v;

    Twofold() = default;
    HOST_DEVICE Twofold(double value) : v(value) {}

    HOST_DEVICE friend Twofold operator-(Twofold a) { return -a.v; }
    HOST_DEVICE friend Twofold operator*(Twofold a, Twofold b) { return a.v * b.v; }
    HOST_DEVICE friend Twofold operator/(Twofold a, Twofold b) { return a.v / b.v; }
    HOST_DEVICE friend Twofold fma(Twofold a, Twofold b, Twofold c) { return ::fma(a.v, b.v, c.v); }
    HOST_DEVICE friend double fabs(Twofold a) { return ::fabs(a.v); }
    HOST_DEVICE friend Twofold TimesPower(Twofold a, double power) { return a.v * power; }
    HOST_DEVICE friend float Rounded(Twofold a) { return (float)a.v; }
};

// hi + lo, hi the double nearest to the sum. With w = 2^-53, barring what leaves the range of
// double or falls below 2^-900, errors are at most
//   fma        13 w^2 |a b| + 3 w^2 |c|   15 operations
//   *           6 w^2 |a b|                7 operations
//   Inverse    20 w^2 |1 / v|              6 operations
// docs/proofs/tridiagonal.md, section 5, derives them. What is not finite has a hi that is not.
template <>
struct Twofold<double> {
    double hi, lo;

    Twofold() = default;
    HOST_DEVICE Twofold(double value) : hi(value), lo(0) {}
    HOST_DEVICE Twofold(double high, double low) : hi(high), lo(low) {}

    // The sum of both, normalised. |a| >= |b|, or a is a multiple of b's last place, 0 for one:
    // then nothing is lost [Dekker71].
    HOST_DEVICE static Twofold Normalised(double a, double b) {
        const double s = a + b;
        return {s, b - (s - a)};
    }
    // 1 / v of a double that is 1 / v.hi to a unit of its last place.
    HOST_DEVICE static Twofold Inverse(Twofold v, double approximate) {
        const double e = ::fma(-approximate, v.lo, ::fma(-approximate, v.hi, 1.0));
        return Normalised(approximate, approximate * e);
    }

    HOST_DEVICE friend Twofold operator-(Twofold a) { return {-a.hi, -a.lo}; }
    HOST_DEVICE friend Twofold operator*(Twofold a, Twofold b) {
        const double p = a.hi * b.hi;
        const double e = ::fma(a.hi, b.hi, -p);
        return Normalised(p, ::fma(a.lo, b.hi, ::fma(a.hi, b.lo, e)));
    }
    HOST_DEVICE friend Twofold operator/(Twofold a, Twofold b) { return a * Inverse(b, 1 / b.hi); }
    HOST_DEVICE friend Twofold fma(Twofold a, Twofold b, Twofold c) {
        const double p = a.hi * b.hi;
        const double e = ::fma(a.lo, b.hi, ::fma(a.hi, b.lo, ::fma(a.hi, b.hi, -p)));
        const double s = p + c.hi, from_c = s - p;
        const double lost = (p - (s - from_c)) + (c.hi - from_c);  // p + c.hi - s, exactly
        return Normalised(s, lost + (e + c.lo));
    }
    HOST_DEVICE friend double fabs(Twofold a) { return ::fabs(a.hi); }
    HOST_DEVICE friend Twofold TimesPower(Twofold a, double power) {
        return {a.hi * power, a.lo * power};
    }
    HOST_DEVICE friend double Rounded(Twofold a) { return a.hi; }
};

#endif  // PRIMITIVES_WORDS_TWOFOLD_H_
