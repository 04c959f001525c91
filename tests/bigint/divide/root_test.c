// root_test.c: square roots and roots of any degree against GMP: every length, both sides of every
// power, aliasing, refusals.
#include <stdbool.h>

#include "bigint/bigint_limbs.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// try_root: the k-th root of x and the remainder, together and alone.
static void try_root(bigint_ctx *ctx, const mpz_t x, uint64_t k) {
    mpz_t root, rem;
    mpz_inits(root, rem, NULL);
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    fixture_set(ctx, &a, x);
    mpz_rootrem(root, rem, x, k);
    SCOPED_TRACE("root %llu of %zu bits", (unsigned long long)k, mpz_sizeinbase(x, 2));
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, k), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_BIGINT(ctx, &r, rem);
    EXPECT_EQ(bigint_root(ctx, &s, NULL, &a, k), BIGINT_OK);
    EXPECT_BIGINT(ctx, &s, root);
    EXPECT_EQ(bigint_root(ctx, NULL, &r, &a, k), BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, rem);
    if (k == 2) {
        EXPECT_EQ(bigint_sqrt(ctx, &r, &s, &a), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, root);
        EXPECT_BIGINT(ctx, &s, rem);
        EXPECT_EQ(bigint_sqrt(ctx, &s, NULL, &a), BIGINT_OK);
        EXPECT_BIGINT(ctx, &s, root);
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    mpz_clears(root, rem, NULL);
}

// around_power: s^k - 2 .. s^k + 2, and (s + 1)^k - 1 and its like.
static void around_power(bigint_ctx *ctx, const mpz_t s, uint64_t k) {
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    mpz_pow_ui(x, s, k);
    for (int d = -2; d <= 2; d++) {
        d < 0 ? mpz_sub_ui(y, x, (unsigned)-d) : mpz_add_ui(y, x, (unsigned)d);
        if (mpz_sgn(y) >= 0) {
            try_root(ctx, y, k);
        }
        if (k % 2 == 1) {
            mpz_neg(y, y);
            try_root(ctx, y, k);
        }
    }
    mpz_clears(x, y, NULL);
}

// Mutations: a root that is an integer found one too small, or too large; the fraction's bits taken
// from the wrong limb; a root of 1; the carry into a limb more.
TEST(Root, SmallNumbers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t x;
    mpz_init(x);
    for (unsigned i = 0; i < 300; i++) {
        mpz_set_ui(x, i);
        for (uint64_t k = 1; k < 12; k++) {
            try_root(ctx, x, k);
        }
    }
    for (unsigned e = 8; e < 300; e++) {  // 2^e - 1, 2^e, 2^e + 1
        for (int d = -1; d <= 1; d++) {
            mpz_set_ui(x, 1);
            mpz_mul_2exp(x, x, e);
            d < 0 ? mpz_sub_ui(x, x, 1) : mpz_add_ui(x, x, (unsigned)d);
            for (uint64_t k = 2; k < 9; k++) {
                try_root(ctx, x, k);
            }
            try_root(ctx, x, e - 1), try_root(ctx, x, e), try_root(ctx, x, e + 1);
        }
    }
    mpz_clear(x);
    bigint_ctx_destroy(ctx);
}

// Mutations: the exponent of a mantissa, a term of the step, the order of its truncations; a
// precision without the guard for large degrees; a step of those in doubles left out.
TEST(Root, AroundPowers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(1);
    mpz_t s;
    mpz_init(s);
    const uint64_t degrees[] = {2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 63, 64, 65, 100, 1000, 4097};
    for (int i = 0; i < 400; i++) {
        const uint64_t k = degrees[gen_below(&g, sizeof degrees / sizeof *degrees)];
        fixture_limbs(&g, s, gen_size(&g, 1, 1 + 120 / k));
        mpz_fdiv_q_2exp(s, s, gen_below(&g, 64));
        around_power(ctx, s, k);
    }
    mpz_clear(s);
    bigint_ctx_destroy(ctx);
}

// Every length of a few limbs, and lengths of transforms: roots at both ends of a length and ones
// in any of their halves. Mutations: a half's quotient that is B^l taken as it is; the root's
// correction left out, or its carry; a sign without the remainder taken from the top limb of q^2
// where the limbs below decide. By rows, too: a limb that would be B; the last limb trusted where
// the estimate's remainder is small; the carry into twice the root.
TEST(Root, FewLimbs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(7);
    mpz_t s, x;
    mpz_inits(s, x, NULL);
    for (unsigned n = 1; n <= 1025; n += n == 67 ? 956 : 1) {
        for (unsigned low = 0; low < 64 * n; low += 1 + (unsigned)gen_below(&g, 16 * n)) {
            mpz_set_ui(s, 1);
            mpz_mul_2exp(s, s, 64 * n - low);
            mpz_sub_ui(s, s, 1);
            mpz_mul_2exp(s, s, low);  // ones above zeros
            around_power(ctx, s, 2);
            mpz_mul(x, s, s);
            mpz_addmul_ui(x, s, 2);  // and the largest remainder
            try_root(ctx, x, 2);
        }
        mpz_set_ui(s, 1);
        mpz_mul_2exp(s, s, 64 * n - 1 - (unsigned)gen_below(&g, 64));
        around_power(ctx, s, 2);
        fixture_limbs(&g, s, n);
        around_power(ctx, s, 2);
    }
    mpz_clears(s, x, NULL);
    bigint_ctx_destroy(ctx);
}

// Cube roots by halving, every length and the first beyond: ones above zeros, powers of two, and
// any. Mutations: a quotient's multiple of B^l left out, or a unit of the three that a half may be
// too large; a fraction next to an integer trusted; the cube of the lower half left out of a
// remainder; the remainder of a cube not looked at.
TEST(Root, CubesOfFewLimbs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(8);
    mpz_t s, x;
    bigint a = BIGINT_INIT;
    mpz_inits(s, x, NULL);
    for (unsigned n = 1; n <= 46; n++) {
        for (unsigned low = 0; low < 64 * n; low += 1 + (unsigned)gen_below(&g, 8 * n)) {
            mpz_set_ui(s, 1);
            mpz_mul_2exp(s, s, 64 * n - low - (unsigned)gen_below(&g, low < 64 * n - 64 ? 64 : 1));
            mpz_sub_ui(s, s, 1);
            mpz_mul_2exp(s, s, low);  // ones above zeros
            around_power(ctx, s, 3);
            mpz_add_ui(s, s, (unsigned)gen_below(&g, 3));
            around_power(ctx, s, 3);
            mpz_mul(x, s, s);
            mpz_add(x, x, s);
            mpz_mul_ui(x, x, 3);
            mpz_pow_ui(s, s, 3);
            mpz_add(x, x, s);  // the largest remainder
            try_root(ctx, x, 3);
            int power = -1;
            fixture_set(ctx, &a, s);
            EXPECT_EQ(bigint_is_power(ctx, &power, &a), BIGINT_OK);
            EXPECT_EQ(power, 1);
            mpz_add_ui(s, s, 2);
            fixture_set(ctx, &a, s);
            EXPECT_EQ(bigint_is_power(ctx, &power, &a), BIGINT_OK);
            EXPECT_EQ(power, mpz_perfect_power_p(s) != 0);
        }
        mpz_set_ui(s, 1);
        mpz_mul_2exp(s, s, 64 * n - 1 - (unsigned)gen_below(&g, 64));
        around_power(ctx, s, 3);
        fixture_limbs(&g, s, n);
        around_power(ctx, s, 3);
    }
    bigint_clear(ctx, &a);
    mpz_clears(s, x, NULL);
    bigint_ctx_destroy(ctx);
}

TEST(Root, RandomNumbers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(2);
    mpz_t x;
    mpz_init(x);
    for (int i = 0; i < 3000; i++) {
        const size_t n = gen_size(&g, 1, 200);
        fixture_limbs(&g, x, n);
        mpz_fdiv_q_2exp(x, x, gen_below(&g, 64));
        try_root(ctx, x, 2);
        const uint64_t k = gen_size(&g, 2, 70 * n);
        if (k % 2 == 1 && i % 3 == 0) {
            mpz_neg(x, x);
        }
        try_root(ctx, x, k);
    }
    mpz_clear(x);
    bigint_ctx_destroy(ctx);
}

// Sizes at which steps go through transforms, by every variant. Mutation: workspace of a step that
// a longer one still needs.
TEST(Root, LongNumbers) {
    gen g = gen_seed(3);
    mpz_t x;
    mpz_init(x);
    const char *const *variants = bigint_variants();
    for (int v = 0; variants[v] != NULL; v++) {
        const bigint_ctx_options options = {.variant = variants[v], .threads = v == 1 ? 3 : 1};
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &options) == BIGINT_OK) {
            SCOPED_TRACE("%s", variants[v]);
            for (int i = 0; i < 10; i++) {
                fixture_limbs(&g, x, 1000 + gen_below(&g, 5000));
                try_root(ctx, x, 2), try_root(ctx, x, 3 + gen_below(&g, 9));
                fixture_limbs(&g, x, 500 + gen_below(&g, 2500));
                around_power(ctx, x, 2);
            }
        }
        bigint_ctx_destroy(ctx);
    }
    mpz_clear(x);
}

// One call with outputs chosen by `alias`: which object root and remainder are.
static void try_alias(bigint_ctx *ctx, int alias, const mpz_t x, uint64_t k) {
    mpz_t root, rem;
    mpz_inits(root, rem, NULL);
    mpz_rootrem(root, rem, x, k);
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    fixture_set(ctx, &a, x);
    bigint *const ss[] = {&s, &a, NULL}, *const rs[] = {&r, &a, NULL};
    bigint *const so = ss[alias / 3], *const ro = rs[alias % 3];
    SCOPED_TRACE("alias %d, root %d", alias, (int)k);
    if (so == &a && ro == &a) {
        EXPECT_EQ(bigint_root(ctx, so, ro, &a, k), BIGINT_EINVAL);
        EXPECT_BIGINT(ctx, &a, x);
    } else {
        EXPECT_EQ(bigint_root(ctx, so, ro, &a, k), BIGINT_OK);
        if (so != NULL) {
            EXPECT_BIGINT(ctx, so, root);
        }
        if (ro != NULL) {
            EXPECT_BIGINT(ctx, ro, rem);
        }
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    mpz_clears(root, rem, NULL);
}

// Mutations: an output written while a is still read, the sign of a lost with a's place.
TEST(Root, Aliases) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(4);
    mpz_t x;
    mpz_init(x);
    for (int i = 0; i < 40; i++) {
        fixture_limbs(&g, x, gen_size(&g, 1, 60));
        if (i % 10 == 0) {
            mpz_set_ui(x, (unsigned)i % 20 / 10);
        }
        for (int alias = 0; alias < 9; alias++) {
            try_alias(ctx, alias, x, 1);
            try_alias(ctx, alias, x, 2 + gen_below(&g, 8));
            mpz_neg(x, x);
            try_alias(ctx, alias, x, 3);
            mpz_neg(x, x);
        }
    }
    mpz_clear(x);
    bigint_ctx_destroy(ctx);
}

// Mutations: an even root of a negative number, or one of degree 0, let through; outputs touched.
TEST(Root, Refusals) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t seven;
    mpz_init_set_si(seven, -7);
    fixture_set(ctx, &a, seven), fixture_set(ctx, &s, seven), fixture_set(ctx, &r, seven);
    EXPECT_EQ(bigint_sqrt(ctx, &s, &r, &a), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_sqrt: a root of even degree");
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, 4), BIGINT_EINVAL);
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, 0), BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_root: the degree is 0");
    EXPECT_EQ(bigint_root(ctx, &s, &s, &a, 3), BIGINT_EINVAL);
    r.place_ = 7;
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, 3), BIGINT_EPLACE);
    EXPECT_EQ(bigint_root(ctx, NULL, &r, &a, 3), BIGINT_EPLACE);
    r.place_ = a.place_;
    EXPECT_BIGINT(ctx, &s, seven);
    EXPECT_BIGINT(ctx, &r, seven);
    EXPECT_EQ(bigint_root(ctx, NULL, NULL, &a, UINT64_MAX), BIGINT_OK);
    EXPECT_EQ(bigint_root(ctx, &s, &r, &a, UINT64_MAX), BIGINT_OK);
    mpz_set_si(seven, -1);
    EXPECT_BIGINT(ctx, &s, seven);
    mpz_set_si(seven, -6);
    EXPECT_BIGINT(ctx, &r, seven);
    mpz_clear(seven);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Lengths from which the last division gives a fraction in place of a remainder, both parities of
// the root's halves, top limbs from 1 to all ones. Mutations: the fraction is not halved, or its
// bit from the quotient is lost; what the square takes away is not subtracted, or where the upper
// half is a limb longer, too; the root is 1 less where the fraction is larger; a fraction next to
// 0 or 1 is trusted.
TEST(Root, ByFractions) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(35);
    static uint64_t a[3001], s[1501];
    mpz_t x;
    mpz_init(x);
    for (unsigned round = 0; round < 400; round++) {
        const size_t n = 1300 + gen_size(&g, 1, 1700);
        SCOPED_TRACE("round %u: %zu limbs", round, n);
        gen_limbs(&g, round % 3 == 0 ? (gen_shape)(round / 3 % GEN_SHAPES) : GEN_UNIFORM, a, n);
        a[n - 1] = a[n - 1] >> (round % 64) | 1;
        oracle_load(x, a, n);
        int exact = -1;
        ASSERT_EQ(bigint_limbs_sqrt(ctx, s, NULL, &exact, a, n), BIGINT_OK);
        EXPECT_EQ(exact, mpz_perfect_square_p(x) != 0);
        mpz_sqrt(x, x);
        EXPECT_VALUE(s, (n + 1) / 2, x);
    }
    mpz_clear(x);
    bigint_ctx_destroy(ctx);
}
