// dft_mixed.cuh: DFTs of 2 to 16 complex numbers in registers, of every number of points whose
// prime factors are 2, 3, 5 and 7. Every rounding is written out. Includes complex.cuh.
#ifndef FFT_DEVICE_COMPLEX_DFT_MIXED_CUH_
#define FFT_DEVICE_COMPLEX_DFT_MIXED_CUH_

#include "fft/device/complex/complex.cuh"

// MixedDft: x[k] becomes the sum of x[j] exp(-2 pi i j k / kN): natural order in and out.
template <unsigned kN, class Real>
DEVICE void MixedDft(Complex<Real> *x);

// Cosine and sine of 2 pi j / kN, j < kN constant after unrolling, kN 3, 5 or 7.
template <unsigned kN, class Real>
DEVICE Complex<Real> TurnOfPrime(unsigned j) {
    constexpr Real kThird[2][2] = {{1, 0}, {(Real)-0.5, (Real)0.86602540378443864676}};
    constexpr Real kFifth[3][2] = {{1, 0},
                                   {(Real)0.30901699437494742410, (Real)0.95105651629515357212},
                                   {(Real)-0.80901699437494742410, (Real)0.58778525229247312917}};
    constexpr Real kSeventh[4][2] = {{1, 0},
                                     {(Real)0.62348980185873353053, (Real)0.78183148246802980871},
                                     {(Real)-0.22252093395631440429, (Real)0.97492791218182360702},
                                     {(Real)-0.90096886790241912624, (Real)0.43388373911755812048}};
    const unsigned m = 2 * j > kN ? kN - j : j;
    const Real re = kN == 3 ? kThird[m % 2][0] : kN == 5 ? kFifth[m % 3][0] : kSeventh[m % 4][0];
    const Real im = kN == 3 ? kThird[m % 2][1] : kN == 5 ? kFifth[m % 3][1] : kSeventh[m % 4][1];
    return {re, m == j ? im : -im};
}

// kN = 2 h + 1: x[k] and x[kN - k] are C - i S and C + i S, with C and S the sums over j = 1 .. h
// of the cosines times x[j] + x[kN - j] and of the sines times x[j] - x[kN - j].
template <unsigned kN, class Real>
DEVICE void DftOfPrime(Complex<Real> *x) {
    constexpr unsigned kHalf = kN / 2;
    Complex<Real> sum[kHalf], difference[kHalf];
    const Complex<Real> first = x[0];
#pragma unroll
    for (unsigned j = 0; j < kHalf; j++) {
        sum[j] = x[j + 1] + x[kN - 1 - j];
        difference[j] = x[j + 1] - x[kN - 1 - j];
        x[0] = x[0] + sum[j];
    }
#pragma unroll
    for (unsigned k = 1; k <= kHalf; k++) {
        Complex<Real> c = first, s = {0, 0};
#pragma unroll
        for (unsigned j = 0; j < kHalf; j++) {
            const Complex<Real> turn = TurnOfPrime<kN, Real>((j + 1) * k % kN);
            c = {Fma(turn.re, sum[j].re, c.re), Fma(turn.re, sum[j].im, c.im)};
            s = j == 0 ? Complex<Real>{turn.im * difference[0].re, turn.im * difference[0].im}
                       : Complex<Real>{Fma(turn.im, difference[j].re, s.re),
                                       Fma(turn.im, difference[j].im, s.im)};
        }
        x[k] = {c.re + s.im, c.im - s.re};
        x[kN - k] = {c.re - s.im, c.im + s.re};
    }
}

// Two factors without a common one: the point with remainders B j1 + A j2 goes to the frequency
// whose remainders modulo A and B are those of the two DFTs: no twiddles.
template <unsigned kA, unsigned kB, class Real>
DEVICE void DftOfCoprimes(Complex<Real> *x) {
    constexpr unsigned kN = kA * kB;
    Complex<Real> y[kN];
#pragma unroll
    for (unsigned j2 = 0; j2 < kB; j2++) {
        Complex<Real> z[kA];
#pragma unroll
        for (unsigned j1 = 0; j1 < kA; j1++) {
            z[j1] = x[(kB * j1 + kA * j2) % kN];
        }
        MixedDft<kA>(z);
#pragma unroll
        for (unsigned k1 = 0; k1 < kA; k1++) {
            y[k1 * kB + j2] = z[k1];
        }
    }
#pragma unroll
    for (unsigned k1 = 0; k1 < kA; k1++) {
        MixedDft<kB>(y + k1 * kB);
    }
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        x[k] = y[k % kA * kB + k % kB];
    }
}

template <class Real>
DEVICE void DftOf9(Complex<Real> *x) {
    // exp(-2 pi i j0 k1 / 9) of exponents 1, 2, 4
    constexpr Complex<Real> kRoot1 = {(Real)0.76604444311897803520, (Real)-0.64278760968653932632};
    constexpr Complex<Real> kRoot2 = {(Real)0.17364817766693034885, (Real)-0.98480775301220805937};
    constexpr Complex<Real> kRoot4 = {(Real)-0.93969262078590838405, (Real)-0.34202014332566873304};
    Complex<Real> y[9];
#pragma unroll
    for (unsigned j0 = 0; j0 < 3; j0++) {
        Complex<Real> z[3] = {x[j0], x[3 + j0], x[6 + j0]};
        DftOfPrime<3>(z);
        y[j0] = z[0], y[3 + j0] = z[1], y[6 + j0] = z[2];
    }
    y[4] = y[4] * kRoot1, y[5] = y[5] * kRoot2, y[7] = y[7] * kRoot2, y[8] = y[8] * kRoot4;
#pragma unroll
    for (unsigned k1 = 0; k1 < 3; k1++) {
        DftOfPrime<3>(y + 3 * k1);
        x[k1] = y[3 * k1], x[3 + k1] = y[3 * k1 + 1], x[6 + k1] = y[3 * k1 + 2];
    }
}

template <unsigned kN, class Real>
DEVICE void MixedDft(Complex<Real> *x) {
    static_assert(kN >= 2 && kN <= 16 && kN != 11 && kN != 13, "no such node");
    if constexpr (kN == 2) {
        Dft<1>(x);
    } else if constexpr (kN == 4) {
        Dft<2>(x);
    } else if constexpr (kN == 8) {
        Dft<3>(x);
    } else if constexpr (kN == 16) {
        Dft<4>(x);
    } else if constexpr (kN == 9) {
        DftOf9(x);
    } else if constexpr (kN % 4 == 0) {
        DftOfCoprimes<4, kN / 4>(x);
    } else if constexpr (kN % 2 == 0) {
        DftOfCoprimes<2, kN / 2>(x);
    } else if constexpr (kN == 15) {
        DftOfCoprimes<3, 5>(x);
    } else {
        DftOfPrime<kN>(x);
    }
}

#endif  // FFT_DEVICE_COMPLEX_DFT_MIXED_CUH_
