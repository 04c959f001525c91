// variant.c: one SIMD variant of the complex transforms for one type as a table of
// functions. Compiled once for each, with the variant's flags. May include the room's headers.
#include "fft/complex/real.h"
#include "fft/complex/twiddle.h"
#include "fft/complex/walk.h"

static uint64_t strip_columns(const fft_complex_plan *p, uint64_t strip) {
    const uint64_t first = strip * fft_complex_strip(p), rest = p->columns - first;
    return rest < fft_complex_strip(p) ? rest : fft_complex_strip(p);
}

static real *row_of(const fft_complex_plan *p, void *plane, uint64_t row) {
    return (real *)plane + row * fft_complex_row_stride(p) * CELL;
}

// read_columns: pass 0 of n columns of a plane of one row, of integers that are made for it.
static void read_columns(const fft_complex_job *job, uint64_t first, real *cells, size_t n) {
    const fft_complex_plan *const p = job->plan;
    int32_t integers[2 * LANES * FFT_PRODUCT_READ];
    const unsigned runs = job->in.form == FFT_INTEGERS ? 2 * p->lanes : p->lanes;
    for (unsigned s = 0; s < runs; s++) {
        job->in.read(job->in.from, integers + s * FFT_PRODUCT_READ, s * p->columns + first, n);
    }
    const fft_complex_view view = {
        .points = integers, .form = job->in.form, .half = p->lanes * FFT_PRODUCT_READ};
    walk_first(job, &view, 0, FFT_PRODUCT_READ, cells, n);
}

static void columns_forward(const fft_complex_job *job, uint64_t strip, void *buffer) {
    const fft_complex_plan *const p = job->plan;
    const uint64_t first = strip * fft_complex_strip(p), n = strip_columns(p, strip);
    const uint64_t stride = p->rows * p->columns;
    if (p->rows == 1) {
        real *const cells = (real *)job->plane + first * CELL;
        if (job->in.read != NULL) {
            read_columns(job, first, cells, n);
        } else {
            walk_first(job, &job->in, first, stride, cells, n);
        }
        return;
    }
    for (uint64_t r = 0; r < p->rows; r++) {
        if (r + WALK_AHEAD < p->rows) {
            walk_prefetch(job, (r + WALK_AHEAD) * p->columns + first);
        }
        walk_first(job, &job->in, r * p->columns + first, stride, (real *)buffer + r * n * CELL, n);
    }
    walk w = walk_make(job, p->column_passes + 1u);
    w.leaves = WALK_TO_CELLS;
    w.leaf_n = n;
    w.stride = fft_complex_row_stride(p);
    w.cells = (real *)job->plane + first * CELL;
    w.streamed = job->stream_plane;
    walk_forward(&w, buffer, buffer, p->rows * n, 1, 0, 0, 1);
    if (w.streamed) {
        vec_fence();
    }
}

static void columns_inverse(const fft_complex_job *job, uint64_t strip, void *buffer) {
    const fft_complex_plan *const p = job->plan;
    const uint64_t first = strip * fft_complex_strip(p), n = strip_columns(p, strip);
    if (p->rows == 1) {
        walk_first_inverse(job, first, (const real *)job->plane + first * CELL, n);
        return;
    }
    walk w = walk_make(job, p->column_passes + 1u);
    w.leaves = WALK_TO_CELLS;
    w.leaf_n = n;
    w.stride = fft_complex_row_stride(p);
    w.cells = (real *)job->plane + first * CELL;
    walk_inverse(&w, buffer, p->rows * n, 1, 0);
    for (uint64_t r = 0; r < p->rows; r++) {
        walk_first_inverse(job, r * p->columns + first, (real *)buffer + r * n * CELL, n);
    }
}

static void rows_forward(const fft_complex_job *job, uint64_t row, void *buffer) {
    const fft_complex_plan *const p = job->plan;
    real *const cells = row_of(p, job->plane, row);
    walk w = walk_make(job, p->passes_n);
    w.leaves = WALK_TO_POINTS;
    w.view = &job->out;
    w.streamed = job->stream_out;
    walk_forward(&w, cells, p->rows == 1 ? cells : (real *)buffer, p->columns,
                 p->column_passes + 1u, row, fft_complex_reverse(p, p->column_passes, row),
                 p->rows);
    if (w.streamed) {
        vec_fence();
    }
}

static void rows_inverse(const fft_complex_job *job, uint64_t row) {
    const fft_complex_plan *const p = job->plan;
    walk w = walk_make(job, p->passes_n);
    w.leaves = WALK_TO_POINTS;
    w.view = &job->in;
    walk_inverse(&w, row_of(p, job->plane, row), p->columns, p->column_passes + 1u, row);
}

static void rows_prepare(const fft_complex_job *job, uint64_t row) {
    const fft_complex_plan *const p = job->plan;
    real *const cells = row_of(p, job->plane, row);
    walk w = walk_make(job, p->passes_n);
    w.leaves = WALK_TO_CELLS;
    w.stride = 1;
    w.cells = cells;
    w.first = row * p->columns;
    walk_forward(&w, cells, cells, p->columns, p->column_passes + 1u, row, 0, 1);
}

static void rows_product(const fft_complex_job *job, uint64_t row) {
    const fft_complex_plan *const p = job->plan;
    real *const y = job->other == NULL ? NULL : row_of(p, job->other, row);
    const walk w = walk_make(job, p->passes_n);
    walk_product(&w, row_of(p, job->plane, row), y, job->prepared, p->columns,
                 p->column_passes + 1u, row);
}

static void rows_sum(const fft_complex_job *job, uint64_t row) {
    const fft_complex_plan *const p = job->plan;
    const size_t at = row * fft_complex_row_stride(p) * CELL;
    const real *planes[4];
    for (unsigned i = 0; i < 4; i++) {
        planes[i] = job->sum[i];
    }
    const walk w = walk_make(job, p->passes_n);
    walk_sum(&w, job->plane, planes, at, job->minus ? -1 : 1, p->columns, p->column_passes + 1u,
             row);
}

#define VARIANT_PASTE(a, b, c) a##b##_##c
#define VARIANT_SYMBOL(variant, type) VARIANT_PASTE(fft_complex_ops_, variant, type)

const fft_complex_ops VARIANT_SYMBOL(VEC_VARIANT, VEC_TYPE) = {
    .type = sizeof(real) == sizeof(double) ? FFT_F64 : FFT_F32,
    .tables = tables,
    .real_tables = real_tables,
    .columns_forward = columns_forward,
    .columns_inverse = columns_inverse,
    .rows_forward = rows_forward,
    .rows_inverse = rows_inverse,
    .rows_prepare = rows_prepare,
    .rows_product = rows_product,
    .rows_sum = rows_sum,
    .real_split = real_split,
    .real_join = real_join,
};
