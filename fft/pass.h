// pass.h: passes of the modular transform over an array, radix 2 to 16. May include field.h.
//
// The tree. Node j of a level stands for a polynomial modulo x^(2m) - w_j^2; its segment of 2m
// elements holds the coefficients. The butterfly
//     a + w_j b,  a - w_j b          (a: lower half of the segment, b: upper half)
// gives its children 2j, modulo x^m - w_j, and 2j + 1, modulo x^m + w_j, in the two halves. The
// root is j = 0, x^n - 1. w_j is the root of unity at the angle sum_k bit_k(j) 2^-(k+2) turns: w_0
// = 1, w_1 = i, w_(2j)^2 = w_j, w_(2j+1) = i w_(2j). So one table in this order serves every length
// as a prefix, a node needs one scalar however long it is, and the leaves come out in bit-reversed
// order, which a product never has to undo. Example, n = 4:
//     a0 a1 a2 a3  ->  a0+a2  a1+a3 | a0-a2  a1-a3  ->  A(1) A(-1) | A(i) A(-i)
//                      w_0 = 1                          w_0 = 1      w_1 = i
//
// A pass of radix 2^r does r levels of one node in registers: it reads 2^r segments of m elements
// at one index. Cost of a level: n / 2 butterflies of 8 operations (field_mul: 6), plus the
// reductions stated below.
#ifndef FFT_PASS_H_
#define FFT_PASS_H_

#include <stddef.h>

#include "fft/field.h"

#define PASS_UNROLL _Pragma("GCC unroll 16")

// Between forward and between inverse kernels residues are within these multiples of p.
static const double PASS_FORWARD = 3.9, PASS_INVERSE = 0.84;

// pass_mirror: the index with all bits below the top one flipped, 0 for 0. The angles of w_j and
// w_mirror(j) add up to half a turn for j > 0, so w_j w_mirror(j) = -1; the mirror of (j << k) + i
// is (mirror(j) << k) + 2^k - 1 - i.
VEC_INLINE size_t pass_mirror(size_t j) {
    return j == 0 ? 0 : j ^ (((size_t)1 << (63 - (unsigned)__builtin_clzll(j))) - 1);
}

// pass_twiddles collects the 2^r - 1 scalars of r levels below node j: t[2^level - 1 + i] is that
// of its descendant d = (j << level) + i: w_d, or -1 / w_d.
VEC_INLINE void pass_twiddles(vec *t, const unsigned r, const double *w, size_t j,
                              const bool inverse) {
    const size_t mirror = pass_mirror(j);
    PASS_UNROLL
    for (unsigned level = 0; level < r; level++) {
        const size_t n = (size_t)1 << level;
        PASS_UNROLL
        for (size_t i = 0; i < n; i++) {
            double s = w[(j << level) + i];
            if (inverse && j > 0) {
                s = w[(mirror << level) + n - 1 - i];
            } else if (inverse) {
                s = i == 0 ? -1.0 : w[pass_mirror(i)];
            }
            t[n - 1 + i] = vec_set1(s);
        }
    }
}

// pass_forward_kernel: r levels of each of `nodes` nodes of 2^r vectors, side by side because one
// node of 8 vectors is too short to hide the latency of its products. t: 2^r - 1 twiddles a node.
// Requires |x| <= B p, B = 3.9; ensures the same (docs/proofs/modular_fft.md: whatever the first
// two levels do not multiply is reduced first).
VEC_INLINE void pass_forward_kernel(vec *x, const unsigned r, const size_t nodes, const vec *t,
                                    const field f) {
    const size_t radix = (size_t)1 << r;
    assert(field_within(x, nodes * radix, PASS_FORWARD, f));
    PASS_UNROLL
    for (size_t i = 0; i < (radix + 3) / 4; i++) {
        PASS_UNROLL
        for (size_t c = 0; c < nodes; c++) {
            x[c * radix + i] = field_reduce(x[c * radix + i], f);
        }
    }
    PASS_UNROLL
    for (unsigned level = 0; level < r; level++) {
        const size_t half = radix >> (level + 1);
        PASS_UNROLL
        for (size_t i = 0; i < radix / 2; i++) {
            PASS_UNROLL
            for (size_t c = 0; c < nodes; c++) {
                const size_t at = c * radix + i / half * 2 * half + i % half;
                const vec w = t[c * (radix - 1) + ((size_t)1 << level) - 1 + i / half];
                const vec u = x[at], v = field_mul(x[at + half], w, f);
                x[at] = vec_add(u, v);
                x[at + half] = vec_sub(u, v);
            }
        }
    }
    assert(field_within(x, nodes * radix, PASS_FORWARD, f));
}

// pass_inverse_kernel: the inverse of r levels, times 2^r. Requires |x| <= C p, C = 0.84; ensures
// the same: sums grow to 2C and 4C <= 4.99, so the two sums of every four are reduced after every
// second level.
VEC_INLINE void pass_inverse_kernel(vec *x, const unsigned r, const size_t nodes, const vec *t,
                                    const field f) {
    const size_t radix = (size_t)1 << r;
    assert(field_within(x, nodes * radix, PASS_INVERSE, f));
    PASS_UNROLL
    for (unsigned level = r; level-- > 0;) {
        const size_t half = radix >> (level + 1);
        const bool second = (r - level) % 2 == 0, last = level == 0;
        PASS_UNROLL
        for (size_t i = 0; i < radix / 2; i++) {
            PASS_UNROLL
            for (size_t c = 0; c < nodes; c++) {
                const size_t at = c * radix + i / half * 2 * half + i % half;
                const vec w = t[c * (radix - 1) + ((size_t)1 << level) - 1 + i / half];
                const vec u = x[at], v = x[at + half], s = vec_add(u, v);
                x[at] = second || last ? field_reduce(s, f) : s;
                x[at + half] = field_mul(vec_sub(v, u), w, f);
            }
        }
    }
    assert(field_within(x, nodes * radix, PASS_INVERSE, f));
}

// pass_run: one pass over 2^r segments of m elements at x. Requires: m a multiple of VEC_WIDTH; x
// aligned.
VEC_INLINE void pass_run(double *x, size_t m, const unsigned r, const double *w, size_t j,
                         const field f, const bool inverse) {
    const size_t radix = (size_t)1 << r;
    vec t[15], y[16];
    pass_twiddles(t, r, w, j, inverse);
    for (size_t at = 0; at < m; at += VEC_WIDTH) {
        PASS_UNROLL
        for (size_t k = 0; k < radix; k++) {
            y[k] = vec_load(x + at + k * m);
        }
        if (inverse) {
            pass_inverse_kernel(y, r, 1, t, f);
        } else {
            pass_forward_kernel(y, r, 1, t, f);
        }
        PASS_UNROLL
        for (size_t k = 0; k < radix; k++) {
            vec_store(x + at + k * m, y[k]);
        }
    }
}

// One function per direction and radix, so that each gets its own registers.
static void pass_radix2_forward(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 1, w, j, f, false);
}
static void pass_radix4_forward(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 2, w, j, f, false);
}
static void pass_radix2_inverse(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 1, w, j, f, true);
}
static void pass_radix4_inverse(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 2, w, j, f, true);
}
static void pass_radix8_forward(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 3, w, j, f, false);
}
static void pass_radix8_inverse(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 3, w, j, f, true);
}
static void pass_radix16_forward(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 4, w, j, f, false);
}
static void pass_radix16_inverse(double *x, size_t m, const double *w, size_t j, field f) {
    pass_run(x, m, 4, w, j, f, true);
}

typedef void (*pass_function)(double *x, size_t m, const double *w, size_t j, field f);
// By [inverse][levels].
static const pass_function pass_table[2][5] = {
    {0, pass_radix2_forward, pass_radix4_forward, pass_radix8_forward, pass_radix16_forward},
    {0, pass_radix2_inverse, pass_radix4_inverse, pass_radix8_inverse, pass_radix16_inverse},
};

// pass_levels: how many of the given levels of an array of 2^lg_n elements its first pass takes: as
// few passes as possible, of even sizes.
static unsigned pass_levels(unsigned levels, unsigned lg_n) {
    const unsigned most = lg_n <= VEC_LG_RADIX16 ? 4 : VEC_LG_RADIX_MAX;
    const unsigned passes = (levels + most - 1) / most;
    return passes ? (levels + passes - 1) / passes : 0;
}

#endif  // FFT_PASS_H_
