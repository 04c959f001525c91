// complex_real.h: between the spectrum of the pairs of a real sequence and its half spectrum. May
// include complex_pass.h.
//
// n real values as h = n / 2 pairs have the transform Z = E + i O, E and O those of the even and of
// the odd values. With M = conj Z[h - k], P = (Z + M) / 2, D = (Z - M) / 2, w = exp(-2 pi i / n):
//     X[k] = P - i w^k D          X[h - k] = conj(P + i w^k D)
// and back, P = X + conj X[h - k], D = X - conj X[h - k]:
//     Z[k] = P + i D / w^k        Z[h - k] = conj(P - i D / w^k)      (twice the pairs' spectrum)
// Roundings a component: sum; product, fma; sum. Halving is exact.
#ifndef FFT_COMPLEX_REAL_H_
#define FFT_COMPLEX_REAL_H_

#include "fft/complex_pass.h"

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

static const real *real_cell(const real *table, uint64_t k) {
    return table + k / LANES * CELL + k % LANES;
}

// One k by itself.
static void real_one(const real *table, const real *from, real *to, uint64_t h, uint64_t k,
                     bool join) {
    real staged[4][LANES];
    const real *const t = real_cell(table, k), *const a = from + 2 * k,
                      *const b = from + 2 * (h - k);
    const twiddle w = {vec_set1(t[0]), vec_set1(t[LANES])};
    point z = {vec_set1(a[0]), vec_set1(a[1])}, m = {vec_set1(b[0]), vec_set1(b[1])};
    if (join) {
        real_pair(&z, &m, w, true);
    } else {
        real_pair(&z, &m, w, false);
    }
    vec_storeu(staged[0], z.re);
    vec_storeu(staged[1], z.im);
    vec_storeu(staged[2], m.re);
    vec_storeu(staged[3], m.im);
    for (unsigned i = 0; i < 2; i++) {
        to[2 * (h - k) + i] = staged[2 + i][0];
        to[2 * k + i] = staged[i][0];  // after its mirror, which is the same point for k = h / 2
    }
}

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

VEC_INLINE void real_vector(const real *table, const real *from, real *to, uint64_t h, uint64_t k,
                            const bool join) {
    const uint64_t mirror = 2 * (h - k - (VEC_WIDTH - 1));
    const real *const t = real_cell(table, k);
    const twiddle w = {vec_load(t), vec_load(t + LANES)};
    point z, m;
    vec_load2(from + 2 * k, &z.re, &z.im);
    vec_load2(from + mirror, &m.re, &m.im);
    m = (point){vec_reverse(m.re), vec_reverse(m.im)};
    real_pair(&z, &m, w, join);
    vec_store2(to + 2 * k, z.re, z.im);
    vec_store2(to + mirror, vec_reverse(m.re), vec_reverse(m.im));
}

// k = first .. first + n - 1 <= h / 2 and their mirrors. first is a multiple of LANES.
VEC_INLINE void real_range(const real *table, const real *from, real *to, uint64_t h,
                           uint64_t first, uint64_t n, const bool join) {
    uint64_t k = first;
    if (k == 0) {
        real_ends(from, to, h, join);
        k = 1;
    }
    while (k < first + n) {
        const bool whole = k % VEC_WIDTH == 0 && k + VEC_WIDTH <= first + n &&
                           k + VEC_WIDTH - 1 < h - k - (VEC_WIDTH - 1);
        if (whole) {
            real_vector(table, from, to, h, k, join);
            k += VEC_WIDTH;
        } else {
            real_one(table, from, to, h, k, join);
            k++;
        }
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
