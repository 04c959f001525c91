// half_spectrum.cuh: turns the frequencies of pairs of reals into the frequencies of the reals, and
// back, two items at a time. Includes complex.cuh.
//
// Reals x[0 .. 2m) are m pairs z[j] = x[2j] + i x[2j + 1]. With Z the transform of z, X that of x,
// w = exp(-2 pi i / 2m) and Z[m] = Z[0], for 0 <= k <= m
//     X[k] = s + d, X[m - k] = conj(s - d),
//     s = (Z[k] + conj Z[m - k]) / 2, d = -i w^k (Z[k] - conj Z[m - k]) / 2,
// and back, 2 Z from X by the same formulas without the halves and with the conjugate of -i w^k:
// then an inverse transform of 2 Z has no factor, as that of X by its definition. Either map keeps
// the 2-norm of a pair, the second one apart from its factor, so that relative errors add up.
#ifndef FFT_DEVICE_COMPLEX_HALF_SPECTRUM_CUH_
#define FFT_DEVICE_COMPLEX_HALF_SPECTRUM_CUH_

#include "fft/device/complex/complex.cuh"

template <class Real>
struct ItemPair {
    Complex<Real> low, high;  // items k and m - k
};

// Of Z to X, or with kBack of X to 2 Z. root: -i w^k, and half of it to X. Errors, in FP64: u for
// the difference, 2 u for d's product besides that of its root, u for the last sum.
template <bool kBack, class Real>
DEVICE ItemPair<Real> HalfSpectrum(Complex<Real> low, Complex<Real> high, Complex<Real> root) {
    using Item = Complex<Real>;
    const Item sum = {low.re + high.re, low.im - high.im};
    const Item rest = {low.re - high.re, low.im + high.im};
    const Item d = (kBack ? Item{root.re, -root.im} : root) * rest;
    const Item s = kBack ? sum : Item{(Real)0.5 * sum.re, (Real)0.5 * sum.im};
    return {{s.re + d.re, s.im + d.im}, {s.re - d.re, d.im - s.im}};
}

// As HalfSpectrum<true>, but with sums and root to more digits than one number holds, so that only
// d's product, u, and the last sum err. 44 operations. In short problems, where few other roundings
// follow, this keeps the error below that of an algorithm that computes with reals throughout.
template <class Real>
DEVICE ItemPair<Real> HalfSpectrumWide(Complex<Real> low, Complex<Real> high, WideRoot<Real> root) {
    using Item = Complex<Real>;
    Item sum_rest, other_rest;
    const Item sum = {SumAndRest(low.re, high.re, &sum_rest.re),
                      SumAndRest(low.im, -high.im, &sum_rest.im)};
    const Item other = {SumAndRest(low.re, -high.re, &other_rest.re),
                        SumAndRest(low.im, high.im, &other_rest.im)};
    const Item w = {root.head.re, -root.head.im}, tail = {root.tail.re, -root.tail.im};
    const Item d = Product(other, WideRoot<Real>{w, tail}, w * other_rest);
    return {{sum.re + (d.re + sum_rest.re), sum.im + (d.im + sum_rest.im)},
            {sum.re - (d.re - sum_rest.re), (d.im - sum_rest.im) - sum.im}};
}

// -i w^k of a root w^k, halved on the way to X.
template <bool kBack, class Real>
DEVICE Complex<Real> HalfSpectrumRoot(Complex<Real> w) {
    constexpr Real kScale = kBack ? (Real)1 : (Real)0.5;
    return {kScale * w.im, -kScale * w.re};
}

// Items 0 and m, which are real, as one item: of Z[0], or to 2 Z[0].
template <class Real>
DEVICE Complex<Real> HalfSpectrumEnds(Complex<Real> a) {
    return {a.re + a.im, a.re - a.im};
}

// Item m / 2, its own partner, likewise.
template <bool kBack, class Real>
DEVICE Complex<Real> HalfSpectrumMiddle(Complex<Real> a) {
    constexpr Real kScale = kBack ? (Real)2 : (Real)1;
    return {kScale * a.re, -kScale * a.im};
}

#endif  // FFT_DEVICE_COMPLEX_HALF_SPECTRUM_CUH_
