// complex.cuh: complex numbers in registers, and DFTs of 2 to 32 of them. Every rounding is written
// out, so that a device and the emulation give the same bits. Includes primitives/ only.
#ifndef FFT_DEVICE_COMPLEX_COMPLEX_CUH_
#define FFT_DEVICE_COMPLEX_COMPLEX_CUH_

#include <cmath>

#include "primitives/cuda/device.cuh"

template <class Real>
struct alignas(2 * sizeof(Real)) Complex {
    Real re, im;
};

DEVICE float Fma(float a, float b, float c) { return fmaf(a, b, c); }
DEVICE double Fma(double a, double b, double c) { return fma(a, b, c); }

template <class Real>
DEVICE Complex<Real> operator+(Complex<Real> a, Complex<Real> b) {
    return {a.re + b.re, a.im + b.im};
}

template <class Real>
DEVICE Complex<Real> operator-(Complex<Real> a, Complex<Real> b) {
    return {a.re - b.re, a.im - b.im};
}

// Four roundings, each part within 2 u |a b| [Jeannerod17]; four operations.
template <class Real>
DEVICE Complex<Real> operator*(Complex<Real> a, Complex<Real> b) {
    return {Fma(a.re, b.re, -(a.im * b.im)), Fma(a.re, b.im, a.im * b.re)};
}

// The same in eight operations, as if the inner products were not rounded [JeannerodEtAl17].
template <class Real>
DEVICE Complex<Real> ExactProduct(Complex<Real> a, Complex<Real> b) {
    const Real re = a.im * b.im, im = a.im * b.re;
    return {Fma(a.re, b.re, -re) - Fma(a.im, b.im, -re),
            Fma(a.re, b.im, im) + Fma(a.im, b.re, -im)};
}

// WideRoot: a root as two numbers: rounded, and what that lacks.
template <class Real>
struct WideRoot {
    Complex<Real> head, tail;
};

// a w + low, as if the root were not rounded; low is small. Eight operations.
template <class Real>
DEVICE Complex<Real> Product(Complex<Real> a, WideRoot<Real> w, Complex<Real> low) {
    low = {Fma(a.re, w.tail.re, Fma(-a.im, w.tail.im, low.re)),
           Fma(a.re, w.tail.im, Fma(a.im, w.tail.re, low.im))};
    return {Fma(a.re, w.head.re, Fma(-a.im, w.head.im, low.re)),
            Fma(a.re, w.head.im, Fma(a.im, w.head.re, low.im))};
}

template <class Real>
DEVICE Complex<Real> Swapped(Complex<Real> a) {
    return {a.im, a.re};
}

// The sum a + b, rounded, and what it lacks [Knuth97].
template <class Real>
DEVICE Real SumAndRest(Real a, Real b, Real *rest) {
    const Real sum = a + b, other = sum - a;
    *rest = (a - (sum - other)) + (b - other);
    return sum;
}

// a times exp(-2 pi i / 8). The double nearest to the root of a half is off by 0.6 u, always to the
// same side, which would be a third of a node's error: so with what it lacks. The error is below
// 1.72 u |a|: u for the inner product, of at most 0.71 |a|, and u for the result, besides u^2.
// Eight operations; kWide: below 1.01 u |a|, in 18.
template <bool kWide = false, class Real>
DEVICE Complex<Real> EighthTurn(Complex<Real> a) {
    constexpr Real kHalf = (Real)0.70710678118654752440;
    constexpr Real kRest = sizeof(Real) == 8 ? (Real)-4.8336466567264565e-17  // 2^-1/2 - kHalf
                                             : (Real)1.2101617152815436e-08;
    if constexpr (kWide) {
        Complex<Real> rest;
        const Real re = SumAndRest(a.re, a.im, &rest.re), im = SumAndRest(a.im, -a.re, &rest.im);
        return {Fma(re, kHalf, Fma(re, kRest, rest.re * kHalf)),
                Fma(im, kHalf, Fma(im, kRest, rest.im * kHalf))};
    } else {
        return {Fma(a.re, kHalf, Fma(a.im, kHalf, (a.re + a.im) * kRest)),
                Fma(a.im, kHalf, Fma(-a.re, kHalf, (a.im - a.re) * kRest))};
    }
}

// a times exp(-2 pi i k / 32), k = 0 .. 21 and constant after unrolling.
template <bool kWide = false, class Real>
DEVICE Complex<Real> TimesRoot32(Complex<Real> a, unsigned k) {
    // Cosines of 1, 2, 3, 4 sixteenths of pi; those of 5, 6, 7 are sines of 3, 2, 1.
    constexpr Real kCos1 = (Real)0.98078528040323044913, kSin1 = (Real)0.19509032201612826785;
    constexpr Real kCos2 = (Real)0.92387953251128675613, kSin2 = (Real)0.38268343236508977173;
    constexpr Real kCos3 = (Real)0.83146961230254523708, kSin3 = (Real)0.55557023301960222474;
    if (k >= 16) {
        a = {-a.re, -a.im};
        k -= 16;
    }
    if (k >= 8) {  // a quarter turn
        a = {a.im, -a.re};
        k -= 8;
    }
    switch (k) {
        case 1:
            return a * Complex<Real>{kCos1, -kSin1};
        case 2:
            return a * Complex<Real>{kCos2, -kSin2};
        case 3:
            return a * Complex<Real>{kCos3, -kSin3};
        case 4:
            return EighthTurn<kWide>(a);
        case 5:
            return a * Complex<Real>{kSin3, -kCos3};
        case 6:
            return a * Complex<Real>{kSin2, -kCos2};
        case 7:
            return a * Complex<Real>{kSin1, -kCos1};
        default:
            return a;
    }
}

// Dft: x[k] becomes the sum of x[j] exp(-2 pi i j k / 2^kDigits): natural order in and out. Radix 2
// and 4 inside; kWide: eighth turns with one rounding.
template <unsigned kDigits, bool kWide = false, class Real>
DEVICE void Dft(Complex<Real> *x) {
    static_assert(kDigits <= 5, "no larger node");
    if constexpr (kDigits == 1) {
        const Complex<Real> a = x[0], b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    } else if constexpr (kDigits == 2) {
        const Complex<Real> a = x[0] + x[2], b = x[0] - x[2];
        const Complex<Real> c = x[1] + x[3], d = TimesRoot32(x[1] - x[3], 8);
        x[0] = a + c;
        x[1] = b + d;
        x[2] = a - c;
        x[3] = b - d;
    } else if constexpr (kDigits > 2) {
        // j = j1 2^kLow + j0, k = k0 4 + k1.
        constexpr unsigned kLow = kDigits - 2;
        Complex<Real> y[1 << kDigits];
#pragma unroll
        for (unsigned j0 = 0; j0 < 1u << kLow; j0++) {
            Complex<Real> z[4];
#pragma unroll
            for (unsigned j1 = 0; j1 < 4; j1++) {
                z[j1] = x[(j1 << kLow) + j0];
            }
            Dft<2>(z);
#pragma unroll
            for (unsigned k1 = 0; k1 < 4; k1++) {
                y[(k1 << kLow) + j0] = TimesRoot32<kWide>(z[k1], (j0 * k1) << (5 - kDigits));
            }
        }
#pragma unroll
        for (unsigned k1 = 0; k1 < 4; k1++) {
            Dft<kLow, kWide>(y + (k1 << kLow));
#pragma unroll
            for (unsigned k0 = 0; k0 < 1u << kLow; k0++) {
                x[k0 * 4 + k1] = y[(k1 << kLow) + k0];
            }
        }
    }
}

#endif  // FFT_DEVICE_COMPLEX_COMPLEX_CUH_
