// montgomery_test.c: products modulo M in Montgomery form against GMP, for every reduction; the
// inverse modulo a power of 2 that they begin with.
#include <gmp.h>
#include <stdbool.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/modular/montgomery.h"
#include "bigint/modular/montgomery_ifma.h"
#include "bigint/modular/montgomery_lanes.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/inverse.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// Lengths on both sides of every change of the way products are reduced, on any machine.
static const size_t lengths[] = {1,
                                 2,
                                 3,
                                 4,
                                 5,
                                 MONTGOMERY_DIGITS_THRESHOLD - 1,
                                 MONTGOMERY_DIGITS_THRESHOLD,
                                 16,
                                 31,
                                 64,
                                 128,
                                 129,
                                 130,
                                 156,
                                 157,
                                 MONTGOMERY_PRODUCTS_IFMA_THRESHOLD - 1,
                                 MONTGOMERY_PRODUCTS_IFMA_THRESHOLD,
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

// forms: a modulus made ready and the forms of two numbers below it, on the arena.
typedef struct {
    montgomery form;
    uint64_t *mp, *ap, *x, *y;  // the modulus; n limbs of room; the forms
} forms;

static bool forms_open(bigint_ctx *ctx, forms *f, size_t n, const mpz_t m, const mpz_t a,
                       const mpz_t b) {
    f->mp = arena_take_limbs(ctx, "test", n);
    f->ap = arena_take_limbs(ctx, "test", n);
    if (!oracle_store(f->mp, n, m) || montgomery_init(ctx, &f->form, f->mp, n) != BIGINT_OK) {
        return false;
    }
    f->x = arena_take_limbs(ctx, "test", f->form.words);
    f->y = arena_take_limbs(ctx, "test", f->form.words);
    return oracle_store(f->ap, n, a) &&
           montgomery_from(ctx, &f->form, f->x, f->ap, n) == BIGINT_OK &&
           oracle_store(f->ap, n, b) && montgomery_from(ctx, &f->form, f->y, f->ap, n) == BIGINT_OK;
}

// One product of numbers below M, there and back again. The arena is released after it.
static void try_montgomery(bigint_ctx *ctx, gen *g, size_t n, bool largest, bool square) {
    const arena_mark mark = arena_get_mark(ctx);
    mpz_t m, a, b, want;
    mpz_inits(m, a, b, want, NULL);
    fixture_limbs(g, m, n);
    mpz_setbit(m, 0);
    fixture_limbs(g, a, n), fixture_limbs(g, b, n);
    if (largest) {
        mpz_sub_ui(a, m, 1);
        mpz_set(b, a);
    }
    mpz_mod(a, a, m), mpz_mod(b, b, m);
    forms f;
    ASSERT_TRUE(forms_open(ctx, &f, n, m, a, b));
    ASSERT_EQ((int)montgomery_mul(ctx, &f.form, f.x, f.x, square ? f.x : f.y), (int)BIGINT_OK);
    ASSERT_EQ((int)montgomery_to(ctx, &f.form, f.ap, f.x), (int)BIGINT_OK);
    mpz_mul(want, a, square ? a : b);
    mpz_mod(want, want, m);
    EXPECT_VALUE(f.ap, n, want);
    ASSERT_EQ((int)montgomery_to(ctx, &f.form, f.ap, f.y), (int)BIGINT_OK);
    EXPECT_VALUE(f.ap, n, b);
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

// In digits, with factors up to 4 M' - 1 and M' of every length: the bound that spares the final
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
            // the largest M' for even k: 2^(52 digits - 4) - 1
            fixture_limbs(&g, zm, n);
            mpz_fdiv_r_2exp(zm, zm, 52 * digits - 4 - (k == 1 ? gen_below(&g, 52) : 0));
            for (unsigned bit = 0; bit < (k % 2 == 0 ? 52 * digits - 4 : 52); bit++) {
                mpz_setbit(zm, bit);
            }
            fixture_limbs(&g, za, n), fixture_limbs(&g, zb, n);
            mpz_mul_2exp(r, zm, 2);
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
            mpz_mul_2exp(r, zm, 1);
            EXPECT_TRUE(mpz_cmp(have, r) < 0);
            mpz_mul_2exp(have, have, 52 * digits);
            mpz_submul(have, za, zb);
            EXPECT_TRUE(mpz_divisible_p(have, zm));
            mpz_clear(have);
        }
    }
    mpz_clears(za, zb, zm, m1, r, NULL);
}

enum { LANES_MOST = 8 * MONTGOMERY_LANES_DIGITS_MAX, LANES_TWICE = 0x5a };

// lanes_case: eight numbers modulo each its own M, of so many digits, in lanes and as mpz_t.
typedef struct {
    uint64_t x[4][LANES_MOST] __attribute__((aligned(64)));  // a, b, c, r
    uint64_t modulus[LANES_MOST] __attribute__((aligned(64)));
    uint64_t sums[2 * LANES_MOST] __attribute__((aligned(64)));
    uint64_t inverse[MONTGOMERY_LANES] __attribute__((aligned(64)));
    uint64_t rows[MONTGOMERY_LANES][LANES_MOST / 8 + 1], b[MONTGOMERY_LANES][LANES_MOST / 8];
    mpz_t m[MONTGOMERY_LANES], z[3][MONTGOMERY_LANES];
} lanes_case;

// lanes_draw: M of `digits` digits in every lane but the last, which has none: the largest in lanes
// 0 and 1, a short one in lane 2; and a, b < 4 M, c < M.
static void lanes_draw(lanes_case *s, gen *g, size_t digits) {
    const size_t n = (52 * digits + 63) / 64;
    uint64_t limbs[LANES_MOST / 8];
    mpz_t most;
    mpz_init(most);
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        fixture_limbs(g, s->m[k], n);
        mpz_fdiv_r_2exp(s->m[k], s->m[k], k == 2 ? 20 : 52 * digits - 4);
        for (unsigned bit = 0; bit < (k < 2 ? 52 * digits - 4 : 1); bit++) {
            mpz_setbit(s->m[k], bit);
        }
        mpz_mul_ui(s->m[k], s->m[k], k < 7);
        s->inverse[k] = k < 7 ? -word_inverse(mpz_get_ui(s->m[k])) : 0;
        for (unsigned i = 0; i < 3; i++) {
            mpz_ptr z = s->z[i][k];
            fixture_limbs(g, z, n);
            mpz_mul_ui(most, s->m[k], i < 2 ? 4 : 1);
            k < 2 || k == 7 ? mpz_sub_ui(z, most, k < 2 && i < 2) : mpz_mod(z, z, most);
            EXPECT_TRUE(oracle_store(limbs, n, z));
            montgomery_lanes_put(s->x[i], digits, k, limbs, n);
        }
        EXPECT_TRUE(oracle_store(limbs, n, s->m[k]));
        montgomery_lanes_put(s->modulus, digits, k, limbs, n);
        EXPECT_TRUE(oracle_store(s->b[k], n, s->z[1][k]));
    }
    mpz_clear(most);
}

// lanes_expect: row k is a b, 2 a a where the lane doubles, or a b + c, by its way, below 4 M and
// right modulo M.
static void lanes_expect(const lanes_case *s, size_t digits, unsigned way, unsigned k) {
    SCOPED_TRACE("%zu digits, way %d, lane %d", digits, (int)way, (int)k);
    const size_t n = (52 * digits + 63) / 64;
    mpz_t have, want;
    mpz_inits(have, want, NULL);
    oracle_load(have, s->rows[k], n);
    EXPECT_EQ(s->rows[k][n], (uint64_t)0x77);
    mpz_mul_ui(want, s->m[k], 4);
    EXPECT_TRUE(k == 7 ? mpz_sgn(have) == 0 : mpz_cmp(have, want) < 0);
    mpz_mul(want, s->z[0][k], s->z[way != 1][k]);
    mpz_mul_ui(want, want, way == 1 ? 1 + (LANES_TWICE >> k & 1) : 1);
    mpz_submul_ui(have, s->z[2][k], way == 2);
    mpz_mul_2exp(have, have, 52 * digits);
    mpz_sub(have, have, want);
    EXPECT_TRUE(mpz_divisible_p(have, s->m[k]));
    mpz_clears(have, want, NULL);
}

// lanes_try: all eight put at once, every way of a product, and all eight got at once.
static void lanes_try(lanes_case *s, size_t digits) {
    const size_t n = (52 * digits + 63) / 64;
    uint64_t *row[MONTGOMERY_LANES];
    const uint64_t *number[MONTGOMERY_LANES];
    size_t lengths_of[MONTGOMERY_LANES];
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        row[k] = s->rows[k];
        number[k] = s->b[k];
        lengths_of[k] = limbs_normalize(s->b[k], n);  // 0 in the last lane
    }
    memset(s->x[3], 0x77, sizeof s->x[3]);
    montgomery_lanes_put_all(s->x[3], digits, number, lengths_of, s->sums);
    EXPECT_LIMBS_EQ(s->x[3], s->x[1], 8 * digits);
    const montgomery_lanes lanes = {digits, s->modulus, s->inverse, s->sums};
    for (unsigned way = 0; way < 3; way++) {
        montgomery_lanes_mul(&lanes, s->x[3], s->x[0], s->x[way != 1], way == 2 ? s->x[2] : NULL,
                             way == 1 ? LANES_TWICE : 0);
        for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
            lengths_of[k] = n;
            s->rows[k][n] = 0x77;
        }
        montgomery_lanes_get_all(row, lengths_of, s->x[3], digits);
        for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
            lanes_expect(s, digits, way, k);
        }
    }
}

// Eight products at once with factors up to 4 M - 1, M of every length. Catches: a column without
// one of its halves, the doubling of a square's diagonal, a carry between columns of the reduction
// lost, doubling or adding in the wrong lane; all eight put or got at once: a digit across two
// limbs, a limb across three digits, the end of a number, a row written beyond its end.
TEST(Montgomery, LanesUpToTheirBound) {
    if (!montgomery_lanes_built() || !cpu_detect().ifma) {
        SKIP("no AVX-512 IFMA");
    }
    static lanes_case s;
    gen g = gen_seed(409);
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        mpz_inits(s.m[k], s.z[0][k], s.z[1][k], s.z[2][k], NULL);
    }
    for (size_t digits = 4; digits <= MONTGOMERY_LANES_DIGITS_MAX; digits += 4) {
        lanes_draw(&s, &g, digits);
        lanes_try(&s, digits);
    }
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        mpz_clears(s.m[k], s.z[0][k], s.z[1][k], s.z[2][k], NULL);
    }
}

// Catches: a sum of digits whose carries stop at a vector's end; the subtraction left out, or made
// though the sum has no carry and is below M.
TEST(Montgomery, Sums) {
    gen g = gen_seed(410);
    for (const char *const *variant = bigint_variants(); *variant != NULL; variant++) {
        bigint_ctx *const ctx = variant_ctx(*variant);
        for (size_t i = 0; ctx != NULL && i < 40 * (sizeof lengths / sizeof *lengths); i++) {
            const size_t n = lengths[i / 40];
            const arena_mark mark = arena_get_mark(ctx);
            mpz_t m, a, b;
            mpz_inits(m, a, b, NULL);
            fixture_limbs(&g, m, n), fixture_limbs(&g, a, n), fixture_limbs(&g, b, n);
            mpz_setbit(m, 0), mpz_mod(a, a, m), mpz_mod(b, b, m);
            if (i % 4 == 0) {
                mpz_sub(b, m, a), mpz_mod(b, b, m);  // the sum is M
            }
            forms f;
            ASSERT_TRUE(forms_open(ctx, &f, n, m, a, b));
            montgomery_add(&f.form, f.x, f.x, f.y);
            EXPECT_TRUE(f.form.way == MONTGOMERY_DIGITS || limbs_cmp(f.x, f.mp, n) < 0);
            ASSERT_EQ((int)montgomery_mul(ctx, &f.form, f.x, f.x, f.x), (int)BIGINT_OK);
            ASSERT_EQ((int)montgomery_to(ctx, &f.form, f.ap, f.x), (int)BIGINT_OK);
            mpz_add(a, a, b), mpz_mul(a, a, a), mpz_mod(a, a, m);
            SCOPED_TRACE("%s, %zu limbs", *variant, n);
            EXPECT_VALUE(f.ap, n, a);
            mpz_clears(m, a, b, NULL);
            arena_release(ctx, mark);
        }
        bigint_ctx_destroy(ctx);
    }
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
