// montgomery_rings_test.c: Montgomery products in two rings, and powers by them, against GMP.
#include "bigint/modular/montgomery_rings.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// plus_one: x = B^n + 1.
static void plus_one(mpz_t x, size_t n) {
    mpz_set_ui(x, 1);
    mpz_setbit(x, 64 * n);
}

// load: {p, n} = x < B^n.
static void load(uint64_t *p, size_t n, const mpz_t x) {
    memset(p, 0, n * sizeof *p);
    ASSERT_TRUE(oracle_store(p, n, x));
}

// expect_product: r = a b / R mod M; a == b is squared in place.
static void expect_product(bigint_ctx *ctx, const montgomery_rings *m, const mpz_t a, const mpz_t b,
                           bool square) {
    const size_t n = m->n;
    uint64_t *const p = calloc(3 * n, sizeof *p);
    mpz_t modulus, radix, want;
    mpz_inits(modulus, radix, want, NULL);
    oracle_load(modulus, m->mp, n);
    plus_one(radix, m->r);
    mpz_invert(radix, radix, modulus);
    mpz_mul(want, a, square ? a : b);
    mpz_mul(want, want, radix);
    mpz_mod(want, want, modulus);
    load(p, n, a);
    load(p + n, n, b);
    if (square) {
        EXPECT_EQ(montgomery_rings_mul(ctx, m, p, p, p), BIGINT_OK);
        EXPECT_VALUE(p, n, want);
    } else {
        EXPECT_EQ(montgomery_rings_mul(ctx, m, p + 2 * n, p, p + n), BIGINT_OK);
        EXPECT_VALUE(p + 2 * n, n, want);
        EXPECT_EQ(montgomery_rings_mul(ctx, m, p + n, p, p + n), BIGINT_OK);  // onto a factor
        EXPECT_VALUE(p + n, n, want);
    }
    mpz_clears(modulus, radix, want, NULL);
    free(p);
}

// expect_form: to the form and back, from numbers shorter and longer than M.
static void expect_form(bigint_ctx *ctx, gen *g, const montgomery_rings *m) {
    const size_t n = m->n, an = 1 + gen_below(g, 2 * n);
    uint64_t *const p = calloc(an + n, sizeof *p);
    mpz_t a, modulus;
    mpz_inits(a, modulus, NULL);
    gen_limbs(g, GEN_RUNS, p, an);
    oracle_load(a, p, an);
    oracle_load(modulus, m->mp, n);
    mpz_mod(a, a, modulus);
    EXPECT_EQ(montgomery_rings_from(ctx, m, p + an, p, an), BIGINT_OK);
    EXPECT_EQ(montgomery_rings_to(ctx, m, p + an, p + an), BIGINT_OK);
    EXPECT_VALUE(p + an, n, a);
    mpz_clears(a, modulus, NULL);
    free(p);
}

// try_modulus: all kinds of factors modulo M. Returns whether rings were made.
static bool try_modulus(bigint_ctx *ctx, gen *g, const uint64_t *mp, size_t n) {
    const arena_mark mark = arena_get_mark(ctx);
    montgomery_rings m;
    bool made = false;
    EXPECT_EQ(montgomery_rings_init(ctx, &m, &made, mp, n), BIGINT_OK);
    if (made) {
        mpz_t a, b, modulus;
        mpz_inits(a, b, modulus, NULL);
        SCOPED_TRACE("%zu limbs, r = %llu, s = %llu", n, (unsigned long long)m.r,
                     (unsigned long long)m.s);
        EXPECT_TRUE(n < m.r && m.r < m.s);
        oracle_load(modulus, mp, n);
        for (unsigned kind = 0; kind < 5; kind++) {
            fixture_limbs(g, a, n);
            fixture_limbs(g, b, n);
            if (kind == 1) {  // M - 1, and 0
                mpz_sub_ui(a, modulus, 1);
                mpz_set_ui(b, 0);
            } else if (kind == 2) {
                mpz_sub_ui(a, modulus, 1);
                mpz_set(b, a);
            } else if (kind == 3) {  // a b = B^r = -1 mod R
                mpz_set_ui(a, 0);
                mpz_setbit(a, 32 * m.r);
                mpz_set(b, a);
            } else if (kind == 4) {  // a b = -1 mod R, in two factors
                mpz_set_ui(a, 0);
                mpz_setbit(a, 64 * (n - 1));
                mpz_set_ui(b, 0);
                mpz_setbit(b, 64 * (m.r - n + 1));
            }
            mpz_mod(a, a, modulus);
            mpz_mod(b, b, modulus);
            expect_product(ctx, &m, a, b, false);
            expect_product(ctx, &m, a, b, true);
        }
        expect_form(ctx, g, &m);
        mpz_clears(a, b, modulus, NULL);
    }
    arena_release(ctx, mark);
    return made;
}

// Mutations: R or Q one bit off; the residue B^r of a product taken for 0; the top limbs of a sum
// one limb too low; a borrow between two pieces of the division lost; the last subtraction of M
// left out; a square of the wrong operand.
TEST(MontgomeryRings, ProductsOfEveryLength) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(410);
    uint64_t *const p = calloc(5000, sizeof *p);
    unsigned made = 0, all = 0;
    for (size_t n = 60; n < 5000; n += 1 + n / 9) {
        for (int kind = 0; kind < 3; kind++, all++) {
            gen_limbs(&g, kind == 0 ? GEN_ONES : kind == 1 ? GEN_UNIFORM : GEN_RUNS, p, n);
            p[0] |= 1;
            p[n - 1] |= kind == 2 ? 1 : (uint64_t)1 << 63;
            made += try_modulus(ctx, &g, p, n);
        }
    }
    // Portable code has no range for the real transform.
    EXPECT_TRUE(made > 0 || ctx->variant == VARIANT_PORTABLE);
    EXPECT_TRUE(made <= all);
    free(p);
    bigint_ctx_destroy(ctx);
}

// Moduli with a factor of R = B^r + 1 have no rings; powers are right all the same. Mutation: the
// gcd not looked at.
TEST(MontgomeryRings, FactorsInCommon) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(411);
    unsigned tried = 0;
    for (size_t n = 200; n < 900; n += 131) {
        uint64_t *const p = calloc(2 * n, sizeof *p);
        gen_limbs(&g, GEN_UNIFORM, p, n);
        p[0] |= 1;
        const arena_mark mark = arena_get_mark(ctx);
        montgomery_rings m;
        bool made = false;
        EXPECT_EQ(montgomery_rings_init(ctx, &m, &made, p, n), BIGINT_OK);
        const size_t two = made ? m.r & -m.r : n;
        if (two + 1 < n) {  // B^two + 1 divides B^r + 1, two the power of 2 in r
            tried++;
            mpz_t factor, modulus;
            mpz_inits(factor, modulus, NULL);
            plus_one(factor, two);
            fixture_limbs(&g, modulus, n - two - 1);
            mpz_setbit(modulus, 0);
            mpz_mul(modulus, modulus, factor);
            const size_t mn = mpz_size(modulus);
            load(p, mn, modulus);
            EXPECT_EQ(montgomery_rings_init(ctx, &m, &made, p, mn), BIGINT_OK);
            EXPECT_FALSE(made);
            mpz_t a, e, want;
            mpz_inits(a, e, want, NULL);
            fixture_limbs(&g, a, mn);
            fixture_limbs(&g, e, 5);
            mpz_setbit(e, 300);
            mpz_powm(want, a, e, modulus);
            uint64_t *const r = calloc(mn, sizeof *r);
            EXPECT_EQ(bigint_limbs_powm(ctx, r, mpz_limbs_read(a), mpz_size(a), mpz_limbs_read(e),
                                        mpz_size(e), p, mn),
                      BIGINT_OK);
            EXPECT_VALUE(r, mn, want);
            free(r);
            mpz_clears(factor, modulus, a, e, want, NULL);
        }
        arena_release(ctx, mark);
        free(p);
    }
    EXPECT_TRUE(tried > 0 || ctx->variant == VARIANT_PORTABLE);
    bigint_ctx_destroy(ctx);
}

// Powers by rings, next to the lengths of exponents from which they are used.
TEST(MontgomeryRings, Powers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(412);
    mpz_t a, e, modulus, want;
    mpz_inits(a, e, modulus, want, NULL);
    for (size_t n = 129; n < 1200; n += 97) {
        for (size_t en = 3; en <= 6; en++) {
            fixture_limbs(&g, a, n + 3);
            fixture_limbs(&g, e, en);
            fixture_limbs(&g, modulus, n);
            if (en != 6) {  // else even ones too
                mpz_setbit(modulus, 0);
            }
            mpz_powm(want, a, e, modulus);
            const size_t mn = mpz_size(modulus);
            uint64_t *const r = calloc(mn, sizeof *r);
            EXPECT_EQ(bigint_limbs_powm(ctx, r, mpz_limbs_read(a), mpz_size(a), mpz_limbs_read(e),
                                        mpz_size(e), mpz_limbs_read(modulus), mn),
                      BIGINT_OK);
            EXPECT_VALUE(r, mn, want);
            free(r);
        }
    }
    mpz_clears(a, e, modulus, want, NULL);
    bigint_ctx_destroy(ctx);
}
