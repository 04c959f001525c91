// tables.c: twiddles of complex and real transforms in long double, rounded once. May
// include ops.h.
//
// An angle is a fraction of a turn, two integers. It is brought to the first eighth of a turn
// exactly; there numerator = high B + low gives cos and sin as two products each of positive
// numbers, so the relative error of cos, sin and tan is a few units of long double.
#include <assert.h>
#include <math.h>

#include "fft/complex/ops.h"

static const long double TWO_PI = 6.283185307179586476925286766559005768L;

enum { LOW_MAX = 1024 };

// angles: cos and sin of numerator / denominator turns, numerators 0 .. denominator / 8, in two
// steps. denominator is a multiple of 8.
typedef struct {
    uint64_t denominator, low_n, high;  // the high part at hand
    long double cos_high, sin_high;
    long double cos_low[LOW_MAX], sin_low[LOW_MAX];
} angles;

static long double turns(const angles *a, uint64_t numerator) {
    return TWO_PI * ((long double)numerator / (long double)a->denominator);
}

static void angles_make(angles *a, uint64_t denominator) {
    a->denominator = denominator;
    a->low_n = 1;
    while (a->low_n < LOW_MAX && a->low_n * a->low_n < denominator / 8) {
        a->low_n *= 2;
    }
    for (uint64_t i = 0; i < a->low_n; i++) {
        a->cos_low[i] = cosl(turns(a, i));
        a->sin_low[i] = sinl(turns(a, i));
    }
    a->high = UINT64_MAX;
}

// cos, sin of numerator / denominator <= 1 / 8.
static void angles_eighth(angles *a, uint64_t numerator, long double *c, long double *s) {
    const uint64_t high = numerator / a->low_n, low = numerator % a->low_n;
    if (high != a->high) {
        a->high = high;
        a->cos_high = cosl(turns(a, high * a->low_n));
        a->sin_high = sinl(turns(a, high * a->low_n));
    }
    *c = a->cos_high * a->cos_low[low] - a->sin_high * a->sin_low[low];
    *s = a->sin_high * a->cos_low[low] + a->cos_high * a->sin_low[low];
}

// angles_get: cos, sin of numerator / denominator < 1 turn, exactly 0 and 1 where they are.
static void angles_get(angles *a, uint64_t numerator, long double *c, long double *s) {
    const uint64_t eighth = a->denominator / 8, octant = numerator / eighth;
    const uint64_t rest = numerator % eighth;
    long double x, y;
    angles_eighth(a, octant % 2 == 0 ? rest : eighth - rest, &x, &y);
    if (octant % 4 == 1 || octant % 4 == 2) {
        const long double t = x;
        x = y;
        y = t;
    }
    *c = octant >= 2 && octant < 6 ? -x : x;
    *s = octant >= 4 ? -y : y;
}

static void put(const fft_complex_plan *plan, void *tables, uint64_t cell, unsigned lane,
                long double first, long double second) {
    const uint64_t at = cell * 2 * FFT_COMPLEX_LANES + lane;
    if (plan->problem.type == FFT_F64) {
        ((double *)tables)[at] = (double)first;
        ((double *)tables)[at + FFT_COMPLEX_LANES] = (double)second;
    } else {
        ((float *)tables)[at] = (float)first;
        ((float *)tables)[at + FFT_COMPLEX_LANES] = (float)second;
    }
}

// put_level: c, tau of a level of radix 2. An exact quarter turn has no tau: 2^q stands for it.
static void put_level(const fft_complex_plan *plan, void *tables, uint64_t cell, unsigned lane,
                      long double c, long double s) {
    if (c == 0) {
        const long double tau = plan->problem.type == FFT_F64 ? 0x1p60L : 0x1p30L;
        put(plan, tables, cell, lane, 1 / tau, s * tau);
    } else {
        put(plan, tables, cell, lane, c, s / c);
    }
}

// put_entry: twiddle `entry` of all nodes of a pass. A node of angle T = (4 f + turn) / (4 parts),
// f = lane + lanes k, has the twiddles T / 2; T / 4; T / 8, T / 8 + 1 / 8 (radix 8), or
// (entry + 1) T / radix (odd radix).
static void put_entry(const fft_complex_plan *plan, void *tables, unsigned q, unsigned entry,
                      uint64_t nodes, angles *a) {
    const unsigned radix = plan->radix[q], lanes = q == 0 ? 1 : plan->lanes;
    const uint64_t turn = plan->problem.right_angle ? 3 : 0, parts = nodes * lanes;
    const bool odd = radix % 2 == 1;
    const uint64_t divisor = odd ? radix : entry == 0 ? 2 : entry == 1 ? 4 : 8;
    const uint64_t denominator = 4 * parts * divisor, times = odd ? entry + 1 : 1;
    const uint64_t spread = denominator % 8 == 0 ? 1 : 2;  // both times 2: a multiple of 8
    angles_make(a, spread * denominator);
    for (uint64_t k = 0; k < nodes; k++) {
        // the node of frequency k: digits reversed back
        uint64_t node = 0, rest = k;
        for (unsigned i = 1; i < q; i++) {
            node = node * plan->radix[i] + rest % plan->radix[i];
            rest /= plan->radix[i];
        }
        const uint64_t cell = plan->table_at[q] + node * fft_complex_twiddles(radix) + entry;
        for (unsigned lane = 0; lane < FFT_COMPLEX_LANES; lane++) {
            const uint64_t f = q == 0 ? 0 : lane % lanes + lanes * k;
            const uint64_t eighth = entry == 3 && !odd ? 4 * parts : 0;
            long double c, s;
            angles_get(a, spread * (times * (4 * f + turn) + eighth), &c, &s);
            if (odd) {
                put(plan, tables, cell, lane, c, s);
            } else {
                put_level(plan, tables, cell, lane, c, s);
            }
        }
    }
}

void fft_complex_tables(const fft_complex_plan *plan, void *tables) {
    angles a;
    uint64_t nodes = 1;
    for (unsigned q = 0; q < plan->passes_n; q++) {
        for (unsigned entry = 0; entry < fft_complex_twiddles(plan->radix[q]); entry++) {
            put_entry(plan, tables, q, entry, nodes, &a);
        }
        nodes *= q == 0 ? 1 : plan->radix[q];
    }
}

uint64_t fft_real_table_bytes(const fft_real_plan *plan) {
    const uint64_t cells = (plan->length / 4 + FFT_COMPLEX_LANES - 1) / FFT_COMPLEX_LANES;
    return fft_complex_table_bytes(&plan->half) + cells * fft_complex_cell_bytes(&plan->half);
}

// After the complex tables: cos, sin of k / n turns, k = 1 .. n / 4, FFT_COMPLEX_LANES to a cell;
// the last cell is filled up.
void fft_real_tables(const fft_real_plan *plan, void *tables) {
    const fft_complex_plan *const half = &plan->half;
    const uint64_t first = half->table_at[half->passes_n];
    angles a;
    fft_complex_tables(half, tables);
    angles_make(&a, 4 * plan->length);  // a multiple of 8
    for (uint64_t i = 0; i < plan->length / 4 || i % FFT_COMPLEX_LANES != 0; i++) {
        const uint64_t k = i < plan->length / 4 ? i + 1 : 0;
        long double c, s;
        angles_get(&a, 4 * k, &c, &s);
        put(half, tables, first + i / FFT_COMPLEX_LANES, (unsigned)(i % FFT_COMPLEX_LANES), c, s);
    }
}
