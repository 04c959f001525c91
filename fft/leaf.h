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

enum { LEAF_SIZE = VEC_WIDTH * VEC_WIDTH };

// leaf_twiddles: scalars and lane twiddles of two leaves side by side, in one direction.
typedef struct {
    vec across[2 * VEC_WIDTH], lanes[2 * VEC_WIDTH];
} leaf_twiddles;

// leaf_load_twiddles: those of leaf j into place c. Lane l of member (level, i) needs w_k, k = ((W
// j + l) << level) + i. Angles add over the bits of an index, so that is the leaf's scalar w_((W j)
// << level) times the constant w_((l << level) + i), and likewise for the inverses; the products
// are within 0.55 p, close enough to p / 2 for field_mul on what the first kernel leaves (proof
// page). Seven products instead of loads: tables stay small.
VEC_INLINE void leaf_load_twiddles(leaf_twiddles *t, const size_t c, const fft_tables *tables,
                                   size_t j, const field f, const bool inverse) {
    const size_t first = c * (VEC_WIDTH - 1);
    const double *const lanes = tables->lanes + (inverse ? (VEC_WIDTH - 1) * VEC_WIDTH : 0);
    const double *const leaf = tables->leaves + (inverse ? VEC_LG * tables->leaves_n : 0) + j;
    pass_twiddles(t->across + first, VEC_LG, tables->w, j, inverse);
    PASS_UNROLL
    for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
        const vec scalar = vec_set1(leaf[level * tables->leaves_n]);
        PASS_UNROLL
        for (size_t i = ((size_t)1 << level) - 1; i < ((size_t)2 << level) - 1; i++) {
            t->lanes[first + i] = field_mul(scalar, vec_load(lanes + i * VEC_WIDTH), f);
        }
    }
}

// leaf_forward, leaf_inverse: all levels of one or two leaves, in registers. Bounds as the pass
// kernels.
VEC_INLINE void leaf_forward(vec *x, const size_t leaves, const leaf_twiddles *t, const field f) {
    pass_forward_kernel(x, VEC_LG, leaves, t->across, f);
    PASS_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        vec_transpose(x + c * VEC_WIDTH);
    }
    pass_forward_kernel(x, VEC_LG, leaves, t->lanes, f);
}
VEC_INLINE void leaf_inverse(vec *x, const size_t leaves, const leaf_twiddles *t, const field f) {
    pass_inverse_kernel(x, VEC_LG, leaves, t->lanes, f);
    PASS_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        vec_transpose(x + c * VEC_WIDTH);
    }
    pass_inverse_kernel(x, VEC_LG, leaves, t->across, f);
}

VEC_INLINE void leaf_read(vec *x, const double *p, const size_t leaves) {
    PASS_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        x[k] = vec_load(p + k * VEC_WIDTH);
    }
}
VEC_INLINE void leaf_write(double *p, const vec *x, const size_t leaves) {
    PASS_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        vec_store(p + k * VEC_WIDTH, x[k]);
    }
}

// leaf_add: products within 0.84 p join a sum that is within that too, and are reduced again.
VEC_INLINE void leaf_add(vec *a, const fft_row_step *s, const size_t leaves, const field f) {
    if (s->sum == 0) {
        return;
    }
    const vec sign = vec_set1(s->subtract ? -1 : 1);
    PASS_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        const vec sum = vec_load(s->sum + k * VEC_WIDTH);
        assert(field_within(&sum, 1, 0.84, f) && field_within(&a[k], 1, 0.84, f));
        a[k] = field_reduce(vec_fma(a[k], sign, sum), f);
    }
}

// leaf_multiply: x = forward(x) forward(y), one leaf; both share its twiddles. |x| <= 3.9 p and |y|
// <= 0.5001 p give a product within 0.84 p.
VEC_INLINE void leaf_multiply(const fft_row_step *s, const fft_tables *tables, size_t j,
                              const field f) {
    leaf_twiddles t;
    vec a[2 * VEC_WIDTH];
    leaf_load_twiddles(&t, 0, tables, j, f, false);
    leaf_load_twiddles(&t, 1, tables, j, f, false);
    leaf_read(a, s->x, 1);
    leaf_read(a + VEC_WIDTH, s->y, 1);
    leaf_forward(a, 2, &t, f);
    PASS_UNROLL
    for (size_t k = 0; k < VEC_WIDTH; k++) {
        a[k] = field_mul(a[k], field_reduce(a[k + VEC_WIDTH], f), f);
    }
    leaf_add(a, s, 1, f);
    leaf_write(s->x, a, 1);
}

// leaf_transform: x = forward(x) for one or two leaves from leaf j on, then times itself or times y
// as the mode says.
VEC_INLINE void leaf_transform(const fft_row_step *s, const size_t leaves, const fft_tables *tables,
                               size_t j, const field f, const fft_row_mode mode) {
    leaf_twiddles t;
    vec a[2 * VEC_WIDTH];
    PASS_UNROLL
    for (size_t c = 0; c < leaves; c++) {
        leaf_load_twiddles(&t, c, tables, j + c, f, false);
    }
    leaf_read(a, s->x, leaves);
    leaf_forward(a, leaves, &t, f);
    PASS_UNROLL
    for (size_t k = 0; k < leaves * VEC_WIDTH; k++) {
        // transformed operands are kept reduced, so that they can be the factor w of field_mul
        const vec reduced =
            mode == FFT_ROW_PREPARED ? vec_load(s->y + k * VEC_WIDTH) : field_reduce(a[k], f);
        a[k] = mode == FFT_ROW_TRANSFORM ? reduced : field_mul(a[k], reduced, f);
    }
    leaf_add(a, s, leaves, f);
    leaf_write(s->x, a, leaves);
}

// leaf_back: x = inverse(x) for one or two leaves from leaf j on.
VEC_INLINE void leaf_back(double *x, const size_t leaves, const fft_tables *tables, size_t j,
                          const field f) {
    leaf_twiddles t;
    vec a[2 * VEC_WIDTH];
    PASS_UNROLL
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
                             size_t j, const field f, const fft_row_mode mode) {
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

#endif  // FFT_LEAF_H_
