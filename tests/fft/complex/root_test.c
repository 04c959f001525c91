// Roots of unity: their error against long double, exact points and symmetries.
#include <float.h>
#include <math.h>

#include "fft/complex/root.h"
#include "fft/complex/root_any.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

enum { LG_MAX = 60 };

// What the comparison itself adds: long double's sine and cosine err by about 2^-64 of the angle's
// or their own size, 2^-11 of a double's ulp each.
static const double bound = 0.52, own = 0.002;

// error_ulp: |got - exact| in ulps of a double as large as exact. Requires exact normal.
static double error_ulp(double got, long double exact) {
    int exponent;
    (void)frexpl(exact, &exponent);
    return (double)ldexpl(fabsl((long double)got - exact), DBL_MANT_DIG - exponent);
}

// expect_close: the root e of the first eighth against long double.
static void expect_close(uint64_t e, unsigned lg) {
    const long double turn = 6.283185307179586476925286766559005768L;
    const long double angle = ldexpl(turn * (long double)e, -(int)lg);
    const fft_root_f64 w = fft_root(e, lg);
    const double re = error_ulp(w.re, cosl(angle)), im = e ? error_ulp(w.im, sinl(angle)) : w.im;
    if (!(re <= bound + own && im <= bound + own)) {
        FAIL("root %llu of 2^%u errs by %.4f and %.4f ulp", (unsigned long long)e, lg, re, im);
    }
    const fft_root_f32 single = fft_root_single(e, lg);
    EXPECT_EQ((double)single.re, (double)(float)w.re);
    EXPECT_EQ((double)single.im, (double)(float)w.im);
}

static uint64_t below(gen *g, unsigned lg) { return lg ? gen_u64(g) >> (64 - lg) : 0; }

// Mutations: a coefficient's last hex digit, a tail left out (g.low, h.low, c[1], c[3], w.low), one
// term of the series less, no turn by what a double does not hold of e.
TEST(Root, IsWithinItsBound) {
    if (LDBL_MANT_DIG < 64) {
        SKIP("long double is no wider than double");
    }
    gen g = gen_seed(1);
    for (unsigned lg = 3; lg <= LG_MAX; lg++) {
        const uint64_t eighth = (uint64_t)1 << (lg - 3);
        for (uint64_t i = 0; i < 64 && i <= eighth; i++) {
            expect_close(i, lg);
            expect_close(eighth - i, lg);
        }
        for (unsigned i = 0; i < 20000; i++) {
            expect_close(below(&g, lg - 3), lg);
        }
    }
}

// Where cosine's error is largest, the bound is nearly met: it is the series' own, not a wide one.
// Mutation: a bound in expect_close that nothing can break.
TEST(Root, BoundIsNearlyMet) {
    gen g = gen_seed(2);
    double worst = 0;
    for (unsigned i = 0; i < 200000; i++) {
        const uint64_t e = below(&g, 37);
        const long double angle = ldexpl(6.283185307179586476925286766559005768L * e, -40);
        worst = fmax(worst, error_ulp(fft_root(e, 40).re, cosl(angle)));
    }
    EXPECT_TRUE(worst > 0.505);
}

static void expect_root(uint64_t e, unsigned lg, double re, double im) {
    const fft_root_f64 w = fft_root(e, lg);
    EXPECT_EQ(w.re, re);
    EXPECT_EQ(w.im, im);
}

// Mutations: a sign or an exchange of any octant, lg below 3, a root of 1/2 that is not rounded
// correctly.
TEST(Root, IsExactAtEighths) {
    const double half = 0x1.6a09e667f3bcdp-1;  // sqrt(1/2), rounded to nearest
    expect_root(0, 0, 1, 0);
    expect_root(1, 1, -1, 0);
    for (unsigned lg = 3; lg <= LG_MAX; lg++) {
        const uint64_t eighth = (uint64_t)1 << (lg - 3);
        expect_root(0 * eighth, lg, 1, 0);
        expect_root(1 * eighth, lg, half, half);
        expect_root(2 * eighth, lg, 0, 1);
        expect_root(3 * eighth, lg, -half, half);
        expect_root(4 * eighth, lg, -1, 0);
        expect_root(5 * eighth, lg, -half, -half);
        expect_root(6 * eighth, lg, 0, -1);
        expect_root(7 * eighth, lg, half, -half);
    }
    expect_root(3, 2, 0, -1);
}

// Mutations: an octant that is reduced from its wrong end; what is left of e beyond 53 bits lost in
// one octant alone.
TEST(Root, HasItsSymmetries) {
    gen g = gen_seed(3);
    for (unsigned i = 0; i < 100000; i++) {
        const unsigned lg = 3 + (unsigned)gen_below(&g, LG_MAX - 3);
        const uint64_t turn = (uint64_t)1 << lg, quarter = turn / 4, e = below(&g, lg);
        const fft_root_f64 w = fft_root(e, lg);
        expect_root((turn - e) % turn, lg, w.re, -w.im);
        expect_root((e + quarter) % turn, lg, -w.im, w.re);
        expect_root((turn + quarter - e) % turn, lg, w.im, w.re);
        expect_root(2 * e, lg + 1, w.re, w.im);
    }
}

// expect_any: a root of any order against long double, from the nearest axis.
static void expect_any(uint64_t e, uint64_t order) {
    const long double turn = 6.283185307179586476925286766559005768L;
    const fft_root_f64 w = fft_root_any(e, order, 1.0 / (double)order);
    const unsigned quarter = (unsigned)((4 * e + order / 2) / order);
    const int64_t past = (int64_t)(4 * e) - (int64_t)(quarter * order);  // of a quarter, signed
    const long double angle = turn / 4 * (long double)past / (long double)order;
    const long double c = cosl(angle), s = sinl(angle);
    const long double re[] = {c, -s, -c, s, c}, im[] = {s, c, -s, -c, s};
    const double x = re[quarter] != 0 ? error_ulp(w.re, re[quarter]) : fabs(w.re);
    const double y = im[quarter] != 0 ? error_ulp(w.im, im[quarter]) : fabs(w.im);
    if (!(x <= bound + own && y <= bound + own)) {
        FAIL("root %llu of %llu errs by %.4f and %.4f ulp", (unsigned long long)e,
             (unsigned long long)order, x, y);
    }
    if (e > 0) {
        const fft_root_f64 other = fft_root_any(order - e, order, 1.0 / (double)order);
        EXPECT_EQ(other.re, w.re);
        EXPECT_EQ(other.im, -w.im);
    }
}

// Mutations: an octant too high or too low where the quotient was off by one, the rest of the angle
// left out or not given up to its double, a sign of an octant.
TEST(Root, OfAnyOrderIsWithinTheSameBound) {
    if (LDBL_MANT_DIG < 64) {
        SKIP("long double is no wider than double");
    }
    gen g = gen_seed(5);
    for (uint64_t order = 1; order <= 300; order++) {
        for (uint64_t e = 0; e < order; e++) {
            expect_any(e, order);
        }
    }
    for (unsigned i = 0; i < 300000; i++) {
        const uint64_t order = 1 + below(&g, 1 + i % 48);
        expect_any(gen_below(&g, order), order);
        expect_any(order / 8 + (order > 8), order);
        expect_any(order - 1, order);
    }
}

// Of powers of two the same bits, so that tables of both kinds agree.
TEST(Root, OfAnyOrderIsThatOfAPowerOfTwo) {
    gen g = gen_seed(6);
    for (unsigned i = 0; i < 100000; i++) {
        const unsigned lg = i % 48;
        const uint64_t e = below(&g, lg);
        const fft_root_f64 w = fft_root(e, lg),
                           v = fft_root_any(e, UINT64_C(1) << lg, ldexp(1, -(int)lg));
        EXPECT_EQ(v.re, w.re);
        EXPECT_EQ(v.im, w.im);
    }
}

// Mutations: a quotient that falls short is not corrected, or its remainder is not.
TEST(Root, DividesByAnInverse) {
    gen g = gen_seed(7);
    for (unsigned i = 0; i < 300000; i++) {
        const uint64_t d = 1 + below(&g, 1 + i % 40), n = below(&g, 1 + i % 51);
        const uint64_t whole = n / d * d, near[] = {n, whole, whole > 0 ? whole - 1 : 0};
        for (unsigned k = 0; k < 3; k++) {
            uint64_t rest;
            EXPECT_EQ(fft_divide(near[k], d, 1.0 / (double)d, &rest), near[k] / d);
            EXPECT_EQ(rest, near[k] % d);
        }
    }
}
