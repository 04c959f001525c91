// powm_test.c: modular powers against GMP: every reduction, windows of every length, odd, even and
// power-of-2 moduli, signs, aliasing, failures.
#include <gmp.h>
#include <stdbool.h>

#include "bigint/core/tune.h"
#include "bigint/modular/exponent.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

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

// Catches: a window that reads past the exponent's end or ends in a zero; a wrong power in the
//          table, or none; zeros beyond those that are seen at once; a window that begins there.
TEST(Powm, ExponentsOfEveryLength) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(403);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (size_t bits = 1; bits <= 6000; bits += 1 + bits / 8) {
        for (int k = 0; k < 8; k++) {
            fixture_limbs(&g, b, 1 + gen_below(&g, 3));
            fixture_limbs(&g, m, 1 + gen_below(&g, 3));
            mpz_setbit(m, 0);
            fixture_limbs(&g, e, bits / 64 + 1);
            mpz_fdiv_r_2exp(e, e, bits);
            mpz_setbit(e, bits - 1);
            expect_powm(ctx, b, e, m);
        }
    }
    for (unsigned e1 = 0; e1 < 300; e1++) {
        mpz_set_ui(e, e1);
        expect_powm(ctx, b, e, m);
    }
    for (unsigned high = 0; high < 400; high++) {  // two ones, or few, far from one another
        for (int k = 0; k < 4; k++) {
            mpz_set_ui(e, 0);
            mpz_setbit(e, high);
            mpz_setbit(e, k == 0 ? 0 : gen_below(&g, high + 1));
            if (k == 3) {
                mpz_setbit(e, gen_below(&g, high + 1));
            }
            expect_powm(ctx, b, e, m);
        }
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
        fixture_limbs(&g, m, n);
        if (i % 4 != 0) {
            mpz_setbit(m, 0);
        }
        fixture_limbs(&g, b, gen_size(&g, 1, 2 * n));
        fixture_limbs(&g, e, n < 40 ? 1 + gen_below(&g, 2) : 1);
        mpz_fdiv_q_2exp(e, e, n < 40 ? 0 : 30);
        expect_powm(ctx, b, e, m);
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Moduli of up to three limbs, with all ones and a single one on top; all small ones with all small
// bases; bases around the modulus and longer; exponents of every length around a change of windows.
// Catches: a window beyond the exponent's end that is not empty, an entry that is not 1 at first,
//          running products that end early; a base not reduced; a carry lost where the modulus
//          has all its bits; modulus 1.
TEST(Powm, FewLimbs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(406);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    for (unsigned i = 0; i < 16 * 16 * 16; i++) {
        mpz_set_ui(b, i % 16), mpz_set_ui(e, i / 16 % 16), mpz_set_ui(m, i / 256 + 1);
        expect_powm(ctx, b, e, m);
    }
    for (size_t bits = 1; bits <= 970; bits += bits < 80 || (bits > 280 && bits < 300) ? 1 : 17) {
        for (int k = 0; k < 30; k++) {
            mpz_set_ui(m, 1);
            mpz_mul_2exp(m, m, 64 * (1 + (unsigned)k % 3) - (k < 15 ? 0 : gen_below(&g, 64)));
            switch (k % 5) {
                case 0:
                    mpz_sub_ui(m, m, 1 + 2 * gen_below(&g, 3));
                    break;
                case 1:
                    mpz_add_ui(m, m, 1 + 2 * gen_below(&g, 3));
                    break;
                default:
                    fixture_limbs(&g, m, 1 + (unsigned)k % 3);
            }
            mpz_setbit(m, 0);
            fixture_limbs(&g, b, 1 + gen_below(&g, 5));
            if (k % 7 == 0) {
                mpz_add_ui(b, m, gen_below(&g, 3));
                mpz_sub_ui(b, b, 1);
            }
            fixture_limbs(&g, e, bits / 64 + 1);
            mpz_fdiv_r_2exp(e, e, bits);
            mpz_setbit(e, bits - 1);
            expect_powm(ctx, b, e, m);
        }
    }
    mpz_clears(b, e, m, NULL);
    bigint_ctx_destroy(ctx);
}

// Even moduli: odd 2^k for k around limbs' edges, odd = 1 and long, bases with many factors of 2.
// Catches: the power of 2 cut at the wrong bit; a base whose power 2^k divides not taken as 0 (or
//          too early); the two
// residues joined with the wrong sign; an exponent cut to fewer bits than the group's order has.
TEST(Powm, EvenModuli) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(405);
    mpz_t b, e, m;
    mpz_inits(b, e, m, NULL);
    const size_t twos[] = {1, 2, 3, 62, 63, 64, 65, 127, 128, 129, 640, 1000};
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++) {
        for (int k = 0; k < 60; k++) {
            mpz_set_ui(m, 1);
            if (k % 3 != 0) {
                fixture_limbs(&g, m, 1 + gen_below(&g, k % 3 == 1 ? 3 : 30));
                mpz_setbit(m, 0);
            }
            mpz_mul_2exp(m, m, twos[i]);
            fixture_limbs(&g, b, 1 + gen_below(&g, 12));
            if (k % 2 == 0) {
                mpz_mul_2exp(b, b, gen_below(&g, 70));
            }
            switch (k % 7) {
                case 5:  // about a multiple of the odd numbers' order
                case 6:
                    mpz_setbit(b, 0);
                    mpz_set_ui(e, 1 + gen_below(&g, 3));
                    mpz_mul_2exp(e, e, twos[i] - 1);
                    k % 2 == 0 ? mpz_add_ui(e, e, gen_below(&g, 2)) : mpz_sub_ui(e, e, 1);
                    break;
                case 0:
                    mpz_set_ui(e, 1 + gen_below(&g, 5));
                    break;
                case 1:  // about as many factors of 2 as the modulus has
                    mpz_set_ui(e, twos[i] - 1 + gen_below(&g, 3));
                    mpz_add_ui(e, e, mpz_sgn(e) == 0);
                    break;
                default:
                    fixture_limbs(&g, e, 1 + gen_below(&g, 2));
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

// Windows that a table has room for. Mutations: a table that the cap does not bound, or a window
// whose powers are one more than that; a limit of no powers.
TEST(Powm, TablesKeepToTheirShare) {
    EXPECT_EQ(exponent_powers_most(0, UINT64_C(1) << 22), 256u);
    EXPECT_EQ(exponent_powers_most(UINT64_C(1) << 26, UINT64_C(1) << 22), 4u);
    EXPECT_EQ(exponent_powers_most(1000, 4000), 1u);
    EXPECT_EQ(exponent_window_bits(UINT64_C(1) << 25, 256), 9u);
    EXPECT_EQ(exponent_window_bits(UINT64_C(1) << 25, 255), 8u);
    EXPECT_EQ(exponent_window_bits(UINT64_C(1) << 25, 1), 1u);
    EXPECT_EQ(exponent_window_bits(UINT64_C(1) << 25, UINT64_MAX), 16u);
    EXPECT_EQ(exponent_window_bits(1, UINT64_MAX), 1u);
}

// Caps that go down until one is refused. Mutation: a window as long as without a cap, so that a
// cap below twice its table is refused.
TEST(Powm, ShorterWindowsUnderACap) {
    enum { N = 300 };
    gen g = gen_seed(412);
    mpz_t b, e, m, want;
    mpz_inits(b, e, m, want, NULL);
    fixture_limbs(&g, b, N), fixture_limbs(&g, e, N / 4), fixture_limbs(&g, m, N);
    mpz_setbit(m, 0);
    mpz_powm(want, b, e, m);
    uint64_t first = 0, least = 0;
    for (uint64_t cap = 0; cap == 0 || least == 0;) {
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        bigint x = BIGINT_INIT, y = BIGINT_INIT, z = BIGINT_INIT;
        bigint_counters counters;
        fixture_set(ctx, &x, b), fixture_set(ctx, &y, e), fixture_set(ctx, &z, m);
        const bigint_status status = bigint_powm(ctx, &x, &x, &y, &z);
        bigint_ctx_counters(ctx, &counters);
        EXPECT_TRUE(status == BIGINT_OK || (status == BIGINT_ENOMEM && cap != 0));
        if (status == BIGINT_OK) {
            EXPECT_BIGINT(ctx, &x, want);
            EXPECT_TRUE(cap == 0 || counters.workspace_peak <= cap);
        } else {
            least = cap;
        }
        first = cap == 0 ? counters.workspace_peak : first;
        cap = cap == 0 ? first / 5 * 4 : cap / 5 * 4;
        bigint_clear(ctx, &x), bigint_clear(ctx, &y), bigint_clear(ctx, &z);
        bigint_ctx_destroy(ctx);
    }
    EXPECT_TRUE(least < first / 2);  // the table of 2^7 powers is most of it
    mpz_clears(b, e, m, want, NULL);
}

// Catches: an operand read after the result that shares its limbs was written or moved.
TEST(Powm, ResultMayBeAnyOperand) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(406);
    mpz_t z[3], want;
    mpz_inits(z[0], z[1], z[2], want, NULL);
    for (int i = 0; i < 120; i++) {
        fixture_limbs(&g, z[0], 1 + gen_below(&g, 4)), fixture_limbs(&g, z[1], 1),
            fixture_limbs(&g, z[2], 1 + gen_below(&g, 9));
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
        fixture_limbs(&g, m, MONTGOMERY_PRODUCTS_ADX_THRESHOLD + 9);
        mpz_setbit(m, 0);
        mpz_mul_2exp(m, m, even != 0 ? 700 : 0);
        fixture_limbs(&g, b, 30), fixture_limbs(&g, e, 1);
        mpz_powm(want, b, e, m);
        uint64_t at = 1;
        while (try_failing(at, b, e, m, want) && at < 1000) {
            at++;
        }
        EXPECT_TRUE(at > 2 && at < 1000);
    }
    mpz_clears(b, e, m, want, NULL);
}
