// bound.c: see bound.h. May include primitives/words/word.h. Section numbers refer to
// docs/proofs/complex_fft.md.
#include "fft/complex/bound.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "primitives/words/word.h"

enum {
    DIGITS_LG_MAX = 33,
    SUM_LG_MAX = 16,
    MARGIN_LG = 10,  // |error| <= 1/2 - 2^-10
    NORM_FRACTION = 10,
    DEVIATIONS = 8,
    // Butterflies of device/complex/piece.cuh without their roots, which powers of these are given,
    // and products of residues of two terms without the modulus (section 4.7).
    TREE_FORWARD = 4 * FFT_BOUND_ROUNDING,
    TREE_INVERSE = FFT_BOUND_ROUNDING + FFT_BOUND_PRODUCT_FUSED,
    TREE_GIVEN = 2,
    TREE_PRODUCT = 6 * FFT_BOUND_ROUNDING,
    COEFFICIENT_LG_MAX = 62,
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

// squared: the sum of squares of that many roundings and errors of a root, in (u / 64)^2.
static uint64_t squared(unsigned roundings, unsigned roots, unsigned root) {
    return (uint64_t)roundings * FFT_BOUND_ROUNDING * FFT_BOUND_ROUNDING +
           (uint64_t)roots * root * root;
}

// odd_squares: of both forward passes of radix 2 h + 1 and the inverse one: h + 3 roundings
// (section 4.4), a product and its root.
static uint64_t odd_squares(unsigned times, unsigned radix) {
    return 3 * times * squared(radix / 2 + 5, 1, FFT_BOUND_ROOT_ROUNDED);
}

void fft_bound_host(fft_bound_shape *shape, uint64_t points) {
    const bool exact_scale = (points & (points - 1)) == 0;
    const unsigned two = word_ctz(points);
    points >>= two;
    const unsigned three = passes(&points, 3), five = passes(&points, 5),
                   seven = passes(&points, 7);
    assert(points == 1);
    shape->squares = squared(7 * two, 3 * two, FFT_BOUND_ROOT_TANGENT) + odd_squares(three, 3) +
                     odd_squares(five, 5) + odd_squares(seven, 7) + squared(4, 0, 0);
    shape->forward = two * FFT_BOUND_LEVEL_FORWARD + three * FFT_BOUND_3_FORWARD +
                     five * FFT_BOUND_5_FORWARD + seven * FFT_BOUND_7_FORWARD;
    shape->inverse = two * FFT_BOUND_LEVEL_INVERSE + three * FFT_BOUND_3_INVERSE +
                     five * FFT_BOUND_5_INVERSE + seven * FFT_BOUND_7_INVERSE;
    // 1 / points rounded, and the product by it
    shape->product = FFT_BOUND_PRODUCT_FUSED + (exact_scale ? 0 : 2 * FFT_BOUND_ROUNDING);
}

// steps: the roundings of one transform: their sum in u / 64, and the sum of their squares.
typedef struct {
    unsigned sum;
    uint64_t squares;
} steps;

// add_products: that many fused complex products, by roots with such an error.
static void add_products(steps *s, unsigned times, unsigned root) {
    s->sum += times * (FFT_BOUND_PRODUCT_FUSED + root);
    s->squares += squared(2 * times, times, root);
}

// add_node: what a DFT of 2^digits points adds: as many layers of sums, and between nodes of 4
// points, the last of which may be smaller, products by constants.
static void add_node(steps *s, unsigned digits) {
    s->sum += digits * FFT_BOUND_ROUNDING;
    s->squares += squared(digits, 0, 0);
    add_products(s, (digits + 1) / 2 - 1, FFT_BOUND_ROOT_ROUNDED);
}

void fft_bound_device(fft_bound_shape *shape, const fft_id_plan *plan) {
    assert(!fft_id_mixed(&plan->problem) && !fft_id_pairs(&plan->problem));
    const unsigned own =
        shape->significand == FFT_BOUND_F64 ? FFT_BOUND_ROOT_COMPUTED : FFT_BOUND_ROOT_FLOAT;
    steps s = {0};
    add_products(&s, shape->method == FFT_BOUND_RIGHT_ANGLE, FFT_BOUND_ROOT_COMPUTED);
    for (unsigned i = 0; i < plan->stages_n; i++) {
        const unsigned digits = plan->stage[i].digits;
        add_node(&s, digits);
        if (i + 1 == plan->stages_n) {
            continue;
        }
        // between passes by the product of two roots; within one by a root or, from 8 points on, by
        // two of them one after the other
        if (plan->stage[i + 1].where == FFT_ID_GLOBAL) {
            add_products(&s, 2, own);
        } else {
            add_products(&s, digits > 2 ? 2 : 1, FFT_BOUND_ROOT_COMPUTED);
        }
    }
    shape->forward = shape->inverse = s.sum;
    shape->product = FFT_BOUND_PRODUCT_FUSED;
    shape->squares = 3 * s.squares + squared(2, 0, 0);
}

// tree_root: what the roots of level digits - 1 - i err by, of a node of 2^digits points: its own
// root to the powers 2^i, every second one of them given, times constants from the third level on.
static unsigned tree_root(unsigned i, unsigned digits) {
    const unsigned power = i % TREE_GIVEN == 0
                               ? FFT_BOUND_ROOT_COMPUTED
                               : 2 * FFT_BOUND_ROOT_COMPUTED + FFT_BOUND_PRODUCT_FUSED;
    return power + (i + 2 < digits ? FFT_BOUND_PRODUCT_FUSED + FFT_BOUND_ROOT_ROUNDED : 0);
}

// add_tree_level, add_tree_levels: what a level with such roots and the last levels of a node add
// to either transform.
static void add_tree_level(fft_bound_shape *shape, unsigned root) {
    shape->forward += TREE_FORWARD + root;
    shape->inverse += TREE_INVERSE + root;
}

static void add_tree_levels(fft_bound_shape *shape, unsigned levels, unsigned digits) {
    for (unsigned i = 0; i < levels; i++) {
        add_tree_level(shape, tree_root(i, digits));
    }
}

void fft_bound_tree(fft_bound_shape *shape, unsigned across, unsigned nodes, bool given) {
    assert(shape->significand == FFT_BOUND_F64);
    assert(shape->method == FFT_BOUND_RIGHT_ANGLE || given);
    shape->forward = shape->inverse = 0;
    for (unsigned i = 0; i < across; i++) {
        add_tree_level(shape, given ? FFT_BOUND_ROOT_COMPUTED : tree_root(i, across));
    }
    unsigned digits = nodes % 16;
    assert(digits >= 2);
    add_tree_level(shape, tree_root(digits - 2, digits - 1));
    if (!given) {  // both halves' errors, sqrt(2) < 3 / 2, and the sum of their points (4.7)
        shape->forward = (3 * shape->forward + 1) / 2 + FFT_BOUND_ROUNDING;
    }
    add_tree_levels(shape, digits - 2, digits - 1);
    while (nodes /= 16, nodes > 0) {
        add_tree_level(shape, FFT_BOUND_ROOT_COMPUTED);  // the last one of the node before
        digits = nodes % 16;
        assert(digits >= 2);
        add_tree_levels(shape, digits - 1, digits - 1);
    }
    shape->product = TREE_PRODUCT + tree_root(0, digits - 1);
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

uint64_t fft_bound_expected(const fft_bound_shape *s, uint64_t radix) {
    assert_shape(s);
    assert(radix >= 2 && radix <= (uint64_t)1 << 32);
    // section 9; a rounding is spread evenly over +- its largest: a third of its square
    const double relative = sqrt((double)s->squares / 3) / FFT_BOUND_ROUNDING;
    const double coefficients = (double)(s->a_digits + s->b_digits);
    const double norm = (double)norms(s) / (1 << NORM_FRACTION) / sqrt(coefficients);
    const double square = ((double)radix * (double)radix + 2) / 12;
    const double units = DEVIATIONS * relative * norm * square;  // in u
    const double fixed = ldexp(units, (int)(FFT_BOUND_FRACTION - s->significand));
    return fixed < 0x1p33 ? (uint64_t)ceil(fixed) : UINT64_MAX;
}

const char *fft_bound_doubt(const fft_bound_shape *s, uint64_t radix) {
    const uint64_t terms = s->a_digits < s->b_digits ? s->a_digits : s->b_digits;
    // radix^2 / 4 terms <= 2^(64 - 2 + 33)
    if ((word_pair)radix * radix / 4 * terms >> COEFFICIENT_LG_MAX != 0) {
        return "coefficients could be 2^62 and more";
    }
    return fft_bound_expected(s, radix) < (uint64_t)1 << (FFT_BOUND_FRACTION - 1)
               ? NULL
               : "rounding errors must be expected to reach half a unit";
}
