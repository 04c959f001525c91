// real.h: turns the spectrum of the pairs of a real sequence into its half spectrum, and back. May
// include cells.h.
//
// n real values as h = n / 2 pairs have the transform Z = E + i O, E and O those of the even and of
// the odd values. With M = conj Z[h - k], P = (Z + M) / 2, D = (Z - M) / 2, w = exp(-2 pi i / n):
//     X[k] = P - i w^k D          X[h - k] = conj(P + i w^k D)
// and back, P = X + conj X[h - k], D = X - conj X[h - k]:
//     Z[k] = P + i D / w^k        Z[h - k] = conj(P - i D / w^k)      (twice the pairs' spectrum)
// Roundings a component: sum; product, fma; sum. Halving is exact.
#ifndef FFT_COMPLEX_REAL_H_
#define FFT_COMPLEX_REAL_H_

#include "fft/complex/cells.h"

// real_pair: z = Z[k], m = Z[h - k] to X[k], X[h - k], or back.
VEC_INLINE void real_pair(point *z, point *m, twiddle w, const bool join) {
    const vec half = vec_set1(join ? (real)1 : (real)0.5);
    const point p = {vec_mul(half, vec_add(z->re, m->re)), vec_mul(half, vec_sub(z->im, m->im))};
    const point d = {vec_mul(half, vec_sub(z->re, m->re)), vec_mul(half, vec_add(z->im, m->im))};
    const point v = node_turn(d, w, join);
    if (join) {  // q = i v
        *z = (point){vec_sub(p.re, v.im), vec_add(p.im, v.re)};
        *m = (point){vec_add(p.re, v.im), vec_sub(v.re, p.im)};
    } else {  // q = -i v
        *z = (point){vec_add(p.re, v.im), vec_sub(p.im, v.re)};
        *m = (point){vec_sub(p.re, v.im), vec_sub(vec_set1(0), vec_add(p.im, v.re))};
    }
}

// real_ends: k = 0 and its mirror h.
static void real_ends(const real *from, real *to, uint64_t h, bool join) {
    const real first = from[0], last = join ? from[2 * h] : from[1];
    to[0] = first + last;
    if (join) {
        to[1] = first - last;
    } else {
        to[1] = 0;
        to[2 * h] = first - last;
        to[2 * h + 1] = 0;
    }
}

// n points from k on and their mirrors h - k, h - k - 1, .... n = VEC_WIDTH: k + n - 1 <= h / 2; at
// h / 2 the point is its own mirror, and both results are the same. Otherwise through copies.
VEC_INLINE void real_points(const real *table, const real *from, real *to, uint64_t h, uint64_t k,
                            unsigned n, const bool join) {
    const real *const t = table + (k - 1) / LANES * CELL + (k - 1) % LANES;
    const twiddle w = {vec_load(t), vec_load(t + LANES)};
    real staged[2][2 * LANES] = {{0}, {0}};
    const bool whole = n == VEC_WIDTH;
    const uint64_t last = h - k - (n - 1);  // the mirror of the last
    point z, m;
    for (unsigned i = 0; i < 2 * n && !whole; i++) {
        staged[0][i] = from[2 * k + i];
        staged[1][2 * (VEC_WIDTH - n) + i] = from[2 * last + i];
    }
    vec_load2(whole ? from + 2 * k : staged[0], &z.re, &z.im);
    vec_load2(whole ? from + 2 * last : staged[1], &m.re, &m.im);
    m = (point){vec_reverse(m.re), vec_reverse(m.im)};
    real_pair(&z, &m, w, join);
    vec_store2(whole ? to + 2 * k : staged[0], z.re, z.im);
    vec_store2(whole ? to + 2 * last : staged[1], vec_reverse(m.re), vec_reverse(m.im));
    for (unsigned i = 0; i < 2 * n && !whole; i++) {
        to[2 * k + i] = staged[0][i];
        to[2 * last + i] = staged[1][2 * (VEC_WIDTH - n) + i];
    }
}

// k = first + 1 .. first + n <= h / 2 and their mirrors; with the first of them 0. first is a
// multiple of LANES.
VEC_INLINE void real_range(const real *table, const real *from, real *to, uint64_t h,
                           uint64_t first, uint64_t n, const bool join) {
    if (first == 0) {
        real_ends(from, to, h, join);
    }
    for (uint64_t i = first; i < first + n; i += VEC_WIDTH) {
        const uint64_t rest = first + n - i;
        real_points(table, from, to, h, i + 1, rest < VEC_WIDTH ? (unsigned)rest : VEC_WIDTH, join);
    }
}

static void real_split(const fft_real_plan *plan, const void *table, void *spectrum, uint64_t first,
                       uint64_t n) {
    real_range(table, spectrum, spectrum, plan->half.problem.length, first, n, false);
}

static void real_join(const fft_real_plan *plan, const void *table, const void *spectrum,
                      void *pairs, uint64_t first, uint64_t n) {
    real_range(table, spectrum, pairs, plan->half.problem.length, first, n, true);
}

#endif  // FFT_COMPLEX_REAL_H_
