// Tests of the generators and of the oracle: what every other test leans on.
#include <gmp.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// Catches a changed constant or rotation: splitmix64 from 0, and xoshiro256** on the state 1 2 3 4,
// start as the authors' programs do.
TEST(Gen, StartsAsPublished) {
    gen g = gen_seed(0);
    EXPECT_EQ(g.state[0], 0xe220a8397b1dcdaf);
    EXPECT_EQ(g.state[1], 0x6e789e6aa1b965f4);
    gen h = {{1, 2, 3, 4}};
    EXPECT_EQ(gen_u64(&h), 11520);
    EXPECT_EQ(gen_u64(&h), 0);
    EXPECT_EQ(gen_u64(&h), 1509978240);
}

// Catches bounds that are off by one at either end.
TEST(Gen, StaysInRange) {
    gen g = gen_seed(1);
    int below[5] = {0}, size[5] = {0};
    for (int i = 0; i < 1000; i++) {
        below[gen_below(&g, 5)]++;
        size_t n = gen_size(&g, 3, 7);
        ASSERT_TRUE(3 <= n && n <= 7);
        size[n - 3]++;
    }
    for (int i = 0; i < 5; i++) {
        EXPECT_TRUE(below[i] > 100);
        EXPECT_TRUE(size[i] > 50);
    }
    EXPECT_EQ(gen_size(&g, 9, 9), 9);
    EXPECT_TRUE(gen_size(&g, SIZE_MAX, SIZE_MAX) == SIZE_MAX);
}

// popcount_near returns the number of one bits of ap[0..an) + delta.
static size_t popcount_near(const uint64_t *ap, size_t an, long delta) {
    mpz_t z, d;
    mpz_init(z);
    mpz_init_set_si(d, delta);
    oracle_load(z, ap, an);
    mpz_add(z, z, d);
    size_t ones = mpz_popcount(z);
    mpz_clears(z, d, NULL);
    return ones;
}

// Catches a shape that leaves its top limb zero or writes outside its array, and a power of two
// that is off by one.
TEST(Gen, ShapesAreWhatTheySay) {
    enum { LENGTH = 9 };
    const uint64_t guard = 0xa5a5a5a5a5a5a5a5;
    for (int shape = 0; shape < GEN_SHAPES; shape++) {
        for (uint64_t seed = 0; seed < 400; seed++) {
            SCOPED_TRACE("%s, seed %d", gen_shape_name((gen_shape)shape), (int)seed);
            gen g = gen_seed(seed);
            size_t n = gen_size(&g, 1, LENGTH);
            uint64_t limbs[LENGTH + 2];
            memset(limbs, 0xa5, sizeof limbs);
            gen_limbs(&g, (gen_shape)shape, limbs + 1, n);
            ASSERT_EQ(limbs[0], guard);
            ASSERT_EQ(limbs[n + 1], guard);
            ASSERT_TRUE((limbs[n] != 0) == (shape != GEN_ZERO));
            if (shape == GEN_ONES) {
                ASSERT_EQ(popcount_near(limbs + 1, n, 0), 64 * n);
            } else if (shape == GEN_POWER) {
                ASSERT_EQ(popcount_near(limbs + 1, n, 0), 1);
            } else if (shape == GEN_POWER_PLUS) {
                ASSERT_EQ(popcount_near(limbs + 1, n, -1), 1);
            } else if (shape == GEN_POWER_MINUS) {
                ASSERT_EQ(popcount_near(limbs + 1, n, 1), 1);
            }
        }
    }
}

// Catches an oracle that agrees with everything, zero limbs on top and empty operands included.
TEST(Oracle, AcceptsTheProduct) {
    gen g = gen_seed(2);
    uint64_t a[6], b[4], r[10];
    gen_limbs(&g, GEN_UNIFORM, a, 6);
    gen_limbs(&g, GEN_RUNS, b, 4);
    a[5] = 0;
    mpn_mul(r, a, 6, b, 4);
    EXPECT_PRODUCT(r, a, 6, b, 4);
    memset(r, 0, sizeof r);
    EXPECT_PRODUCT(r, a, 6, b, 0);
}

// The claim 2^64 * 3 + 1 = 2^64 * 3, wrong in one bit.
static void wrong_product(void *arg) {
    (void)arg;
    const uint64_t a[2] = {0, 1}, b[1] = {3}, r[3] = {1, 3, 0};
    EXPECT_PRODUCT(r, a, 2, b, 1);
}

// 7 + 2^64 divided by 10, the remainder off by the last digit's complement.
static void wrong_remainder(void *arg) {
    (void)arg;
    const uint64_t a[2] = {7, 1}, b[1] = {10};
    uint64_t q[2], r[1];
    r[0] = 9 - mpn_divrem_1(q, 0, a, 2, 10);
    EXPECT_DIVREM(q, 2, r, 1, a, 2, b, 1);
}

TEST(Oracle, RefusesWhatIsWrong) {
    EXPECT_EQ(ct_failures_of(wrong_product, NULL), 1);
    EXPECT_EQ(ct_failures_of(wrong_remainder, NULL), 1);
}

// Catches a division check that refuses the truth.
TEST(Oracle, AcceptsTheDivision) {
    const uint64_t a[2] = {7, 1}, b[1] = {10};
    uint64_t q[2], r[1];
    r[0] = mpn_divrem_1(q, 0, a, 2, 10);
    EXPECT_DIVREM(q, 2, r, 1, a, 2, b, 1);
}

// Catches a store that leaves old limbs above the value or writes past its buffer.
TEST(Oracle, StoresPadded) {
    uint64_t r[2] = {1, 1};
    mpz_t z;
    mpz_init_set_ui(z, 5);
    EXPECT_EQ(oracle_store(r, 0, z), 0);
    EXPECT_EQ(r[0], 1);
    EXPECT_EQ(oracle_store(r, 2, z), 1);
    EXPECT_EQ(r[0], 5);
    EXPECT_EQ(r[1], 0);
    mpz_clear(z);
}
