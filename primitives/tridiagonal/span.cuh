// span.cuh: spans, what is left of consecutive rows of a tridiagonal system once every
// unknown that no other row knows is eliminated: two rows in four unknowns. For kernels that solve
// by partition (partition.cu). Includes instructions.cuh, row.cuh,
// scale.h, twofold.h and warp.cuh. T: float, double, or Twofold of one of them, which
// computes with twice the digits.
//
// The rows p .. q know the unknowns p - 1 .. q + 1; those strictly between p and q stand in no
// other row. Eliminating these q - p - 1 unknowns, each time with the largest of all rows that know
// it as pivot, leaves two rows in x(p-1), x(p), x(q), x(q+1). Two neighbouring spans p .. m - 1 and
// m .. q share x(m-1) and x(m), which no third span knows; eliminating both from their four rows,
// in the same manner, leaves the span p .. q. So any bracketing is Gaussian elimination with
// partial pivoting of one and the same matrix whose columns were put into another order: a pivot is
// zero only if the matrix is singular, and no multiplier exceeds 1. docs/proofs/tridiagonal.md has
// both proofs and the error bound. [KleinStrzodka21] has partitions with scaled pivoting, but
// leaves both rows at a partition's ends out of the choice of pivots; [Wright92] has this
// compaction for boundary value problems.
#ifndef PRIMITIVES_TRIDIAGONAL_SPAN_CUH_
#define PRIMITIVES_TRIDIAGONAL_SPAN_CUH_

#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/tridiagonal/row.cuh"
#include "primitives/tridiagonal/scale.h"
#include "primitives/words/twofold.h"

// Reciprocal returns 1 / v within an ulp, or as twofold.h says; NaN or infinity for zero. On a
// device numbers below the smallest normal one count as zero: rows are scaled, so that no pivot
// comes near it but by cancellation.
DEVICE float Reciprocal(float v) {
    const float r = ApproximateReciprocal(v);
    return fma(r, fma(-v, r, 1.0f), r);
}

// Two terms of the series 1 / (1 - e) = 1 + e + e^2 + ..., e < 2^-19, leave less than 2^-57.
DEVICE double Reciprocal(double v) {
    const double r = ApproximateReciprocal(v);
    const double e = fma(-v, r, 1.0);
    return fma(r, fma(e, e, e), r);
}

DEVICE Twofold<float> Reciprocal(Twofold<float> v) { return Reciprocal(v.v); }

DEVICE Twofold<double> Reciprocal(Twofold<double> v) {
    return Twofold<double>::Inverse(v, Reciprocal(v.hi));
}

// Leading returns what a number's size is seen from.
template <class T>
DEVICE T Leading(T v) {
    return v;
}
DEVICE double Leading(Twofold<float> v) { return v.v; }
DEVICE double Leading(Twofold<double> v) { return v.hi; }

template <class T>
DEVICE Row<T> Scaled(const Row<T> &row) {
    const auto scale = RowScale(Leading(row.a), Leading(row.b), Leading(row.c));
    return {TimesPower(row.a, scale), TimesPower(row.b, scale), TimesPower(row.c, scale),
            TimesPower(row.d, scale)};
}

// far x(p-1) + near x(p) + u x(i) + v x(i+1) = d: a row of what is left of rows p .. i. At the end
// of a span, i = q.
template <class T>
struct SpanRow {
    T far, near, u, v, d;
};

template <class T>
struct Span {
    SpanRow<T> row[2];
};

// In memory a span is its rows' fields one after the other.
constexpr unsigned kRowFields = 5, kSpanValues = 2 * kRowFields;

template <class T>
DEVICE Span<T> SpanOf(const Row<T> &first, const Row<T> &second) {
    return {{{first.a, first.b, first.c, 0, first.d}, {0, second.a, second.b, second.c, second.d}}};
}

// What an eliminated unknown depends on: x(i) = d - u x(i+1) - (fresh ? end x(i+2) : end x(p-1) +
// near x(p)).
template <class T>
struct Kept {
    T u, end, near, d;
    bool fresh;
};

// Append eliminates x(i) from the span's rows and the next one, i + 1: the largest of the three
// coefficients is the pivot. 9 fused operations, 5 products and a reciprocal.
template <class T>
DEVICE Kept<T> Append(Span<T> &span, const Row<T> &next) {
    const bool swap = fabs(span.row[1].u) > fabs(span.row[0].u);
    const SpanRow<T> p = swap ? span.row[1] : span.row[0];
    const SpanRow<T> q = swap ? span.row[0] : span.row[1];
    const bool fresh = fabs(next.a) > fabs(p.u);
    const T inverse = Reciprocal(fresh ? next.a : p.u);
    const T u = (fresh ? next.b : p.v) * inverse;
    const T end = (fresh ? next.c : p.far) * inverse;
    const T near = (fresh ? 0 : p.near) * inverse;
    const T d = (fresh ? next.d : p.d) * inverse;
    const T far = fresh ? 0 : end;
    const T v = fresh ? end : 0;
    const T other = fresh ? p.u : next.a;
    span.row[0] = {fma(-other, far, fresh ? p.far : 0), fma(-other, near, fresh ? p.near : 0),
                   fma(-other, u, fresh ? p.v : next.b), fma(-other, v, fresh ? 0 : next.c),
                   fma(-other, d, fresh ? p.d : next.d)};
    span.row[1] = {fma(-q.u, far, q.far), fma(-q.u, near, q.near), fma(-q.u, u, q.v), -q.u * v,
                   fma(-q.u, d, q.d)};
    return {u, end, near, d, fresh};
}

// Where two spans p .. m - 1 and m .. q meet: their unknowns m - 1 and m by those at the ends.
//   x(m)   = e[9] - e[5] x(p-1) - e[6] x(p) - e[7] x(q) - e[8] x(q+1)
//   x(m-1) = e[4] - e[0] x(p-1) - e[1] x(p) - e[2] x(q) - e[3] x(q+1) - e[10] x(m)
constexpr unsigned kJointValues = 11;

template <class T>
struct Joint {
    T e[kJointValues];
};

// The two unknowns on both sides of a border between spans.
template <class T>
struct Border {
    T below, above;
};

template <class T>
DEVICE Border<T> Meet(const Joint<T> &j, const Border<T> &lo, const Border<T> &hi) {
    Border<T> m = {j.e[4], j.e[9]};
    const T ends[4] = {lo.below, lo.above, hi.below, hi.above};
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        m.below = fma(-j.e[i], ends[i], m.below);
        m.above = fma(-j.e[5 + i], ends[i], m.above);
    }
    m.below = fma(-j.e[10], m.above, m.below);
    return m;
}

// The first and last unknown of a whole system, whose span's x(-1) and x(n) are zero.
template <class T>
DEVICE void SolveEnds(const Span<T> &span, T *first, T *last) {
    const bool swap = fabs(span.row[1].near) > fabs(span.row[0].near);
    const SpanRow<T> p = swap ? span.row[1] : span.row[0];
    const SpanRow<T> q = swap ? span.row[0] : span.row[1];
    const T inverse = 1 / p.near;
    const T u = p.u * inverse, d = p.d * inverse;
    *last = fma(-q.near, d, q.d) / fma(-q.near, u, q.u);
    *first = fma(-u, *last, d);
}

#endif  // PRIMITIVES_TRIDIAGONAL_SPAN_CUH_
