// pass_root.cuh: the roots between passes; the kernels that multiply by them compute them. Includes
// complex numbers and fft/complex/root.h.
#ifndef FFT_DEVICE_COMPLEX_PASS_ROOT_CUH_
#define FFT_DEVICE_COMPLEX_PASS_ROOT_CUH_

#include "fft/complex/root.h"
#include "fft/device/complex/complex.cuh"

// Root: exp(-2 pi i e / 2^lg), e < 2^lg, lg >= 3.
template <class Real>
DEVICE Complex<Real> Root(uint64_t e, unsigned lg) {
    if constexpr (sizeof(Real) == 8) {
        const fft_root_f64 w = fft_root(e, lg);
        return {w.re, -w.im};
    } else {
        // The angle from the nearer axis, in parts of an eighth of the turn, rounded once.
        const unsigned turn = lg > 32 ? (unsigned)(e >> (lg - 32)) : (unsigned)(e << (32 - lg));
        const unsigned octant = turn >> 29, past = turn & ((1u << 29) - 1);
        const float v = (float)(octant & 1 ? (1u << 29) - past : past) * 0x1p-29f, w = v * v;
        float s = (float)0x1.50783486facaap-22, c = (float)-0x1.a6d1eef479be0p-26;
        s = Fma(s, w, (float)-0x1.32d2cce62b872p-15), c = Fma(c, w, (float)0x1.e1f5068688d5bp-19);
        s = Fma(s, w, (float)0x1.466bc6775aae1p-9), c = Fma(c, w, (float)-0x1.55d3c7e3cb241p-12);
        s = Fma(s, w, (float)-0x1.4abbce625be53p-4), c = Fma(c, w, (float)0x1.03c1f081b5ac0p-6);
        s = Fma(s, w, (float)0x1.921fb54442d18p-1), c = Fma(c, w, (float)-0x1.3bd3cc9be45dep-2);
        s = s * v, c = Fma(c, w, 1.0f);
        const bool swap = ((octant + 1) & 2) != 0;
        const float re = swap ? s : c, im = swap ? c : s;
        return {octant >= 2 && octant < 6 ? -re : re, octant >= 4 ? im : -im};
    }
}

#endif  // FFT_DEVICE_COMPLEX_PASS_ROOT_CUH_
