// butterflies.h: passes of the modular transform over an array, radix 2 to 16. May include
// residue.h.
//
// The tree. Node j of a level stands for a polynomial modulo x^(2m) - w_j^2; its segment of 2m
// elements holds the coefficients. The butterfly
//     a + w_j b,  a - w_j b          (a: lower half of the segment, b: upper half)
// gives its children 2j, modulo x^m - w_j, and 2j + 1, modulo x^m + w_j, in the two halves. The
// root is j = 0, x^n - 1. w_j is the root of unity at the angle sum_k bit_k(j) 2^-(k+2) turns: w_0
// = 1, w_1 = i, w_(2j)^2 = w_j, w_(2j+1) = i w_(2j). So one table in this order serves every length
// as a prefix, a node needs one scalar however long it is, and the leaves come out in bit-reversed
// order, which a product never undoes. Example, n = 4:
//     a0 a1 a2 a3  ->  a0+a2  a1+a3 | a0-a2  a1-a3  ->  A(1) A(-1) | A(i) A(-i)
//                      w_0 = 1                          w_0 = 1      w_1 = i
//
// A pass of radix 2^r does r levels of one node in registers: it reads 2^r segments of m elements
// at one index. Cost of a level: n / 2 butterflies, of 8 operations in doubles (field_mul: 6) plus
// the reductions stated below, of 7 in words.
#ifndef FFT_MODULAR_BUTTERFLIES_H_
#define FFT_MODULAR_BUTTERFLIES_H_

#include <stddef.h>

#include "fft/modular/residue.h"

// pass_mirror: the index with all bits below the top one flipped, 0 for 0. The angles of w_j and
// w_mirror(j) add up to half a turn for j > 0, so w_j w_mirror(j) = -1; the mirror of (j << k) + i
// is (mirror(j) << k) + 2^k - 1 - i.
VEC_INLINE size_t pass_mirror(size_t j) {
    return j == 0 ? 0 : j ^ (((size_t)1 << (63 - (unsigned)__builtin_clzll(j))) - 1);
}

// pass_twiddles collects the 2^r - 1 scalars of r levels below node j: t[2^level - 1 + i] is that
// of its descendant d = (j << level) + i: w_d, or -1 / w_d.
VEC_INLINE void pass_twiddles(twiddle *t, const unsigned r, const double *w, size_t j, const ring f,
                              const bool inverse) {
    const size_t mirror = pass_mirror(j);
    VEC_UNROLL
    for (unsigned level = 0; level < r; level++) {
        const size_t n = (size_t)1 << level;
        VEC_UNROLL
        for (size_t i = 0; i < n; i++) {
            size_t k = (j << level) + i;
            if (inverse && j > 0) {
                k = (mirror << level) + n - 1 - i;
            } else if (inverse) {
                k = pass_mirror(i);
            }
            t[n - 1 + i] = twiddle_at(w, k);
        }
    }
    if (inverse && j == 0) {
        VEC_UNROLL
        for (unsigned level = 0; level < r; level++) {
            t[((size_t)1 << level) - 1] = twiddle_of(ring_prime(f) - 1, f);
        }
    }
}

// pass_forward_kernel: r levels of each of `nodes` nodes of 2^r vectors, side by side because one
// node of 8 vectors is too short to hide the latency of its products. t: 2^r - 1 twiddles a node.
// Requires forward residues; ensures the same (docs/proofs/modular_fft.md: in doubles whatever the
// first two levels do not multiply is reduced first).
VEC_INLINE void pass_forward_kernel(residue *x, const unsigned r, const size_t nodes,
                                    const twiddle *t, const ring f) {
    const size_t radix = (size_t)1 << r;
    assert(residue_is_forward(x, nodes * radix, f));
    VEC_UNROLL
    for (size_t i = 0; i < (radix + 3) / 4; i++) {
        VEC_UNROLL
        for (size_t c = 0; c < nodes; c++) {
            x[c * radix + i] = residue_enter(x[c * radix + i], f);
        }
    }
    VEC_UNROLL
    for (unsigned level = 0; level < r; level++) {
        const size_t half = radix >> (level + 1);
        VEC_UNROLL
        for (size_t i = 0; i < radix / 2; i++) {
            VEC_UNROLL
            for (size_t c = 0; c < nodes; c++) {
                const size_t at = c * radix + i / half * 2 * half + i % half;
                const twiddle w = t[c * (radix - 1) + ((size_t)1 << level) - 1 + i / half];
                residue_split(&x[at], &x[at + half], w, f);
            }
        }
    }
    assert(residue_is_forward(x, nodes * radix, f));
}

// pass_inverse_kernel: the inverse of r levels, times 2^r. Requires inverse residues; ensures the
// same: in doubles some sums are reduced (residue_join).
VEC_INLINE void pass_inverse_kernel(residue *x, const unsigned r, const size_t nodes,
                                    const twiddle *t, const ring f) {
    const size_t radix = (size_t)1 << r;
    assert(residue_is_inverse(x, nodes * radix, f));
    VEC_UNROLL
    for (unsigned level = r; level-- > 0;) {
        const size_t half = radix >> (level + 1);
        VEC_UNROLL
        for (size_t i = 0; i < radix / 2; i++) {
            VEC_UNROLL
            for (size_t c = 0; c < nodes; c++) {
                const size_t at = c * radix + i / half * 2 * half + i % half;
                const twiddle w = t[c * (radix - 1) + ((size_t)1 << level) - 1 + i / half];
                residue_join(&x[at], &x[at + half], w, f,
                             (residue_place){.level = r - 1 - level,
                                             .last = level == 0,
                                             .left = i / half % 2 == 0,
                                             .of_sums = i % half < half / 2});
            }
        }
    }
    assert(residue_is_inverse(x, nodes * radix, f));
}

// pass_lines: where a pass reads and writes: element i < n of segment k at from + k from_step + i,
// and likewise to. The same memory, or memory that does not overlap.
typedef struct {
    const double *from;
    double *to;
    size_t from_step, to_step, n;
} pass_lines;

// pass_run: one pass over 2^r segments, `side` vectors of each at once, so that the processor finds
// more independent butterflies in its look-ahead window.
// Requires: n a multiple of side * VEC_WIDTH; all lines aligned.
VEC_INLINE void pass_run(const pass_lines l, const unsigned r, const size_t side, const double *w,
                         size_t j, const ring f, const bool inverse) {
    const size_t radix = (size_t)1 << r;
    twiddle t[15];
    residue y[16];
    assert(l.n % (side * VEC_WIDTH) == 0);
    VEC_UNROLL
    for (size_t c = 0; c < side; c++) {
        pass_twiddles(t + c * (radix - 1), r, w, j, f, inverse);
    }
    for (size_t at = 0; at < l.n; at += side * VEC_WIDTH) {
        VEC_UNROLL
        for (size_t k = 0; k < radix * side; k++) {
            y[k] = residue_load(l.from + at + k / radix * VEC_WIDTH + k % radix * l.from_step);
        }
        if (inverse) {
            pass_inverse_kernel(y, r, side, t, f);
        } else {
            pass_forward_kernel(y, r, side, t, f);
        }
        VEC_UNROLL
        for (size_t k = 0; k < radix * side; k++) {
            residue_store(l.to + at + k / radix * VEC_WIDTH + k % radix * l.to_step, y[k]);
        }
    }
}

// One function per direction and radix, so that each gets its own registers.
static void pass_radix2_forward(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 1, 1, w, j, f, false);
}
static void pass_radix4_forward(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 2, 1, w, j, f, false);
}
static void pass_radix2_inverse(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 1, 1, w, j, f, true);
}
static void pass_radix4_inverse(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 2, 1, w, j, f, true);
}
static void pass_radix8_forward(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 3, VEC_SIDE, w, j, f, false);
}
static void pass_radix8_inverse(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 3, 1, w, j, f, true);
}
static void pass_radix16_forward(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 4, 1, w, j, f, false);
}
static void pass_radix16_inverse(pass_lines l, const double *w, size_t j, ring f) {
    pass_run(l, 4, 1, w, j, f, true);
}

typedef void (*pass_function)(pass_lines l, const double *w, size_t j, ring f);
// By [inverse][levels].
static const pass_function pass_table[2][5] = {
    {0, pass_radix2_forward, pass_radix4_forward, pass_radix8_forward, pass_radix16_forward},
    {0, pass_radix2_inverse, pass_radix4_inverse, pass_radix8_inverse, pass_radix16_inverse},
};

// pass_levels: how many of the given levels of an array of 2^lg_n elements its first pass takes: as
// few passes as possible, of even sizes, the longer ones towards the rows, which may lie in a plane
// further off than the array.
static unsigned pass_levels(unsigned levels, unsigned lg_n) {
    const unsigned most = lg_n <= VEC_LG_RADIX16 ? 4 : VEC_LG_RADIX_MAX;
    const unsigned passes = (levels + most - 1) / most;
    return passes ? levels / passes : 0;
}

#endif  // FFT_MODULAR_BUTTERFLIES_H_
