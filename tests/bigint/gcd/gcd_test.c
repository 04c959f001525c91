// gcd_test.c: gcds and cofactors on limbs against GMP: half-gcds from the shortest numbers on, as
// measured, and never.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/gcd/gcd.h"
#include "bigint/gcd/half.h"
#include "bigint/gcd/lehmer.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/guard.h"
#include "tests/support/oracle.h"

// sizes_of: the run with the sizes of `way`: measured, half-gcds everywhere, nowhere.
enum { WAYS = 3 };
static gcd_run sizes_of(bigint_ctx *ctx, unsigned way) {
    gcd_run run = gcd_begin(ctx, "gcd_test");
    if (way > 0) {
        run.half = run.whole = way == 1 ? 1 : UINT64_MAX;
    }
    return run;
}

// expect_gcd: all functions, every way, against GMP. a may be 0, b is not.
static void expect_gcd(bigint_ctx *ctx, const mpz_t a, const mpz_t b) {
    const size_t an = mpz_size(a), bn = mpz_size(b);
    SCOPED_TRACE("%zu and %zu limbs", an, bn);
    mpz_t g, s;
    mpz_inits(g, s, NULL);
    mpz_gcdext(g, s, NULL, a, b);
    guard gp = guard_open(bn, true), sp = guard_open(bn, true);
    for (unsigned way = 0; way < WAYS; way++) {
        SCOPED_TRACE("way %u", way);
        const gcd_run run = sizes_of(ctx, way);
        uint64_t gn = 0, sn = 0;
        bool negative = false;
        ASSERT_EQ((int)gcd_limbs(&run, gp.p, &gn, mpz_limbs_read(a), an, mpz_limbs_read(b), bn),
                  (int)BIGINT_OK);
        EXPECT_VALUE(gp.p, gn, g);
        memset(gp.p, 0x5A, 8 * bn);
        ASSERT_EQ((int)gcd_cofactor(&run, gp.p, &gn, sp.p, &sn, &negative, mpz_limbs_read(a), an,
                                    mpz_limbs_read(b), bn),
                  (int)BIGINT_OK);
        EXPECT_VALUE(gp.p, gn, g);
        EXPECT_VALUE(sp.p, sn, s);
        EXPECT_EQ(negative, mpz_sgn(s) < 0);
        EXPECT_TRUE(gn > 0 && gp.p[gn - 1] != 0);
        if (mpz_odd_p(b)) {
            int symbol = 7;
            ASSERT_EQ((int)gcd_jacobi(&run, &symbol, mpz_limbs_read(a), an, mpz_limbs_read(b), bn),
                      (int)BIGINT_OK);
            EXPECT_EQ(symbol, mpz_jacobi(a, b));
        }
    }
    guard_close(&gp), guard_close(&sp);
    mpz_clears(g, s, NULL);
}

// common: multiplies both by a number of up to `most` limbs.
static void common(gen *g, mpz_t a, mpz_t b, size_t most) {
    mpz_t c;
    mpz_init(c);
    fixture_limbs(g, c, gen_size(g, 1, most));
    mpz_mul(a, a, c);
    mpz_mul(b, b, c);
    mpz_clear(c);
}

// Catches: a quotient off by one where the top words decide (WORD_LEAST one bit lower), a window
// that is not aligned, an entry that overflows its half of a word, the last step of words.
TEST(Gcd, EveryShortShape) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(900);
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    for (size_t an = 1; an <= 7; an++) {
        for (size_t bn = 1; bn <= 7; bn++) {
            for (int x = GEN_UNIFORM; x < GEN_SHAPES; x++) {
                for (int y = GEN_UNIFORM; y < GEN_SHAPES; y++) {
                    fixture_shape(&g, (gen_shape)x, a, an);
                    fixture_shape(&g, (gen_shape)y, b, bn);
                    if ((x + y) % 3 == 0) {
                        common(&g, a, b, 3);
                    }
                    expect_gcd(ctx, a, b);
                }
            }
        }
    }
    mpz_clears(a, b, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: a row or a matrix that is too short for its entries, the low limbs of a half-gcd taken
// with the wrong sign, a quotient that is not added to both rows, slack without end.
TEST(Gcd, EveryLength) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(901);
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    for (size_t n = 1; n <= 300; n++) {
        fixture_limbs(&g, a, n);
        fixture_limbs(&g, b, n % 3 == 0 ? n : gen_size(&g, 1, n));
        if (n % 4 == 0) {
            common(&g, a, b, n);
        }
        expect_gcd(ctx, a, b);
        expect_gcd(ctx, b, a);
    }
    for (int i = 0; i < 4; i++) {
        fixture_shape(&g, GEN_UNIFORM, a, 3000 + 500 * (size_t)i);
        fixture_shape(&g, i % 2 == 0 ? GEN_UNIFORM : GEN_RUNS, b, 3000);
        expect_gcd(ctx, a, b);
    }
    mpz_clears(a, b, NULL);
    bigint_ctx_destroy(ctx);
}

// Catches: a divisor that is taken back although its quotient is 0, a tie between two cofactors,
// 0 = x among the numbers of a step.
TEST(Gcd, SpecialPairs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(902);
    mpz_t a, b, c;
    mpz_inits(a, b, c, NULL);
    for (unsigned i = 2; i < 30000; i += 1 + i / 3) {  // all quotients are 1
        mpz_fib2_ui(a, b, i);
        expect_gcd(ctx, a, b);
        expect_gcd(ctx, b, a);
        mpz_add(a, a, b);  // equal operands but for a multiple
        expect_gcd(ctx, a, a);
    }
    for (size_t n = 1; n <= 200; n += n < 20 ? 1 : 17) {
        fixture_limbs(&g, b, n);
        expect_gcd(ctx, b, b);
        mpz_set_ui(a, 0);
        expect_gcd(ctx, a, b);
        mpz_set_ui(a, 1);
        expect_gcd(ctx, a, b);
        for (unsigned factor = 2; factor < 5; factor++) {  // one divides the other
            mpz_mul_ui(a, b, factor);
            expect_gcd(ctx, a, b);
            expect_gcd(ctx, b, a);
        }
        mpz_mul(a, b, b);
        expect_gcd(ctx, a, b);
        mpz_mul_2exp(a, b, 64 * n + 1);
        expect_gcd(ctx, a, b);
        mpz_add_ui(a, b, 1);  // a difference of 1
        expect_gcd(ctx, a, b);
    }
    mpz_clears(a, b, c, NULL);
    bigint_ctx_destroy(ctx);
}

// expansion: (a, b) with these quotients: a / b = [q0; q1, ...].
static void expansion(gen *g, mpz_t a, mpz_t b, size_t limbs, size_t longest, unsigned one_in) {
    mpz_t q, t;
    mpz_inits(q, t, NULL);
    mpz_set_ui(a, 1);
    mpz_set_ui(b, 0);
    while (mpz_size(a) < limbs) {
        if (gen_below(g, one_in) == 0) {
            fixture_limbs(g, q, gen_size(g, 1, longest));
        } else {
            mpz_set_ui(q, 1 + gen_below(g, 3));
        }
        mpz_mul(t, q, a);
        mpz_add(b, b, t);
        mpz_swap(a, b);
    }
    mpz_clears(q, t, NULL);
}

// Catches: a half-gcd that stops at a long quotient for good, or passes it; a division whose
// quotient is longer than the row.
TEST(Gcd, LongQuotients) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(903);
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    for (int i = 0; i < 200; i++) {
        expansion(&g, a, b, gen_size(&g, 3, 300), gen_size(&g, 1, 60),
                  1 + (unsigned)gen_below(&g, 90));
        expect_gcd(ctx, a, b);
        expect_gcd(ctx, b, a);
    }
    mpz_clears(a, b, NULL);
    bigint_ctx_destroy(ctx);
}

// expect_half: half-gcd of n limbs keeps what half.h promises.
static void expect_half(bigint_ctx *ctx, gen *g, size_t n, size_t low, unsigned way) {
    SCOPED_TRACE("%zu limbs above %zu, way %u", n, low, way);
    const gcd_run run = sizes_of(ctx, way);
    const size_t all = n + low;
    mpz_t a[2], x[2], t, sum;
    mpz_inits(a[0], a[1], x[0], x[1], t, sum, NULL);
    fixture_limbs(g, a[0], all);
    fixture_limbs(g, a[1], all);
    const arena_mark mark = arena_get_mark(ctx);
    gcd_pair pair;
    gcd_matrix m;
    ASSERT_TRUE(gcd_pair_take(&run, &pair, all));
    ASSERT_TRUE(gcd_matrix_take(&run, &m, half_gcd_limbs(n)));
    for (unsigned i = 0; i < 2; i++) {
        memcpy(pair.p[i], mpz_limbs_read(a[i]), 8 * all);
    }
    pair.n = all;
    ASSERT_EQ((int)half_gcd(&run, &pair, low, &m), (int)BIGINT_OK);
    for (unsigned i = 0; i < 2; i++) {
        oracle_load(x[i], pair.p[i], pair.n);
        // Both top parts stay at or above B^s, the whole numbers above B^(low + s - 1).
        EXPECT_TRUE(mpz_sizeinbase(x[i], 2) > 64 * (low + n / 2) || gcd_matrix_is_unit(&m));
        mpz_set_ui(sum, 0);
    }
    for (unsigned i = 0; i < 2; i++) {  // (a; b) = M (x0; x1)
        mpz_set_ui(sum, 0);
        for (unsigned j = 0; j < 2; j++) {
            oracle_load(t, m.row[i].p[j], m.row[i].n);
            EXPECT_TRUE(mpz_size(t) <= n - (n / 2 + 1) || n < 4);
            mpz_addmul(sum, t, x[j]);
        }
        EXPECT_EQ(mpz_cmp(sum, a[i]), 0);
    }
    arena_release(ctx, mark);
    mpz_clears(a[0], a[1], x[0], x[1], t, sum, NULL);
}

// Catches: a matrix whose inverse makes a number negative, entries of more than n - s limbs, a step
// below B^s.
TEST(Gcd, HalfKeepsItsPromises) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(904);
    for (unsigned way = 0; way < WAYS; way++) {
        for (size_t n = 2; n <= 150; n++) {
            expect_half(ctx, &g, n, 0, way);
            expect_half(ctx, &g, n, gen_size(&g, 1, 100), way);
        }
        expect_half(ctx, &g, 1500, 700, way);
    }
    bigint_ctx_destroy(ctx);
}

// Catches: an overflow of lehmer_reduce's sums where entries and limbs are largest, entries of
// 2^63 or more, numbers below 2^(L - 63).
TEST(Gcd, LehmerKeepsItsPromises) {
    gen g = gen_seed(905);
    mpz_t a[2], x[2], sum;
    mpz_inits(a[0], a[1], x[0], x[1], sum, NULL);
    for (int round = 0; round < 20000; round++) {
        const size_t n = 1 + gen_below(&g, 5);
        fixture_shape(&g, (gen_shape)(1 + gen_below(&g, GEN_SHAPES - 1)), a[0], n);
        fixture_shape(&g, (gen_shape)(1 + gen_below(&g, GEN_SHAPES - 1)), a[1], n);
        uint64_t p[2][5];
        memcpy(p[0], mpz_limbs_read(a[0]), 8 * n);
        memcpy(p[1], mpz_limbs_read(a[1]), 8 * n);
        gcd_pair pair = {{p[0], p[1]}, n};
        lehmer_matrix w;
        if (!lehmer_find(&w, &pair, NULL)) {
            continue;
        }
        const bool second = mpz_cmp(a[1], a[0]) > 0;
        const size_t bits = mpz_sizeinbase(a[second], 2);
        lehmer_reduce(&pair, &w);
        for (unsigned i = 0; i < 2; i++) {
            oracle_load(x[i], pair.p[i], pair.n);
            EXPECT_TRUE(bits < 64 || mpz_sizeinbase(x[i], 2) > bits - 63);
        }
        for (unsigned i = 0; i < 2; i++) {
            mpz_mul_ui(sum, x[0], w.u[i][0]);
            mpz_addmul_ui(sum, x[1], w.u[i][1]);
            ASSERT_EQ(mpz_cmp(sum, a[i]), 0);
            ASSERT_TRUE((w.u[i][0] | w.u[i][1]) >> 63 == 0);
        }
    }
    mpz_clears(a[0], a[1], x[0], x[1], sum, NULL);
}

// Catches: the top limb of b not looked at, padding, an operand written, gp over an operand.
TEST(Gcd, CallsOnLimbs) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(906);
    mpz_t a, b, right, s;
    mpz_inits(a, b, right, s, NULL);
    for (int round = 0; round < 200; round++) {
        const size_t an = gen_size(&g, 1, 200), bn = gen_size(&g, 1, 200);
        SCOPED_TRACE("%zu and %zu limbs, round %d", an, bn, round);
        guard ap = guard_open(an, round % 2 == 0), bp = guard_open(bn, round % 2 == 0);
        guard gp = guard_open(bn, round % 2 == 0), sp = guard_open(bn, round % 2 == 0);
        gen_limbs(&g, round % 9 == 0 ? GEN_ZERO : GEN_RUNS, ap.p, an);
        gen_limbs(&g, GEN_UNIFORM, bp.p, bn);
        oracle_load(a, ap.p, an), oracle_load(b, bp.p, bn);
        guard_lock(&ap), guard_lock(&bp);
        mpz_gcdext(right, s, NULL, a, b);
        EXPECT_EQ((int)bigint_limbs_gcd(ctx, gp.p, ap.p, an, bp.p, bn), (int)BIGINT_OK);
        EXPECT_VALUE(gp.p, bn, right);
        int sign = 7;
        EXPECT_EQ((int)bigint_limbs_gcdext(ctx, gp.p, sp.p, &sign, ap.p, an, bp.p, bn),
                  (int)BIGINT_OK);
        EXPECT_VALUE(gp.p, bn, right);
        EXPECT_VALUE(sp.p, bn, s);
        EXPECT_EQ(sign, mpz_sgn(s));
        guard_unlock(&bp);
        EXPECT_EQ((int)bigint_limbs_gcd(ctx, bp.p, ap.p, an, bp.p, bn), (int)BIGINT_OK);
        EXPECT_VALUE(bp.p, bn, right);
        bp.p[bn - 1] = 0;
        EXPECT_EQ((int)bigint_limbs_gcd(ctx, gp.p, ap.p, an, bp.p, bn), (int)BIGINT_EINVAL);
        EXPECT_EQ((int)bigint_limbs_gcdext(ctx, gp.p, sp.p, &sign, ap.p, an, bp.p, 0),
                  (int)BIGINT_EINVAL);
        guard_close(&ap), guard_close(&bp), guard_close(&gp), guard_close(&sp);
    }
    mpz_clears(a, b, right, s, NULL);
    bigint_ctx_destroy(ctx);
}

// passes: reports between which no product was made: how many in a row, now and at most.
typedef struct {
    double products;
    int row, most;
} passes;

static int count_passes(void *user, double done, double total) {
    passes *const p = user;
    p->row = total == 0 && done == p->products ? p->row + 1 : 0;
    p->products = done;
    p->most = p->row > p->most ? p->row : p->most;
    return 0;
}

// A cofactor that is long while the numbers are short. Mutations: a half-gcd of too few limbs, or
// one whose matrix does not reach the row; the last passes over the row, which make no product, do
// not ask whether the call is to end.
TEST(Gcd, LongCofactors) {
    enum { LIMBS = 8800 };
    passes p = {0};
    bigint_ctx *ctx =
        fixture_ctx(&(bigint_ctx_options){.progress = count_passes, .progress_user = &p});
    bigint a = BIGINT_INIT, b = BIGINT_INIT, g = BIGINT_INIT, s = BIGINT_INIT, t = BIGINT_INIT;
    mpz_t za, zb, want[3];
    mpz_inits(za, zb, want[0], want[1], want[2], NULL);
    gen random = gen_seed(907);
    for (int round = 0; round < 3; round++) {
        fixture_shape(&random, GEN_UNIFORM, za, LIMBS);
        fixture_shape(&random, round == 1 ? GEN_RUNS : GEN_UNIFORM, zb, LIMBS - (size_t)round);
        round == 2 ? mpz_mul_ui(za, za, 977), mpz_mul_ui(zb, zb, 977) : (void)0;
        fixture_set(ctx, &a, za);
        fixture_set(ctx, &b, zb);
        mpz_gcdext(want[0], want[1], want[2], za, zb);
        p.most = 0;
        EXPECT_EQ(bigint_gcdext(ctx, &g, &s, &t, &a, &b), BIGINT_OK);
        EXPECT_BIGINT(ctx, &g, want[0]);
        EXPECT_BIGINT(ctx, &s, want[1]);
        EXPECT_BIGINT(ctx, &t, want[2]);
        EXPECT_TRUE(p.most >= 8);
    }
    mpz_clears(za, zb, want[0], want[1], want[2], NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &g);
    bigint_clear(ctx, &s), bigint_clear(ctx, &t);
    bigint_ctx_destroy(ctx);
}
