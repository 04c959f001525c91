// gcd_integers_test.c: the calls of bigint_gcd.h against GMP: signs, zeros, aliasing, refusals,
// failures. Built for the host and for a device.
#include <gmp.h>
#include <stdbool.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// draw: x = z, of any sign, often 0, small, or with a factor in common with `other`.
static void draw(gen *g, bigint_ctx *ctx, bigint *x, mpz_t z, const mpz_t other, size_t most) {
    fixture_draw(g, ctx, x, z, most);
    const uint64_t kind = gen_below(g, 8);
    if (kind == 0) {
        mpz_mul_si(z, other, (long)gen_below(g, 5) - 2);
    } else if (kind == 1) {
        mpz_mul(z, z, other);
    } else if (kind == 2) {
        mpz_set_si(z, (long)gen_below(g, 9) - 4);
    }
    fixture_set(ctx, x, z);
}

// try_alias: one gcdext whose results are chosen by `alias`: new ones, a, b, or not wanted.
static void try_alias(bigint_ctx *ctx, int alias, const mpz_t za, const mpz_t zb,
                      const mpz_t want[3]) {
    SCOPED_TRACE("alias %d", alias);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, own[3] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
    fixture_set(ctx, &a, za), fixture_set(ctx, &b, zb);
    bigint *out[3];
    for (int i = 0, rest = alias; i < 3; i++, rest /= 4) {
        bigint *const choice[] = {&own[i], &a, &b, NULL};
        out[i] = choice[rest % 4];
    }
    bool same = false;
    for (int i = 0; i < 3; i++) {
        same = same || (out[i] != NULL && out[i] == out[(i + 1) % 3]);
    }
    const bigint_status status = bigint_gcdext(ctx, out[0], out[1], out[2], &a, &b);
    ASSERT_EQ((int)status, same ? (int)BIGINT_EINVAL : (int)BIGINT_OK);
    for (int i = 0; i < 3 && !same; i++) {
        if (out[i] != NULL) {
            EXPECT_BIGINT(ctx, out[i], want[i]);
        }
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &b);
    for (int i = 0; i < 3; i++) {
        bigint_clear(ctx, &own[i]);
    }
}

// Catches: the exceptional cofactors, a sign taken from the wrong operand, an output written before
// an operand that shares its limbs is read, -0, lengths with zero limbs at the top.
TEST(GcdIntegers, CofactorsAndAliases) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(910);
    mpz_t a, b, want[3];
    mpz_inits(a, b, want[0], want[1], want[2], NULL);
    mpz_set_ui(a, 1);
    for (int i = 0; i < 600; i += fixture_thinning()) {
        bigint x = BIGINT_INIT, y = BIGINT_INIT;
        const size_t most = i % 20 == 0 ? 400 : 1 + gen_below(&g, 6);
        draw(&g, ctx, &y, b, a, most);
        draw(&g, ctx, &x, a, b, most);
        mpz_gcdext(want[0], want[1], want[2], a, b);
        for (int alias = 0; alias < 64; alias += 1 + (int)gen_below(&g, 5)) {
            try_alias(ctx, alias, a, b, want);
        }
        bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    }
    mpz_clears(a, b, want[0], want[1], want[2], NULL);
    bigint_ctx_destroy(ctx);
}

// try_calls: gcd, lcm and inverse of a and b into a new integer, a, or b.
static void try_calls(bigint_ctx *ctx, const mpz_t za, const mpz_t zb) {
    mpz_t want, seven;
    mpz_init(want);
    mpz_init_set_si(seven, -7);
    for (int alias = 0; alias < 3; alias++) {
        for (int call = 0; call < 3; call++) {
            SCOPED_TRACE("alias %d, call %d", alias, call);
            bigint a = BIGINT_INIT, b = BIGINT_INIT, own = BIGINT_INIT;
            fixture_set(ctx, &a, za), fixture_set(ctx, &b, zb), fixture_set(ctx, &own, seven);
            bigint *const r = alias == 0 ? &own : alias == 1 ? &a : &b;
            bigint_status status = BIGINT_OK, right = BIGINT_OK;
            if (call == 0) {
                mpz_gcd(want, za, zb);
                status = bigint_gcd(ctx, r, &a, &b);
            } else if (call == 1) {
                mpz_lcm(want, za, zb);
                status = bigint_lcm(ctx, r, &a, &b);
            } else {
                int exists = 5;
                status = bigint_invert(ctx, &exists, r, &a, &b);
                right = mpz_sgn(zb) == 0 ? BIGINT_EINVAL : BIGINT_OK;
                mpz_gcd(want, za, zb);
                const int found = mpz_cmp_ui(want, 1) == 0;
                EXPECT_EQ(exists, right != BIGINT_OK ? 5 : found);
                mpz_set(want, alias == 0 ? seven : alias == 1 ? za : zb);
                if (right == BIGINT_OK && found && mpz_cmpabs_ui(zb, 1) == 0) {
                    mpz_set_ui(want, 0);
                } else if (right == BIGINT_OK && found) {
                    mpz_invert(want, za, zb);
                } else if (right == BIGINT_OK) {
                    EXPECT_EQ((int)bigint_invert(ctx, NULL, r, &a, &b), (int)BIGINT_EINVAL);
                    EXPECT_TEXT(ctx, "inverse");
                }
            }
            EXPECT_EQ((int)status, (int)right);
            EXPECT_BIGINT(ctx, r, want);
            bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &own);
        }
    }
    mpz_clears(want, seven, NULL);
}

// Catches: gcd(0, x) with x's sign, an inverse in -m .. 0, a modulus of 1, r lost where there is no
// inverse, the shorter operand divided by the wrong number in lcm.
TEST(GcdIntegers, GcdLcmInverse) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(911);
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    mpz_set_ui(a, 1);
    for (int i = 0; i < 600; i += fixture_thinning()) {
        bigint x = BIGINT_INIT, y = BIGINT_INIT;
        const size_t most = i % 20 == 0 ? 400 : 1 + gen_below(&g, 6);
        draw(&g, ctx, &y, b, a, most);
        draw(&g, ctx, &x, a, b, most);
        try_calls(ctx, a, b);
        bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    }
    mpz_clears(a, b, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: a remainder by the wrong word, gcd(a, 0) of one limb refused, of two let through.
TEST(GcdIntegers, OneWord) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(912);
    mpz_t a, want;
    mpz_inits(a, want, NULL);
    for (int i = 0; i < 400; i += fixture_thinning()) {
        bigint x = BIGINT_INIT;
        fixture_draw(&g, ctx, &x, a, 30);
        uint64_t b = 0, r = 9;
        if (i % 5 != 0) {
            gen_limbs(&g, (gen_shape)(i % GEN_SHAPES), &b, 1);
        }
        const bool fits = b != 0 || mpz_size(a) <= 1;
        EXPECT_EQ((int)bigint_gcd_u64(ctx, &r, &x, b), (int)(fits ? BIGINT_OK : BIGINT_ERANGE));
        mpz_set_ui(want, b);
        mpz_gcd(want, want, a);
        EXPECT_EQ(r, fits ? mpz_get_ui(want) : 9);
        bigint_clear(ctx, &x);
    }
    mpz_clears(a, want, NULL);
    bigint_ctx_destroy(ctx);
}

// operands: random ones of these lengths.
static void operands(mpz_t a, size_t an, mpz_t b, size_t bn) {
    gen g = gen_seed(913);
    fixture_shape(&g, GEN_UNIFORM, a, an);
    fixture_shape(&g, GEN_UNIFORM, b, bn);
}

// try_failing: one gcdext in which allocation number `at` after the operands' fails. Returns
// whether there was such an allocation.
static bool try_failing(uint64_t at, const mpz_t a, const mpz_t b, const mpz_t want[3]) {
    SCOPED_TRACE("allocation %d", (int)at);
    allocator_log log = {0};
    bigint_ctx_options options = {.allocator = fixture_allocator(&log)};
    bigint_ctx *ctx = fixture_ctx(&options);
    bigint x = BIGINT_INIT, y = BIGINT_INIT, r[3] = {BIGINT_INIT, BIGINT_INIT, BIGINT_INIT};
    mpz_t seven;
    mpz_init_set_si(seven, -7);
    fixture_set(ctx, &x, a), fixture_set(ctx, &y, b);
    for (int i = 0; i < 3; i++) {
        fixture_set(ctx, &r[i], seven);
    }
    log.fail_at = log.calls + at;
    const bigint_status status = bigint_gcdext(ctx, &r[0], &r[1], &r[2], &x, &y);
    const bool reached = log.calls >= log.fail_at;
    if (status != BIGINT_OK) {
        EXPECT_EQ((int)status, (int)BIGINT_ENOMEM);
        EXPECT_TEXT(ctx, "bytes");
    }
    for (int i = 0; i < 3; i++) {
        EXPECT_BIGINT(ctx, &r[i], status == BIGINT_OK ? want[i] : seven);
    }
    log.fail_at = 0;
    for (int repeat = 0; repeat < 2; repeat++) {
        EXPECT_EQ((int)bigint_gcdext(ctx, &r[0], &r[1], &r[2], &x, &y), (int)BIGINT_OK);
    }
    const uint64_t calls = log.calls;  // from here on the same sizes need no allocation
    EXPECT_EQ((int)bigint_gcdext(ctx, &r[0], &r[1], &r[2], &x, &y), (int)BIGINT_OK);
    EXPECT_TRUE(log.calls == calls || fixture_place() != BIGINT_HOST);
    for (int i = 0; i < 3; i++) {
        EXPECT_BIGINT(ctx, &r[i], want[i]);
        bigint_clear(ctx, &r[i]);
    }
    bigint_clear(ctx, &x), bigint_clear(ctx, &y);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(log.live_blocks, 0u);
    mpz_clear(seven);
    return reached;
}

// Catches: a result written before the last allocation, a leak, an allocation that is not looked
// at, workspace that is not kept for the next call.
TEST(GcdIntegers, EveryAllocationMayFail) {
    mpz_t a, b, want[3];
    mpz_inits(a, b, want[0], want[1], want[2], NULL);
    operands(a, 1300, b, 900);
    mpz_gcdext(want[0], want[1], want[2], a, b);
    uint64_t at = 1;
    while (try_failing(at, a, b, want) && at < 300) {
        at++;
    }
    EXPECT_TRUE(at > 2 && at < 300);
    mpz_clears(a, b, want[0], want[1], want[2], NULL);
}

// Catches: workspace beyond the bound of docs/proofs/gcd.md, section 5; a cap that is not obeyed.
TEST(GcdIntegers, WorkspaceIsBounded) {
    if (fixture_place() != BIGINT_HOST) {
        return;
    }
    mpz_t a, b, want;
    mpz_inits(a, b, want, NULL);
    operands(a, 3000, b, 3000);
    mpz_gcd(want, a, b);
    const bigint_ctx_options options = {.max_workspace_bytes = 64 * 1024};
    bigint_ctx *ctxs[] = {fixture_ctx(NULL), fixture_ctx(&options)};
    for (int i = 0; i < 2; i++) {
        bigint x = BIGINT_INIT, y = BIGINT_INIT, g = BIGINT_INIT;
        fixture_set(ctxs[i], &x, a), fixture_set(ctxs[i], &y, b);
        const bigint_status status = bigint_gcd(ctxs[i], &g, &x, &y);
        EXPECT_EQ((int)status, i == 0 ? (int)BIGINT_OK : (int)BIGINT_ENOMEM);
        if (i == 0) {
            EXPECT_BIGINT(ctxs[i], &g, want);
        }
        bigint_clear(ctxs[i], &x), bigint_clear(ctxs[i], &y), bigint_clear(ctxs[i], &g);
        bigint_ctx_destroy(ctxs[i]);
    }
    mpz_clears(a, b, want, NULL);
}
