// row.h: one row of a plane: forward transform, pointwise product, inverse transform, while it is
// in cache. May include leaf.h and tree.h.
#ifndef FFT_ROW_H_
#define FFT_ROW_H_

#include "fft/leaf.h"
#include "fft/tree.h"

VEC_INLINE void row_leaves(double *x, const double *y, size_t n, const fft_tables *tables, size_t j,
                           field f, const fft_row_mode mode) {
    for (size_t i = 0; i < n; i++) {
        leaf_product(x + i * LEAF_SIZE, y ? y + i * LEAF_SIZE : 0, tables, j + i, f, mode);
    }
}

static void row_run(const fft_plan *plan, const fft_tables *tables, double *x, double *y, size_t r,
                    fft_row_mode mode) {
    const field f = field_make(fft_primes[tables->prime].p);
    const unsigned lg = plan->lg_columns, stop = 2 * VEC_LG;
    const size_t leaves = (size_t)1 << (lg - stop), j = r * leaves;
    double *const xr = x + r * plan->row_stride, *const yr = y ? y + r * plan->row_stride : 0;
    tree_forward(xr, lg, stop, tables->w, r, f);
    switch (mode) {
        case FFT_ROW_TRANSFORM:
            row_leaves(xr, 0, leaves, tables, j, f, FFT_ROW_TRANSFORM);
            return;
        case FFT_ROW_MULTIPLY:
            tree_forward(yr, lg, stop, tables->w, r, f);
            row_leaves(xr, yr, leaves, tables, j, f, FFT_ROW_MULTIPLY);
            break;
        case FFT_ROW_SQUARE:
            row_leaves(xr, 0, leaves, tables, j, f, FFT_ROW_SQUARE);
            break;
        case FFT_ROW_PREPARED:
            row_leaves(xr, yr, leaves, tables, j, f, FFT_ROW_PREPARED);
            break;
    }
    tree_inverse(xr, lg, stop, tables->w, r, f);
}

#endif  // FFT_ROW_H_
