// plan.c: from operand lengths to the shape of a convolution; pure functions, integers only. May
// include primitives/.
#include <assert.h>

#include "fft/modular/fft.h"
#include "primitives/words/modarith.h"
#include "primitives/words/word.h"

enum {
    LG_POINTS_MIN = 6,    // a whole leaf of every variant
    LG_COLUMNS_MIN = 8,   // where there are as many points: a leaf and one pass at least
    LG_COLUMNS_MAX = 16,  // a row of both operands and its twiddles, 1.4 MiB, stay in the L2 cache
    // Columns of one pass: forward its half of zeros takes no level, and back to 16 rows are one.
    LG_ROWS = 5,
    LG_ROWS_FEW = 4,
    ROWS_WASTE = 32,   // so few rows only if they round sizes up by at most 1 / ROWS_WASTE
    LG_ROWS_EACH = 2,  // at least, for each thread
    LG_ROWS_MAX = 12,
    LG_STRIP_MIN = 3,  // one cache line
    LG_STRIP_MAX = 6,
    LG_BUFFER = 17,      // doubles in a strip buffer where the rows allow: 1 MiB
    LG_POINTS_MAX = 31,  // roots of order 2^32 exist; twiddle indices stay below 2^31
    PADDING_FROM = 512,  // columns
    PADDING = 16,        // doubles
    LG_UNIT = 6,
};
_Static_assert(1 << LG_UNIT == FFT_UNIT && LG_UNIT <= LG_POINTS_MIN, "every plan has whole units");

// plan_columns: the logarithm of a row's length for that many digits, at most 2^lg.
static unsigned plan_columns(fft_shape shape, uint64_t digits, unsigned lg) {
    if (lg <= LG_COLUMNS_MIN + LG_ROWS_FEW) {
        return lg < LG_COLUMNS_MIN ? lg : LG_COLUMNS_MIN;
    }
    unsigned columns = lg - LG_ROWS;
    if (lg <= shape.row + shape.rows) {
        const uint64_t waste = -digits & (((uint64_t)2 << columns) - 1);
        columns += waste <= digits / ROWS_WASTE;
        columns = columns < shape.row ? columns : shape.row;
    }
    if (columns + shape.team + LG_ROWS_EACH > lg) {
        columns = lg < LG_COLUMNS_MIN + shape.team + LG_ROWS_EACH ? LG_COLUMNS_MIN
                                                                  : lg - shape.team - LG_ROWS_EACH;
    }
    if (columns > LG_COLUMNS_MAX) {
        columns = lg > LG_COLUMNS_MAX + LG_ROWS_MAX ? lg - LG_ROWS_MAX : LG_COLUMNS_MAX;
    }
    return columns;
}

uint64_t fft_row_stride(uint64_t columns) {
    return columns >= PADDING_FROM ? columns + PADDING : columns;
}

static void plan_shape(fft_plan *plan, fft_shape shape, uint64_t digits) {
    unsigned lg = LG_POINTS_MIN;
    while ((uint64_t)1 << lg < digits) {
        lg++;
    }
    const unsigned columns = plan_columns(shape, digits, lg);
    plan->lg_columns = columns;
    plan->lg_rows = lg - columns;
    plan->rows = word_ceil_div(digits, (uint64_t)1 << columns);
    const unsigned most = columns < LG_STRIP_MAX ? columns : LG_STRIP_MAX;
    const unsigned fits =
        plan->lg_rows + LG_STRIP_MIN < LG_BUFFER ? LG_BUFFER - plan->lg_rows : LG_STRIP_MIN;
    plan->lg_strip = fits < most ? fits : most;
    plan->row_stride = fft_row_stride((uint64_t)1 << columns);
}

// plan_fits: count * max^2 < p0 p1 p2, where count is the number of products in one coefficient and
// max the largest digit. The product of the three primes is above 2^149
// (docs/proofs/check_constants.py). With max <= 2^bits and count <= 2^c that is 2 bits + c <= 149;
// for a radix that is no power of two the sum is taken in 2^-32 steps.
static bool plan_fits_bits(uint64_t count, unsigned bits) {
    unsigned c = 0;
    while ((uint64_t)1 << c < count) {
        c++;
    }
    return 2 * bits + c <= 149;
}

static bool plan_fits_radix(uint64_t count, uint64_t radix) {
    // count radix^2 <= 2^149, from radix^2 <= 2^128 in exact arithmetic: count * ceil(radix^2 /
    // 2^64) <= 2^85
    const word_pair square = (word_pair)radix * radix;
    const uint64_t high = (uint64_t)(square >> 64) + 1;
    return (word_pair)count * high <= (word_pair)1 << 85;
}

bool fft_plan_limbs(fft_plan *plan, fft_shape shape, uint64_t an, uint64_t bn) {
    assert(an >= 1 && bn >= 1);
    if (an > (uint64_t)1 << LG_POINTS_MAX || bn > (uint64_t)1 << LG_POINTS_MAX) {
        return false;
    }
    for (unsigned bits = 64; bits >= 32; bits--) {
        const uint64_t a = word_ceil_div(an * 64, bits), b = word_ceil_div(bn * 64, bits);
        if (plan_fits_bits(a < b ? a : b, bits)) {
            *plan = (fft_plan){.a_digits = a, .b_digits = b, .digit_bits = bits};
            plan_shape(plan, shape, a + b);
            return fft_plan_lg(plan) <= LG_POINTS_MAX;
        }
    }
    return false;
}

// bias_residue: 2^lg 2^(FFT_SUM_BITS - w) (2^w - 1) mod p, balanced; set_bias: for every prime.
static double bias_residue(const fft_plan *plan, uint64_t p) {
    const unsigned e = fft_plan_lg(plan) + FFT_SUM_BITS;
    const uint64_t high = mod_pow(2, e, p), low = mod_pow(2, e - plan->digit_bits, p);
    return (double)mod_balance(high < low ? high + p - low : high - low, p);
}

static void set_bias(fft_plan *plan) {
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        plan->bias[i] = bias_residue(plan, (uint64_t)fft_primes[i].p);
    }
}

bool fft_plan_sum(fft_plan *plan, fft_shape shape, uint64_t limbs, uint64_t shorter,
                  uint64_t terms) {
    const uint64_t most = (uint64_t)1 << LG_POINTS_MAX;
    assert(shorter >= 1 && shorter <= limbs / 2 && terms >= 1);
    if (limbs > most || terms > most) {
        return false;
    }
    for (unsigned bits = 64; bits >= 32; bits--) {
        // Two operands may end in a digit each that is not full.
        const uint64_t digits = word_ceil_div(limbs * 64, bits) + (bits < 64);
        const uint64_t b = word_ceil_div(shorter * 64, bits);
        // Twice the products: of both signs. No overflow: b <= 2^31.
        if (plan_fits_bits(2 * terms * b, bits)) {
            *plan = (fft_plan){.a_digits = digits - b, .b_digits = b, .digit_bits = bits};
            plan_shape(plan, shape, digits);
            set_bias(plan);
            return fft_plan_lg(plan) <= LG_POINTS_MAX;
        }
    }
    return false;
}

bool fft_plan_ring(fft_plan *plan, fft_shape shape, uint64_t bits, bool negacyclic) {
    // Twice the points have twiddles for node 1.
    for (unsigned lg = LG_POINTS_MIN; lg + negacyclic <= LG_POINTS_MAX; lg++) {
        const uint64_t n = (uint64_t)1 << lg, width = bits >> lg;
        if (width << lg != bits || width == 0) {
            return false;
        }
        // A coefficient has n products; as those of a sum, of both signs where it is negacyclic.
        if (width <= 64 && plan_fits_bits(n << negacyclic, (unsigned)width)) {
            *plan = (fft_plan){
                .a_digits = n, .b_digits = n, .digit_bits = (unsigned)width, .node = negacyclic};
            plan_shape(plan, shape, n);
            if (negacyclic) {
                set_bias(plan);
            }
            return true;
        }
    }
    return false;
}

bool fft_plan_words(fft_plan *plan, fft_shape shape, uint64_t a_words, uint64_t b_words,
                    uint64_t radix) {
    assert(a_words >= 1 && b_words >= 1);
    const uint64_t count = a_words < b_words ? a_words : b_words;
    if (a_words > (uint64_t)1 << LG_POINTS_MAX || b_words > (uint64_t)1 << LG_POINTS_MAX ||
        !(radix == 0 ? plan_fits_bits(count, 64) : plan_fits_radix(count, radix))) {
        return false;
    }
    *plan = (fft_plan){.a_digits = a_words, .b_digits = b_words, .digit_bits = 64};
    plan_shape(plan, shape, a_words + b_words);
    return fft_plan_lg(plan) <= LG_POINTS_MAX;
}

fft_digits fft_plan_digits(const fft_plan *plan, const uint64_t *words, uint64_t words_n) {
    return (fft_digits){
        .words = words,
        .words_n = words_n,
        .count = word_ceil_div(words_n * 64, plan->digit_bits),
        .bits = plan->digit_bits,
    };
}

uint64_t fft_plan_plane_bytes(const fft_plan *plan) {
    return plan->rows * plan->row_stride * sizeof(double);
}

uint64_t fft_plan_buffer_bytes(const fft_plan *plan) {
    return ((uint64_t)1 << (plan->lg_rows + plan->lg_strip)) * sizeof(double);
}

// --- Parts ---

// Columns meet in the column transforms only with their own rows, so the number of columns is free.
fft_plan fft_plan_unit(const fft_plan *plan, uint64_t row_stride) {
    fft_plan unit = *plan;
    assert(plan->lg_columns >= LG_UNIT && plan->lg_strip <= LG_UNIT);
    unit.lg_columns = LG_UNIT;
    unit.row_stride = row_stride;
    return unit;
}

// Row r hangs on its node of the tree.
fft_plan fft_plan_row(const fft_plan *plan, uint64_t r) {
    fft_plan row = *plan;
    assert(r < plan->rows);
    row.node = (plan->node << plan->lg_rows) + (unsigned)r;
    row.lg_rows = 0;
    row.rows = 1;
    return row;
}

fft_digits fft_unit_digits(const fft_plan *plan, const uint64_t *words, uint64_t rows) {
    return (fft_digits){.words = words,
                        .words_n = rows * plan->digit_bits,
                        .count = rows * FFT_UNIT,
                        .bits = plan->digit_bits};
}
