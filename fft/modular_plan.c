// modular_plan.c: from operand lengths to the shape of a convolution on a device; pure functions,
// integers only. May include primitives/.
#include <assert.h>

#include "fft/modular.h"
#include "primitives/word.h"

enum {
    LG_ROWS_MIN = 4,
    LG_ROWS_MAX = 12,
    // Points of a piece from which middle and long rows are the fastest, as logarithms.
    LG_MIDDLE_FROM = 16,
    LG_LONG_FROM = 19,
    // Coefficients within 2^LG_COEFFICIENT, balanced within (1 + 2^-21) of that: p0 p1 p2 / 2 is
    // above 1.009 2^148 (docs/proofs/modular_device.md).
    LG_COEFFICIENT = 148,
    LG_POINTS_MAX = 31,
    LG_OUTER_ROWS = 10,  // of a part at least, where there is an outer pass
    // Of the inverse columns: threads of a block, points in its shared memory, as logarithms.
    LG_BLOCK_THREADS = 10,
    BLOCK_POINTS = 28 << 10,
};

// lg_up: the least k with 2^k >= n.
static unsigned lg_up(uint64_t n) {
    unsigned k = 0;
    while (((uint64_t)1 << k) < n) {
        k++;
    }
    return k;
}

// plan_digits: whole words where that is exact, balanced ones if need be, else the widest digits
// that are. A balanced digit is within 2^63 but for the last, within 2^64, so that a coefficient of
// count >= 2 products is within (count + 2) 2^126. That of a sum is within as many such as terms;
// LG_COEFFICIENT's margin is for one.
static bool plan_digits(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t terms) {
    for (unsigned bits = 64; bits > 32; bits--) {
        const uint64_t a = word_ceil_div(an * 64, bits), b = word_ceil_div(bn * 64, bits);
        const uint64_t least = a < b ? a : b;
        const bool balanced = bits == 64 && 2 * bits + lg_up(terms * least) > LG_COEFFICIENT;
        const unsigned count = lg_up(terms * (least + (balanced && terms > 1 ? 2 : 0)));
        if (2 * (bits - (balanced ? 1 : 0)) + count <= LG_COEFFICIENT) {
            *plan = (fft_modular_plan){
                .a_digits = a, .b_digits = b, .digit_bits = bits, .balanced = balanced};
            return true;
        }
    }
    return false;
}

// tile: threads of a piece in the inverse columns and points of its tile, as logarithms: those of
// modular_tables.cuh. All 0 where there are no kernels.
typedef struct {
    unsigned char threads, points;
} tile;

static tile tile_of(unsigned lg_rows, unsigned lg_columns) {
    static const tile short_rows[LG_ROWS_MAX + 1] = {
        [4] = {7, 9}, [5] = {6, 9}, [6] = {6, 9}, [7] = {7, 10}, [8] = {8, 11}, [9] = {8, 11}};
    static const tile middle_rows[LG_ROWS_MAX + 1] = {
        [6] = {6, 9}, [7] = {6, 10}, [8] = {7, 11}, [9] = {7, 11}};
    static const tile long_rows[LG_ROWS_MAX + 1] = {
        [6] = {6, 9},   [7] = {6, 10},  [8] = {7, 11},  [9] = {7, 11},
        [10] = {8, 12}, [11] = {9, 13}, [12] = {10, 14}};
    const tile none = {0, 0};
    return lg_rows > LG_ROWS_MAX                 ? none
           : lg_columns == FFT_MODULAR_LG_SHORT  ? short_rows[lg_rows]
           : lg_columns == FFT_MODULAR_LG_MIDDLE ? middle_rows[lg_rows]
           : lg_columns == FFT_MODULAR_LG_LONG   ? long_rows[lg_rows]
                                                 : none;
}

static bool has_kernels(unsigned pieces, unsigned lg_rows, unsigned lg_columns) {
    return pieces >= 1 && pieces <= FFT_MODULAR_PIECES && tile_of(lg_rows, lg_columns).points > 0;
}

static bool apart(unsigned pieces, unsigned lg_rows, unsigned lg_columns) {
    const tile t = tile_of(lg_rows, lg_columns);
    return pieces << t.threads > 1u << LG_BLOCK_THREADS || pieces << t.points > BLOCK_POINTS;
}

bool fft_modular_apart(const fft_modular_plan *plan) {
    return plan->lg_outer > 0 || apart(plan->pieces, plan->lg_rows, plan->lg_columns);
}

// cost: what a shape costs, in arbitrary units: its points, and in hundredths of them what pieces
// cost that are not two (one: the zeros of the upper half are transformed too; more: folding and
// the join), rows of another length than the fastest, pieces that are joined apart, and an outer
// pass; by records of an H200.
static uint64_t cost(unsigned pieces, unsigned lg_outer, unsigned lg_rows, unsigned lg_columns) {
    static const unsigned char join[FFT_MODULAR_PIECES + 1] = {0, 8, 0, 15, 15, 36, 30, 50};
    const unsigned lg = lg_rows + lg_columns;
    const unsigned fastest = lg >= LG_LONG_FROM     ? FFT_MODULAR_LG_LONG
                             : lg >= LG_MIDDLE_FROM ? FFT_MODULAR_LG_MIDDLE
                                                    : FFT_MODULAR_LG_SHORT;
    const unsigned more =
        (lg_columns == fastest ? 0U : 10U) + (lg_outer > 0                         ? 45U
                                              : apart(pieces, lg_rows, lg_columns) ? 12U
                                                                                   : 0U);
    return (100U + join[pieces] + more) * ((uint64_t)pieces << lg << lg_outer);
}

static bool plan_start(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t terms) {
    assert(an >= 1 && bn >= 1 && terms >= 1);
    return an <= (uint64_t)1 << LG_POINTS_MAX && bn <= (uint64_t)1 << LG_POINTS_MAX &&
           terms <= (uint64_t)1 << LG_POINTS_MAX && plan_digits(plan, an, bn, terms);
}

// try_shape gives the plan a shape. False if it has no kernels or too few points.
static bool try_shape(fft_modular_plan *plan, unsigned pieces, unsigned lg_outer, unsigned lg_rows,
                      unsigned lg_columns) {
    plan->pieces = pieces;
    plan->lg_outer = lg_outer;
    plan->lg_rows = lg_rows;
    plan->lg_columns = lg_columns;
    return has_kernels(pieces, lg_rows, lg_columns) && lg_outer <= FFT_MODULAR_LG_OUTER &&
           (!plan->balanced || lg_rows >= FFT_MODULAR_BALANCED_LG_ROWS) &&
           plan->a_digits + plan->b_digits - 1 <= fft_modular_points(plan);
}

bool fft_modular_plan_forced(fft_modular_plan *plan, uint64_t an, uint64_t bn, unsigned pieces,
                             unsigned lg_outer, unsigned lg_rows, unsigned lg_columns) {
    return plan_start(plan, an, bn, 1) && try_shape(plan, pieces, lg_outer, lg_rows, lg_columns);
}

bool fft_modular_plan_limbs(fft_modular_plan *plan, uint64_t an, uint64_t bn) {
    return fft_modular_plan_sum(plan, an, bn, 1);
}

bool fft_modular_plan_sum(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t terms) {
    fft_modular_plan p;
    if (!plan_start(&p, an, bn, terms)) {
        return false;
    }
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < FFT_MODULAR_PIECES * (FFT_MODULAR_LG_OUTER + 1); i++) {
        const unsigned pieces = i % FFT_MODULAR_PIECES + 1, outer = i / FFT_MODULAR_PIECES;
        const unsigned rows_from = outer > 0 ? LG_OUTER_ROWS : LG_ROWS_MIN;
        const unsigned lg_from = outer > 0 ? FFT_MODULAR_LG_LONG : FFT_MODULAR_LG_SHORT;
        for (unsigned lg_rows = rows_from; lg_rows <= LG_ROWS_MAX; lg_rows++) {
            for (unsigned lg = lg_from; lg <= FFT_MODULAR_LG_LONG; lg += 2) {
                if (try_shape(&p, pieces, outer, lg_rows, lg) &&
                    cost(pieces, outer, lg_rows, lg) < best) {
                    best = cost(pieces, outer, lg_rows, lg);
                    *plan = p;
                }
            }
        }
    }
    return best != UINT64_MAX;
}
