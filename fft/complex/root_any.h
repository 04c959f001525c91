// root_any.h: roots of unity of any order, computed: the same bits on the host and in kernels. C,
// C++ and CUDA; includes root.h and has the same series and the same error.
#ifndef FFT_COMPLEX_ROOT_ANY_H_
#define FFT_COMPLEX_ROOT_ANY_H_

#include "fft/complex/root.h"

// fft_divide: floor(n / d) and its remainder by the rounded inverse of d. Requires n < 2^51,
// d >= 1, inverse = 1.0 / d. The product errs by less than 2.1 n / d units of 2^-53, so by less
// than 1 / d: it reaches no integer that n / d does not, and falls short of n / d's own at most.
static HOST_DEVICE uint64_t fft_divide(uint64_t n, uint64_t d, double inverse, uint64_t *rest) {
    assert(n >> 51 == 0);
    const uint64_t quotient = (uint64_t)((double)n * inverse), left = n - quotient * d;
    const int short_of = left >= d;
    *rest = left - (short_of ? d : 0);
    return quotient + (uint64_t)short_of;
}

// fft_root_any: w = exp(2 pi i e / order). Requires e < order < 2^48, inverse = 1.0 / order. Each
// part errs by at most 0.52 ulp (docs/proofs/roots.md); of an order 2^lg it is fft_root(e, lg) to
// the last bit. Equal as numbers: w(-e) and the conjugate of w(e), and where 4 divides the order
// w(e + order / 4) and i w(e). Cost: that of fft_root and about 25 operations.
static HOST_DEVICE fft_root_f64 fft_root_any(uint64_t e, uint64_t order, double inverse) {
    assert(e < order && order >> 48 == 0);
    // The angle from the nearer axis: f / order eighths of a turn.
    uint64_t past;
    const unsigned octant = (unsigned)fft_divide(8 * e, order, inverse, &past);
    const double f = (double)(octant & 1 ? order - past : past), whole = (double)order;
    // f - near * order is exact: it is at most 2^-52 f, and a multiple of the last place of near
    const double near = f * inverse, rest = fma(-near, whole, f) * inverse;
    const double v = near + rest;
    const fft_root_sums part = fft_root_eighth(v, rest - (v - near));
    const int swap = ((octant + 1) & 2) != 0;  // octants 1, 2, 5, 6: the imaginary axis is nearer
    fft_root_f64 w = {swap ? part.im.high : part.re.high, swap ? part.re.high : part.im.high};
    w.re = octant >= 2 && octant < 6 ? -w.re : w.re;
    w.im = octant >= 4 ? -w.im : w.im;
    return w;
}

#endif  // FFT_COMPLEX_ROOT_ANY_H_
