// cells.h: passes of the complex transform over memory, in cells. May include node.h and ops.h.
//
// Between the first pass and the last points lie in *cells*: a cell is one position of all lanes,
// FFT_COMPLEX_LANES real parts and then as many imaginary parts, two cache lines in FP64. The first
// pass makes cells of the caller's points: it does nodes of VEC_WIDTH neighbouring columns in a
// vector and exchanges columns with children by a transposition in registers; so lane l of a cell
// holds child l. Every later pass treats all lanes alike and moves nothing between them.
//
//      points   x[s (n / lanes) + c]     --first pass-->     cell c, lane s
//
// Tables have the same form: a twiddle is a cell, c of all lanes and then tau of all lanes.
#ifndef FFT_COMPLEX_CELLS_H_
#define FFT_COMPLEX_CELLS_H_

#include "fft/complex/node.h"
#include "fft/complex/ops.h"

enum { LANES = FFT_COMPLEX_LANES, CELL = 2 * LANES, PARTS = LANES / VEC_WIDTH };

// n <= VEC_WIDTH integers at p; zero in the other lanes.
VEC_INLINE vec pass_load_integers(const int32_t *p, unsigned n) {
    int32_t staged[LANES] = {0};
    if (n == VEC_WIDTH) {
        return vec_of_integers(p);
    }
    for (unsigned i = 0; i < n; i++) {
        staged[i] = p[i];
    }
    return vec_of_integers(staged);
}

// n <= VEC_WIDTH points from index `at` on; zero in the other lanes.
VEC_INLINE point pass_load(const fft_complex_view *v, uint64_t at, unsigned n,
                           const fft_complex_form form) {
    point x;
    real staged[2 * LANES] = {0};
    const real *p = (const real *)v->points + 2 * at;
    if (form == FFT_INTEGERS || form == FFT_INTEGERS_REAL) {
        const int32_t *const re = (const int32_t *)v->points + at;
        const vec zero = vec_set1(0);
        return (point){pass_load_integers(re, n),
                       form == FFT_INTEGERS ? pass_load_integers(re + v->half, n) : zero};
    }
    if (n < VEC_WIDTH) {
        for (unsigned i = 0; i < 2 * n; i++) {
            staged[i] = p[i];
        }
        p = staged;
    }
    if (form == FFT_EXCHANGED) {
        vec_load2(p, &x.im, &x.re);
    } else {
        vec_load2(p, &x.re, &x.im);
    }
    return x;
}

VEC_INLINE void pass_store_some(real *p, const real *staged, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        p[i] = staged[i];
    }
}

VEC_INLINE void pass_store(const fft_complex_view *v, uint64_t at, unsigned n,
                           const fft_complex_form form, point x) {
    real staged[2 * LANES];
    real *const p = (real *)v->points + (form == FFT_VALUES ? at : 2 * at);
    if (form == FFT_VALUES && n == VEC_WIDTH) {
        vec_storeu(p, x.re);
        vec_storeu(p + v->half, x.im);
    } else if (form == FFT_VALUES) {
        vec_storeu(staged, x.re);
        vec_storeu(staged + LANES, x.im);
        pass_store_some(p, staged, n);
        pass_store_some(p + v->half, staged + LANES, n);
    } else {
        const point y = form == FFT_EXCHANGED ? (point){x.im, x.re} : x;
        vec_store2(n == VEC_WIDTH ? p : staged, y.re, y.im);
        if (n < VEC_WIDTH) {
            pass_store_some(p, staged, 2 * n);
        }
    }
}

// Twiddles of part `part` of the lanes of one node, from its cells of the table.
VEC_INLINE void pass_twiddles(twiddle *t, const unsigned radix, const real *table, unsigned part) {
    VEC_UNROLL
    for (unsigned e = 0; e < fft_complex_twiddles(radix); e++) {
        t[e].c = vec_load(table + e * CELL + part * VEC_WIDTH);
        t[e].s = vec_load(table + e * CELL + LANES + part * VEC_WIDTH);
    }
}

VEC_INLINE point pass_load_cell(const real *cell, unsigned part) {
    return (point){vec_load(cell + part * VEC_WIDTH), vec_load(cell + LANES + part * VEC_WIDTH)};
}
VEC_INLINE void pass_store_cell(real *cell, unsigned part, point x) {
    vec_store(cell + part * VEC_WIDTH, x.re);
    vec_store(cell + LANES + part * VEC_WIDTH, x.im);
}
VEC_INLINE void pass_stream_cell(real *cell, unsigned part, point x) {
    vec_stream(cell + part * VEC_WIDTH, x.re);
    vec_stream(cell + LANES + part * VEC_WIDTH, x.im);
}

// pass_exchange: VEC_WIDTH columns of LANES children to VEC_WIDTH cells and back: part h of cell i
// is x[h VEC_WIDTH + i].
VEC_INLINE void pass_exchange(point *x) {
    vec re[VEC_WIDTH], im[VEC_WIDTH];
    for (unsigned h = 0; h < PARTS; h++) {
        VEC_UNROLL
        for (unsigned i = 0; i < VEC_WIDTH; i++) {
            re[i] = x[h * VEC_WIDTH + i].re;
            im[i] = x[h * VEC_WIDTH + i].im;
        }
        vec_transpose(re);
        vec_transpose(im);
        VEC_UNROLL
        for (unsigned i = 0; i < VEC_WIDTH; i++) {
            x[h * VEC_WIDTH + i] = (point){re[i], im[i]};
        }
    }
}

// pass_first: n columns from index `at` on into n cells: pass 0, `stride` from coefficient to
// coefficient of a node; lanes without a child are zero. turned: the root's angle is not 0.
VEC_INLINE void pass_first(const fft_complex_view *from, uint64_t at, uint64_t stride, real *cells,
                           size_t n, const real *table, const unsigned radix, const bool turned,
                           const fft_complex_form form) {
    twiddle t[NODE_TWIDDLES_MAX];
    pass_twiddles(t, radix, table, 0);
    for (size_t c = 0; c < n; c += VEC_WIDTH) {
        const unsigned some = n - c < VEC_WIDTH ? (unsigned)(n - c) : VEC_WIDTH;
        point x[LANES];
        VEC_UNROLL
        for (unsigned s = 0; s < LANES; s++) {
            x[s] = s < radix ? pass_load(from, at + s * stride + c, some, form)
                             : (point){vec_set1(0), vec_set1(0)};
        }
        node_run(x, radix, t, !turned, false);
        pass_exchange(x);
        for (unsigned i = 0; i < some; i++) {
            for (unsigned h = 0; h < PARTS; h++) {
                pass_store_cell(cells + (c + i) * CELL, h, x[h * VEC_WIDTH + i]);
            }
        }
    }
}

// pass_first_inverse: n cells back into n columns.
VEC_INLINE void pass_first_inverse(const fft_complex_view *to, uint64_t at, uint64_t stride,
                                   const real *cells, size_t n, const real *table,
                                   const unsigned radix, const bool turned,
                                   const fft_complex_form form) {
    twiddle t[NODE_TWIDDLES_MAX];
    pass_twiddles(t, radix, table, 0);
    for (size_t c = 0; c < n; c += VEC_WIDTH) {
        const unsigned some = n - c < VEC_WIDTH ? (unsigned)(n - c) : VEC_WIDTH;
        point x[LANES];
        for (unsigned i = 0; i < VEC_WIDTH; i++) {
            for (unsigned h = 0; h < PARTS; h++) {
                const size_t cell = c + (i < some ? i : 0);  // a last vector repeats its first cell
                x[h * VEC_WIDTH + i] = pass_load_cell(cells + cell * CELL, h);
            }
        }
        pass_exchange(x);
        node_run(x, radix, t, !turned, true);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            pass_store(to, at + s * stride + c, some, form, x[s]);
        }
    }
}

// pass_cells: one node over cells: m cells of each coefficient, from_stride and to_stride cells
// apart. from == to with equal strides is allowed. streamed: past the caches.
VEC_INLINE void pass_cells(const real *from, size_t from_stride, real *to, size_t to_stride,
                           size_t m, const real *table, const unsigned radix, const bool inverse,
                           const bool streamed) {
    twiddle t[PARTS][NODE_TWIDDLES_MAX];
    for (unsigned h = 0; h < PARTS; h++) {
        pass_twiddles(t[h], radix, table, h);
    }
    for (size_t c = 0; c < m; c++) {
        for (unsigned h = 0; h < PARTS; h++) {
            point x[NODE_RADIX_MAX];
            VEC_UNROLL
            for (unsigned s = 0; s < radix; s++) {
                x[s] = pass_load_cell(from + (s * from_stride + c) * CELL, h);
            }
            node_run(x, radix, t[h], false, inverse);
            VEC_UNROLL
            for (unsigned s = 0; s < radix; s++) {
                real *const cell = to + (s * to_stride + c) * CELL;
                if (streamed) {
                    pass_stream_cell(cell, h, x[s]);
                } else {
                    pass_store_cell(cell, h, x[s]);
                }
            }
        }
    }
}

// pass_leaf: the last pass of one node, from `radix` cells to points: child s of lane l is point
// at + s * stride + l of the view, for l < lanes. streamed: past the caches, all lanes, and their
// points aligned as vectors.
VEC_INLINE void pass_leaf(const real *cells, const fft_complex_view *to, uint64_t at,
                          uint64_t stride, unsigned lanes, const real *table, const unsigned radix,
                          const fft_complex_form form, const bool streamed) {
    for (unsigned h = 0; h < PARTS; h++) {
        twiddle t[NODE_TWIDDLES_MAX];
        point x[NODE_RADIX_MAX];
        const unsigned first = h * VEC_WIDTH;
        if (first >= lanes) {
            return;
        }
        const unsigned some = lanes - first < VEC_WIDTH ? lanes - first : VEC_WIDTH;
        pass_twiddles(t, radix, table, h);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            x[s] = pass_load_cell(cells + s * CELL, h);
        }
        node_run(x, radix, t, false, false);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            if (streamed) {
                const point y = form == FFT_EXCHANGED ? (point){x[s].im, x[s].re} : x[s];
                vec_stream2((real *)to->points + 2 * (at + s * stride + first), y.re, y.im);
            } else {
                pass_store(to, at + s * stride + first, some, form, x[s]);
            }
        }
    }
}

// pass_leaf_points: the first pass of an inverse: points, as pass_leaf leaves them with
// stride = lanes, into cells.
VEC_INLINE void pass_leaf_points(const fft_complex_view *from, uint64_t at, unsigned lanes,
                                 real *cells, const real *table, const unsigned radix) {
    for (unsigned h = 0; h < PARTS; h++) {
        twiddle t[NODE_TWIDDLES_MAX];
        point x[NODE_RADIX_MAX];
        const unsigned first = h * VEC_WIDTH, rest = first < lanes ? lanes - first : 0;
        const unsigned some = rest < VEC_WIDTH ? rest : VEC_WIDTH;
        pass_twiddles(t, radix, table, h);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            x[s] = pass_load(from, at + s * lanes + first, some, FFT_PAIRS);
        }
        node_run(x, radix, t, false, true);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            pass_store_cell(cells + s * CELL, h, x[s]);
        }
    }
}

// p q: one product and one fma a component.
VEC_INLINE point pass_times(point p, point q) {
    return (point){vec_fnma(p.im, q.im, vec_mul(p.re, q.re)),
                   vec_fma(p.im, q.re, vec_mul(p.re, q.im))};
}

// (p q) scale: one product a component more.
VEC_INLINE point pass_product(point p, point q, vec scale) {
    const point z = pass_times(p, q);
    return (point){vec_mul(z.re, scale), vec_mul(z.im, scale)};
}

// pass_leaf_product: the last pass of one node in place, the product of its values by those at
// `times`, or by themselves for NULL, and by the scale, and the first pass of the inverse.
VEC_INLINE void pass_leaf_product(real *cells, const real *times, real scale, const real *table,
                                  const unsigned radix) {
    for (unsigned h = 0; h < PARTS; h++) {
        twiddle t[NODE_TWIDDLES_MAX];
        point x[NODE_RADIX_MAX];
        pass_twiddles(t, radix, table, h);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            x[s] = pass_load_cell(cells + s * CELL, h);
        }
        node_run(x, radix, t, false, false);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            const point y = times == NULL ? x[s] : pass_load_cell(times + s * CELL, h);
            x[s] = pass_product(x[s], y, vec_set1(scale));
        }
        node_run(x, radix, t, false, true);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            pass_store_cell(cells + s * CELL, h, x[s]);
        }
    }
}

// pass_leaf_sum: into the cells of a node the values (p0 p1 + p2 p3) scale, or the difference for a
// negative `sign`, of four planes, `at` from their beginnings, and the first pass of the inverse.
// One operation a component more for the sum; sign is 1 or -1 and rounds nothing.
VEC_INLINE void pass_leaf_sum(real *cells, const real *const *planes, size_t at, real sign,
                              real scale, const real *table, const unsigned radix) {
    for (unsigned h = 0; h < PARTS; h++) {
        twiddle t[NODE_TWIDDLES_MAX];
        point x[NODE_RADIX_MAX];
        pass_twiddles(t, radix, table, h);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            const size_t cell = at + s * CELL;
            const point a = pass_times(pass_load_cell(planes[0] + cell, h),
                                       pass_load_cell(planes[1] + cell, h));
            const point b = pass_times(pass_load_cell(planes[2] + cell, h),
                                       pass_load_cell(planes[3] + cell, h));
            const vec re = vec_fma(vec_set1(sign), b.re, a.re);
            const vec im = vec_fma(vec_set1(sign), b.im, a.im);
            x[s] = (point){vec_mul(re, vec_set1(scale)), vec_mul(im, vec_set1(scale))};
        }
        node_run(x, radix, t, false, true);
        VEC_UNROLL
        for (unsigned s = 0; s < radix; s++) {
            pass_store_cell(cells + s * CELL, h, x[s]);
        }
    }
}

#endif  // FFT_COMPLEX_CELLS_H_
