// The self-check: its prime, right products of every length, and the errors it has to see.
#include "bigint/core/check.h"

#include <gmp.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { MAX_LIMBS = 700 };

// product: {rp, an + bn} = {ap, an} {bp, bn} by GMP; zero top limbs and zero lengths allowed.
static void product(uint64_t *rp, const uint64_t *ap, size_t an, const uint64_t *bp, size_t bn) {
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    oracle_load(a, ap, an);
    oracle_load(b, bp, bn);
    mpz_mul(a, a, b);
    oracle_store(rp, an + bn, a);
    mpz_clears(a, b, NULL);
}

// Mutations: the range is off by a bit, a base of the primality test is skipped, the same prime
// each time.
TEST(Check, Modulus) {
    mpz_t m;
    mpz_init(m);
    uint64_t first = check_modulus_draw(), same = 0;
    for (int i = 0; i < 50; i++) {
        const uint64_t modulus = check_modulus_draw();
        mpz_set_ui(m, modulus);
        EXPECT_EQ(modulus >> 60, 1u);
        EXPECT_TRUE(mpz_probab_prime_p(m, 30) > 0);
        same += modulus == first;
    }
    EXPECT_TRUE(same < 2);
    mpz_clear(m);
}

// Right products pass, lengths around the two-lane path included. Mutations: a lane's weight is
// wrong, the limbs after the lanes are skipped, c = m is not reduced, the sign of one residue.
TEST(Check, RightProductsPass) {
    static uint64_t a[MAX_LIMBS], b[MAX_LIMBS], r[2 * MAX_LIMBS];
    gen g = gen_seed(7);
    for (int round = 0; round < 3000; round++) {
        const uint64_t m = round % 3 == 0 ? check_modulus_draw() : ((uint64_t)1 << 61) - 1;
        const size_t an = gen_below(&g, 40) == 0 ? 0 : gen_size(&g, 1, MAX_LIMBS);
        const size_t bn = gen_below(&g, 40) == 0 ? 0 : gen_size(&g, 1, MAX_LIMBS);
        SCOPED_TRACE("round %d, %zu x %zu limbs, modulus %llu", round, an, bn,
                     (unsigned long long)m);
        if (an > 0) {
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
        }
        if (bn > 0) {
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, bn);
        }
        product(r, a, an, b, bn);
        EXPECT_TRUE(check_product(m, r, a, an, b, bn));
        product(r, a, an, a, an);
        EXPECT_TRUE(check_product(m, r, a, an, a, an));
    }
}

// Every single flipped bit, swapped limbs, and the pairs of +1 and -1 that the modulus 2^61 - 1
// cannot see when they stand 61 bits apart. Mutation: any position that the residue does not reach.
TEST(Check, WrongProductsFail) {
    static uint64_t a[MAX_LIMBS], b[MAX_LIMBS], r[2 * MAX_LIMBS];
    const size_t sizes[][2] = {{1, 1}, {5, 3}, {120, 136}, {200, 57}};
    gen g = gen_seed(8);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t an = sizes[s][0], bn = sizes[s][1], n = an + bn;
        gen_limbs(&g, GEN_UNIFORM, a, an);
        gen_limbs(&g, GEN_UNIFORM, b, bn);
        product(r, a, an, b, bn);
        const uint64_t m = check_modulus_draw();
        uint64_t missed = 0;
        for (size_t bit = 0; bit < 64 * n; bit++) {
            const uint64_t flip = (uint64_t)1 << bit % 64;
            r[bit / 64] ^= flip;
            missed += check_product(m, r, a, an, b, bn);
            if (bit + 61 < 64 * n) {
                const size_t far = bit + 61;
                r[far / 64] ^= (uint64_t)1 << far % 64;
                missed += check_product(m, r, a, an, b, bn);
                r[far / 64] ^= (uint64_t)1 << far % 64;
            }
            r[bit / 64] ^= flip;
        }
        for (size_t i = 0; i + 1 < n; i++) {
            uint64_t t = r[i];
            r[i] = r[i + 1];
            r[i + 1] = t;
            missed += check_product(m, r, a, an, b, bn);
            r[i + 1] = r[i];
            r[i] = t;
        }
        EXPECT_EQ(missed, 0u);
        EXPECT_TRUE(check_product(m, r, a, an, b, bn));
    }
}
