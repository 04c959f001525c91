// divrem_test.c: division on limbs against GMP: every algorithm, their thresholds, the estimates
// that need correcting.
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/reciprocal.h"
#include "bigint/divide/small.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/divide/newton_length.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

static uint64_t *limbs_new(size_t n) { return calloc(n + 1, sizeof(uint64_t)); }

static uint64_t *limbs_copy(const uint64_t *ap, size_t n) {
    uint64_t *p = limbs_new(n);
    memcpy(p, ap, n * sizeof *p);
    return p;
}

static gen_shape any_shape(gen *g) { return (gen_shape)(1 + gen_below(g, GEN_SHAPES - 1)); }

// How a dividend is made from the divisor; each aims at one line of the algorithms.
typedef enum {
    DIVIDEND_ANY,
    DIVIDEND_EXACT,  // q d: remainder 0, and one unit less in the estimate shows
    DIVIDEND_MOST,   // q d + d - 1: one unit more in the estimate shows
    DIVIDEND_BELOW,  // q d - 1
    DIVIDEND_TOP,    // the divisor's own limbs on top, less one: estimates of B and B^n
    DIVIDEND_KINDS,
} dividend_kind;

// make_dividend: {ap, qn + dn} with {ap + qn, dn} < {dp, dn}.
static void make_dividend(gen *g, dividend_kind kind, uint64_t *ap, size_t qn, const uint64_t *dp,
                          size_t dn) {
    mpz_t a, d, q, limit;
    mpz_inits(a, d, q, limit, NULL);
    oracle_load(d, dp, dn);
    mpz_mul_2exp(limit, d, 64 * qn);  // a < limit
    if (kind == DIVIDEND_ANY || kind == DIVIDEND_TOP) {
        gen_limbs(g, any_shape(g), ap, qn + dn);
        if (kind == DIVIDEND_TOP) {
            memcpy(ap + qn, dp, dn * sizeof *ap);
            if (gen_below(g, 2) != 0) {  // only the upper limbs of the divisor, then ones
                memset(ap + qn, 0xff, (size_t)gen_below(g, dn) * sizeof *ap);
            }
        }
        oracle_load(a, ap, qn + dn);
        if (mpz_cmp(a, limit) >= 0) {
            mpz_sub(a, a, limit);
            mpz_fdiv_r(a, a, limit);
            if (kind == DIVIDEND_TOP) {
                mpz_sub_ui(a, limit, 1 + gen_below(g, 3));
            }
        }
    } else {
        uint64_t *qp = limbs_new(qn);
        gen_limbs(g, any_shape(g), qp, qn);
        oracle_load(q, qp, qn);
        free(qp);
        mpz_mul(a, q, d);
        if (kind == DIVIDEND_MOST) {
            mpz_add(a, a, d);
        }
        if (kind != DIVIDEND_EXACT) {
            mpz_sub_ui(a, a, 1);
        }
    }
    memset(ap, 0, (qn + dn) * sizeof *ap);
    ASSERT_TRUE(oracle_store(ap, qn + dn, a));
    mpz_clears(a, d, q, limit, NULL);
}

static void normalised_divisor(gen *g, uint64_t *dp, size_t dn) {
    gen_limbs(g, any_shape(g), dp, dn);
    dp[dn - 1] |= (uint64_t)1 << 63;
}

// --- Small division ---

static void try_div_small(gen *g, div_small_algorithm algorithm, size_t qn, size_t dn) {
    const limbs_ops *ops = limbs_ops_for(cpu_detect());
    const size_t wn = div_small_workspace_limbs(qn, dn);
    uint64_t *a = limbs_new(qn + dn), *d = limbs_new(dn), *q = limbs_new(qn), *ws = limbs_new(wn);
    normalised_divisor(g, d, dn);
    make_dividend(g, (dividend_kind)gen_below(g, DIVIDEND_KINDS), a, qn, d, dn);
    uint64_t *r = limbs_copy(a, qn + dn);
    ws[wn] = q[qn] = 0x5a5a5a5a5a5a5a5a;
    div_small(ops, algorithm, q, r, qn, d, dn, ws);
    SCOPED_TRACE("algorithm %d, %zu / %zu limbs", (int)algorithm, qn + dn, dn);
    EXPECT_DIVREM(q, qn, r, dn, a, qn + dn, d, dn);
    EXPECT_EQ(ws[wn], 0x5a5a5a5a5a5a5a5au);
    EXPECT_EQ(q[qn], 0x5a5a5a5a5a5a5a5au);
    free(a), free(d), free(q), free(ws), free(r);
}

// Catches: the estimate B not replaced by B - 1; either correction of the 3/2 division left out;
//          the row's
// correction without its carry into the two top limbs.
TEST(DivSmall, SchoolbookRows) {
    gen g = gen_seed(201);
    for (int i = 0; i < 20000; i++) {
        try_div_small(&g, DIV_SMALL_SCHOOLBOOK, 1 + gen_below(&g, 12), 2 + gen_below(&g, 12));
    }
}

// Catches: a truncated divisor's estimate corrected once instead of twice; B^qn - 1 taken without
//          adding the
// divisor's top to the remainder; halves of an odd quotient swapped.
TEST(DivSmall, RecursionDownToOneLimb) {
    gen g = gen_seed(202);
    for (int i = 0; i < 20000; i++) {
        try_div_small(&g, DIV_SMALL_RECURSIVE, 1 + gen_below(&g, 24), 2 + gen_below(&g, 24));
    }
}

// Divisors with any number of zeros on top, all three tables. Mutations: the estimate B is not
// replaced by B - 1; a quotient one too large is kept; a word is shifted in from the wrong limb, or
// the limb below it left out; limb dn of the remainder is not asked.
TEST(DivSmall, UnshiftedRows) {
    gen g = gen_seed(211);
    const cpu_features f = cpu_detect(), adx = {.adx = f.adx}, none = {0};
    const limbs_ops *tables[] = {limbs_ops_for(f), limbs_ops_for(adx), limbs_ops_for(none)};
    for (int i = 0; i < 30000; i++) {
        const size_t qn = 1 + gen_below(&g, 12), dn = 3 + gen_below(&g, 12);
        uint64_t a[27], d[15], q[13], r[27];
        normalised_divisor(&g, d, dn);
        const unsigned s = (unsigned)gen_below(&g, 64);
        if (s != 0) {
            mpn_rshift(d, d, (mp_size_t)dn, s);
        }
        make_dividend(&g, (dividend_kind)gen_below(&g, DIVIDEND_KINDS), a, qn, d, dn);
        memcpy(r, a, (qn + dn) * sizeof *r);
        r[qn + dn] = q[qn] = 0x5a5a5a5a5a5a5a5a;
        SCOPED_TRACE("case %d, %zu / %zu limbs, %u zeros", i, qn + dn, dn, s);
        div_small_unshifted(tables[i % 3], q, r, qn, d, dn);
        EXPECT_DIVREM(q, qn, r, dn, a, qn + dn, d, dn);
        EXPECT_EQ(q[qn], 0x5a5a5a5a5a5a5a5au);
    }
}

// Quotients without a remainder, of every length up to twice the divisor's. One below a multiple of
// D looks like the multiple. Mutations: the answer is trusted where what is left is small; rows are
// cut a limb too high; an estimate B is taken as it is; the answer is never given.
TEST(DivSmall, QuotientsAlone) {
    gen g = gen_seed(212);
    const cpu_features f = cpu_detect(), adx = {.adx = f.adx}, none = {0};
    const limbs_ops *tables[] = {limbs_ops_for(f), limbs_ops_for(adx), limbs_ops_for(none)};
    enum { MOST = 20, CASES = 30000 };
    unsigned found = 0;
    for (int i = 0; i < CASES; i++) {
        const size_t qn = 1 + gen_below(&g, MOST), dn = 3 + gen_below(&g, MOST - 2);
        uint64_t a[2 * MOST], d[MOST], q[MOST + 1], want[MOST], r[2 * MOST];
        normalised_divisor(&g, d, dn);
        make_dividend(&g, (dividend_kind)gen_below(&g, DIVIDEND_KINDS), a, qn, d, dn);
        memcpy(r, a, (qn + dn) * sizeof *r);
        q[qn] = 0x5a5a5a5a5a5a5a5a;
        SCOPED_TRACE("case %d, %zu / %zu limbs", i, qn + dn, dn);
        div_small(tables[i % 3], DIV_SMALL_SCHOOLBOOK, want, r, qn, d, dn, NULL);
        if (div_small_quotient(tables[i % 3], q, a, qn, d, dn)) {
            EXPECT_LIMBS_EQ(q, want, qn);
            found++;
        }
        EXPECT_EQ(q[qn], 0x5a5a5a5a5a5a5a5au);
    }
    EXPECT_TRUE(found > CASES / 8);
}

// Catches: a dividend's limb shifted in from the wrong neighbour; the quotient's top limb taken as
//          0 where it is 1; a limb of the dividend read after the quotient has replaced it.
TEST(DivSmall, ByTwoLimbs) {
    gen g = gen_seed(210);
    for (int i = 0; i < 20000; i++) {
        const size_t n = 2 + gen_below(&g, 8);
        uint64_t d[2], a[10] = {0}, q[10], r[2];
        normalised_divisor(&g, d, 2);
        mpn_rshift(d, d, 2, 1 + (unsigned)gen_below(&g, 63));
        if (gen_below(&g, 2) != 0) {
            d[1] |= (uint64_t)1 << 63;
        }
        d[1] += d[1] == 0;
        if (n > 2) {
            make_dividend(&g, (dividend_kind)gen_below(&g, DIVIDEND_KINDS), a, n - 2, d, 2);
        }
        if (n == 2 || gen_below(&g, 2) != 0) {  // a top limb of the quotient that is not 0
            a[n - 1] |= gen_u64(&g) << 1 | 1;
        }
        memcpy(q, a, sizeof q);
        const word_pair rest = div_small_2(q, gen_below(&g, 2) != 0 ? q : a, n, d[1], d[0]);
        r[0] = (uint64_t)rest, r[1] = (uint64_t)(rest >> 64);
        SCOPED_TRACE("case %d, %zu limbs", i, n);
        EXPECT_DIVREM(q, n - 1, r, 2, a, n, d, 2);
    }
}

// Catches: workspace too small, or a block order that loses the short top block, at the thresholds.
TEST(DivSmall, ChosenBySize) {
    gen g = gen_seed(203);
    const size_t t = DIV_RECURSIVE_ADX_THRESHOLD;
    const size_t edges[] = {t - 1, t, t + 1, 2 * t - 1, 2 * t, 2 * t + 1, 4 * t + 3};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        for (size_t j = 0; j < sizeof edges / sizeof *edges; j++) {
            for (int k = 0; k < 10; k++) {
                try_div_small(&g, DIV_SMALL_BEST, edges[i], edges[j]);
            }
        }
    }
    for (int i = 0; i < 1000; i++) {
        try_div_small(&g, DIV_SMALL_BEST, gen_size(&g, 1, 500), gen_size(&g, 2, 500));
    }
}

// --- Reciprocal ---

// expect_reciprocal checks D X < B^(2n) < D (X + 2).
static void expect_reciprocal(const uint64_t *x, const uint64_t *d, size_t n) {
    mpz_t X, D, power, product;
    mpz_inits(X, D, power, product, NULL);
    oracle_load(X, x, n);
    oracle_load(D, d, n);
    mpz_setbit(X, 64 * n);
    mpz_setbit(power, 128 * n);
    mpz_mul(product, D, X);
    EXPECT_TRUE(mpz_cmp(product, power) < 0);
    mpz_addmul_ui(product, D, 2);
    EXPECT_TRUE(mpz_cmp(product, power) > 0);
    mpz_clears(X, D, power, product, NULL);
}

// Catches: the residual's loop stopping at T = 0; one of the three terms of T_m X_h dropped; the
//          split of an
// even n; a carry out of the low half lost.
TEST(Reciprocal, BoundHoldsForEveryShape) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(204);
    const size_t t = newton_length(ctx) / RECIPROCAL_NEWTON_PART;
    const size_t edges[] = {2,     3,         4,     5,         t - 1, t,        t + 1,
                            t + 2, 2 * t - 1, 2 * t, 2 * t + 1, 4 * t, 9 * t + 5};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const size_t n = edges[i];
        uint64_t *d = limbs_new(n), *x = limbs_new(n);
        for (int k = 0; k < 40; k++) {
            normalised_divisor(&g, d, n);
            if (k == 0 || k == 1) {  // B^n / 2, where X is largest, and the number above it
                memset(d, 0, n * sizeof *d);
                d[0] = (uint64_t)k;
                d[n - 1] = (uint64_t)1 << 63;
            }
            ASSERT_EQ((int)reciprocal_limbs(ctx, x, d, n), (int)BIGINT_OK);
            SCOPED_TRACE("%zu limbs, divisor %d", n, k);
            expect_reciprocal(x, d, n);
        }
        free(d), free(x);
    }
    bigint_ctx_destroy(ctx);
}

// --- Division on limbs ---

// try_divrem_limbs divides {A, an} by a divisor of dn limbs of any shape, shifted below its top
// bit.
static void try_divrem_limbs(bigint_ctx *ctx, gen *g, dividend_kind kind, size_t an, size_t dn) {
    const size_t qn = an - dn + 1;
    uint64_t *d = limbs_new(dn), *a = limbs_new(an + 1), *q = limbs_new(qn), *r = limbs_new(dn);
    normalised_divisor(g, d, dn);
    const unsigned shift = (unsigned)gen_below(g, 2) * (unsigned)gen_below(g, 64);
    mpn_rshift(d, d, (mp_size_t)dn, shift == 0 ? 1 : shift);
    if (shift == 0 || d[dn - 1] == 0) {
        d[dn - 1] |= (uint64_t)1 << 63;
    }
    if (an > dn || kind == DIVIDEND_ANY) {
        make_dividend(g, kind, a, an - dn, d, dn);
    }
    if (a[an - 1] == 0 && gen_below(g, 2) != 0) {
        a[an - 1] = gen_u64(g);
    }
    uint64_t *alias = limbs_copy(a, an);
    SCOPED_TRACE("%zu / %zu limbs, dividend %d", an, dn, (int)kind);
    ASSERT_EQ((int)bigint_divrem_limbs(ctx, q, r, a, an, d, dn), (int)BIGINT_OK);
    EXPECT_DIVREM(q, qn, r, dn, a, an, d, dn);
    if (gen_below(g, 2) == 0) {  // rp = ap, and the two halves alone
        uint64_t *q2 = limbs_new(qn);
        ASSERT_EQ((int)bigint_divrem_limbs(ctx, q2, NULL, a, an, d, dn), (int)BIGINT_OK);
        EXPECT_LIMBS_EQ(q2, q, qn);
        ASSERT_EQ((int)bigint_divrem_limbs(ctx, NULL, alias, alias, an, d, dn), (int)BIGINT_OK);
        EXPECT_LIMBS_EQ(alias, r, dn);
        free(q2);
    }
    free(d), free(a), free(q), free(r), free(alias);
}

// Catches: a wrong choice at a threshold, a block length that does not cover the quotient, a
//          reciprocal of the
// divisor's top that is not rounded up.
TEST(DivremLimbs, AroundEveryThreshold) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(205);
    const size_t s = DIV_RECURSIVE_ADX_THRESHOLD, t = newton_length(ctx);
    const size_t w = DIV_WORDS_IFMA_MOST;
    const size_t l = t / DIV_NEWTON_LONG_PART;  // quotients around 2 l follow, too
    const size_t sizes[] = {1, 2,     3,         w,     w + 1, s - 1, s,     s + 1, l - 1,
                            l, l + 1, 2 * l - 1, 2 * l, t - 1, t,     t + 1, 2 * t, 3 * t + 1};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < count * count; i++) {
        const size_t qn = sizes[i / count], dn = sizes[i % count];
        for (int k = 0; k < DIVIDEND_KINDS; k++) {
            try_divrem_limbs(ctx, &g, (dividend_kind)k, dn + qn - 1, dn);
        }
    }
    bigint_ctx_destroy(ctx);
}

TEST(DivremLimbs, LogUniformSizes) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(206);
    for (int i = 0; i < 1500; i++) {
        const size_t dn = gen_size(&g, 1, 6000), qn = gen_size(&g, 1, 6000);
        try_divrem_limbs(ctx, &g, (dividend_kind)gen_below(&g, DIVIDEND_KINDS), dn + qn - 1, dn);
    }
    bigint_ctx_destroy(ctx);
}

// Around the ends of the ranges in which transforms are kept: of the divisor, of the block's
// reciprocal, of steps of the reciprocal. Catches: a remainder that wraps around a modulus too
// short for it; a negative residual taken for a positive one; an X_h that was lowered after its
// transform was kept.
TEST(DivremLimbs, AroundTheKeptTransforms) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(208);
    const size_t begin = MUL_REAL_FFT_IFMA_THRESHOLD, end = 2 * MUL_REAL_FFT_IFMA_END;
    const size_t lengths[] = {begin - 1, begin, 2 * begin, 4 * begin + 1, end - 3, end, end + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t dn = lengths[i];
        for (int k = 0; k < DIVIDEND_KINDS; k++) {
            try_divrem_limbs(ctx, &g, (dividend_kind)k, 2 * dn, dn);
            try_divrem_limbs(ctx, &g, (dividend_kind)k, dn + dn / 3, dn);
            try_divrem_limbs(ctx, &g, (dividend_kind)k, 3 * dn + 7, dn);
        }
    }
    bigint_ctx_destroy(ctx);
}

// Divisors whose top limbs are all ones: rounded up they are a power of B, whose reciprocal has
// fraction 0.
// Catches: that case computed as a reciprocal of 0.
TEST(DivremLimbs, DivisorOfOnesAndPowers) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(207);
    const size_t t = newton_length(ctx), dn = 4 * t;
    uint64_t *d = limbs_new(dn), *a = limbs_new(2 * dn), *q = limbs_new(dn + 1), *r = limbs_new(dn);
    for (int k = 0; k < 12; k++) {
        const size_t qn = k % 3 == 0 ? t : k % 3 == 1 ? 2 * t + 1 : dn;
        memset(d, k < 9 ? 0xff : 0, dn * sizeof *d);
        d[dn - 1] |= (uint64_t)1 << 63;
        if (k >= 3 && k < 6) {
            gen_limbs(&g, GEN_UNIFORM, d, dn / 2);
        }
        if (k >= 6 && k < 9) {
            d[dn - 1] = (uint64_t)1 << 63;  // 2^(64 n - 1) + ones below
        }
        make_dividend(&g, (dividend_kind)(k % DIVIDEND_KINDS), a, qn, d, dn);
        SCOPED_TRACE("case %d", k);
        ASSERT_EQ((int)bigint_divrem_limbs(ctx, q, r, a, qn + dn, d, dn), (int)BIGINT_OK);
        EXPECT_DIVREM(q, qn + 1, r, dn, a, qn + dn, d, dn);
    }
    free(d), free(a), free(q), free(r);
    bigint_ctx_destroy(ctx);
}
