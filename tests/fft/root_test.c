// Roots of unity: their error against long double, exact points and symmetries.
#include <float.h>
#include <math.h>

#include "fft/root.h"
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
