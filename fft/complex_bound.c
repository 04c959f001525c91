// complex_bound.c: see complex_bound.h. May include primitives/word.h. Section numbers are those of
// docs/proofs/complex_fft.md.
#include "fft/complex_bound.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "primitives/word.h"

enum {
    DIGITS_LG_MAX = 33,
    SUM_LG_MAX = 16,
    MARGIN_LG = 10,  // |error| <= 1/2 - 2^-10
    NORM_FRACTION = 10,
};

static void assert_shape(const fft_bound_shape *s) {
    assert(s->significand == FFT_BOUND_F64 || s->significand == FFT_BOUND_F32);
    assert(s->a_digits >= 1 && s->a_digits <= (uint64_t)1 << DIGITS_LG_MAX);
    assert(s->b_digits >= 1 && s->b_digits <= (uint64_t)1 << DIGITS_LG_MAX);
    assert((s->forward | s->inverse | s->product) >> SUM_LG_MAX == 0);
    assert(s->product >= FFT_BOUND_PRODUCT_FUSED);
    (void)s;
}

// root_up: ceil(sqrt(x)) for x <= 2^86; the rounded root only says where to look.
static uint64_t root_up(word_pair x) {
    uint64_t root = (uint64_t)sqrt((double)x);
    while ((word_pair)root * root >= x && root > 0) {
        root--;
    }
    while ((word_pair)root * root < x) {
        root++;
    }
    return root;
}

// norms: in 2^-10, at least |a|_2 |b|_2 / largest^2; packed: |a + i b|_2^2 / (2 largest^2)
// (section 6).
static uint64_t norms(const fft_bound_shape *s) {
    if (s->method == FFT_BOUND_PACKED) {
        return (s->a_digits + s->b_digits) << (NORM_FRACTION - 1);
    }
    return root_up((word_pair)s->a_digits * s->b_digits << 2 * NORM_FRACTION);
}

// passes: takes a factor out of *points as often as it is there; returns how often.
static unsigned passes(uint64_t *points, unsigned radix) {
    unsigned n = 0;
    for (; *points % radix == 0; n++) {
        *points /= radix;
    }
    return n;
}

void fft_bound_host(fft_bound_shape *shape, uint64_t points) {
    const bool exact_scale = (points & (points - 1)) == 0;
    const unsigned two = passes(&points, 2), three = passes(&points, 3), five = passes(&points, 5),
                   seven = passes(&points, 7);
    assert(points == 1);
    shape->forward = two * FFT_BOUND_LEVEL_FORWARD + three * FFT_BOUND_3_FORWARD +
                     five * FFT_BOUND_5_FORWARD + seven * FFT_BOUND_7_FORWARD;
    shape->inverse = two * FFT_BOUND_LEVEL_INVERSE + three * FFT_BOUND_3_INVERSE +
                     five * FFT_BOUND_5_INVERSE + seven * FFT_BOUND_7_INVERSE;
    // 1 / points rounded, and the product by it
    shape->product = FFT_BOUND_PRODUCT_FUSED + (exact_scale ? 0 : 2 * FFT_BOUND_ROUNDING);
}

// node: what a DFT of 2^digits points adds: as many layers of sums, and between nodes of 4 points,
// of which a smaller one may be the last, products by constants.
static unsigned node(unsigned digits) {
    return digits * FFT_BOUND_ROUNDING +
           ((digits + 1) / 2 - 1) * (FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED);
}

void fft_bound_device(fft_bound_shape *shape, const fft_id_plan *plan) {
    assert(!fft_id_mixed(&plan->problem) && !fft_id_pairs(&plan->problem));
    const unsigned root = FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_COMPUTED;
    const unsigned own =
        shape->significand == FFT_BOUND_F64 ? FFT_BOUND_ROOT_COMPUTED : FFT_BOUND_ROOT_FLOAT;
    unsigned sum = shape->method == FFT_BOUND_RIGHT_ANGLE ? root : 0;
    for (unsigned i = 0; i < plan->stages_n; i++) {
        const unsigned digits = plan->stage[i].digits;
        sum += node(digits);
        if (i + 1 == plan->stages_n) {
            continue;
        }
        // between passes by the product of two roots; within one by a root or, from 8 points on, by
        // two of them one after the other
        sum += plan->stage[i + 1].where == FFT_ID_GLOBAL ? 2 * (FFT_BOUND_PRODUCT_FUSED + own)
               : digits > 2                              ? 2 * root
                                                         : root;
    }
    shape->forward = shape->inverse = sum;
    shape->product = FFT_BOUND_PRODUCT_FUSED;
}

// bound: the error as a fraction whose numerator is in 2^-32; false if it is far above 1.
static bool bound(const fft_bound_shape *s, uint64_t largest, word_pair *above, word_pair *below) {
    assert_shape(s);
    assert(largest >= 1 && largest <= (uint64_t)1 << 32);
    // the forward error enters with either operand (section 5); sum < 2^18
    const uint64_t sum = 2 * (uint64_t)s->forward + s->inverse + s->product;
    const uint64_t one = (uint64_t)FFT_BOUND_ROUNDING << s->significand;
    // In 2^-10 and below 2^107. From 2^significand units on the bound is no less than sum / 64 >= 2
    // and is not looked for, so that the product below stays under 2^(53 + 10 + 18 + 32).
    const word_pair size = (word_pair)norms(s) * ((word_pair)largest * largest);
    // prod (1 + e_i) - 1 <= x / (1 - x) with x = sum e_i = sum / one
    *above = size * sum << FFT_BOUND_FRACTION;
    *below = (word_pair)(one - sum) << NORM_FRACTION;
    return size >> (s->significand + NORM_FRACTION) == 0;
}

uint64_t fft_bound_error(const fft_bound_shape *s, uint64_t largest) {
    word_pair above, below;
    if (!bound(s, largest, &above, &below)) {
        return UINT64_MAX;
    }
    const word_pair error = (above + below - 1) / below;
    return error >> (FFT_BOUND_FRACTION + 1) ? UINT64_MAX : (uint64_t)error;
}

const char *fft_bound_refusal(const fft_bound_shape *s, uint64_t largest) {
    const uint64_t half = (uint64_t)1 << (FFT_BOUND_FRACTION - 1);
    const uint64_t most = half - (half >> (MARGIN_LG - 1));
    word_pair above, below;
    if (bound(s, largest, &above, &below) && above <= below * most) {  // below < 2^69
        return NULL;
    }
    return s->significand == FFT_BOUND_F64
               ? "rounding errors of double transforms could reach half a unit"
               : "rounding errors of float transforms could reach half a unit";
}
