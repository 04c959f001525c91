// node.h: one node of the complex transform's tree in registers: radix 2, 4, 8, 3, 5, 7,
// forward and inverse. May include vec.h and ops.h.
//
// complex.h states the operations. x[s] holds coefficient s of the node's polynomial before, child
// s after a forward node (angle (T + s) / radix); the inverse takes children and leaves radix times
// the coefficients. t holds the node's twiddles.
#ifndef FFT_COMPLEX_NODE_H_
#define FFT_COMPLEX_NODE_H_

#include "fft/complex/ops.h"
#include "fft/complex/vec.h"

typedef struct {
    vec re, im;
} point;

// A twiddle of a level of radix 2: c, tau; of a power w^s: cos, sin.
typedef struct {
    vec c, s;
} twiddle;

enum { NODE_RADIX_MAX = 8, NODE_TWIDDLES_MAX = 6 };

// A node has fft_complex_twiddles of them. Radix 2^r: level 0 one, level l the 2^(l - 1) nodes of
// even index, whose odd neighbours lie a quarter turn further. Odd radix: w^1 .. w^(radix - 1).
// (a, b) becomes (a + w b, a - w b). unit: w = 1; quarter: -i w in place of w.
VEC_INLINE void node_butterfly(point *a, point *b, twiddle w, const bool unit, const bool quarter) {
    point t = *b;
    const point u = *a;
    if (!unit) {
        t.re = vec_fma(w.s, b->im, b->re);
        t.im = vec_fnma(w.s, b->re, b->im);
    }
    if (unit && quarter) {
        *a = (point){vec_add(u.re, t.im), vec_sub(u.im, t.re)};
        *b = (point){vec_sub(u.re, t.im), vec_add(u.im, t.re)};
    } else if (unit) {
        *a = (point){vec_add(u.re, t.re), vec_add(u.im, t.im)};
        *b = (point){vec_sub(u.re, t.re), vec_sub(u.im, t.im)};
    } else if (quarter) {
        *a = (point){vec_fma(w.c, t.im, u.re), vec_fnma(w.c, t.re, u.im)};
        *b = (point){vec_fnma(w.c, t.im, u.re), vec_fma(w.c, t.re, u.im)};
    } else {
        *a = (point){vec_fma(w.c, t.re, u.re), vec_fma(w.c, t.im, u.im)};
        *b = (point){vec_fnma(w.c, t.re, u.re), vec_fnma(w.c, t.im, u.im)};
    }
}

// (u, v) becomes (u + v, (u - v) / w).
VEC_INLINE void node_butterfly_inverse(point *u, point *v, twiddle w, const bool unit,
                                       const bool quarter) {
    const point sum = {vec_add(u->re, v->re), vec_add(u->im, v->im)};
    point e = {vec_sub(u->re, v->re), vec_sub(u->im, v->im)};
    if (quarter) {
        e = (point){vec_sub(v->im, u->im), e.re};  // i (u - v)
    }
    *u = sum;
    if (unit) {
        *v = e;
    } else {
        v->re = vec_mul(w.c, vec_fnma(w.s, e.im, e.re));
        v->im = vec_mul(w.c, vec_fma(w.s, e.re, e.im));
    }
}

// Twiddle and kind of butterfly i of a level: node i / half of the level.
VEC_INLINE unsigned node_entry(unsigned level, unsigned node) {
    return level == 0 ? 0 : (1u << (level - 1)) + node / 2;
}

// node_binary: a node of radix 2^lg, coefficients to children or back. With root the angle is 0:
// all twiddles but those of an eighth of a turn are 1 or a quarter turn.
VEC_INLINE void node_binary(point *x, const unsigned lg, const twiddle *t, const bool root,
                            const bool inverse) {
    const unsigned radix = 1u << lg;
    VEC_UNROLL
    for (unsigned step = 0; step < lg; step++) {
        const unsigned level = inverse ? lg - 1 - step : step, half = radix >> (level + 1);
        VEC_UNROLL
        for (unsigned i = 0; i < radix / 2; i++) {
            const unsigned node = i / half, at = node * 2 * half + i % half;
            const unsigned entry = node_entry(level, node);
            const bool unit = root && entry < 3;
            if (inverse) {
                node_butterfly_inverse(x + at, x + at + half, t[entry], unit, node % 2 == 1);
            } else {
                node_butterfly(x + at, x + at + half, t[entry], unit, node % 2 == 1);
            }
        }
    }
}

// node_reversed: the index with its lg <= 3 bits in reverse order: levels leave child s there.
VEC_INLINE unsigned node_reversed(const unsigned lg, unsigned s) {
    return lg < 2 ? s : lg == 2 ? (s & 1) * 2 + s / 2 : (s & 1) * 4 + (s & 2) + s / 4;
}

// cos and sin of 2 pi k / 3, 5, 7.
static const double node_cos[8][7] = {
    [3] = {1.0, -0.5, -0.5},
    [5] = {1.0, 0.30901699437494742410, -0.80901699437494742410, -0.80901699437494742410,
           0.30901699437494742410},
    [7] = {1.0, 0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624,
           -0.90096886790241912624, -0.22252093395631440429, 0.62348980185873353053},
};
static const double node_sin[8][7] = {
    [3] = {0.0, 0.86602540378443864676, -0.86602540378443864676},
    [5] = {0.0, 0.95105651629515357212, 0.58778525229247312917, -0.58778525229247312917,
           -0.95105651629515357212},
    [7] = {0.0, 0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048,
           -0.43388373911755812048, -0.97492791218182360702, -0.78183148246802980871},
};

// node_odd_dft: DFT of radix = 2 h + 1 points. With s_p = x_p + x_(radix - p), d_p the difference:
//     X_0 = x_0 + s_1 + ... + s_h                                       h additions
//     m_q = x_0 + cos_q s_1 + ... + cos_hq s_h                          h fma
//     n_q = sin_q d_1 + sin_2q d_2 + ... + sin_hq d_h                   1 product, h - 1 fma
//     X_q = m_q - i n_q,  X_(radix - q) = m_q + i n_q                   1 addition
// each sum from left to right, components apart, constants rounded to nearest.
VEC_INLINE void node_odd_dft(point *x, const unsigned radix, const bool inverse) {
    const unsigned h = radix / 2;
    const point x0 = x[0];
    point s[4], d[4];
    VEC_UNROLL
    for (unsigned p = 1; p <= h; p++) {
        s[p] = (point){vec_add(x[p].re, x[radix - p].re), vec_add(x[p].im, x[radix - p].im)};
        d[p] = (point){vec_sub(x[p].re, x[radix - p].re), vec_sub(x[p].im, x[radix - p].im)};
        x[0] = (point){vec_add(x[0].re, s[p].re), vec_add(x[0].im, s[p].im)};
    }
    VEC_UNROLL
    for (unsigned q = 1; q <= h; q++) {
        const vec sin1 = vec_set1((real)node_sin[radix][q]);
        point m = x0, n = {vec_mul(sin1, d[1].re), vec_mul(sin1, d[1].im)};
        VEC_UNROLL
        for (unsigned p = 1; p <= h; p++) {
            const vec c = vec_set1((real)node_cos[radix][p * q % radix]);
            const vec k = vec_set1((real)node_sin[radix][p * q % radix]);
            m = (point){vec_fma(c, s[p].re, m.re), vec_fma(c, s[p].im, m.im)};
            if (p > 1) {
                n = (point){vec_fma(k, d[p].re, n.re), vec_fma(k, d[p].im, n.im)};
            }
        }
        const unsigned minus = inverse ? radix - q : q;  // where m - i n goes
        x[minus] = (point){vec_add(m.re, n.im), vec_sub(m.im, n.re)};
        x[radix - minus] = (point){vec_sub(m.re, n.im), vec_add(m.im, n.re)};
    }
}

// x w, or x / w, for w = t.c - i t.s.
VEC_INLINE point node_turn(point x, twiddle t, const bool inverse) {
    const vec r = vec_mul(x.re, t.c), i = vec_mul(x.im, t.c);
    return inverse ? (point){vec_fnma(x.im, t.s, r), vec_fma(x.re, t.s, i)}
                   : (point){vec_fma(x.im, t.s, r), vec_fnma(x.re, t.s, i)};
}

VEC_INLINE void node_odd(point *x, const unsigned radix, const twiddle *t, const bool root,
                         const bool inverse) {
    if (inverse) {
        node_odd_dft(x, radix, true);
    }
    VEC_UNROLL
    for (unsigned s = 1; s < radix; s++) {
        if (!root) {
            x[s] = node_turn(x[s], t[s - 1], inverse);
        }
    }
    if (!inverse) {
        node_odd_dft(x, radix, false);
    }
}

// node_run: a node of any radix.
VEC_INLINE void node_run(point *x, const unsigned radix, const twiddle *t, const bool root,
                         const bool inverse) {
    if (radix % 2 == 1) {
        if (radix > 1) {
            node_odd(x, radix, t, root, inverse);
        }
        return;
    }
    const unsigned lg = radix == 8 ? 3 : radix / 2;
    point y[NODE_RADIX_MAX];
    VEC_UNROLL
    for (unsigned s = 0; s < radix; s++) {
        y[inverse ? node_reversed(lg, s) : s] = x[s];
    }
    node_binary(y, lg, t, root, inverse);
    VEC_UNROLL
    for (unsigned s = 0; s < radix; s++) {
        x[s] = y[inverse ? s : node_reversed(lg, s)];
    }
}

#endif  // FFT_COMPLEX_NODE_H_
