// root.h: roots of unity computed, not stored: the same bits on the host and in kernels. C, C++ and
// CUDA; may include host_device.h and C's own headers.
//
// Every operation is an IEEE addition, product, fused fma() or conversion. Products are only added
// within an fma(), so contraction by a compiler changes no bit. A build needs doubles rounded after
// every operation (no x87, no -ffast-math), and -lm for fma() where the instruction set has none.
#ifndef FFT_COMPLEX_ROOT_H_
#define FFT_COMPLEX_ROOT_H_

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "primitives/words/host_device.h"

typedef struct {
    double re, im;
} fft_root_f64;

typedef struct {
    float re, im;
} fft_root_f32;

// A sum of two doubles; high is the sum rounded, or nearly.
typedef struct {
    double high, low;
} fft_root_sum;

// fft_root_series: (c[0] + c[1]) + w ((c[2] + c[3]) + w (c[4] + w (c[5] + ... w c[9]))), the first
// two sums as head and tail. Requires 0 <= w <= 1, and that each term is below half of the one
// before it. 15 operations.
static HOST_DEVICE fft_root_sum fft_root_series(fft_root_sum w, const double c[10]) {
    double q = c[9];
    for (int k = 8; k >= 4; k--) {
        q = fma(w.high, q, c[k]);
    }
    // The differences of a head and its constant are exact, and with the product they are what
    // the head's rounding left.
    fft_root_sum g, h;
    g.high = fma(w.high, q, c[2]);
    g.low = fma(w.high, q, c[2] - g.high) + c[3];
    h.high = fma(w.high, g.high, c[0]);
    h.low = fma(w.high, g.high, c[0] - h.high) + fma(w.low, g.high, fma(w.high, g.low, c[1]));
    return h;
}

// A root as sums: its heads are the root rounded, with their tails each part is within 2^-5 ulp.
typedef struct {
    fft_root_sum re, im;
} fft_root_sums;

// fft_root_eighth: cosine and sine of the angle (v + rest) pi / 4, 0 <= v <= 1, |rest| <= 2^-53 v.
// 36 operations, 5 more where rest is not 0; 4 for the tails.
static HOST_DEVICE fft_root_sums fft_root_eighth(double v, double rest) {
    // sin(v pi/4) / v and cos(v pi/4) in w = v^2, from docs/proofs/check_constants.py
    const double sine[10] = {0x1.921fb54442d18p-1,  0x1.1a62633145c07p-55,  -0x1.4abbce625be53p-4,
                             0x1.f4495b5a1d86fp-59, 0x1.466bc6775aae1p-9,   -0x1.32d2cce62b872p-15,
                             0x1.50783486facaap-22, -0x1.e3074d2614b2dp-30, 0x1.e8f036bcd322ap-38,
                             -0x1.6cc577dadd91cp-46};
    const double cosine[10] = {0x1.0000000000000p+0,  0x0.0000000000000p+0,
                               -0x1.3bd3cc9be45dep-2, -0x1.566e0f531bc16p-56,
                               0x1.03c1f081b5ac0p-6,  -0x1.55d3c7e3cb241p-12,
                               0x1.e1f5068688d5bp-19, -0x1.a6d1eef479be0p-26,
                               0x1.f9ce245cad9fap-34, -0x1.b2f3eb054afc4p-42};
    fft_root_sum w;
    w.high = v * v;
    w.low = fma(v, v, -w.high);
    fft_root_sum s = fft_root_series(w, sine), c = fft_root_series(w, cosine);
    double s_low = v * s.low;
    if (rest != 0) {  // turned by the small angle: its square is below 2^-106
        const double turn = rest * sine[0];
        s_low = fma(turn, c.high, s_low);
        c.low = fma(-turn, v * s.high, c.low);
    }
    fft_root_sums root;
    root.re.high = c.high + c.low;
    root.re.low = c.low - (root.re.high - c.high);
    root.im.high = fma(v, s.high, s_low);
    root.im.low = fma(v, s.high, -root.im.high) + s_low;
    return root;
}

// fft_root_turned: the negative, where a part is to be.
static HOST_DEVICE fft_root_sum fft_root_turned(fft_root_sum part, int negative) {
    const fft_root_sum turned = {negative ? -part.high : part.high,
                                 negative ? -part.low : part.low};
    return turned;
}

// fft_root_wide: fft_root and what each of its parts lacks of the root. 4 operations more.
// fft_root: w = exp(2 pi i e / 2^lg), the conjugate of what a forward transform takes. Requires
// lg <= 60, e < 2^lg. Each part errs by at most 0.52 ulp (docs/proofs/roots.md); 0, 1 and -1 are
// exact, though a 0 may be -0. Equal as numbers, to the last bit: w(-e) and the conjugate of w(e),
// w(e + 2^lg / 4) and i w(e), w(2^lg / 4 - e) and w(e) with its parts exchanged, w(2 e) of
// 2^(lg + 1) and w(e). Cost: 36 operations on doubles, some more where lg > 56; one conversion.
static HOST_DEVICE fft_root_sums fft_root_wide(uint64_t e, unsigned lg) {
    assert(lg <= 60 && e >> lg == 0);
    if (lg < 3) {
        e <<= 3 - lg;
        lg = 3;
    }
    // The angle from the nearer axis: f of the 2^(lg - 3) parts of an eighth of the turn.
    const unsigned octant = (unsigned)(e >> (lg - 3));
    const uint64_t eighth = (uint64_t)1 << (lg - 3), past = e & (eighth - 1);
    const int64_t f = (int64_t)(octant & 1 ? eighth - past : past);
    const uint64_t power = (uint64_t)(1023 + 3 - lg) << 52;
    double part;  // 2^(3 - lg)
    memcpy(&part, &power, sizeof part);
    const double v = (double)f;  // exact up to 2^53
    const double rest = lg > 56 ? (double)(f - (int64_t)v) : 0.0;
    const fft_root_sums near = fft_root_eighth(v * part, rest * part);
    const int swap = ((octant + 1) & 2) != 0;  // octants 1, 2, 5, 6: the imaginary axis is nearer
    const fft_root_sums w = {fft_root_turned(swap ? near.im : near.re, octant >= 2 && octant < 6),
                             fft_root_turned(swap ? near.re : near.im, octant >= 4)};
    return w;
}

static HOST_DEVICE fft_root_f64 fft_root(uint64_t e, unsigned lg) {
    const fft_root_sums w = fft_root_wide(e, lg);
    const fft_root_f64 rounded = {w.re.high, w.im.high};
    return rounded;
}

// fft_root_single: fft_root rounded to floats; error below 0.500001 ulp.
static HOST_DEVICE fft_root_f32 fft_root_single(uint64_t e, unsigned lg) {
    const fft_root_f64 w = fft_root(e, lg);
    const fft_root_f32 r = {(float)w.re, (float)w.im};
    return r;
}

#endif  // FFT_COMPLEX_ROOT_H_
