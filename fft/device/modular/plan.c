// plan.c: from operand lengths to the shape of a convolution on a device; pure functions,
// integers only. May include costs.h and primitives/.
#include <assert.h>

#include "fft/device/modular/convolution.h"
#include "fft/device/modular/costs.h"
#include "primitives/words/word.h"

enum {
    LG_ROWS_MIN = 4,
    LG_ROWS_MAX = 12,
    LG_POINTS_MAX = 31,
    // Points of a piece of one block that keep it busy, as a logarithm.
    LG_WHOLE_FULL = 10,
    LG_OUTER_ROWS = 8,  // of a part, where there is an outer pass
    LG_OUTER_ROWS_MAX = 9,
    // Limbs of both operands from which plans choose among numbers of primes: below that
    // remaindering modulo more takes what shorter transforms save.
    LIMBS_LONG = 1 << 21,
    // Words are prefetched from this many points on, which leave no words in the device's cache,
    // and in columns of up to this many rows, as logarithms: by trials on an H200.
    LG_ASKS_FROM = 21,
    LG_ASKS_ROWS = 10,
    // Points from which launches are spread over three branches, over two, and over none, by trials
    // on an H200: with fewer a launch more costs what it gains, with more they gain nothing. Groups
    // of more than three primes: 4 to 5 % at 2^21 points, 2 to 4 % at 2^22.
    POINTS_OF_THREE = 3 << 17,
    POINTS_OF_TWO = 1 << 21,
    POINTS_OF_NONE = 1 << 23,
    LG_WRAPPED = 2,  // at most points / 2^2 coefficients are found apart
    // Hundredths of a product's time by its shape that a high convolution takes, with all that its
    // launches cost a product: 118 to 142 by records of commit 90b4151, of products an eighth
    // longer than 2^24, 2^26, 2^27 and 2^28 bits; 106 by commit ec2f055, 2^26 and 2^27.
    HIGH_COST = 140,
    // In one of three branches: 52 to 88 by trials of products a sixteenth and an eighth longer
    // than 2^24 and 2^25 bits; more here, since other shapes gain by branches too.
    HIGH_BRANCH_COST = 90,
    // Picoseconds a point of a join behind an outer pass: 16 bytes a prime at 4.1 TB/s.
    JOIN_COST = 12,
    // More primes have more tables to make and to keep: they must gain one part in this many.
    MORE_PRIMES_GAIN = 200,
    // Of the inverse columns: threads of a block, as a logarithm; points in its shared memory.
    LG_BLOCK_THREADS = 10,
    BLOCK_POINTS = 28 << 10,
};

static_assert(3 + FFT_MODULAR_LG_OUTER + LG_OUTER_ROWS_MAX + FFT_MODULAR_LG_LONG <= 32,
              "turns of pieces are multiples of 2^-3, those of their parts' points of 2^-32");

// lg_up: the least k with 2^k >= n.
static unsigned lg_up(uint64_t n) {
    unsigned k = 0;
    while (((uint64_t)1 << k) < n) {
        k++;
    }
    return k;
}

// Coefficients modulo this many primes are within 2^lg_coefficient, balanced within (1 + 2^-21) of
// that: half the primes' product is above 1.009 2^148, 1.591 2^197, 1.253 2^247, 1.964 2^296
// (docs/proofs/modular_device.md).
static const unsigned lg_coefficient[FFT_MODULAR_PRIMES + 1] = {
    [3] = 148, [4] = 197, [5] = 247, [6] = 296};
unsigned fft_modular_lg_coefficient(unsigned primes) { return lg_coefficient[primes]; }

// least_bits: of digits that recombination takes; 2^32 digits are exact with 58, 82, 107 and 128.
static const unsigned least_bits[FFT_MODULAR_PRIMES + 1] = {
    [3] = 52, [4] = 65, [5] = 65, [6] = 128};

// digits_of: digits of up to `most` bits. Modulo three primes it takes whole words if that is
// exact, balanced if necessary, else the widest digits that are exact. A balanced digit is
// within 2^63, the last one within 2^64, so a coefficient of count >= 2 products is within
// (count + 2) 2^126. A sum of t terms is within t times that; the margin of lg_coefficient is for
// one.
static bool digits_of(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t terms,
                      unsigned primes, unsigned most) {
    assert(an >= 1 && bn >= 1 && terms >= 1);
    assert(primes >= FFT_PRIMES_USED && primes <= FFT_MODULAR_PRIMES);
    if (an > (uint64_t)1 << LG_POINTS_MAX || bn > (uint64_t)1 << LG_POINTS_MAX ||
        terms > (uint64_t)1 << LG_POINTS_MAX ||
        (primes > FFT_PRIMES_USED && an + bn > (uint64_t)1 << LG_POINTS_MAX)) {
        return false;
    }
    const unsigned lg = lg_coefficient[primes];
    for (unsigned bits = most; bits >= least_bits[primes]; bits--) {
        const uint64_t a = word_ceil_div(an * 64, bits), b = word_ceil_div(bn * 64, bits);
        const uint64_t least = a < b ? a : b;
        const bool balanced = bits == 64 && 2 * bits + lg_up(terms * least) > lg;
        const unsigned count = lg_up(terms * (least + (balanced && terms > 1 ? 2 : 0)));
        if (2 * (bits - (balanced ? 1 : 0)) + count <= lg) {
            *plan = (fft_modular_plan){.a_digits = a,
                                       .b_digits = b,
                                       .primes = primes,
                                       .digit_bits = bits,
                                       .balanced = balanced};
            return true;
        }
    }
    return false;
}

// digits_kind: digits of up to `most` bits modulo that many primes. Each kind takes the widest
// digits that are exact, except digits of two words.
typedef struct {
    unsigned primes, most;
} digits_kind;

static const digits_kind kinds[] = {
    {3, 64}, {4, FFT_MODULAR_TWO_CHUNKS}, {5, FFT_MODULAR_THREE_CHUNKS}, {6, 128}};
enum { KINDS = sizeof kinds / sizeof *kinds };

// tile: threads of a piece in the inverse columns and points of its tile, as logarithms; spread:
// whether tiles of columns, or of two pieces, are spread over clusters; apart: whether tiles of
// other pieces are, which then share no block. As in tables.cuh; all 0 if there are no kernels.
typedef struct {
    unsigned char threads, points;
    bool spread, apart;
} tile;

static tile tile_of(unsigned lg_rows, unsigned lg_columns) {
    static const tile short_rows[LG_ROWS_MAX + 1] = {
        [4] = {7, 9, false, false},  [5] = {6, 9, false, false},  [6] = {6, 9, false, false},
        [7] = {7, 10, false, false}, [8] = {8, 11, false, false}, [9] = {8, 11, false, false},
        [10] = {8, 12, true, false}, [11] = {10, 14, true, true}};
    static const tile middle_rows[LG_ROWS_MAX + 1] = {[6] = {6, 9, false, false},
                                                      [7] = {6, 10, false, false},
                                                      [8] = {7, 11, false, false},
                                                      [9] = {7, 11, false, false}};
    static const tile long_rows[LG_ROWS_MAX + 1] = {
        [6] = {6, 9, false, false},  [7] = {6, 10, false, false}, [8] = {7, 11, false, false},
        [9] = {7, 11, false, false}, [10] = {8, 12, true, false}, [11] = {9, 13, true, false},
        [12] = {10, 14, true, true}};
    const tile none = {0, 0, false, false};
    return lg_rows > LG_ROWS_MAX                 ? none
           : lg_columns == FFT_MODULAR_LG_SHORT  ? short_rows[lg_rows]
           : lg_columns == FFT_MODULAR_LG_MIDDLE ? middle_rows[lg_rows]
           : lg_columns == FFT_MODULAR_LG_LONG   ? long_rows[lg_rows]
                                                 : none;
}

// has_parts: whether parts of an outer pass have kernels of columns. Those of short rows are for
// tests.
static bool has_parts(unsigned lg_rows, unsigned lg_columns) {
    const unsigned least = lg_columns == FFT_MODULAR_LG_LONG    ? LG_OUTER_ROWS
                           : lg_columns == FFT_MODULAR_LG_SHORT ? LG_ROWS_MIN
                                                                : LG_ROWS_MAX + 1;
    return lg_rows >= least && lg_rows <= LG_OUTER_ROWS_MAX;
}

static bool has_kernels(unsigned pieces, unsigned lg_outer, unsigned lg_rows, unsigned lg_columns) {
    if (lg_columns == 0) {
        const unsigned least = FFT_MODULAR_LG_WHOLE_LEAST + (pieces == 4 ? 1 : 0);
        return (pieces == 1 || pieces == 2 || pieces == 4) && lg_outer == 0 && lg_rows >= least &&
               lg_rows <= FFT_MODULAR_LG_WHOLE_MOST;
    }
    return pieces >= 1 && pieces <= FFT_MODULAR_PIECES && lg_outer <= FFT_MODULAR_LG_OUTER &&
           (lg_outer > 0 ? has_parts(lg_rows, lg_columns)
                         : tile_of(lg_rows, lg_columns).points > 0);
}

bool fft_modular_apart(const fft_modular_plan *plan) {
    const unsigned pieces = plan->pieces;
    const tile t = tile_of(plan->lg_rows, plan->lg_columns);
    return plan->lg_outer > 0 ||
           (pieces != 2 && (t.apart || pieces << t.threads > 1u << LG_BLOCK_THREADS ||
                            pieces << t.points > BLOCK_POINTS));
}

// cost: what a product of a shape that has kernels takes, in ps / 300; UINT64_MAX of one that was
// not measured. Below 2^60: at most 2^31 points, of 2^17 ps by the table's types, and below 6 512
// hundredths modulo more primes.
static uint64_t cost(unsigned primes, unsigned pieces, unsigned lg_outer, unsigned lg_rows,
                     unsigned lg_columns) {
    const unsigned columns = (lg_columns - FFT_MODULAR_LG_SHORT) / 2;
    const uint64_t of_point = modular_point_cost[columns][lg_rows][pieces - 1];
    const uint64_t points = (uint64_t)pieces << (lg_rows + lg_columns + lg_outer);
    uint64_t hundredths = 100;
    if (primes > FFT_PRIMES_USED) {  // measured of long columns; others where none fit
        const unsigned unknown = lg_columns == FFT_MODULAR_LG_LONG ? 1 : 2;
        // An outer pass reads digits as the longest columns do: of six primes 96 to 99 hundredths
        // by trials of 2^31 to 2^33 bits.
        const unsigned rows = lg_outer > 0 ? LG_ROWS_MAX : lg_rows;
        hundredths = unknown * modular_primes_cost[primes][rows][(pieces < 3 ? pieces : 3) - 1];
    }
    const uint64_t outer = modular_outer_cost[lg_outer][lg_rows];
    const uint64_t join = lg_outer > 0 && pieces > 2 ? JOIN_COST : 0;
    const bool measured = of_point > 0 && (lg_outer == 0 || outer > 0);
    const uint64_t all = points * (of_point + outer + join) * hundredths * primes;
    return !measured || all == 0 ? UINT64_MAX : all;
}

static uint64_t count_of(const fft_modular_plan *plan) {
    return plan->a_digits + plan->b_digits - 1;
}

// may_wrap: whether that many coefficients beyond the points are found apart: 1, 2 and 4 pieces are
// cyclic together, and both operands have digits that all of those depend on.
static bool may_wrap(const fft_modular_plan *plan, uint64_t beyond) {
    const uint64_t points = fft_modular_points(plan);
    return (plan->pieces & (plan->pieces - 1)) == 0 && beyond <= points >> LG_WRAPPED &&
           plan->a_digits < points && plan->b_digits < points;
}

// branches_of: launches know three primes, and groups of more have a branch each, unless something
// wraps around: then they follow one another.
static unsigned branches_of(const fft_modular_plan *plan, uint64_t points) {
    const bool groups = plan->primes > FFT_PRIMES_USED;
    const bool none = points < POINTS_OF_THREE || points >= POINTS_OF_NONE;
    return none || (groups && plan->wrapped > 0) ? 1 : groups || points >= POINTS_OF_TWO ? 2 : 3;
}

// set_shape gives the plan a shape. False if it has no kernels or too few points.
static bool set_shape(fft_modular_plan *plan, unsigned pieces, unsigned lg_outer, unsigned lg_rows,
                      unsigned lg_columns) {
    plan->pieces = pieces;
    plan->lg_outer = lg_outer;
    plan->lg_rows = lg_rows;
    plan->lg_columns = lg_columns;
    const bool whole = lg_columns == 0, spread = tile_of(lg_rows, lg_columns).spread;
    if (!has_kernels(pieces, lg_outer, lg_rows, lg_columns) || (spread && !plan->clusters) ||
        ((plan->balanced || plan->digit_bits > 64) && lg_rows < FFT_MODULAR_LONG_LG_ROWS)) {
        return false;
    }
    const uint64_t count = count_of(plan), points = fft_modular_points(plan);
    plan->wrapped = count > points ? count - points : 0;
    plan->asks_ahead =
        lg_outer == 0 && lg_rows <= LG_ASKS_ROWS && points >= (uint64_t)1 << LG_ASKS_FROM;
    plan->branches = branches_of(plan, points);
    // Whole pieces have a place for each limb, others for each coefficient.
    return whole ? count < points : plan->wrapped == 0 || may_wrap(plan, plan->wrapped);
}

// fastest: the fastest shape for the plan's digits that wraps nothing around; its cost, UINT64_MAX
// if there is none. Of each number of pieces and columns the fewest rows that are enough.
static uint64_t fastest(fft_modular_plan *plan) {
    fft_modular_plan p = *plan;
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < FFT_MODULAR_PIECES * (FFT_MODULAR_LG_OUTER + 1); i++) {
        const unsigned pieces = i % FFT_MODULAR_PIECES + 1, outer = i / FFT_MODULAR_PIECES;
        const unsigned lg_from = outer > 0 ? FFT_MODULAR_LG_LONG : FFT_MODULAR_LG_SHORT;
        for (unsigned lg = lg_from; lg <= FFT_MODULAR_LG_LONG; lg += 2) {
            unsigned rows = outer > 0 ? LG_OUTER_ROWS : LG_ROWS_MIN;
            while (rows <= LG_ROWS_MAX &&
                   (!set_shape(&p, pieces, outer, rows, lg) || p.wrapped > 0)) {
                rows++;
            }
            if (rows <= LG_ROWS_MAX && cost(plan->primes, pieces, outer, rows, lg) < best) {
                best = cost(plan->primes, pieces, outer, rows, lg);
                *plan = p;
            }
        }
    }
    return best;
}

// plan_high: the high convolution of a plan that wraps coefficients around; its cost. Coefficient
// points + j >= points needs digits i >= points - (b_digits - 1) of a, and of b likewise. They
// begin with a word, whole ones one lower: a balanced digit takes the sign of the word below, which
// the first one has not.
static uint64_t plan_high(fft_modular_plan *high, const fft_modular_plan *plan) {
    const uint64_t points = fft_modular_points(plan), whole = plan->digit_bits == 64;
    const uint64_t a = points - (plan->b_digits - 1), b = points - (plan->a_digits - 1);
    assert(a >= 1 && b >= 1 && a < plan->a_digits && b < plan->b_digits);
    *high = *plan;
    high->a_first = whole ? a - 1 : a / 64 * 64;
    high->b_first = whole ? b - 1 : b / 64 * 64;
    high->a_digits = plan->a_digits - high->a_first;
    high->b_digits = plan->b_digits - high->b_first;
    const uint64_t own = fastest(high);
    const uint64_t hundredths = plan->branches == 3 ? HIGH_BRANCH_COST : HIGH_COST;
    return own == UINT64_MAX ? UINT64_MAX : own / 100 * hundredths;
}

bool fft_modular_plan_digits(fft_modular_plan *plan, uint64_t an, uint64_t bn, unsigned primes,
                             unsigned most) {
    for (const digits_kind *kind = kinds; kind < kinds + KINDS; kind++) {
        if (kind->primes == primes) {
            const unsigned bits = most < kind->most ? most : kind->most;
            const bool exact = digits_of(plan, an, bn, 1, primes, bits);
            plan->clusters = true;
            return exact;
        }
    }
    return false;
}

bool fft_modular_plan_shape(fft_modular_plan *plan, fft_modular_plan *high) {
    return set_shape(plan, plan->pieces, plan->lg_outer, plan->lg_rows, plan->lg_columns) &&
           (plan->wrapped == 0 || plan_high(high, plan) != UINT64_MAX);
}

// fastest_wrapping: the same with shapes that wrap coefficients around, where that is faster than
// `best`.
static uint64_t fastest_wrapping(fft_modular_plan *plan, fft_modular_plan *high, uint64_t best) {
    fft_modular_plan p = *plan, p_high;
    for (unsigned i = 0; i < 3 * (FFT_MODULAR_LG_OUTER + 2); i++) {
        const unsigned pieces = 1U << i % 3, outer = i < 6 ? 0 : i / 3 - 1;
        const unsigned lg = i < 3 ? FFT_MODULAR_LG_MIDDLE : FFT_MODULAR_LG_LONG;
        for (unsigned rows = outer > 0 ? LG_OUTER_ROWS : LG_ROWS_MIN; rows <= LG_ROWS_MAX; rows++) {
            const uint64_t cyclic = cost(plan->primes, pieces, outer, rows, lg);
            if (cyclic < best && set_shape(&p, pieces, outer, rows, lg) && p.wrapped > 0) {
                const uint64_t of_high = plan_high(&p_high, &p);
                if (of_high < best - cyclic) {
                    best = cyclic + of_high;
                    *plan = p;
                    *high = p_high;
                }
            }
        }
    }
    return best;
}

uint64_t fft_modular_plan_fastest(fft_modular_plan *plan, fft_modular_plan *high) {
    const uint64_t own = fastest(plan);
    return high == NULL ? own : fastest_wrapping(plan, high, own);
}

// plan_any: the fastest plan with digits of any kind. primes: how many primes it takes; 0: three,
// or more for long operands. It may wrap coefficients around unless high is NULL.
static bool plan_any(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an, uint64_t bn,
                     uint64_t terms, unsigned primes, bool clusters) {
    uint64_t best = UINT64_MAX;
    for (const digits_kind *kind = kinds; kind < kinds + KINDS; kind++) {
        fft_modular_plan p, p_high = {0};
        const bool asked =
            primes != 0 ? kind->primes == primes : kind == kinds || an + bn >= LIMBS_LONG;
        if (!asked || !digits_of(&p, an, bn, terms, kind->primes, kind->most)) {
            continue;
        }
        p.clusters = clusters;
        const uint64_t own = fft_modular_plan_fastest(&p, high == NULL ? NULL : &p_high);
        if (own < best - best / MORE_PRIMES_GAIN) {
            best = own;
            *plan = p;
            if (high != NULL) {
                *high = p_high;
            }
        }
    }
    return best != UINT64_MAX;
}

bool fft_modular_plan_limbs(fft_modular_plan *plan, fft_modular_plan *high, uint64_t an,
                            uint64_t bn, unsigned primes, bool clusters) {
    return plan_any(plan, high, an, bn, 1, primes, clusters);
}

bool fft_modular_plan_sum(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t terms,
                          unsigned primes, bool clusters) {
    return plan_any(plan, NULL, an, bn, terms, primes, clusters);
}

uint64_t fft_modular_plan_cost(const fft_modular_plan *plan) {
    return cost(plan->primes, plan->pieces, plan->lg_outer, plan->lg_rows, plan->lg_columns);
}

bool fft_modular_plan_whole(fft_modular_plan *plan, uint64_t an, uint64_t bn, unsigned blocks) {
    const unsigned primes = FFT_PRIMES_USED;
    if (!digits_of(plan, an, bn, 1, primes, 64)) {
        return false;
    }
    const unsigned lg = lg_up(plan->a_digits + plan->b_digits);
    // Pieces of up to 2^LG_WHOLE_FULL points take about the same time, so that more blocks pay only
    // above that.
    unsigned lg_pieces = lg <= LG_WHOLE_FULL ? 0 : lg == LG_WHOLE_FULL + 1 ? 1 : 2;
    while (lg_pieces > 0 && primes << lg_pieces > blocks) {
        lg_pieces--;
    }
    const unsigned least = FFT_MODULAR_LG_WHOLE_LEAST + lg_pieces;
    return primes << lg_pieces <= blocks &&
           set_shape(plan, 1U << lg_pieces, 0, (lg > least ? lg : least) - lg_pieces, 0);
}
