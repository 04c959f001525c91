// leaf.h: the last levels of a row, where segments are shorter than a vector. May include
// butterflies.h.
//
// A leaf is a block of VEC_WIDTH^2 elements, VEC_WIDTH vectors. The first log2 VEC_WIDTH levels run
// across the vectors with scalar twiddles; a transposition turns lane l into the whole segment of
// node W J + l (W the width, J the leaf's index); the remaining levels run across the vectors with
// one twiddle per lane. Position W v + l of the leaf's array then holds leaf number (W J + l) W + v
// of the tree. The inverse begins from that order, so nothing is ever reordered.
#ifndef FFT_MODULAR_LEAF_H_
#define FFT_MODULAR_LEAF_H_

#include "fft/modular/butterflies.h"
#include "fft/modular/fft.h"

// Points of a leaf, and doubles that its constants take in each direction.
enum {
    LEAF_SIZE = VEC_WIDTH * VEC_WIDTH,
    LEAF_LANES = (VEC_WIDTH - 1) * TWIDDLE_LANE_VECTORS * VEC_WIDTH
};

// leaf_twiddles: scalars and lane twiddles of two leaves side by side, in one direction.
typedef struct {
    twiddle across[2 * VEC_WIDTH], lanes[2 * VEC_WIDTH];
} leaf_twiddles;

// leaf_load_twiddles: loads the twiddles of leaf j into place c. Lane l of member (level, i) needs
// w_k, k = ((W j + l) << level) + i. Angles add over the bits of an index, so that is the leaf's
// scalar w_((W j) << level) times the constant w_((l << level) + i), and likewise for the inverses.
// Seven products instead of loads: tables stay small.
VEC_INLINE void leaf_load_twiddles(leaf_twiddles *t, const size_t c, const fft_tables *tables,
                                   size_t j, const ring f, const bool inverse) {
    const size_t first = c * (VEC_WIDTH - 1);
    const double *const lanes = tables->lanes + (inverse ? LEAF_LANES : 0);
    const double *const leaf = tables->leaves + (inverse ? VEC_LG * tables->leaves_n : 0) + j;
    pass_twiddles(t->across + first, VEC_LG, tables->w, j, f, inverse);
    VEC_UNROLL
    for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
        const double *const scalar = leaf + level * tables->leaves_n;
        VEC_UNROLL
        for (size_t i = ((size_t)1 << level) - 1; i < ((size_t)2 << level) - 1; i++) {
            t->lanes[first + i] =
                twiddle_lane(lanes + i * TWIDDLE_LANE_VECTORS * VEC_WIDTH, scalar, f);
        }
    }
}

// leaf_forward, leaf_inverse: all levels of one or two leaves, in registers. Bounds as the pass
// kernels.
VEC_INLINE void leaf_forward(residue *x, const size_t leaves, const leaf_twiddles *t,
                             const ring f) {
    pass_forward_kernel(x, VEC_LG, leaves, t->across, f);
    VEC_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        residue_transpose(x + c * VEC_WIDTH);
    }
    pass_forward_kernel(x, VEC_LG, leaves, t->lanes, f);
}
VEC_INLINE void leaf_inverse(residue *x, const size_t leaves, const leaf_twiddles *t,
                             const ring f) {
    pass_inverse_kernel(x, VEC_LG, leaves, t->lanes, f);
    VEC_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        residue_transpose(x + c * VEC_WIDTH);
    }
    pass_inverse_kernel(x, VEC_LG, leaves, t->across, f);
}

VEC_INLINE void leaf_read(residue *x, const double *p, const size_t leaves) {
    VEC_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        x[k] = residue_load(p + k * VEC_WIDTH);
    }
}
VEC_INLINE void leaf_write(double *p, const residue *x, const size_t leaves) {
    VEC_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        residue_store(p + k * VEC_WIDTH, x[k]);
    }
}

// leaf_add: products join a sum, all of them inverse residues, and are reduced again.
VEC_INLINE void leaf_add(residue *a, const fft_row_step *s, const size_t leaves, const ring f) {
    if (s->sum == 0) {
        return;
    }
    VEC_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        const residue sum = residue_load(s->sum + k * VEC_WIDTH);
        assert(residue_is_inverse(&sum, 1, f) && residue_is_inverse(&a[k], 1, f));
        a[k] = residue_reduce(s->subtract ? residue_sub(sum, a[k], f) : residue_add(sum, a[k]), f);
    }
}

// leaf_multiply: x = forward(x) forward(y), one leaf; both share its twiddles.
VEC_INLINE void leaf_multiply(const fft_row_step *s, const fft_tables *tables, size_t j,
                              const ring f) {
    leaf_twiddles t;
    residue a[2 * VEC_WIDTH];
    leaf_load_twiddles(&t, 0, tables, j, f, false);
    leaf_load_twiddles(&t, 1, tables, j, f, false);
    leaf_read(a, s->x, 1);
    leaf_read(a + VEC_WIDTH, s->y, 1);
    leaf_forward(a, 2, &t, f);
    VEC_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        a[k] = residue_product(a[k], residue_factor(a[k + VEC_WIDTH], f), f);
    }
    leaf_add(a, s, 1, f);
    leaf_write(s->x, a, 1);
}

// leaf_transform: x = forward(x) for one or two leaves from leaf j on, then times itself or times y
// as the mode says.
VEC_INLINE void leaf_transform(const fft_row_step *s, const size_t leaves, const fft_tables *tables,
                               size_t j, const ring f, const fft_row_mode mode) {
    leaf_twiddles t;
    residue a[2 * VEC_WIDTH];
    VEC_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        leaf_load_twiddles(&t, c, tables, j + c, f, false);
    }
    leaf_read(a, s->x, leaves);
    leaf_forward(a, leaves, &t, f);
    VEC_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        const residue factor =
            mode == FFT_ROW_PREPARED ? residue_load(s->y + k * VEC_WIDTH) : residue_factor(a[k], f);
        a[k] = mode == FFT_ROW_TRANSFORM ? factor : residue_product(a[k], factor, f);
    }
    leaf_add(a, s, leaves, f);
    leaf_write(s->x, a, leaves);
}

// leaf_back: x = inverse(x) for one or two leaves from leaf j on.
VEC_INLINE void leaf_back(double *x, const size_t leaves, const fft_tables *tables, size_t j,
                          const ring f) {
    leaf_twiddles t;
    residue a[2 * VEC_WIDTH];
    VEC_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        leaf_load_twiddles(&t, c, tables, j + c, f, true);
    }
    leaf_read(a, x, leaves);
    leaf_inverse(a, leaves, &t, f);
    leaf_write(x, a, leaves);
}

// leaf_at: the step `by` doubles further on in all planes.
VEC_INLINE fft_row_step leaf_at(const fft_row_step *s, size_t by) {
    fft_row_step at = *s;
    at.x += by;
    at.y = at.y != 0 ? at.y + by : 0;
    at.sum = at.sum != 0 ? at.sum + by : 0;
    return at;
}

// leaf_product: forward transform, product and inverse of one or two leaves as the step says, whose
// mode is `mode`.
VEC_INLINE void leaf_product(const fft_row_step *s, const size_t leaves, const fft_tables *tables,
                             size_t j, const ring f, const fft_row_mode mode) {
    if (mode == FFT_ROW_MULTIPLY) {
        for (size_t c = 0; c < leaves; c++) {
            const fft_row_step at = leaf_at(s, c * LEAF_SIZE);
            leaf_multiply(&at, tables, j + c, f);
        }
    } else {
        leaf_transform(s, leaves, tables, j, f, mode);
    }
    if (!s->stays) {
        leaf_back(s->x, leaves, tables, j, f);
    }
}

#endif  // FFT_MODULAR_LEAF_H_
