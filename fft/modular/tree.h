// tree.h: walks of the transform's tree over one array: whole nodes, and nodes truncated to the
// leaves and the inputs that a product needs. May include butterflies.h.
//
// All walks go from segments of 2^lg_n elements down to (or up from) segments of 2^lg_stop
// elements, called rows here; depth first, so that a subtree is finished while the caches hold it.
// The truncated inverse is van der Hoeven's [vdHoeven04] with the factor 2 of every level left in
// place of divisions.
#ifndef FFT_MODULAR_TREE_H_
#define FFT_MODULAR_TREE_H_

#include "fft/modular/butterflies.h"

// tree_place: where a node is: its segment, and its rows, row i at rows + i stride. These are the
// segment itself or memory that does not overlap it.
typedef struct {
    double *x, *rows;
    size_t stride;
} tree_place;

// tree_part: the place of part c, of n rows of `row` elements.
VEC_INLINE tree_place tree_part(const tree_place p, size_t c, size_t n, size_t row) {
    return (tree_place){p.x + c * n * row, p.rows + c * n * p.stride, p.stride};
}

static void tree_copy(double *to, const double *from, size_t n) {
    for (size_t i = 0; i < n && to != from; i += VEC_WIDTH) {
        vec_store(to + i, vec_load(from + i));
    }
}

// tree_forward: all levels of node j, from its coefficients at `from`, the segment or memory that
// overlaps neither it nor the rows, to rows. Bounds as pass_forward_kernel.
static void tree_forward(const double *from, tree_place p, unsigned lg_n, unsigned lg_stop,
                         const double *w, size_t j, ring f) {
    const unsigned r = pass_levels(lg_n - lg_stop, lg_n), lg_m = lg_n - r;
    const size_t m = (size_t)1 << lg_m, row = (size_t)1 << lg_stop;
    if (r == 0) {
        tree_copy(p.rows, from, row);
    } else if (lg_m == lg_stop) {
        pass_table[0][r]((pass_lines){from, p.rows, m, p.stride, m}, w, j, f);
    } else {
        pass_table[0][r]((pass_lines){from, p.x, m, m, m}, w, j, f);
        for (size_t c = 0; c < (size_t)1 << r; c++) {
            const tree_place part = tree_part(p, c, m / row, row);
            tree_forward(part.x, part, lg_m, lg_stop, w, (j << r) + c, f);
        }
    }
}

// tree_inverse: the inverse of tree_forward, times 2^(lg_n - lg_stop), from rows to the segment.
// Bounds as pass_inverse_kernel.
static void tree_inverse(tree_place p, unsigned lg_n, unsigned lg_stop, const double *w, size_t j,
                         ring f) {
    const unsigned r = pass_levels(lg_n - lg_stop, lg_n), lg_m = lg_n - r;
    const size_t m = (size_t)1 << lg_m, row = (size_t)1 << lg_stop;
    if (r == 0) {
        tree_copy(p.x, p.rows, row);
    } else if (lg_m == lg_stop) {
        pass_table[1][r]((pass_lines){p.rows, p.x, p.stride, m, m}, w, j, f);
    } else {
        for (size_t c = 0; c < (size_t)1 << r; c++) {
            tree_inverse(tree_part(p, c, m / row, row), lg_m, lg_stop, w, (j << r) + c, f);
        }
        pass_table[1][r]((pass_lines){p.x, p.x, m, m, m}, w, j, f);
    }
}

// tree_less: u - w b, reduced; inverse residues, as the result is.
VEC_INLINE residue tree_less(residue u, residue b, const twiddle w, const ring f) {
    return residue_reduce(residue_sub(u, residue_mul(b, w, f), f), f);
}

// tree_forward_truncated: the first `out` rows of node j's transform, for an input at `from` that
// is zero in all but its first `in` rows.
// Requires: 1 <= in, out <= 2^(lg_n - lg_stop); `from` as in tree_forward, except that it is also
// written; its rows from `in` on need not be initialised.
// Ensures: rows below `out` hold their transform, the others are undefined.
static void tree_forward_truncated(double *from, tree_place p, unsigned lg_n, unsigned lg_stop,
                                   const double *w, size_t j, ring f, size_t in, size_t out) {
    const size_t row = (size_t)1 << lg_stop, rows = (size_t)1 << (lg_n - lg_stop);
    const size_t half = rows / 2, m = half * row, left = out < half ? out : half;
    if (rows == 1) {
        tree_copy(p.rows, from, row);
        return;
    }
    const tree_place right = tree_part(p, 1, half, row);
    if (in <= half) {  // b = 0: both children begin as a
        if (out > half) {
            tree_forward_truncated(from, right, lg_n - 1, lg_stop, w, 2 * j + 1, f, in, out - half);
        }
        tree_forward_truncated(from, p, lg_n - 1, lg_stop, w, 2 * j, f, in, left);
        return;
    }
    if (out == rows) {
        for (size_t i = in * row; i < rows * row; i += VEC_WIDTH) {
            vec_store(from + i, vec_set1(0.0));
        }
        tree_forward(from, p, lg_n, lg_stop, w, j, f);
        return;
    }
    // b = 0 from `split` on: there both children begin as a again. The right one may not be wanted.
    const size_t split = (in - half) * row;
    const twiddle wj = twiddle_at(w, j);
    for (size_t i = 0; i < split; i += VEC_WIDTH) {
        residue a = residue_enter(residue_load(from + i), f), b = residue_load(from + m + i);
        residue_split(&a, &b, wj, f);
        residue_store(p.x + i, a);
        if (out > half) {
            residue_store(right.x + i, b);
        }
    }
    tree_copy(p.x + split, from + split, m - split);
    if (out > half) {
        tree_copy(right.x + split, p.x + split, m - split);
        tree_forward_truncated(right.x, right, lg_n - 1, lg_stop, w, 2 * j + 1, f, half,
                               out - half);
    }
    tree_forward_truncated(p.x, p, lg_n - 1, lg_stop, w, 2 * j, f, half, left);
}

// tree_inverse_truncated: inverse of node j from its first `known` transformed rows, when the
// coefficients of the rows from `known` on are given instead, times rows = 2^(lg_n - lg_stop), or
// with `zero` are zeros that are not read.
// Requires: 1 <= known <= rows; row i < known, of p.rows: transform; row i >= known, of the
// segment: rows * coefficient; inverse residues. Ensures: row i < known of the segment: rows *
// coefficient, the same range; the others are undefined. With u = a + w_j b, v = a - w_j b the
// coefficients of the children (each scaled by half, capitals scaled by rows):
//   both known below:  A = half u + half v,   B = (half u - half v) / w_j
//   v unknown:         half v = half u - w_j B,   A = 2 half u - w_j B
// If the given coefficients are zeros, so are the first child's, and v = u.
static void tree_inverse_truncated(tree_place p, unsigned lg_n, unsigned lg_stop, const double *w,
                                   size_t j, ring f, size_t known, const bool zero) {
    double *const x = p.x;
    const size_t row = (size_t)1 << lg_stop, rows = (size_t)1 << (lg_n - lg_stop);
    const size_t half = rows / 2, m = half * row;
    if (known == rows) {
        tree_inverse(p, lg_n, lg_stop, w, j, f);
        return;
    }
    const twiddle wj = twiddle_at(w, j);
    if (known >= half) {
        const size_t split =
            (known - half) * row;  // below it v is known as a transform, from it on B is given
        tree_inverse(p, lg_n - 1, lg_stop, w, 2 * j, f);
        for (size_t i = split; i < m; i += VEC_WIDTH) {
            const residue u = residue_load(x + i);
            const residue v = zero ? u : tree_less(u, residue_load(x + m + i), wj, f);
            residue_store(x + m + i, v);
            residue_store(x + i, residue_reduce(residue_add(u, v), f));
        }
        if (split == 0) {
            return;
        }
        tree_inverse_truncated(tree_part(p, 1, half, row), lg_n - 1, lg_stop, w, 2 * j + 1, f,
                               known - half, false);
        twiddle wi;
        pass_twiddles(&wi, 1, w, j, f, true);
        for (size_t i = 0; i < split; i += VEC_WIDTH) {
            residue u = residue_load(x + i), v = residue_load(x + m + i);
            residue_join(&u, &v, wi, f, (residue_place){.last = true, .left = true});
            residue_store(x + i, u);
            residue_store(x + m + i, v);
        }
        return;
    }
    // B is given everywhere, A from `known` on: half u = (A + w_j B) / 2 there.
    const twiddle one_half = twiddle_of((ring_prime(f) + 1) / 2, f);
    for (size_t i = known * row; i < m && !zero; i += VEC_WIDTH) {
        const residue wb = residue_mul(residue_load(x + m + i), wj, f);
        residue_store(x + i, residue_mul(residue_add(residue_load(x + i), wb), one_half, f));
    }
    tree_inverse_truncated(p, lg_n - 1, lg_stop, w, 2 * j, f, known, zero);
    for (size_t i = 0; i < known * row; i += VEC_WIDTH) {
        const residue u = residue_load(x + i);
        const residue v = zero ? u : tree_less(u, residue_load(x + m + i), wj, f);
        residue_store(x + i, residue_reduce(residue_add(u, v), f));
    }
}

#endif  // FFT_MODULAR_TREE_H_
