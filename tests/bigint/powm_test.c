// powm_test.c: modular powers against GMP: every reduction, windows of every length, odd, even and
// power-of-2 moduli, signs, aliasing, failures.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/context.h"
#include "bigint/montgomery.h"
#include "bigint/montgomery_ifma.h"
#include "bigint/tune.h"
#include "tests/bigint/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// draw: z of exactly n limbs of any shape.
static void draw(gen *g, mpz_t z, size_t n) {
    gen_limbs(g, (gen_shape)(1 + gen_below(g, GEN_SHAPES - 1)), mpz_limbs_write(z, (mp_size_t)n),
              n);
    mpz_limbs_finish(z, (mp_size_t)n);
}

// expect_powm: base^exponent mod |modulus| in a new integer.
static void expect_powm(bigint_ctx *ctx, const mpz_t base, const mpz_t exponent,
                        const mpz_t modulus) {
    bigint b = BIGINT_INIT, e = BIGINT_INIT, m = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    mpz_powm(want, base, exponent, modulus);
    fixture_set(ctx, &b, base), fixture_set(ctx, &e, exponent), fixture_set(ctx, &m, modulus);
    SCOPED_TRACE("base of %zu bits, exponent of %zu, modulus of %zu", mpz_sizeinbase(base, 2),
                 mpz_sizeinbase(exponent, 2), mpz_sizeinbase(modulus, 2));
    EXPECT_EQ((int)bigint_powm(ctx, &r, &b, &e, &m), (int)BIGINT_OK);
    EXPECT_BIGINT(ctx, &r, want);
    bigint_clear(ctx, &b), bigint_clear(ctx, &e), bigint_clear(ctx, &m), bigint_clear(ctx, &r);
    mpz_clear(want);
}

// --- Montgomery form ---

// Lengths on both sides of every change of the way products are reduced, on any machine.
static const size_t lengths[] = {1,
                                 2,
                                 3,
                                 MONTGOMERY_DIGITS_THRESHOLD - 1,
                                 MONTGOMERY_DIGITS_THRESHOLD,
                                 16,
                                 31,
                                 64,
                                 128,
                                 129,
                                 130,
                                 MONTGOMERY_PRODUCTS_ADX_THRESHOLD - 1,
                                 MONTGOMERY_PRODUCTS_ADX_THRESHOLD,
                                 MONTGOMERY_PRODUCTS_ADX_THRESHOLD + 9,
                                 MONTGOMERY_PRODUCTS_PORTABLE_THRESHOLD};

// variant_ctx: a context for one variant, or NULL if this machine does not have it.
static bigint_ctx *variant_ctx(const char *variant) {
    const bigint_ctx_options options = {.variant = variant};
    bigint_ctx *ctx;
    if (bigint_ctx_create(&ctx, NULL, &options) == BIGINT_OK) {
        return ctx;
    }
    bigint_ctx_destroy(ctx);
    return NULL;
}

// One product of numbers below M, there and back again. The arena is released after it.
static void try_montgomery(bigint_ctx *ctx, gen *g, size_t n, bool largest, bool square) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const mp = arena_take_limbs(ctx, "test", n), *const ap =
                                                               arena_take_limbs(ctx, "test", n);
    uint64_t *const rp = arena_take_limbs(ctx, "test", n);
    mpz_t m, a, b, want;
    mpz_inits(m, a, b, want, NULL);
    draw(g, m, n);
    mpz_setbit(m, 0);
    draw(g, a, n), draw(g, b, n);
    if (largest) {
        mpz_sub_ui(a, m, 1);
        mpz_set(b, a);
    }
    mpz_mod(a, a, m), mpz_mod(b, b, m);
    EXPECT_TRUE(oracle_store(mp, n, m));
    montgomery form;
    ASSERT_EQ((int)montgomery_init(ctx, &form, mp, n), (int)BIGINT_OK);
    uint64_t *const x = arena_take_limbs(ctx, "test", form.words);
    uint64_t *const y = arena_take_limbs(ctx, "test", form.words);
    EXPECT_TRUE(oracle_store(ap, n, a));
    ASSERT_EQ((int)montgomery_from(ctx, &form, x, ap, n), (int)BIGINT_OK);
    EXPECT_TRUE(oracle_store(ap, n, b));
    ASSERT_EQ((int)montgomery_from(ctx, &form, y, ap, n), (int)BIGINT_OK);
    ASSERT_EQ((int)montgomery_mul(ctx, &form, x, x, square ? x : y), (int)BIGINT_OK);
    ASSERT_EQ((int)montgomery_to(ctx, &form, rp, x), (int)BIGINT_OK);
    mpz_mul(want, a, square ? a : b);
    mpz_mod(want, want, m);
    EXPECT_VALUE(rp, n, want);
    ASSERT_EQ((int)montgomery_to(ctx, &form, rp, y), (int)BIGINT_OK);
    EXPECT_VALUE(rp, n, b);
    mpz_clears(m, a, b, want, NULL);
    arena_release(ctx, mark);
}

// Catches: the row carries added without the last one; the final subtraction left out or made
//          twice;
// the sign of the inverse in either reduction; a multiple of M left standing.
TEST(Montgomery, ProductsForEveryLengthAndVariant) {
    gen g = gen_seed(401);
    for (const char *const *variant = bigint_variants(); *variant != NULL; variant++) {
        bigint_ctx *const ctx = variant_ctx(*variant);
        for (size_t i = 0; ctx != NULL && i < sizeof lengths / sizeof *lengths; i++) {
            for (int k = 0; k < 20; k++) {
                SCOPED_TRACE("%s, %zu limbs, case %d", *variant, lengths[i], k);
                try_montgomery(ctx, &g, lengths[i], k % 4 == 0, k % 3 == 0);
            }
        }
        bigint_ctx_destroy(ctx);
    }
}

// In digits, with factors up to 2 M' - 1 and M' of every length: the bound that spares the final
// subtraction. Catches: a digit read beyond 52 bits, the lowest digit's carry lost, a missing
// vector.
TEST(Montgomery, DigitsUpToTheirBound) {
    if (!montgomery_ifma_built() || !cpu_detect().ifma) {
        SKIP("no AVX-512 IFMA");
    }
    gen g = gen_seed(408);
    enum { MOST = MONTGOMERY_IFMA_DIGITS_MAX };
    static uint64_t a[MOST] __attribute__((aligned(64))), b[MOST] __attribute__((aligned(64)));
    static uint64_t m[MOST] __attribute__((aligned(64))), limbs[MOST];
    mpz_t za, zb, zm, m1, r;
    mpz_inits(za, zb, zm, m1, r, NULL);
    for (size_t digits = 2; digits <= MOST; digits++) {
        const size_t n = (52 * digits + 63) / 64;
        for (int k = 0; k < 6; k++) {
            // the largest M' for even k: 2^(52 digits - 2) - 1
            draw(&g, zm, n);
            mpz_fdiv_r_2exp(zm, zm, 52 * digits - 2 - (k == 1 ? gen_below(&g, 52) : 0));
            for (unsigned bit = 0; bit < (k % 2 == 0 ? 52 * digits - 2 : 52); bit++) {
                mpz_setbit(zm, bit);
            }
            draw(&g, za, n), draw(&g, zb, n);
            mpz_mul_2exp(r, zm, 1);
            mpz_mod(za, za, r), mpz_mod(zb, zb, r);
            if (k < 4) {
                mpz_sub_ui(za, r, 1);
            }
            if (k < 2) {
                mpz_set(zb, za);
            }
            mpz_add_ui(m1, zm, 1);
            mpz_fdiv_q_2exp(m1, m1, 52);
            EXPECT_TRUE(oracle_store(limbs, n, m1));
            montgomery_ifma_unpack(m, digits, limbs, n);
            EXPECT_TRUE(oracle_store(limbs, n, za));
            montgomery_ifma_unpack(a, digits, limbs, n);
            EXPECT_TRUE(oracle_store(limbs, n, zb));
            montgomery_ifma_unpack(b, digits, limbs, n);
            montgomery_ifma_mul(a, a, b, m, digits);
            montgomery_ifma_pack(limbs, n, a, digits);
            mpz_t have;
            mpz_init(have);
            oracle_load(have, limbs, n);
            SCOPED_TRACE("%zu digits, case %d", digits, k);
            EXPECT_TRUE(mpz_cmp(have, r) < 0);
            mpz_mul_2exp(have, have, 52 * digits);
            mpz_submul(have, za, zb);
            EXPECT_TRUE(mpz_divisible_p(have, zm));
            mpz_clear(have);
        }
    }
    mpz_clears(za, zb, zm, m1, r, NULL);
}

// Catches: a lifting step that leaves the last, shorter one out.
TEST(Montgomery, InverseModuloPower) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(402);
    enum { MOST = 700 };
    static uint64_t a[MOST], r[MOST + 1], t[2 * MOST];
    for (int i = 0; i < 150; i++) {
        const size_t n = i < 40 ? (size_t)i + 1 : gen_size(&g, 1, MOST);
        gen_limbs(&g, (gen_shape)(1 + gen_below(&g, GEN_SHAPES - 1)), a, n);
        a[0] |= 1;
        r[n] = 77;
        ASSERT_EQ((int)inverse_mod_power(ctx, r, a, n), (int)BIGINT_OK);
        EXPECT_EQ(r[n], 77u);
        mpn_mul_n(t, a, r, (mp_size_t)n);
        SCOPED_TRACE("%zu limbs", n);
        EXPECT_TRUE(t[0] == 1 && limbs_normalize(t + 1, n - 1) == 0);
    }
    bigint_ctx_destroy(ctx);
}

// --- Powers ---

// Catches: a window that reads past the exponent's end or ends in a zero; a wrong power in the
//          table.
TEST(Powm, ExponentsOfEveryLength) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(403);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (size_t bits = 1; bits <= 6000; bits += 1 + bits / 8) {
        for (int k = 0; k < 8; k++) {
            draw(&g, b, 1 + gen_below(&g, 3));
            draw(&g, m, 1 + gen_below(&g, 3));
            mpz_setbit(m, 0);
            draw(&g, e, bits / 64 + 1);
            mpz_fdiv_r_2exp(e, e, bits);
            mpz_setbit(e, bits - 1);
            expect_powm(ctx, b, e, m);
        }
    }
    for (unsigned e1 = 0; e1 < 300; e1++) {
        mpz_set_ui(e, e1);
        expect_powm(ctx, b, e, m);
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: either reduction used outside its range; a base longer, or much shorter, than the
//          modulus.
TEST(Powm, ModuliOfEveryLength) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(404);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (int i = 0; i < 400; i++) {
        const size_t n = gen_size(&g, 1, 2 * MONTGOMERY_PRODUCTS_ADX_THRESHOLD);
        draw(&g, m, n);
        if (i % 4 != 0) {
            mpz_setbit(m, 0);
        }
        draw(&g, b, gen_size(&g, 1, 2 * n));
        draw(&g, e, n < 40 ? 1 + gen_below(&g, 2) : 1);
        mpz_fdiv_q_2exp(e, e, n < 40 ? 0 : 30);
        expect_powm(ctx, b, e, m);
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Even moduli: odd 2^k for k around limbs' edges, odd = 1 and long, bases with many factors of 2.
// Catches: the power of 2 cut at the wrong bit; a base whose power 2^k divides not taken as 0 (or
//          too early); the two
// residues joined with the wrong sign.
TEST(Powm, EvenModuli) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(405);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    const size_t twos[] = {1, 2, 63, 64, 65, 127, 128, 129, 640, 1000};
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++) {
        for (int k = 0; k < 60; k++) {
            mpz_set_ui(m, 1);
            if (k % 3 != 0) {
                draw(&g, m, 1 + gen_below(&g, k % 3 == 1 ? 3 : 30));
                mpz_setbit(m, 0);
            }
            mpz_mul_2exp(m, m, twos[i]);
            draw(&g, b, 1 + gen_below(&g, 12));
            if (k % 2 == 0) {
                mpz_mul_2exp(b, b, gen_below(&g, 70));
            }
            switch (k % 5) {
                case 0:
                    mpz_set_ui(e, 1 + gen_below(&g, 5));
                    break;
                case 1:  // about as many factors of 2 as the modulus has
                    mpz_set_ui(e, twos[i] - 1 + gen_below(&g, 3));
                    mpz_add_ui(e, e, mpz_sgn(e) == 0);
                    break;
                default:
                    draw(&g, e, 1 + gen_below(&g, 2));
            }
            expect_powm(ctx, b, e, m);
        }
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: 0^0, modulus 1 and -1, a negative base with odd and even exponents, residue 0 turned
//          into |modulus|.
TEST(Powm, SignsAndSmallValues) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (int bi = -9; bi <= 9; bi++) {
        for (unsigned ei = 0; ei <= 9; ei++) {
            for (int mi = -12; mi <= 12; mi++) {
                mpz_set_si(b, bi), mpz_set_ui(e, ei), mpz_set_si(m, mi);
                if (mi != 0) {
                    expect_powm(ctx, b, e, m);
                }
            }
        }
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: a refused call that touches its result.
TEST(Powm, RefusesZeroModulusAndNegativeExponent) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint one = BIGINT_INIT, minus = BIGINT_INIT, zero = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -42);
    fixture_set(ctx, &r, z);
    EXPECT_EQ((int)bigint_set_i64(ctx, &one, 1), (int)BIGINT_OK);
    EXPECT_EQ((int)bigint_set_i64(ctx, &minus, -1), (int)BIGINT_OK);
    EXPECT_EQ((int)bigint_powm(ctx, &r, &one, &one, &zero), (int)BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "modulus");
    EXPECT_EQ((int)bigint_powm(ctx, &r, &one, &minus, &one), (int)BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "exponent");
    EXPECT_BIGINT(ctx, &r, z);
    bigint_clear(ctx, &one), bigint_clear(ctx, &minus), bigint_clear(ctx, &r);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// Catches: an operand read after the result that shares its limbs was written or moved.
TEST(Powm, ResultMayBeAnyOperand) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(406);
    mpz_t z[3], want;
    mpz_inits(z[0], z[1], z[2], want, NULL);
    for (int i = 0; i < 120; i++) {
        draw(&g, z[0], 1 + gen_below(&g, 4)), draw(&g, z[1], 1),
            draw(&g, z[2], 1 + gen_below(&g, 9));
        if (i % 2 == 0) {
            mpz_setbit(z[2], 0);
        }
        const int same = i / 3 % 5;  // some operands may be one object too
        if (same == 1) {
            mpz_set(z[0], z[1]);
        } else if (same == 2) {
            mpz_set(z[0], z[2]);
        }
        mpz_powm(want, z[0], z[1], z[2]);
        bigint x[3] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
        for (int k = 0; k < 3; k++) {
            fixture_set(ctx, &x[k], z[k]);
        }
        bigint *const base = same == 1 ? &x[1] : same == 2 ? &x[2] : &x[0];
        EXPECT_EQ((int)bigint_powm(ctx, &x[i % 3], base, &x[1], &x[2]), (int)BIGINT_OK);
        SCOPED_TRACE("case %d", i);
        EXPECT_BIGINT(ctx, &x[i % 3], want);
        for (int k = 0; k < 3; k++) {
            bigint_clear(ctx, &x[k]);
        }
    }
    mpz_clears(z[0], z[1], z[2], want, NULL);
    bigint_ctx_destroy(ctx);
}

// --- Failures ---

// try_failing: one power with allocation number `at` failing. Returns whether there was such a one.
static bool try_failing(uint64_t at, const mpz_t b, const mpz_t e, const mpz_t m,
                        const mpz_t want) {
    allocator_log log = {0};
    bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *ctx = fixture_ctx(&options);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, w = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t seven;
    mpz_init_set_si(seven, -7);
    fixture_set(ctx, &x, b), fixture_set(ctx, &y, e), fixture_set(ctx, &w, m),
        fixture_set(ctx, &r, seven);
    log.fail_at = log.calls + at;
    const bigint_status status = bigint_powm(ctx, &r, &x, &y, &w);
    const bool reached = log.calls >= log.fail_at;
    SCOPED_TRACE("allocation %d", (int)at);
    EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
    EXPECT_BIGINT(ctx, &r, status == BIGINT_OK ? want : seven);
    log.fail_at = 0;
    uint64_t calls = 0;
    for (int i = 0; i < 3; i++) {
        calls = log.calls;
        EXPECT_EQ((int)bigint_powm(ctx, &r, &x, &y, &w), (int)BIGINT_OK);
    }
    EXPECT_EQ(log.calls, calls);
    bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &w), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    mpz_clear(seven);
    return reached;
}

// Catches: a result touched or memory lost by an allocation that fails at any place.
TEST(Powm, EveryAllocationMayFail) {
    gen g = gen_seed(407);
    mpz_t b, e, m, want;
    mpz_inits(b, e, m, want, NULL);
    for (int even = 0; even < 2; even++) {
        draw(&g, m, MONTGOMERY_PRODUCTS_ADX_THRESHOLD + 9);
        mpz_setbit(m, 0);
        mpz_mul_2exp(m, m, even != 0 ? 700 : 0);
        draw(&g, b, 30), draw(&g, e, 1);
        mpz_powm(want, b, e, m);
        uint64_t at = 1;
        while (try_failing(at, b, e, m, want) && at < 1000) {
            at++;
        }
        EXPECT_TRUE(at > 2 && at < 1000);
    }
    mpz_clears(b, e, m, want, NULL);
}
