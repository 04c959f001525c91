// row.h: rows of a plane: forward transform, pointwise product, inverse transform, while it is
// in cache. May include leaf.h and tree.h.
#ifndef FFT_ROW_H_
#define FFT_ROW_H_

#include "fft/leaf.h"
#include "fft/tree.h"

VEC_INLINE void row_leaves(double *x, const double *y, size_t n, const fft_tables *tables, size_t j,
                           field f, const fft_row_mode mode) {
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        leaf_product(x + i * LEAF_SIZE, y ? y + i * LEAF_SIZE : 0, 2, tables, j + i, f, mode);
    }
    if (i < n) {
        leaf_product(x + i * LEAF_SIZE, y ? y + i * LEAF_SIZE : 0, 1, tables, j + i, f, mode);
    }
}

VEC_INLINE void row_leaves_mode(double *x, const double *y, size_t n, const fft_tables *tables,
                                size_t j, field f, fft_row_mode mode) {
    switch (mode) {  // one loop per mode, each with its own registers
        case FFT_ROW_MULTIPLY:
            row_leaves(x, y, n, tables, j, f, FFT_ROW_MULTIPLY);
            break;
        case FFT_ROW_SQUARE:
            row_leaves(x, 0, n, tables, j, f, FFT_ROW_SQUARE);
            break;
        case FFT_ROW_PREPARED:
            row_leaves(x, y, n, tables, j, f, FFT_ROW_PREPARED);
            break;
        case FFT_ROW_TRANSFORM:
            row_leaves(x, 0, n, tables, j, f, FFT_ROW_TRANSFORM);
            break;
    }
}

// row_run: fft_ops.rows. Rows that are no longer than a leaf stand one after the other and are done
// as one.
static void row_run(const fft_plan *plan, const fft_tables *tables, double *x, double *y,
                    size_t first, size_t count, fft_row_mode mode) {
    const field f = field_make(fft_primes[tables->prime].p);
    const unsigned lg = plan->lg_columns, stop = 2 * VEC_LG;
    const size_t leaves = (size_t)1 << (lg - stop), stride = plan->row_stride;
    if (leaves == 1 && stride == LEAF_SIZE) {
        row_leaves_mode(x + first * stride, y ? y + first * stride : 0, count, tables, first, f,
                        mode);
        return;
    }
    for (size_t r = first; r < first + count; r++) {
        double *const xr = x + r * stride, *const yr = y ? y + r * stride : 0;
        tree_forward(xr, lg, stop, tables->w, r, f);
        if (mode == FFT_ROW_MULTIPLY) {
            tree_forward(yr, lg, stop, tables->w, r, f);
        }
        row_leaves_mode(xr, yr, leaves, tables, r * leaves, f, mode);
        if (mode != FFT_ROW_TRANSFORM) {
            tree_inverse(xr, lg, stop, tables->w, r, f);
        }
    }
}

#endif  // FFT_ROW_H_
