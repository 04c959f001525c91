// twiddle.h: the tables of complex and real transforms. Part of variant.c; may include vec.h and
// ops.h. Loops over lanes are vectors where the compiler has them, and every variant computes the
// same bits: products are only added within an fma().
#ifndef FFT_COMPLEX_TWIDDLE_H_
#define FFT_COMPLEX_TWIDDLE_H_

#include <assert.h>
#include <math.h>

#include "fft/complex/ops.h"
#include "fft/complex/vec.h"

enum { TWIDDLE_LANES = FFT_COMPLEX_LANES };

// A sum of two doubles; high is the sum rounded, or nearly.
typedef struct {
    double high, low;
} twiddle_sum;

// twiddle_term: c + w g, w and g / c at most 1 and 1/2. What a head's rounding left is exact
// [Sterbenz74]; products of two tails are left out.
VEC_INLINE twiddle_sum twiddle_term(twiddle_sum c, twiddle_sum w, twiddle_sum g) {
    twiddle_sum h;
    h.high = fma(w.high, g.high, c.high);
    h.low = fma(w.high, g.high, c.high - h.high) + fma(w.low, g.high, fma(w.high, g.low, c.low));
    return h;
}

// twiddle_series: the sum of c[k] w^k. The terms from w^3 on are below 2^-11 of the sum, so that
// their roundings count 2^-11 ulp (docs/proofs/complex_fft.md, section 3).
VEC_INLINE twiddle_sum twiddle_series(const twiddle_sum c[3], const double rest[7], twiddle_sum w) {
    twiddle_sum g = {rest[6], 0};
    for (int k = 5; k >= 0; k--) {
        g.high = fma(w.high, g.high, rest[k]);
    }
    for (int k = 2; k >= 0; k--) {
        g = twiddle_term(c[k], w, g);
    }
    return g;
}

// Taylor's series of sin(v pi/4) / v and cos(v pi/4) in w = v^2: three terms in two parts, then
// seven (docs/proofs/check_complex.py).
static const twiddle_sum twiddle_sine[3] = {{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
                                            {-0x1.4abbce625be53p-4, 0x1.05511c68476a8p-58},
                                            {0x1.466bc6775aae2p-9, -0x1.6dc0cbddb0fc3p-64}};
static const double twiddle_sine_rest[7] = {
    -0x1.32d2cce62bd86p-15, 0x1.50783487ee782p-22, -0x1.e3074fde8871fp-30, 0x1.e8f434d018d63p-38,
    -0x1.6fadb9f155744p-46, 0x1.aaec32af93359p-55, -0x1.8a404211f9547p-64};
static const twiddle_sum twiddle_cosine[3] = {{1, 0},
                                              {-0x1.3bd3cc9be45dep-2, -0x1.692b71366cc04p-56},
                                              {0x1.03c1f081b5ac4p-6, -0x1.32b33f87fc145p-60}};
static const double twiddle_cosine_rest[7] = {
    -0x1.55d3c7e3cbffap-12, 0x1.e1f506891babbp-19, -0x1.a6d1f2a204a8cp-26, 0x1.f9d38a3763cc3p-34,
    -0x1.b6e24f44b128fp-42, 0x1.20c62c2f2d7f5p-50, -0x1.2a0c591af8314p-59};

// twiddle_angles: the angles begin[lane] + k step, in parts of a turn that `eighth` parts of make
// an eighth: whole numbers below 2^51.
typedef struct {
    double begin[TWIDDLE_LANES], step, eighth, inverse;  // 1 / eighth
} twiddle_angles;

// twiddle_roots: cosine and sine, or with `level` cosine and tangent, of the k-th angles. They are
// within 0.501 ulp, exactly 0 and 1 where they are; for a tangent that there is not, a level's
// entries are 1 / quarter and +-quarter.
VEC_INLINE void twiddle_roots(const twiddle_angles *a, double k, bool level, double quarter,
                              double first[TWIDDLE_LANES], double second[TWIDDLE_LANES]) {
    const double eighth = a->eighth, inverse = a->inverse;
    for (int lane = 0; lane < TWIDDLE_LANES; lane++) {
        const double n = fma(k, a->step, a->begin[lane]);
        double reached[8];  // whether this octant is reached
        VEC_UNROLL
        for (int i = 1; i < 8; i++) {
            reached[i] = n >= i * eighth ? 1 : 0;
        }
        const double odd = (reached[1] - reached[2]) + (reached[3] - reached[4]) +
                           (reached[5] - reached[6]) + reached[7];
        const double octant = reached[1] + reached[2] + reached[3] + reached[4] + reached[5] +
                              reached[6] + reached[7];
        // The angle from the nearer axis is f of `eighth` parts: v + rest, |rest| <= 2^-53 v.
        const double past = fma(-octant, eighth, n);
        const double f = fma(odd, fma(-2, past, eighth), past);
        const double near = f * inverse, left = fma(-near, eighth, f) * inverse;
        const double v = near + left, rest = left - (v - near);
        twiddle_sum w;
        w.high = v * v;
        w.low = fma(v, v, -w.high);
        const twiddle_sum s = twiddle_series(twiddle_sine, twiddle_sine_rest, w);
        const twiddle_sum c = twiddle_series(twiddle_cosine, twiddle_cosine_rest, w);
        // Turned by the rest: its square is below 2^-106.
        const double turn = rest * twiddle_sine[0].high, lean = v * s.high;
        const double s_low = fma(turn, c.high, v * s.low), c_low = fma(-turn, lean, c.low);
        twiddle_sum x, y;  // the root's part on the nearer axis and the other
        x.high = c.high + c_low;
        x.low = c_low - (x.high - c.high);
        y.high = fma(v, s.high, s_low);
        y.low = fma(v, s.high, -y.high) + s_low;
        const bool swap = reached[1] - reached[3] + reached[5] - reached[7] != 0;
        const twiddle_sum re = {swap ? y.high : x.high, swap ? y.low : x.low};
        const twiddle_sum im = {swap ? x.high : y.high, swap ? x.low : y.low};
        const bool upright = re.high == 0;
        const double re_sign = upright ? 1 : fma(-2, reached[2] - reached[6], 1);
        const double im_sign = fma(-2, reached[4], 1);
        const double by = upright ? 1 : re.high, t = im.high / by;
        const double t_low = fma(-t, by, im.high) + fma(-t, re.low, im.low);
        const double tangent = t + t_low / by;
        first[lane] = re_sign * (level && upright ? 1 / quarter : re.high);
        second[lane] = im_sign * (!level ? im.high : upright ? quarter : re_sign * tangent);
    }
}

// twiddle_put: a cell of the k-th angles' roots.
static void twiddle_put(real *cell, const twiddle_angles *a, double k, bool level) {
    double first[TWIDDLE_LANES], second[TWIDDLE_LANES];
    twiddle_roots(a, k, level, sizeof(real) == sizeof(double) ? 0x1p60 : 0x1p30, first, second);
    for (int lane = 0; lane < TWIDDLE_LANES; lane++) {
        cell[lane] = (real)first[lane];
        cell[TWIDDLE_LANES + lane] = (real)second[lane];
    }
}

// twiddle_next: the node of the frequency after that of `node`. digit: the frequency's, least
// significant first; weight: what one of a digit is in the node, whose digits are reversed.
static uint64_t twiddle_next(const fft_complex_plan *plan, unsigned q, uint64_t node,
                             const uint64_t weight[], uint8_t digit[]) {
    for (unsigned i = 1; i < q; i++) {
        node += weight[i];
        if (++digit[i] < plan->radix[i]) {
            break;
        }
        node -= digit[i] * weight[i];
        digit[i] = 0;
    }
    return node;
}

// twiddle_entry: twiddle `entry` of all nodes of a pass. A node of angle T = (4 f + turn) /
// (4 parts), f = lane + lanes k, has the twiddles T / 2; T / 4; T / 8, T / 8 + 1 / 8 (radix 8), or
// (entry + 1) T / radix (odd radix).
static void twiddle_entry(const fft_complex_plan *plan, real *tables, unsigned q, unsigned entry,
                          uint64_t nodes) {
    const unsigned radix = plan->radix[q], lanes = q == 0 ? 1 : plan->lanes;
    const uint64_t turn = plan->problem.right_angle ? 3 : 0, parts = nodes * lanes;
    const bool odd = radix % 2 == 1;
    const uint64_t divisor = odd ? radix : entry == 0 ? 2 : entry == 1 ? 4 : 8;
    const uint64_t times = odd ? entry + 1 : 1, plus = entry == 3 && !odd ? 4 * parts : 0;
    // In parts of 1 / (8 parts divisor) of a turn; parts <= 2^36.
    twiddle_angles a = {.step = (double)(8 * times * lanes), .eighth = (double)(parts * divisor)};
    for (unsigned lane = 0; lane < TWIDDLE_LANES; lane++) {
        const uint64_t f = q == 0 ? 0 : lane % lanes;
        a.begin[lane] = (double)(2 * (times * (4 * f + turn) + plus));
    }
    a.inverse = 1 / a.eighth;
    uint64_t weight[FFT_COMPLEX_PASSES_MAX], node = 0;
    uint8_t digit[FFT_COMPLEX_PASSES_MAX] = {0};
    uint64_t below = 1;
    for (unsigned i = q; i-- > 1;) {
        weight[i] = below;
        below *= plan->radix[i];
    }
    for (uint64_t k = 0; k < nodes; k++) {
        const uint64_t cell = plan->table_at[q] + node * fft_complex_twiddles(radix) + entry;
        twiddle_put(tables + cell * 2 * TWIDDLE_LANES, &a, (double)k, !odd);
        node = twiddle_next(plan, q, node, weight, digit);
    }
}

static void tables(const fft_complex_plan *plan, void *out) {
    assert(plan->problem.length >> FFT_COMPLEX_LG_MAX <= 1);
    uint64_t nodes = 1;
    for (unsigned q = 0; q < plan->passes_n; q++) {
        for (unsigned entry = 0; entry < fft_complex_twiddles(plan->radix[q]); entry++) {
            twiddle_entry(plan, out, q, entry, nodes);
        }
        nodes *= q == 0 ? 1 : plan->radix[q];
    }
}

// After the complex tables: cos, sin of k / n turns, k = 1 .. n / 4, FFT_COMPLEX_LANES to a cell;
// the last cell is filled up.
static void real_tables(const fft_real_plan *plan, void *out) {
    const fft_complex_plan *const half = &plan->half;
    const uint64_t first = half->table_at[half->passes_n];
    twiddle_angles a = {.step = 8 * TWIDDLE_LANES,
                        .eighth = (double)plan->length,
                        .inverse = 1 / (double)plan->length};
    tables(half, out);
    for (uint64_t i = 0; i < plan->length / 4; i += TWIDDLE_LANES) {
        for (uint64_t lane = 0; lane < TWIDDLE_LANES; lane++) {
            a.begin[lane] = i + lane < plan->length / 4 ? (double)(8 * (lane + 1))
                                                        : -(double)i * a.step / TWIDDLE_LANES;
        }
        twiddle_put((real *)out + (first * TWIDDLE_LANES + i) * 2, &a, (double)(i / TWIDDLE_LANES),
                    false);
    }
}

#endif  // FFT_COMPLEX_TWIDDLE_H_
