// Binomial coefficients, factorials and primorials around the ends of their tables, squares, and
// powers of words.
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// expect_binomial: n over k.
static void expect_binomial(bigint_ctx *ctx, bigint *r, mpz_t z, uint64_t n, uint64_t k) {
    SCOPED_TRACE("%llu over %llu", (unsigned long long)n, (unsigned long long)k);
    EXPECT_EQ(bigint_binomial_u64(ctx, r, n, k), BIGINT_OK);
    mpz_bin_uiui(z, n, k);
    EXPECT_BIGINT(ctx, r, z);
}

// All coefficients up to 140, which has one word, two words and products of primes. Mutations: an
// entry of the table, a product of two words that loses its upper one, one Newton step too few,
// twos of a factorial miscounted, a row at either end by the wrong method.
TEST(Combinatorics, EverySmallBinomial) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint r = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    for (uint64_t n = 0; n <= 140; n++) {
        for (uint64_t k = 0; k <= n + 1; k++) {
            expect_binomial(ctx, &r, z, n, k);
        }
    }
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// Around squares of primes, where the number of digits changes, and around the end of the table of
// primes, 4093 to 4099. Mutations: p = n - k or p = sqrt(n) in the wrong loop, n not below a prime
// that is n, a prime of the sieve lost, one too many, a prime with several digits counted once.
TEST(Combinatorics, AroundTheEndsOfTables) {
    static const uint64_t from[] = {165, 285, 355, 1018, 4085};
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint r = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    for (unsigned i = 0; i < sizeof from / sizeof *from; i++) {
        for (uint64_t n = from[i]; n < from[i] + 20; n++) {
            for (uint64_t k = n / 16; k <= n / 2; k += 1 + n / 100) {
                expect_binomial(ctx, &r, z, n, k);
                expect_binomial(ctx, &r, z, n, n - k);
            }
            SCOPED_TRACE("n %llu", (unsigned long long)n);
            EXPECT_EQ(bigint_factorial(ctx, &r, n), BIGINT_OK);
            mpz_fac_ui(z, n);
            EXPECT_BIGINT(ctx, &r, z);
            EXPECT_EQ(bigint_primorial(ctx, &r, n), BIGINT_OK);
            mpz_primorial_ui(z, n);
            EXPECT_BIGINT(ctx, &r, z);
        }
    }
    mpz_clear(z);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
}

// expect_square: of z, of which the answer is GMP's.
static void expect_square(bigint_ctx *ctx, bigint *x, const mpz_t z) {
    int yes = 7;
    fixture_set(ctx, x, z);
    EXPECT_EQ(bigint_is_square(ctx, &yes, x), BIGINT_OK);
    EXPECT_EQ(yes, mpz_perfect_square_p(z) != 0);
}

// Squares and their neighbours, times powers of two that end before, at and after a limb.
// Mutations: an odd number of twos passes, or an even one does not; 1 modulo 8 asked of an even
// number; a limb of zeros counts as no square; the sign is lost.
TEST(Combinatorics, SquaresTimesPowersOfTwo) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t root, z;
    mpz_inits(root, z, NULL);
    gen g = gen_seed(12);
    for (unsigned twos = 0; twos < 200; twos++) {
        for (uint64_t limbs = 1; limbs < 5; limbs++) {
            SCOPED_TRACE("%u twos, %llu limbs", twos, (unsigned long long)limbs);
            fixture_shape(&g, GEN_UNIFORM, root, limbs);
            mpz_setbit(root, 0);
            mpz_mul(z, root, root);
            mpz_mul_2exp(z, z, twos);
            expect_square(ctx, &x, z);
            mpz_neg(z, z);
            expect_square(ctx, &x, z);
            for (unsigned add = 1; add < 8; add++) {
                mpz_mul(z, root, root);
                mpz_add_ui(z, z, add);
                mpz_mul_2exp(z, z, twos);
                expect_square(ctx, &x, z);
            }
        }
    }
    mpz_set_ui(z, 0);
    expect_square(ctx, &x, z);
    mpz_clears(root, z, NULL);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Squares whose limbs are all ones or few, words beside the largest squares, every number of limbs
// modulo three, and squares that are 4 modulo 2^64 - 1, whose sum of limbs wraps. Mutations: the
// carry of a sum of limbs lost, a limb of another weight, one bit of a table of residues.
TEST(Combinatorics, SquaresOfAllLengths) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint x = BIGINT_INIT;
    mpz_t root, z;
    mpz_inits(root, z, NULL);
    gen g = gen_seed(14);
    for (uint64_t limbs = 1; limbs <= 40; limbs++) {
        for (int shape = GEN_UNIFORM; shape < GEN_SHAPES; shape++) {
            SCOPED_TRACE("%llu limbs of shape %d", (unsigned long long)limbs, shape);
            fixture_shape(&g, (gen_shape)shape, root, limbs);
            mpz_mul(z, root, root);
            expect_square(ctx, &x, z);
            mpz_add_ui(z, z, (uint64_t)8 << shape);
            expect_square(ctx, &x, z);
            mpz_mul_ui(z, root, UINT64_MAX);
            mpz_add_ui(z, z, 2);
            mpz_mul(z, z, z);
            expect_square(ctx, &x, z);
        }
    }
    for (uint64_t i = 0; i < 70000; i++) {
        const uint64_t base = i < 2000   ? i + 1
                              : i < 4000 ? UINT32_MAX - (i - 2000)
                                         : gen_u64(&g) >> 32;
        mpz_set_ui(z, base * base);
        expect_square(ctx, &x, z);
        mpz_add_ui(z, z, 8);
        expect_square(ctx, &x, z);
        mpz_set_ui(root, i);  // every residue of every table
        mpz_mul_2exp(z, root, 64);
        mpz_add_ui(z, z, 1);
        expect_square(ctx, &x, z);
    }
    mpz_clears(root, z, NULL);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
}

// Powers of words 2^twos o of up to 30 limbs, on either side of those in a word and of few limbs.
// Mutations: the topmost limb of a square taken for one that is not 0; a product by the base with
// its carry lost, or made for the exponent's bit above; the sign of an odd power; the base read
// after the result was written; limbs of zeros not cleared.
TEST(Combinatorics, PowersOfWords) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_ctx *checked = fixture_ctx(&(bigint_ctx_options){.checks = 1});
    bigint r = BIGINT_INIT;
    mpz_t a, z;
    mpz_inits(a, z, NULL);
    gen g = gen_seed(13);
    for (int round = 0; round < 3000; round++) {
        const unsigned bits = 1 + (unsigned)gen_below(&g, 64), twos = (unsigned)round % 70;
        const uint64_t word = round % 9 == 0 ? UINT64_MAX : gen_u64(&g) >> (64 - bits) | 1;
        const uint64_t e = gen_below(&g, 1 + 64 * 30 / bits);
        SCOPED_TRACE("round %d: %llu 2^%u to the power of %llu", round, (unsigned long long)word,
                     twos, (unsigned long long)e);
        mpz_set_ui(a, word);
        mpz_mul_2exp(a, a, twos);
        round % 2 == 0 ? mpz_neg(a, a) : (void)0;
        mpz_pow_ui(z, a, e);
        fixture_set(ctx, &r, a);
        EXPECT_EQ(bigint_pow_u64(round % 3 == 0 ? checked : ctx, &r, &r, e), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
        mpz_ui_pow_ui(z, word, e);
        EXPECT_EQ(bigint_u64_pow_u64(ctx, &r, word, e), BIGINT_OK);
        EXPECT_BIGINT(ctx, &r, z);
    }
    mpz_clears(a, z, NULL);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(checked);
}
