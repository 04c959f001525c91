// leaf.h: the last levels of a row, where segments are shorter than a vector. May include pass.h.
//
// A leaf is a block of VEC_WIDTH^2 elements, VEC_WIDTH vectors. The first log2 VEC_WIDTH levels run
// across the vectors with scalar twiddles; a transposition turns lane l into the whole segment of
// node W J + l (W the width, J the leaf's index); the remaining levels run across the vectors with
// one twiddle per lane. Position W v + l of the leaf's array then holds leaf number (W J + l) W + v
// of the tree. The inverse begins from that order, so nothing is ever put back.
#ifndef FFT_LEAF_H_
#define FFT_LEAF_H_

#include "fft/fft.h"
#include "fft/pass.h"

enum { LEAF_SIZE = VEC_WIDTH * VEC_WIDTH, LEAF_TWIDDLES = (VEC_WIDTH - 1) * VEC_WIDTH };

// leaf_twiddles: scalars and lane twiddles of leaf J, per direction. tables->leaf points to leaf 0;
// block -1 stands for the mirror of leaf 0, whose members have different top bits. The lane of a
// mirror is its complement.
typedef struct {
    vec across[VEC_WIDTH], lanes[VEC_WIDTH];
} leaf_twiddles;

VEC_INLINE void leaf_load_twiddles(leaf_twiddles *t, const fft_tables *tables, size_t j,
                                   const bool inverse) {
    double s[VEC_WIDTH];
    pass_twiddles(s, VEC_LG, tables->w, j, inverse);
    const size_t mirror =
        j == 0 ? 0 : j ^ (((size_t)1 << (63 - (unsigned)__builtin_clzll(j | 1))) - 1);
    const double *block = tables->leaf + (ptrdiff_t)(inverse ? mirror : j) * LEAF_TWIDDLES;
    if (inverse && j == 0) {
        block = tables->leaf - LEAF_TWIDDLES;
    }
    PASS_UNROLL
    for (unsigned level = 0; level < VEC_LG; level++) {
        const size_t n = (size_t)1 << level;
        PASS_UNROLL
        for (size_t i = 0; i < n; i++) {
            t->across[n - 1 + i] = vec_set1(s[n - 1 + i]);
            t->lanes[n - 1 + i] =
                inverse ? vec_reverse(vec_load(block + (n - 1 + (n - 1 - i)) * VEC_WIDTH))
                        : vec_load(block + (n - 1 + i) * VEC_WIDTH);
        }
    }
}

// leaf_forward, leaf_inverse: all levels of a leaf, in registers. Bounds as the pass kernels.
VEC_INLINE void leaf_forward(vec *x, const leaf_twiddles *t, const field f) {
    pass_forward_kernel(x, VEC_LG, t->across, f);
    vec_transpose(x);
    pass_forward_kernel(x, VEC_LG, t->lanes, f);
}
VEC_INLINE void leaf_inverse(vec *x, const leaf_twiddles *t, const field f) {
    pass_inverse_kernel(x, VEC_LG, t->lanes, f);
    vec_transpose(x);
    pass_inverse_kernel(x, VEC_LG, t->across, f);
}

VEC_INLINE void leaf_read(vec *x, const double *p) {
    PASS_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        x[k] = vec_load(p + k * VEC_WIDTH);
    }
}
VEC_INLINE void leaf_write(double *p, const vec *x) {
    PASS_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        vec_store(p + k * VEC_WIDTH, x[k]);
    }
}

// leaf_product: x = inverse(forward(x) * y) on one leaf, where y is transformed here
// (FFT_ROW_MULTIPLY), x itself (FFT_ROW_SQUARE) or transformed already (FFT_ROW_PREPARED);
// FFT_ROW_TRANSFORM stops after the forward transform. |x| <= 3.9 p and |y| <= 0.5001 p give a
// product within 0.84 p.
VEC_INLINE void leaf_product(double *x, const double *y, const fft_tables *tables, size_t j,
                             const field f, const fft_row_mode mode) {
    leaf_twiddles t;
    vec a[VEC_WIDTH], b[VEC_WIDTH];
    leaf_load_twiddles(&t, tables, j, false);
    leaf_read(a, x);
    leaf_forward(a, &t, f);
    if (mode == FFT_ROW_TRANSFORM) {
        PASS_UNROLL
        for (size_t k = 0; k < VEC_WIDTH; k++) {
            a[k] = field_reduce(a[k], f);
        }
        leaf_write(x, a);
        return;
    }
    if (mode != FFT_ROW_SQUARE) {
        leaf_read(b, y);
    }
    if (mode == FFT_ROW_MULTIPLY) {
        leaf_forward(b, &t, f);
    }
    PASS_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        const vec other = mode == FFT_ROW_SQUARE ? a[k] : b[k];
        a[k] = field_mul(a[k], mode == FFT_ROW_PREPARED ? other : field_reduce(other, f), f);
    }
    leaf_load_twiddles(&t, tables, j, true);
    leaf_inverse(a, &t, f);
    leaf_write(x, a);
}

#endif  // FFT_LEAF_H_
