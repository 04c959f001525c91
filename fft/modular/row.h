// row.h: rows of a plane: forward transform, pointwise product, inverse transform, while it is
// in cache. May include leaf.h and tree.h.
#ifndef FFT_MODULAR_ROW_H_
#define FFT_MODULAR_ROW_H_

#include "fft/modular/leaf.h"
#include "fft/modular/tree.h"

VEC_INLINE void row_leaves(const fft_row_step *s, size_t n, const fft_tables *tables, size_t j,
                           ring f, const fft_row_mode mode) {
    for (size_t i = 0; i < n; i += 2) {
        const fft_row_step at = leaf_at(s, i * LEAF_SIZE);
        if (i + 2 <= n) {
            leaf_product(&at, 2, tables, j + i, f, mode);
        } else {
            leaf_product(&at, 1, tables, j + i, f, mode);
        }
    }
}

VEC_INLINE void row_leaves_mode(const fft_row_step *s, size_t n, const fft_tables *tables, size_t j,
                                ring f) {
    switch (s->mode) {  // one loop per mode, each with its own registers
        case FFT_ROW_MULTIPLY:
            row_leaves(s, n, tables, j, f, FFT_ROW_MULTIPLY);
            break;
        case FFT_ROW_SQUARE:
            row_leaves(s, n, tables, j, f, FFT_ROW_SQUARE);
            break;
        case FFT_ROW_PREPARED:
            row_leaves(s, n, tables, j, f, FFT_ROW_PREPARED);
            break;
        case FFT_ROW_TRANSFORM:
            row_leaves(s, n, tables, j, f, FFT_ROW_TRANSFORM);
            break;
    }
}

// row_place: a row's leaves, one after the other in place.
VEC_INLINE tree_place row_place(double *x) { return (tree_place){x, x, LEAF_SIZE}; }

// row_run: fft_ops.rows.
static void row_run(const fft_plan *plan, const fft_tables *tables, const fft_row_step *step,
                    size_t first, size_t count) {
    const ring f = ring_make(fft_primes[tables->prime].p);
    const unsigned lg = plan->lg_columns, stop = 2 * VEC_LG;
    const size_t leaves = (size_t)1 << (lg - stop), stride = plan->row_stride;
    const size_t node = (size_t)plan->node << plan->lg_rows;  // row 0's
    for (size_t r = first; r < first + count; r++) {
        const fft_row_step row = leaf_at(step, r * stride);
        tree_forward(row.x, row_place(row.x), lg, stop, tables->w, node + r, f);
        if (row.mode == FFT_ROW_MULTIPLY) {
            tree_forward(row.y, row_place(row.y), lg, stop, tables->w, node + r, f);
        }
        row_leaves_mode(&row, leaves, tables, (node + r) * leaves, f);
        if (!row.stays) {
            tree_inverse(row_place(row.x), lg, stop, tables->w, node + r, f);
        }
    }
}

#endif  // FFT_MODULAR_ROW_H_
