// float_plan.c: plans of float_product.h, on data alone: the widest digits that are proved, or
// whose errors are expected to be small, and the lengths of the host's transforms. Bound and model
// are bound.h's; docs/proofs/complex_fft.md.
#include <assert.h>
#include <stddef.h>

#include "fft/complex/float_ops.h"
#include "fft/complex/float_product.h"
#include "primitives/words/word.h"

enum {
    DIGITS_LG_MAX = 32,
    // The top digit of balanced ones may be as large as the radix. It counts as this many digits
    // more than one: by the largest square of the others, and by their mean square.
    BALANCED_TOP = 3,
    EXPECTED_TOP = 11,
    // Digits of a plan that wraps: its WRAPPED_COLUMNS have a limb at least, and less than two.
    WRAPPED_LEAST = 11,
    WRAPPED_MOST = 20,
    ODD_POINTS_MIN = 256,  // lengths that are no power of two pay from here on
};

// --- Transforms of the host ----------------------------------------------------------------------

// host_length: the least length 4, 5, 6 or 7 times 2^k, or 2^k.
static uint64_t host_length(uint64_t points) {
    const uint64_t power = points > 1 ? (uint64_t)1 << (64 - word_clz(points - 1)) : 1;
    for (unsigned quarters = 5; quarters < 8 && power >= ODD_POINTS_MIN; quarters++) {
        if (power / 8 * quarters >= points) {
            return power / 8 * quarters;
        }
    }
    return power;
}

static const char *host_roundings(fft_bound_shape *shape, uint64_t length) {
    fft_bound_host(shape, length);
    return NULL;
}

static const fft_float_transforms host = {host_length, host_roundings};

// host_transform: the plan of complex.h, once length and type are known.
static const char *host_transform(fft_float_plan *plan) {
    const fft_complex_problem problem = plan->transform.problem;
    return plan->method == FFT_BOUND_RIGHT_ANGLE
               ? fft_product_plan(&plan->transform, problem.type, problem.length)
               : fft_complex_make(&plan->transform, &problem);
}

// --- Digits --------------------------------------------------------------------------------------

// shape_of: the bound's shape of a plan whose digits and length are known; NULL, or why there is no
// transform of that length. The sum of two products counts as one of twice as many digits
// (docs/proofs/complex_fft.md, section 5), and has one rounding more.
static const char *shape_of(fft_bound_shape *shape, const fft_float_plan *plan,
                            const fft_float_transforms *transforms) {
    const fft_complex_problem *const problem = &plan->transform.problem;
    const uint64_t top = plan->certified ? EXPECTED_TOP : plan->balanced ? BALANCED_TOP : 0;
    *shape = (fft_bound_shape){
        .method = plan->method,
        .significand = problem->type == FFT_F64 ? FFT_BOUND_F64 : FFT_BOUND_F32,
        .a_digits = (plan->sums ? 2 : 1) * (plan->a_digits + top),
        .b_digits = (plan->sums ? 2 : 1) * (plan->b_digits + top),
    };
    const char *const why = transforms->roundings(shape, problem->length);
    shape->product += plan->sums ? FFT_BOUND_ROUNDING : 0;
    return why;
}

// prove: NULL and the plan's error, or why it is not exact.
static const char *prove(fft_float_plan *plan, const fft_float_transforms *transforms) {
    const uint64_t largest = plan->balanced ? plan->radix / 2 : plan->radix - 1;
    fft_bound_shape shape;
    const char *why = shape_of(&shape, plan, transforms);
    why = why ? why : fft_bound_refusal(&shape, largest);
    if (!why) {
        plan->error = fft_bound_error(&shape, largest);
    }
    return why;
}

// expect: the same of a certified plan: NULL, or why its products would often be wrong.
static const char *expect(fft_float_plan *plan, const fft_float_transforms *transforms) {
    fft_bound_shape shape;
    const char *why = shape_of(&shape, plan, transforms);
    why = why ? why : fft_bound_doubt(&shape, plan->radix);
    if (!why) {
        plan->error = fft_bound_expected(&shape, plan->radix);
    }
    return why;
}

// try_points: a plan of these digits and points, except for the transform's own plan. It tries
// unsigned digits, then balanced ones; for a certified plan only balanced ones, whose mean is 0.
static const char *try_points(fft_float_plan *plan, fft_float type, uint64_t points,
                              const fft_float_transforms *transforms) {
    plan->transform.problem = (fft_complex_problem){
        .type = type, .order = FFT_REVERSED, .length = points, .batch = 1, .distance = points};
    plan->balanced = false;
    if (!plan->certified && !prove(plan, transforms)) {
        return NULL;
    }
    plan->balanced = true;
    return plan->certified ? expect(plan, transforms) : prove(plan, transforms);
}

// try_digits: the same with the fewest points that hold the product.
static const char *try_digits(fft_float_plan *plan, fft_float type,
                              const fft_float_transforms *transforms) {
    const uint64_t coefficients = plan->a_digits + plan->b_digits - 1;
    const uint64_t points = transforms->length(
        plan->method == FFT_BOUND_RIGHT_ANGLE ? word_ceil_div(coefficients, 2) : coefficients);
    return try_points(plan, type, points, transforms);
}

// try_width: try_digits for operands of limbs in digits of that many bits.
static const char *try_width(fft_float_plan *plan, fft_float type, const uint64_t limbs[2],
                             unsigned width, const fft_float_transforms *transforms) {
    plan->a_digits = word_ceil_div(limbs[0] * 64, width);
    plan->b_digits = word_ceil_div(limbs[1] * 64, width);
    plan->radix = (uint64_t)1 << width;
    plan->width = width;
    return try_digits(plan, type, transforms);
}

static const char *const too_long = "more than 2^32 digits";

// likely_width: about the width that will be found: half a bit less for each doubling of digits,
// and more by what their number adds to a proof.
static unsigned likely_width(const fft_float_plan *plan, fft_float type, const uint64_t limbs[2]) {
    const int significand = type == FFT_F64 ? FFT_BOUND_F64 : FFT_BOUND_F32;
    const int doublings = 126 - (int)word_clz(limbs[0]) - (int)word_clz(limbs[1]);  // of both
    const int tenths = plan->certified ? 5 * significand - 15 - 3 * doublings / 2
                                       : 5 * significand - 35 - 3 * doublings;
    return tenths < 10                          ? 1
           : tenths >= 10 * FFT_FLOAT_WIDTH_MAX ? FFT_FLOAT_WIDTH_MAX
                                                : (unsigned)tenths / 10;
}

const char *fft_float_plan_by(fft_float_plan *plan, const fft_float_transforms *transforms,
                              fft_bound_method method, fft_float type, uint64_t an, uint64_t bn,
                              bool certified) {
    assert(an >= 1 && bn >= 1);
    if ((an | bn) >> (DIGITS_LG_MAX - 6)) {
        return too_long;
    }
    *plan = (fft_float_plan){.method = method, .certified = certified};
    // the error grows with the width: 4^w outweighs that there are fewer digits and levels
    const uint64_t limbs[2] = {an, bn};
    unsigned width = likely_width(plan, type, limbs);
    const char *why = try_width(plan, type, limbs, width, transforms);
    if (why == NULL) {
        fft_float_plan wider = *plan;
        while (width < FFT_FLOAT_WIDTH_MAX &&
               try_width(&wider, type, limbs, ++width, transforms) == NULL) {
            *plan = wider;
        }
    }
    while (why != NULL && width > 1) {
        why = try_width(plan, type, limbs, --width, transforms);
    }
    return why;
}

const char *fft_float_plan_limbs(fft_float_plan *plan, fft_bound_method method, fft_float type,
                                 uint64_t an, uint64_t bn, bool certified) {
    const char *const why = fft_float_plan_by(plan, &host, method, type, an, bn, certified);
    return why ? why : host_transform(plan);
}

// wrapped_points: the least length of a ring of at least 64 n bits in digits of that width, or 0.
static uint64_t wrapped_points(uint64_t n, unsigned width) {
    const uint64_t points = host_length(word_ceil_div(32 * n, width));
    return points % 32 == 0 ? points : 0;
}

// try_wrapped: the plan of a ring of 2 points digits, except for the transform's own plan.
static const char *try_wrapped(fft_float_plan *plan, fft_float type, uint64_t an, uint64_t bn,
                               uint64_t points, unsigned width, bool sums) {
    *plan = (fft_float_plan){.method = FFT_BOUND_RIGHT_ANGLE,
                             .wraps = true,
                             .sums = sums,
                             .a_digits = word_ceil_div(an * 64, width),
                             .b_digits = word_ceil_div(bn * 64, width),
                             .radix = (uint64_t)1 << width,
                             .width = width};
    return try_points(plan, type, points, &host);
}

const char *fft_float_plan_wrapped(fft_float_plan *plan, fft_float type, uint64_t an, uint64_t bn,
                                   uint64_t n, bool sums) {
    assert(an >= 1 && bn >= 1 && n >= an && n >= bn);
    if (n >> (DIGITS_LG_MAX - 6)) {
        return too_long;
    }
    const char *why = "no digits of 11 to 20 bits";
    for (unsigned width = WRAPPED_MOST; why != NULL && width >= WRAPPED_LEAST; width--) {
        const uint64_t points = wrapped_points(n, width);
        if (points > 0) {
            why = try_wrapped(plan, type, an, bn, points, width, sums);
        }
    }
    return why ? why : host_transform(plan);
}

const char *fft_float_plan_wrapped_pair(fft_float_plan plan[2], fft_float type, uint64_t bn,
                                        uint64_t n) {
    assert(bn >= 1 && n >= bn);
    if (n >> (DIGITS_LG_MAX - 6)) {
        return too_long;
    }
    const char *why = "no digits of 11 to 20 bits";
    for (unsigned width = WRAPPED_MOST - 1; why != NULL && width >= WRAPPED_LEAST; width--) {
        const uint64_t points = wrapped_points(n, width), m = points * width / 32;
        if (points > 0) {
            why = try_wrapped(&plan[0], type, m, m, points, width, false);
        }
        if (points > 0 && why == NULL) {
            why = try_wrapped(&plan[1], type, m + 1, bn, points, width + 1, true);
        }
    }
    for (unsigned i = 0; why == NULL && i < 2; i++) {
        why = host_transform(&plan[i]);
    }
    return why;
}

const char *fft_float_plan_words(fft_float_plan *plan, fft_bound_method method, fft_float type,
                                 uint64_t a_words, uint64_t b_words, uint64_t radix) {
    assert(a_words >= 1 && b_words >= 1);
    assert(radix % 2 == 0 && radix >= 2 && radix <= (uint64_t)1 << 30);
    if ((a_words | b_words) >> DIGITS_LG_MAX) {
        return too_long;
    }
    *plan = (fft_float_plan){
        .method = method, .a_digits = a_words, .b_digits = b_words, .radix = radix};
    const char *const why = try_digits(plan, type, &host);
    return why ? why : host_transform(plan);
}
