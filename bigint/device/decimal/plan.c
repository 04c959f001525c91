// plan.c: see plan.h. Sections: docs/proofs/complex_fft.md.
#include "bigint/device/decimal/plan.h"

#include "bigint/device/decimal/tiled.h"
#include "fft/complex/bound.h"
#include "primitives/words/word.h"

enum {
    TILED_K_MAX = 2,          // digits are bytes
    TILED_PAIRS_LEAST = 256,  // as measured: bench/records/h200/h200-decimal.jsonl, field tile
    TILED_LG_COEFFICIENT = 31,
    // From frequencies of pairs to frequencies of reals or back (section 4.8): roundings besides
    // the root's error, and the products by constants that make it of a root of fft_root's or
    // Root's.
    SPECTRUM_FORWARD = 4 * FFT_BOUND_ROUNDING,
    SPECTRUM_INVERSE = 6 * FFT_BOUND_ROUNDING,
    SPECTRUM_PRODUCTS = 2 * (FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED),
    // A balanced number's top digit is up to D = 2 D / 2: as three digits more (section 6).
    TOP_DIGITS = 3,
};

static uint64_t power_of_ten(unsigned k) {
    uint64_t power = 1;
    while (k-- > 0) {
        power *= 10;
    }
    return power;
}

static uint64_t shorter(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- Tiles ---------------------------------------------------------------------------------------

static uint64_t whole_tiles(uint64_t digits, unsigned lg) {
    return word_ceil_div(digits, UINT64_C(1) << lg) << lg;
}

// plan_tiled: the largest tile of which there are still enough pairs.
static const char *plan_tiled(decimal_plan *plan, uint64_t a_digits, uint64_t b_digits) {
    const uint64_t largest = power_of_ten(plan->way.k) - 1;
    if (plan->way.k > TILED_K_MAX || a_digits > DECIMAL_TILED_DIGITS_MOST ||
        b_digits > DECIMAL_TILED_DIGITS_MOST) {
        return "digits are too many, or too large, for tiled convolution";
    }
    if (shorter(a_digits, b_digits) * largest * largest >> TILED_LG_COEFFICIENT != 0) {
        return "coefficients of tiled convolution could exceed 31 bits";
    }
    unsigned lg = DECIMAL_TILED_LG_MOST;
    while (lg > DECIMAL_TILED_LG_LEAST &&
           (a_digits >> lg) * (b_digits >> lg) * plan->form.rows < TILED_PAIRS_LEAST) {
        lg--;
    }
    plan->lg_tile = lg;
    plan->form.number = DECIMAL_BYTE;
    plan->form.points = whole_tiles(a_digits, lg);
    plan->b_points = whole_tiles(b_digits, lg);
    plan->proved = true;
    return NULL;
}

// --- Transforms ----------------------------------------------------------------------------------

// transform_of: the transform that was tuned for this form; NULL, or why there is none.
static const char *transform_of(fft_id_plan *transform, const decimal_form *form,
                                fft_id_direction direction) {
    const bool single = form->number == DECIMAL_F32;
    fft_id_problem problem = {
        .element = form->complex ? (single ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64)
                                 : (single ? FFT_ID_REAL_F32 : FFT_ID_REAL_F64),
        .direction = direction,
        .order = FFT_ID_NATURAL,
        .batch = form->rows,
    };
    const char *const why = fft_id_set_length(&problem, form->points);
    return why                                    ? why
           : fft_device_plan(transform, &problem) ? NULL
                                                  : "no kernel was built for such a transform";
}

// shape_of: what the plan's rounding errors depend on. A transform of reals has the passes of one
// of half as many complex points, and a layer between both kinds of frequencies. The right angle
// counts a product more in each transform than there is.
static fft_bound_shape shape_of(const decimal_plan *plan, uint64_t a_digits, uint64_t b_digits) {
    const bool single = plan->way.single;
    const uint64_t more = plan->form.balanced ? TOP_DIGITS : 0;
    fft_bound_shape shape = {
        .method = FFT_BOUND_RIGHT_ANGLE,
        .significand = single ? FFT_BOUND_F32 : FFT_BOUND_F64,
        .a_digits = a_digits + more,
        .b_digits = b_digits + more,
    };
    fft_id_plan items = plan->forward;
    if (!plan->form.complex) {
        items.problem.element = single ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64;
        items.problem.exponent[0]--;
    }
    fft_bound_device(&shape, &items);
    if (!plan->form.complex) {
        const unsigned root =
            (single ? FFT_BOUND_ROOT_FLOAT : FFT_BOUND_ROOT_COMPUTED) + SPECTRUM_PRODUCTS;
        shape.forward += SPECTRUM_FORWARD + root;
        // errors of pairs' frequencies in the 1-norm: sqrt(2) < 3 / 2 times the reals' errors
        shape.inverse = (3 * shape.inverse + 1) / 2 + SPECTRUM_INVERSE + root;
    }
    return shape;
}

static const char *plan_transforms(decimal_plan *plan, uint64_t a_digits, uint64_t b_digits) {
    decimal_form *const form = &plan->form;
    form->number = plan->way.single ? DECIMAL_F32 : DECIMAL_F64;
    form->complex = plan->way.method == DECIMAL_COMPLEX;
    form->points = DECIMAL_POINTS_LEAST;
    while (form->points < a_digits + b_digits) {
        form->points *= 2;
    }
    plan->b_points = form->points;
    const char *why = transform_of(&plan->forward, form, FFT_ID_FORWARD);
    why = why ? why : transform_of(&plan->inverse, form, FFT_ID_INVERSE);
    if (why) {
        return why;
    }
    const uint64_t radix = power_of_ten(plan->way.k);
    const uint64_t largest = form->balanced ? radix / 2 : radix - 1;
    const fft_bound_shape shape = shape_of(plan, a_digits, b_digits);
    plan->error = fft_bound_error(&shape, largest);
    plan->proved = fft_bound_refusal(&shape, largest) == NULL;
    return NULL;
}

// --- Plan ----------------------------------------------------------------------------------------

// plan_base: the plan in base 10^k.
static const char *plan_base(decimal_plan *plan, const decimal_way *way, unsigned k) {
    const uint64_t a_digits = word_ceil_div(plan->an, k), b_digits = word_ceil_div(plan->bn, k);
    const bool tiled = way->method == DECIMAL_TILED;
    plan->way.k = plan->form.k = k;
    plan->form.balanced = !tiled && way->k != 1;
    plan->coefficients = a_digits + b_digits;
    return (tiled ? plan_tiled : plan_transforms)(plan, a_digits, b_digits);
}

const char *decimal_plan_make(decimal_plan *plan, const decimal_way *way, uint64_t an, uint64_t bn,
                              uint64_t rows, bool square) {
    *plan =
        (decimal_plan){.way = *way, .square = square, .an = an, .bn = bn, .form = {.rows = rows}};
    if (way->two_phase && way->k != 1) {
        return "carries by two phases have base 10";
    }
    if (way->k > 0) {
        return plan_base(plan, way, way->k);
    }
    const char *why = NULL;
    for (unsigned k = DECIMAL_K_MAX; k > 0; k--) {
        why = plan_base(plan, way, k);
        if (!why && plan->proved) {
            return NULL;
        }
    }
    return why           ? why
           : way->single ? "rounding errors of float transforms could reach half a unit"
                         : "rounding errors of double transforms could reach half a unit";
}
