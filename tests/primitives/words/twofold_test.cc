// twofold_test.cc: the errors of twofold.h against sums and products of 113 bits and more.
#include "primitives/words/twofold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

// Sums of three such products are exact to within 2^-113 of the largest. Products of pairs are
// split.
using Wide = __float128;

Wide WideOf(Twofold<double> v) { return (Wide)v.hi + v.lo; }
Wide Magnitude(Wide v) { return v < 0 ? -v : v; }

class TwofoldTest : public testing::Test {
   protected:
    // A normalised pair whose low part is now and then zero or as large as it may be.
    Twofold<double> Draw(int exponents) {
        std::uniform_int_distribution<int> exponent(-exponents, exponents), kind(0, 3);
        const double hi = std::ldexp(Uniform(), exponent(random_));
        const double most = (std::nextafter(std::fabs(hi), INFINITY) - std::fabs(hi)) / 2;
        switch (kind(random_)) {
            case 0:
                return hi;
            case 1:
                return Twofold<double>::Normalised(hi, most * 0.999);
            default:
                return Twofold<double>::Normalised(hi, most * Uniform());
        }
    }
    double Uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

    // The result is normalised, and within `units` of 2^-106 of the exact one. 16 units of 2^-113
    // are the comparison's own.
    static void Expect(Twofold<double> got, Wide exact, Wide units) {
        EXPECT_EQ(got.hi + got.lo, got.hi);
        EXPECT_LE((double)(Magnitude(WideOf(got) - exact)), (double)(units * 0x1p-106));
    }

    std::mt19937_64 random_{7};
};

// The product of two pairs, its low parts' product rounded.
Wide Product(Twofold<double> a, Twofold<double> b) {
    return (Wide)a.hi * b.hi + ((Wide)a.hi * b.lo + (Wide)a.lo * b.hi + (Wide)a.lo * b.lo);
}

// Catches each term that is left out or has the wrong sign, and a sum that is not normalised.
TEST_F(TwofoldTest, ErrorsAreBelowTheBounds) {
    for (unsigned i = 0; i < 200000; i++) {
        const Twofold<double> a = Draw(20), b = Draw(20);
        const Wide product = Product(a, b), own = Magnitude(product) / 8;
        Expect(a * b, product, 6 * Magnitude(product) + own);
        const Wide one = 1;
        Expect(Twofold<double>::Inverse(a, 1 / a.hi), one / WideOf(a),
               21 * Magnitude(one / WideOf(a)));
        // A sum of any size, and one that cancels down to the last places.
        const Twofold<double> near =
            Twofold<double>::Normalised(-(a * b).hi, (a * b).lo * Uniform());
        for (const Twofold<double> &c : {Draw(30), near}) {
            Expect(fma(a, b, c), product + WideOf(c),
                   13 * Magnitude(product) + 3 * Magnitude(WideOf(c)) + own);
        }
    }
}

// Catches zero pivots and numbers that are not finite which are divided away, or hide in low parts.
TEST_F(TwofoldTest, WhatIsNotFiniteStaysSo) {
    const Twofold<double> one = 1, zero = 0, infinity = INFINITY, nan = NAN;
    EXPECT_FALSE(std::isfinite(Rounded(one / zero)));
    EXPECT_FALSE(std::isfinite(Rounded(Twofold<double>::Inverse(zero, INFINITY))));
    for (const Twofold<double> &bad : {infinity, nan, -infinity}) {
        EXPECT_FALSE(std::isfinite(Rounded(bad * one)));
        EXPECT_TRUE(std::isnan(Rounded(bad * zero)));
        EXPECT_FALSE(std::isfinite(Rounded(fma(one, one, bad))));
        EXPECT_FALSE(std::isfinite(Rounded(fma(bad, one, one))));
        EXPECT_TRUE(std::isnan(Rounded(TimesPower(bad, 0))));
        EXPECT_FALSE(std::isfinite(Rounded(TimesPower(bad, 2))));
    }
}

// Catches a low part that a sign or a power of two does not reach.
TEST_F(TwofoldTest, SignsAndPowersAreExact) {
    for (unsigned i = 0; i < 100; i++) {
        const Twofold<double> a = Draw(20);
        Expect(-a, -WideOf(a), 0);
        Expect(TimesPower(a, 0x1p-9), WideOf(a) / 512, 0);
    }
}

// Catches a float that is computed in float.
TEST_F(TwofoldTest, FloatsAreDoubles) {
    const Twofold<float> third = Twofold<float>(1) / Twofold<float>(3);
    EXPECT_EQ(third.v, 1.0 / 3);
    EXPECT_EQ(fma(third, third, -third).v, std::fma(1.0 / 3, 1.0 / 3, -1.0 / 3));
    EXPECT_EQ(Rounded(third), 1.0f / 3);
    EXPECT_EQ(TimesPower(third, 0.5).v, 1.0 / 6);
}

}  // namespace
