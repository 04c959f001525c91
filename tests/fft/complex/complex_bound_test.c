// The proved bound of complex convolutions: widths against those that check_complex.py derives with
// fractions, and how the bound grows.
#include "fft/complex/bound.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/ctest/ctest.h"

static fft_bound_shape right_angle(uint64_t a, uint64_t b, unsigned lg) {
    return (fft_bound_shape){
        .method = FFT_BOUND_RIGHT_ANGLE,
        .significand = FFT_BOUND_F64,
        .a_digits = a,
        .b_digits = b,
        .forward = lg * FFT_BOUND_LEVEL_FORWARD,
        .inverse = lg * FFT_BOUND_LEVEL_INVERSE,
        .product = FFT_BOUND_PRODUCT_FUSED,
    };
}

// width: the largest number of bits, up to the vector's, for which digits are accepted, or 0.
// Digits are at most 2^w - 1. Balanced digits are -2^(w-1) .. 2^(w-1), except that the top one is
// at most 2^w, and a shape counts it as four.
static unsigned width(const fft_bound_shape *s, bool balanced) {
    for (unsigned w = 26; w > 0; w--) {
        const uint64_t largest = balanced ? (uint64_t)1 << (w - 1) : ((uint64_t)1 << w) - 1;
        if (fft_bound_refusal(s, largest) == NULL) {
            return w;
        }
    }
    return 0;
}

// read_shape: one line of widths.txt; 0 if it is none.
static int read_shape(const char *line, fft_bound_shape *s, unsigned widths[2]) {
    char method[16];
    unsigned long long a, b;
    if (sscanf(line, "%15s %u %llu %llu %u %u %u %u %u", method, &s->significand, &a, &b,
               &s->forward, &s->inverse, &s->product, &widths[0], &widths[1]) != 9) {
        return 0;
    }
    s->method = strcmp(method, "packed") == 0 ? FFT_BOUND_PACKED : FFT_BOUND_RIGHT_ANGLE;
    s->a_digits = a;
    s->b_digits = b;
    return 1;
}

// Every width of the stored vector, unsigned and balanced. Mutations: a transform left out of the
// sum, the inverse taken for a forward one, u / 64 taken as u / 32, the shorter operand's digits
// for the geometric mean, half for a whole in the packed norm, 2^w for 2^(w-1) in balanced digits,
// float taken as double.
TEST(ComplexBound, WidthsAreThoseOfTheVector) {
    FILE *f = fopen("tests/fft/complex/widths.txt", "r");
    ASSERT_TRUE(f != NULL);
    char line[256];
    int read = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        fft_bound_shape s;
        unsigned widths[2];
        if (line[0] == '#') {
            continue;
        }
        SCOPED_TRACE("%s", line);
        EXPECT_TRUE(read_shape(line, &s, widths));
        EXPECT_EQ(width(&s, false), widths[0]);
        EXPECT_EQ(width(&s, true), widths[1]);
        read++;
    }
    fclose(f);
    EXPECT_TRUE(read > 300);
}

// By hand: one point, packed: S = 128, so a product of two digits below 2^23 errs by at most
// 2^46 2 2^-53 / (1 - 2^-52), which is 2^(32 - 6) of 2^-32 and a little more: rounded up.
// Mutations: rounded down, u for u / 64 in the pointwise product, another square root.
TEST(ComplexBound, IsRoundedUp) {
    fft_bound_shape s = right_angle(1, 1, 0);
    s.method = FFT_BOUND_PACKED;
    EXPECT_EQ(fft_bound_error(&s, (uint64_t)1 << 23), ((uint64_t)1 << 26) + 1);
    // right angle, two digits by one: 1449 2^-10 is the next above the square root of 2, 1448.2
    s = right_angle(2, 1, 0);
    EXPECT_EQ(fft_bound_error(&s, (uint64_t)1 << 23), ((uint64_t)1449 << 16) + 1);
}

// The bound grows with each of its parameters, and the last acceptable digit is refused one larger.
// Mutations: a parameter that is not read; >= for > at the margin.
TEST(ComplexBound, GrowsWithEveryParameter) {
    const fft_bound_shape base = right_angle(1000, 3000, 11);
    const uint64_t error = fft_bound_error(&base, 1 << 15);
    fft_bound_shape larger[] = {base, base, base, base, base, base};
    larger[0].a_digits *= 4;
    larger[1].b_digits *= 4;
    larger[2].forward++;
    larger[3].inverse++;
    larger[4].product++;
    larger[5].significand = FFT_BOUND_F32;
    for (unsigned i = 0; i < 6; i++) {
        SCOPED_TRACE("parameter %u", i);
        EXPECT_TRUE(fft_bound_error(&larger[i], 1 << 15) > error);
    }
    EXPECT_TRUE(fft_bound_error(&base, (1 << 15) + 1) > error);
    uint64_t largest = 1 << 15;
    while (fft_bound_refusal(&base, largest) == NULL) {
        largest++;
    }
    const uint64_t half = (uint64_t)1 << 31, margin = (uint64_t)1 << 22;
    EXPECT_TRUE(fft_bound_error(&base, largest) > half - margin);
    EXPECT_TRUE(fft_bound_error(&base, largest - 1) <= half - margin);
}

// Hopeless cases are refused, not wrapped around. Mutations: 64-bit products, an early return that
// says 0.
TEST(ComplexBound, RefusesWhatIsHopeless) {
    fft_bound_shape s = right_angle((uint64_t)1 << 33, (uint64_t)1 << 33, 33);
    EXPECT_EQ(fft_bound_error(&s, (uint64_t)1 << 32), UINT64_MAX);
    EXPECT_EQ(fft_bound_error(&s, (uint64_t)1 << 15), UINT64_MAX);
    s.significand = FFT_BOUND_F32;
    EXPECT_EQ(width(&s, true), 0u);
    EXPECT_TRUE(strstr(fft_bound_refusal(&s, 1), "float") != NULL);
    s.significand = FFT_BOUND_F64;
    EXPECT_TRUE(strstr(fft_bound_refusal(&s, 1 << 26), "double") != NULL);
}

// Mutations: a pass of the wrong radix, the scale of other lengths taken as exact.
TEST(ComplexBound, SumsOfTheHost) {
    fft_bound_shape s = right_angle(10, 10, 0);
    fft_bound_host(&s, 1024);
    EXPECT_EQ(s.forward, 10u * 257);
    EXPECT_EQ(s.inverse, 10u * 321);
    EXPECT_EQ(s.product, 128u);
    fft_bound_host(&s, 8 * 3 * 5);
    EXPECT_EQ(s.forward, 3u * 257 + 802 + 1186);
    EXPECT_EQ(s.inverse, 3u * 321 + 537 + 627);
    EXPECT_EQ(s.product, 256u);
    fft_bound_host(&s, 49);
    EXPECT_EQ(s.forward, 2u * 1611);
    EXPECT_EQ(s.inverse, 2u * 718);
}

// Squares of the roundings on the way there twice and back. Mutations: one way forgotten, proved
// sums of an odd radix squared, the scale of other lengths taken as exact.
TEST(ComplexBound, SquaresOfTheHost) {
    enum { U = 64 * 64, TANGENT = 129 * 129, ROUNDED = 46 * 46 };
    fft_bound_shape s = right_angle(10, 10, 0);
    fft_bound_host(&s, 1024);
    EXPECT_EQ(s.squares, 10u * (7 * U + 3 * TANGENT) + 4 * U);
    fft_bound_host(&s, 8 * 3 * 5 * 7);
    EXPECT_EQ(s.squares, 3u * (7 * U + 3 * TANGENT) + 3 * ((6 + 7 + 8) * U + 3 * ROUNDED) + 4 * U);
}

// The model against its formula by hand: q^2 = 192 / 3, n = 100 digits of 2^20. Digits that are
// refused, for their errors or for coefficients that do not fit 64 bits. Mutations: a deviation for
// eight, u of a float, digits in place of their square, no limit of coefficients.
TEST(ComplexBound, ExpectedErrors) {
    fft_bound_shape s = right_angle(100, 100, 0);
    s.squares = 192 * 64 * 64;
    const double sigma = 8 * 0x1p-53 * sqrt(50.0) * 0x1p40 / 12;
    const double expected = (double)fft_bound_expected(&s, 1 << 20) * 0x1p-32;
    EXPECT_TRUE(fabs(expected / (8 * sigma) - 1) < 1e-3);
    s.method = FFT_BOUND_PACKED;
    EXPECT_TRUE(fabs((double)fft_bound_expected(&s, 1 << 20) * 0x1p-32 / expected - 1) < 1e-3);
    EXPECT_TRUE(fft_bound_doubt(&s, 1 << 20) == NULL);
    EXPECT_TRUE(strstr(fft_bound_doubt(&s, 1 << 24), "half a unit") != NULL);
    EXPECT_EQ(fft_bound_expected(&s, (uint64_t)1 << 32), UINT64_MAX);
    s.squares = 1;  // no errors to speak of
    s.a_digits = s.b_digits = 1 << 20;
    EXPECT_TRUE(fft_bound_doubt(&s, (uint64_t)1 << 21) == NULL);
    EXPECT_TRUE(strstr(fft_bound_doubt(&s, (uint64_t)1 << 22), "2^62") != NULL);
}

// By hand, from plans as text. Mutations: constants within a node, the second product after a node
// of 8 points, a product after the last node, one root between passes for two, a twist where there
// is none, the root of doubles in floats.
TEST(ComplexBound, SumsOfADevice) {
    enum { PRODUCT = 128, CONSTANT = PRODUCT + 46, TABLE = PRODUCT + 48 };
    static const struct {
        const char *spec;
        unsigned significand, packed;
    } known[] = {
        {"cf64:fwd:nat:2^2x1:p2,s2,x0:g4", FFT_BOUND_F64, 2 * 64},
        {"cf64:fwd:nat:2^3x1:p3,s3,x0:g8", FFT_BOUND_F64, 3 * 64 + CONSTANT},
        {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4", FFT_BOUND_F64, 4 * 64 + TABLE},
        {"cf64:fwd:nat:2^5x1:p3,s5,x0:g8>,s4", FFT_BOUND_F64, 5 * 64 + CONSTANT + 2 * TABLE},
        {"cf64:fwd:nat:2^14x1:p4,s10,x3:g16>,s8>,g16>,s8", FFT_BOUND_F64,
         14 * 64 + 4 * CONSTANT + 2 * 2 * TABLE + 2 * TABLE},
        {"cf32:fwd:nat:2^20x1:p5,s13,x3:g32>,s32>,g32>,s32", FFT_BOUND_F32,
         20 * 64 + 4 * 2 * CONSTANT + 2 * 2 * TABLE + 2 * (PRODUCT + 232)},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        SCOPED_TRACE("%s", known[i].spec);
        fft_id_plan plan;
        ASSERT_TRUE(fft_id_parse(&plan, known[i].spec) == NULL);
        fft_bound_shape s = {.method = FFT_BOUND_PACKED, .significand = known[i].significand};
        fft_bound_device(&s, &plan);
        EXPECT_EQ(s.forward, known[i].packed);
        EXPECT_EQ(s.inverse, known[i].packed);
        EXPECT_EQ(s.product, (unsigned)PRODUCT);
        s.method = FFT_BOUND_RIGHT_ANGLE;
        fft_bound_device(&s, &plan);
        EXPECT_EQ(s.forward, known[i].packed + TABLE);
        EXPECT_EQ(s.inverse, known[i].packed + TABLE);
    }
}

// By hand, and that products of the kernels' lengths in digits of 16 bits are proved, of all but
// the longest in digits of 17. Mutations: powers that are given counted as squares, squares as
// given, constants from the second level on or for none, a last level that is left out counted, or
// one that is not left out; its modulus without its error; a node across pieces, or the first level
// below it, without its factor, for the inverse too.
TEST(ComplexBound, SumsOfTrees) {
    enum { FORWARD = 4 * 64, INVERSE = 3 * 64, CONSTANT = 128 + 46, PRODUCT_OF_PAIRS = 6 * 64 };
    enum { V = 48, SQUARE = 2 * V + 128 };
    enum { SIXTEEN = 2 * V + 2 * SQUARE + 2 * CONSTANT };  // roots of a node of 16 points
    fft_bound_shape s = right_angle(10, 10, 0);
    fft_bound_tree(&s, 0, 0x2, false);
    EXPECT_EQ(s.forward, (FORWARD + V) * 3 / 2 + 64);
    EXPECT_EQ(s.inverse, INVERSE + V);
    EXPECT_EQ(s.product, PRODUCT_OF_PAIRS + V);
    fft_bound_tree(&s, 0, 0x35, false);
    EXPECT_EQ(s.forward, 7u * FORWARD + SIXTEEN + V + V + SQUARE + (FORWARD + SQUARE) / 2 + 64);
    EXPECT_EQ(s.inverse, 7u * INVERSE + SIXTEEN + V + V + SQUARE);
    EXPECT_EQ(s.product, PRODUCT_OF_PAIRS + V);
    fft_bound_tree(&s, 2, 0x55, false);
    EXPECT_EQ(s.forward, (3u * FORWARD + V + 2 * SQUARE) * 3 / 2 + 64 + 8 * FORWARD + 2 * SIXTEEN +
                             V - SQUARE);
    EXPECT_EQ(s.inverse, 11u * INVERSE + V + SQUARE + 2 * SIXTEEN + V);
    EXPECT_EQ(s.product, PRODUCT_OF_PAIRS + V + CONSTANT);
    fft_bound_tree(&s, 2, 0x55, true);
    EXPECT_EQ(s.forward, 11u * FORWARD + 3 * V + 2 * SIXTEEN);
    for (unsigned across = 0; across <= 3; across++) {
        s.a_digits = s.b_digits = (UINT64_C(1024) << across) + 3;
        fft_bound_tree(&s, across, 0x55, false);
        EXPECT_TRUE(fft_bound_refusal(&s, 1 << 15) == NULL);
        EXPECT_EQ(fft_bound_refusal(&s, 1 << 16) == NULL, across < 3);
    }
    EXPECT_TRUE(fft_bound_error(&s, 1 << 15) >> 30 == 1);  // 0.27
    s.a_digits = s.b_digits = (UINT64_C(1024) << 4) + 3;
    for (int given = 0; given < 2; given++) {  // two rings
        fft_bound_tree(&s, 4, 0x55, given != 0);
        EXPECT_EQ(fft_bound_refusal(&s, 1 << 15) == NULL, given != 0);
    }
    const uint64_t rings = fft_bound_error(&s, 1 << 15);
    EXPECT_TRUE(rings < UINT64_C(0x7C000000));  // 0.484
    s.method = FFT_BOUND_PACKED;                // around a modulus of as many digits
    fft_bound_tree(&s, 4, 0x55, true);
    EXPECT_TRUE(fft_bound_refusal(&s, 1 << 15) == NULL && fft_bound_error(&s, 1 << 15) <= rings);
}
