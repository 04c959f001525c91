// walk.h: walks of the complex transform's tree over a strip of columns or a row, and the
// steps of ops.h made of them. May include cells.h.
//
// A walk goes depth first, so that a subtree is finished while the caches hold it. Node j of pass q
// has the children j radix + s of pass q + 1.
#ifndef FFT_COMPLEX_WALK_H_
#define FFT_COMPLEX_WALK_H_

#include "fft/complex/cells.h"

typedef enum {
    WALK_FIRST,
    WALK_FIRST_INVERSE,
    WALK_CELLS,
    WALK_CELLS_STREAMED,
    WALK_CELLS_INVERSE,
    WALK_LEAF,
    WALK_LEAF_STREAMED,
    WALK_LEAF_POINTS,
    WALK_LEAF_PRODUCT,
    WALK_LEAF_SUM
} walk_kind;

// walk_args: the arguments of any pass; each kind uses its own.
typedef struct {
    const real *table;
    const fft_complex_view *view;
    uint64_t at, stride;
    const real *from;
    real *to;
    size_t from_stride, to_stride, n;
    unsigned lanes;
    real scale, sign;
    const real *const *planes;
} walk_args;

VEC_INLINE void walk_radix(const walk_kind kind, const fft_complex_form form, const unsigned radix,
                           const walk_args *a) {
    const bool turned = form != FFT_PAIRS && form != FFT_EXCHANGED;  // products are right-angled
    switch (kind) {
        case WALK_FIRST:
            pass_first(a->view, a->at, a->stride, a->to, a->n, a->table, radix, turned, form);
            break;
        case WALK_FIRST_INVERSE:
            pass_first_inverse(a->view, a->at, a->stride, a->from, a->n, a->table, radix, turned,
                               form);
            break;
        case WALK_CELLS:
        case WALK_CELLS_STREAMED:
        case WALK_CELLS_INVERSE:
            pass_cells(a->from, a->from_stride, a->to, a->to_stride, a->n, a->table, radix,
                       kind == WALK_CELLS_INVERSE, kind == WALK_CELLS_STREAMED);
            break;
        case WALK_LEAF:
        case WALK_LEAF_STREAMED:
            pass_leaf(a->from, a->view, a->at, a->stride, a->lanes, a->table, radix, form,
                      kind == WALK_LEAF_STREAMED);
            break;
        case WALK_LEAF_POINTS:
            pass_leaf_points(a->view, a->at, a->lanes, a->to, a->table, radix);
            break;
        case WALK_LEAF_PRODUCT:
            pass_leaf_product(a->to, a->from, a->scale, a->table, radix);
            break;
        case WALK_LEAF_SUM:
            pass_leaf_sum(a->to, a->planes, a->at, a->sign, a->scale, a->table, radix);
            break;
    }
}

// walk_pass: one loop for each kind, form and radix, with its own registers.
VEC_INLINE void walk_pass(const walk_kind kind, const fft_complex_form form, unsigned radix,
                          const walk_args a) {
    switch (radix) {
        case 8:
            walk_radix(kind, form, 8, &a);
            break;
        case 7:
            walk_radix(kind, form, 7, &a);
            break;
        case 5:
            walk_radix(kind, form, 5, &a);
            break;
        case 4:
            walk_radix(kind, form, 4, &a);
            break;
        case 3:
            walk_radix(kind, form, 3, &a);
            break;
        case 2:
            walk_radix(kind, form, 2, &a);
            break;
        default:
            walk_radix(kind, form, 1, &a);
            break;
    }
}

// walk_prefetch asks for the points of pass 0 of one row of a strip: they lie far apart, where no
// hardware prefetcher follows.
enum { WALK_AHEAD = 4 };
static void walk_prefetch(const fft_complex_job *job, uint64_t at) {
    const fft_complex_plan *const p = job->plan;
    const fft_complex_view *const in = &job->in;
    for (unsigned s = 0; s < p->lanes; s++) {
        const uint64_t first = at + s * p->rows * p->columns;
        if (in->form == FFT_PAIRS || in->form == FFT_EXCHANGED) {
            __builtin_prefetch((const real *)in->points + 2 * first);
            __builtin_prefetch((const real *)in->points + 2 * first + LANES);
        } else {
            __builtin_prefetch((const int32_t *)in->points + first);
        }
        if (in->form == FFT_INTEGERS) {
            __builtin_prefetch((const int32_t *)in->points + first + in->half);
        }
    }
}

// walk_first, walk_first_inverse: pass 0 of n columns of one row, from index `at` on. stride: from
// coefficient to coefficient of a node, in `in`.
static void walk_first(const fft_complex_job *job, const fft_complex_view *in, uint64_t at,
                       uint64_t stride, real *cells, size_t n) {
    const fft_complex_plan *const p = job->plan;
    const walk_args a = {
        .table = job->tables, .view = in, .at = at, .stride = stride, .to = cells, .n = n};
    switch (in->form) {
        case FFT_PAIRS:
            walk_pass(WALK_FIRST, FFT_PAIRS, p->lanes, a);
            break;
        case FFT_EXCHANGED:
            walk_pass(WALK_FIRST, FFT_EXCHANGED, p->lanes, a);
            break;
        case FFT_INTEGERS:
            walk_pass(WALK_FIRST, FFT_INTEGERS, p->lanes, a);
            break;
        default:
            walk_pass(WALK_FIRST, FFT_INTEGERS_REAL, p->lanes, a);
            break;
    }
}

static void walk_first_inverse(const fft_complex_job *job, uint64_t at, const real *cells,
                               size_t n) {
    const fft_complex_plan *const p = job->plan;
    const bool values = job->out.form == FFT_VALUES;
    const walk_args a = {.table = job->tables,
                         .view = &job->out,
                         .at = at,
                         .stride = values ? job->out.apart : p->rows * p->columns,
                         .from = cells,
                         .n = n};
    if (values) {
        walk_pass(WALK_FIRST_INVERSE, FFT_VALUES, p->lanes, a);
    } else {
        walk_pass(WALK_FIRST_INVERSE, FFT_PAIRS, p->lanes, a);
    }
}

// walk: a walk over the passes before `end`. What it does at its leaves, the nodes of the last:
//   CELLS     a strip's last pass, inverse: its first. Nodes of leaf_n cells a coefficient go to,
//             or come from, `cells`, `stride` cells from child to child. A row in place: stride 1.
//   POINTS    child s of a node of frequency f and weight step are points lanes (f + s step); with
//             order reversed lanes (node radix + s)
typedef enum { WALK_TO_CELLS, WALK_TO_POINTS } walk_leaves;
typedef struct {
    const fft_complex_plan *plan;
    const real *tables;
    unsigned end;
    walk_leaves leaves;
    size_t leaf_n, stride;
    real *cells;  // TO_CELLS: where leaf `first` goes
    uint64_t first;
    const fft_complex_view *view;
    bool streamed;  // forward: what the leaves write goes past the caches
} walk;

// One function for each kind, so that its loops stand once; few arguments, because a leaf is short.
static void walk_cells(const real *from, real *to, size_t n, const real *table, unsigned radix) {
    const walk_args a = {
        .table = table, .from = from, .from_stride = n, .to = to, .to_stride = n, .n = n};
    walk_pass(WALK_CELLS, FFT_PAIRS, radix, a);
}
static void walk_cells_inverse(const real *from, size_t from_stride, real *to, size_t n,
                               const real *table, unsigned radix) {
    const walk_args a = {
        .table = table, .from = from, .from_stride = from_stride, .to = to, .to_stride = n, .n = n};
    walk_pass(WALK_CELLS_INVERSE, FFT_PAIRS, radix, a);
}
static void walk_cells_streamed(const real *from, real *to, size_t to_stride, size_t n,
                                const real *table, unsigned radix, bool streamed) {
    const walk_args a = {
        .table = table, .from = from, .from_stride = n, .to = to, .to_stride = to_stride, .n = n};
    if (streamed) {
        walk_pass(WALK_CELLS_STREAMED, FFT_PAIRS, radix, a);
    } else {
        walk_pass(WALK_CELLS, FFT_PAIRS, radix, a);
    }
}
static void walk_leaf(const real *from, const walk *w, uint64_t at, uint64_t stride,
                      const real *table, unsigned radix) {
    const bool exchanged = w->view->form == FFT_EXCHANGED;
    const walk_args a = {.table = table,
                         .view = w->view,
                         .at = at,
                         .stride = stride,
                         .from = from,
                         .lanes = w->plan->lanes};
    if (w->streamed && exchanged) {
        walk_pass(WALK_LEAF_STREAMED, FFT_EXCHANGED, radix, a);
    } else if (w->streamed) {
        walk_pass(WALK_LEAF_STREAMED, FFT_PAIRS, radix, a);
    } else if (exchanged) {
        walk_pass(WALK_LEAF, FFT_EXCHANGED, radix, a);
    } else {
        walk_pass(WALK_LEAF, FFT_PAIRS, radix, a);
    }
}
static void walk_leaf_points(const fft_complex_view *view, uint64_t at, unsigned lanes, real *to,
                             const real *table, unsigned radix) {
    const walk_args a = {.table = table, .view = view, .to = to, .lanes = lanes, .at = at};
    walk_pass(WALK_LEAF_POINTS, FFT_PAIRS, radix, a);
}
static void walk_leaf_product(real *to, const real *times, real scale, const real *table,
                              unsigned radix) {
    const walk_args a = {.table = table, .from = times, .to = to, .scale = scale};
    walk_pass(WALK_LEAF_PRODUCT, FFT_PAIRS, radix, a);
}

static void walk_leaf_sum(real *to, const real *const *planes, size_t at, real sign, real scale,
                          const real *table, unsigned radix) {
    const walk_args a = {
        .table = table, .planes = planes, .at = at, .to = to, .sign = sign, .scale = scale};
    walk_pass(WALK_LEAF_SUM, FFT_PAIRS, radix, a);
}

static walk walk_make(const fft_complex_job *job, unsigned end) {
    return (walk){.plan = job->plan, .tables = job->tables, .end = end, .leaf_n = 1};
}

static const real *walk_table(const walk *w, unsigned q, uint64_t node) {
    const uint64_t cell = w->plan->table_at[q] + node * fft_complex_twiddles(w->plan->radix[q]);
    return w->tables + cell * CELL;
}

static void walk_forward_leaf(const walk *w, const real *from, unsigned q, uint64_t node,
                              uint64_t f, uint64_t step) {
    const unsigned radix = w->plan->radix[q], lanes = w->plan->lanes;
    const real *const table = walk_table(w, q, node);
    if (w->leaves == WALK_TO_CELLS) {
        real *const to = w->cells + (node * radix - w->first) * w->stride * CELL;
        walk_cells_streamed(from, to, w->stride, w->leaf_n, table, radix, w->streamed);
        return;
    }
    const bool natural = w->plan->problem.order == FFT_NATURAL;
    const uint64_t at = lanes * (natural ? f : node * radix), stride = lanes * (natural ? step : 1);
    walk_leaf(from, w, at, stride, table, radix);
}

// walk_forward: node `node` of pass q, n cells at `from`, by way of `buffer`, which may be `from`.
static void walk_forward(const walk *w, const real *from, real *buffer, size_t n, unsigned q,
                         uint64_t node, uint64_t f, uint64_t step) {
    const unsigned radix = w->plan->radix[q];
    const size_t m = n / radix;
    if (q + 1 == w->end) {
        walk_forward_leaf(w, from, q, node, f, step);
        return;
    }
    walk_cells(from, buffer, m, walk_table(w, q, node), radix);
    for (unsigned s = 0; s < radix; s++) {
        real *const child = buffer + s * m * CELL;
        walk_forward(w, child, child, m, q + 1, node * radix + s, f + s * step, step * radix);
    }
}

static void walk_inverse_leaf(const walk *w, real *to, unsigned q, uint64_t node) {
    const unsigned radix = w->plan->radix[q];
    const real *const table = walk_table(w, q, node);
    if (w->leaves == WALK_TO_CELLS) {
        const real *const from = w->cells + (node * radix - w->first) * w->stride * CELL;
        walk_cells_inverse(from, w->stride, to, w->leaf_n, table, radix);
    } else {
        const unsigned lanes = w->plan->lanes;
        walk_leaf_points(w->view, lanes * node * radix, lanes, to, table, radix);
    }
}

// walk_inverse: the inverse into n cells at `to`.
static void walk_inverse(const walk *w, real *to, size_t n, unsigned q, uint64_t node) {
    const unsigned radix = w->plan->radix[q];
    const size_t m = n / radix;
    if (q + 1 == w->end) {
        walk_inverse_leaf(w, to, q, node);
        return;
    }
    for (unsigned s = 0; s < radix; s++) {
        walk_inverse(w, to + s * m * CELL, m, q + 1, node * radix + s);
    }
    walk_cells_inverse(to, m, to, m, walk_table(w, q, node), radix);
}

// walk_product: the product of n cells at x by those at y, node `node` of pass q of either, or for
// y == NULL by themselves, in x. The cells of y are lost, unless they are prepared: values already.
// A subtree of both goes there and back while the caches hold it.
static void walk_product(const walk *w, real *x, real *y, bool prepared, size_t n, unsigned q,
                         uint64_t node) {
    const unsigned radix = w->plan->radix[q];
    const size_t m = n / radix;
    const real *const table = walk_table(w, q, node);
    if (y != NULL && !prepared) {
        walk_cells(y, y, m, table, radix);
    }
    if (q + 1 == w->end) {
        const real scale = (real)(1.0L / (long double)w->plan->problem.length);
        walk_leaf_product(x, y, scale, table, radix);
        return;
    }
    walk_cells(x, x, m, table, radix);
    for (unsigned s = 0; s < radix; s++) {
        const size_t at = s * m * CELL;
        walk_product(w, x + at, y == NULL ? NULL : y + at, prepared, m, q + 1, node * radix + s);
    }
    walk_cells_inverse(x, m, x, m, table, radix);
}

// walk_sum: the inverse of p0 p1 + sign p2 p3, planes of values, into n cells `at` from the
// beginning of `to`, node `node` of pass q of all of them.
static void walk_sum(const walk *w, real *to, const real *const *planes, size_t at, real sign,
                     size_t n, unsigned q, uint64_t node) {
    const unsigned radix = w->plan->radix[q];
    const size_t m = n / radix;
    const real *const table = walk_table(w, q, node);
    if (q + 1 == w->end) {
        const real scale = (real)(1.0L / (long double)w->plan->problem.length);
        walk_leaf_sum(to + at, planes, at, sign, scale, table, radix);
        return;
    }
    for (unsigned s = 0; s < radix; s++) {
        walk_sum(w, to, planes, at + s * m * CELL, sign, m, q + 1, node * radix + s);
    }
    walk_cells_inverse(to + at, m, to + at, m, table, radix);
}

#endif  // FFT_COMPLEX_WALK_H_
