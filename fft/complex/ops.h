// ops.h: the functions of one SIMD variant of the complex transforms: the steps of a transform,
// each over one strip of columns or one row. Inside the room only. May include complex.h.
//
// Between the steps points lie in a plane of cells (cells.h): row r' of the plane, address
// order, holds `columns` cells, row_stride apart from the next.
//
//   forward:  in --columns_forward--> plane --rows_forward--> out
//   inverse:  in --rows_inverse--> plane --columns_inverse--> out       (order reversed)
//   product:  in --columns_forward--> planes --rows_product--> plane --columns_inverse--> out
//   sum:      planes --rows_sum--> plane --columns_inverse--> out
#ifndef FFT_COMPLEX_OPS_H_
#define FFT_COMPLEX_OPS_H_

#include "fft/complex/complex.h"

// fft_complex_view: where points outside of cells are and how: pairs; pairs (imaginary, real);
// values, of destinations alone: real parts at `points`, in runs `apart` from each other, imaginary
// parts `half` further; or, of sources alone, integers, with their imaginary parts `half` further,
// or real parts alone; `read`, unless it is NULL, makes the integers (fft_integers). They are only
// read where the view is a source.
typedef enum {
    FFT_PAIRS,
    FFT_EXCHANGED,
    FFT_VALUES,
    FFT_INTEGERS,
    FFT_INTEGERS_REAL
} fft_complex_form;
typedef struct {
    void *points;
    fft_complex_form form;
    uint64_t half, apart;
    void (*read)(const void *from, int32_t *to, uint64_t first, size_t n);
    const void *from;
} fft_complex_view;

// fft_complex_job: what the tasks of one transform share.
typedef struct {
    const fft_complex_plan *plan;
    const void *tables;
    fft_complex_view in, out;
    bool stream_out;    // rows_forward writes `out`, which is 64-byte aligned, past the caches
    bool stream_plane;  // columns_forward the plane
    void *plane;
    void *other;             // of products: plane of the second operand, or NULL: the first one's
    bool prepared;           // other is transformed already, and only read
    const void *const *sum;  // of sums: four planes, transformed, p0 p1 + p2 p3 or
    bool minus;              // p0 p1 - p2 p3
} fft_complex_job;

struct fft_complex_ops {
    fft_float type;
    void (*tables)(const fft_complex_plan *plan, void *out);
    void (*real_tables)(const fft_real_plan *plan, void *out);
    // A buffer is fft_complex_buffer_bytes of one thread's own.
    void (*columns_forward)(const fft_complex_job *job, uint64_t strip, void *buffer);
    void (*columns_inverse)(const fft_complex_job *job, uint64_t strip, void *buffer);
    void (*rows_forward)(const fft_complex_job *job, uint64_t row, void *buffer);
    void (*rows_inverse)(const fft_complex_job *job, uint64_t row);
    void (*rows_prepare)(const fft_complex_job *job, uint64_t row);
    void (*rows_product)(const fft_complex_job *job, uint64_t row);
    void (*rows_sum)(const fft_complex_job *job, uint64_t row);
    // k = first + 1 .. first + n of the half spectrum with their mirrors, and 0 with the first;
    // first is a multiple of FFT_COMPLEX_LANES.
    void (*real_split)(const fft_real_plan *plan, const void *table, void *spectrum, uint64_t first,
                       uint64_t n);
    void (*real_join)(const fft_real_plan *plan, const void *table, const void *spectrum,
                      void *pairs, uint64_t first, uint64_t n);
};

extern const fft_complex_ops fft_complex_ops_portable_f64, fft_complex_ops_portable_f32;
extern const fft_complex_ops fft_complex_ops_avx2_f64, fft_complex_ops_avx2_f32;
extern const fft_complex_ops fft_complex_ops_avx512_f64, fft_complex_ops_avx512_f32;

// Cells from row to row: a little more than a row, against power-of-two distances.
static inline uint64_t fft_complex_row_stride(const fft_complex_plan *plan) {
    return plan->rows == 1 ? plan->columns : plan->columns + FFT_COMPLEX_LANES;
}
// Columns of a strip, strips of a plane. With one row a strip is what integers are read for.
static inline uint64_t fft_complex_strip(const fft_complex_plan *plan) {
    return plan->rows == 1 ? FFT_PRODUCT_READ : FFT_COMPLEX_LANES;
}
static inline uint64_t fft_complex_strips(const fft_complex_plan *plan) {
    return (plan->columns + fft_complex_strip(plan) - 1) / fft_complex_strip(plan);
}
static inline uint64_t fft_complex_cell_bytes(const fft_complex_plan *plan) {
    return 2 * FFT_COMPLEX_LANES * fft_float_bytes(plan->problem.type);
}
static inline uint64_t fft_complex_plane_bytes(const fft_complex_plan *plan) {
    return plan->rows * fft_complex_row_stride(plan) * fft_complex_cell_bytes(plan);
}
// Planes in the workspace of a product of two operands. With one row of whole cells the second is
// in the place of the result, which is as large and written at the end.
static inline unsigned fft_complex_planes(const fft_complex_plan *plan) {
    return plan->rows == 1 && plan->lanes == FFT_COMPLEX_LANES ? 1 : 2;
}
// A strip of rows x LANES cells, or a row; none with one row.
static inline uint64_t fft_complex_buffer_bytes(const fft_complex_plan *plan) {
    const uint64_t strip = plan->rows * FFT_COMPLEX_LANES;
    const uint64_t cells = strip > plan->columns ? strip : plan->columns;
    return plan->rows == 1 ? 0 : cells * fft_complex_cell_bytes(plan);
}

// fft_complex_twiddles: cells of the table for one node.
static inline unsigned fft_complex_twiddles(unsigned radix) {
    return radix == 1 ? 0 : radix % 2 == 0 ? radix / 2 : radix - 1;
}
// fft_complex_reverse: the frequency digits 1 .. passes of `address`, an address in as many digits.
uint64_t fft_complex_reverse(const fft_complex_plan *plan, unsigned passes, uint64_t address);

#endif  // FFT_COMPLEX_OPS_H_
