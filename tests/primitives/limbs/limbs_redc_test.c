// limbs_redc_test.c: Montgomery reductions and products of every table against GMP.
#include <gmp.h>
#include <string.h>

#include "primitives/words/inverse.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/limbs/tables.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { N = 50 };  // beyond three turns of the unrolled loops

// expected: {rp, n + 1} = ({tp, 2 n} + Q M) / 2^bits, by its definition.
static void expected_redc(uint64_t *rp, const uint64_t *tp, const uint64_t *mp, size_t n,
                          size_t bits) {
    mpz_t t, m, q, power;
    mpz_inits(t, m, q, power, NULL);
    oracle_load(t, tp, 2 * n);
    oracle_load(m, mp, n);
    mpz_setbit(power, bits);
    EXPECT_TRUE(mpz_invert(q, m, power) != 0);
    mpz_mul(q, q, t);
    mpz_neg(q, q);
    mpz_fdiv_r(q, q, power);
    mpz_addmul(t, q, m);
    mpz_divexact(t, t, power);
    memset(rp, 0, (n + 1) * sizeof *rp);
    mpz_export(rp, NULL, -1, sizeof *rp, 0, 0, t);
    mpz_clears(t, m, q, power, NULL);
}

// Any T, among them all ones, and M among them 1 and B^n - 1. Mutations: a row's top limb is kept
// in the wrong place, or dropped; a row begins at the wrong limb (every length modulo 16); the
// multiple is not taken of the limb that the rows before have changed; the last carry is lost.
TEST_EACH(LimbsRedc, Reduction, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    gen g = gen_seed(6);
    for (size_t n = 1; n <= N; n++) {
        for (int shape = 0; shape < GEN_SHAPES * 3; shape++) {
            SCOPED_TRACE("n = %zu, shape %d", n, shape);
            uint64_t m[N], room[2 * N + 2], *const t = room + 1, r[N + 2], expected[N + 1];
            gen_limbs(&g, (gen_shape)(shape % GEN_SHAPES), m, n);
            m[0] |= 1;
            gen_limbs(&g, shape < GEN_SHAPES ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES), t,
                      2 * n);
            expected_redc(expected, t, m, n, 64 * n);
            room[0] = t[2 * n] = r[n + 1] = 0x5555;
            uint64_t again[2 * N];
            memcpy(again, t, 2 * n * sizeof *t);
            const uint64_t inverse = -word_inverse(m[0]);
            r[n] = ops->redc(r, t, m, n, inverse);
            EXPECT_LIMBS_EQ(r, expected, n + 1);
            EXPECT_EQ(room[0] + t[2 * n] + r[n + 1], (uint64_t)0xffff);
            EXPECT_EQ(ops->redc(again, again, m, n, inverse), expected[n]);  // in place
            EXPECT_LIMBS_EQ(again, expected, n);
        }
    }
}

// Every length to the longest one: T up to all ones, M among them 1 and B^n - 1, for which the sum
// has a limb more where n is a multiple of 26. Mutations: a block's digit is found before the high
// halves of the one below are in; the carry into the vector above is lost, or doubled; the second
// block misses the first one's vector; a window at the wrong vector; no vector above the last one;
// two blocks too many at the end.
TEST_EACH(LimbsRedc, ReductionInBlocks, table_case, tables, table_label) {
    enum { MOST = LIMBS_REDC_BLOCKS_MAX };
    static uint64_t w[64 * (LIMBS_REDC_VECTORS_MAX + 2)] __attribute__((aligned(64)));
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL || ops->redc_blocks == NULL)
        SKIP("not on this processor, or not in this table");
    gen g = gen_seed(7);
    for (size_t n = 2; n <= MOST; n++) {
        ASSERT_TRUE(limbs_redc_bits(n) >= 64 * n &&
                    limbs_redc_vectors(n) <= LIMBS_REDC_VECTORS_MAX);
        for (int shape = 0; shape < GEN_SHAPES + 2; shape++) {
            SCOPED_TRACE("n = %zu, shape %d", n, shape);
            uint64_t m[MOST], room[2 * MOST + 2], *const t = room + 1, expected[MOST + 1];
            gen_limbs(&g, shape < 2 ? GEN_ONES : (gen_shape)(shape - 2), m, n);
            m[0] |= 1;
            gen_limbs(&g, shape < 4 ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES), t, 2 * n);
            if (shape == 3) {
                memset(m + 1, 0, (n - 1) * sizeof *m);
            }
            memset(t + n, 0, (shape == 1 ? n : 0) * sizeof *t);
            expected_redc(expected, t, m, n, limbs_redc_bits(n));
            room[0] = t[2 * n] = 0x5555;
            ops->redc_prepare(w, m, n);
            ops->redc_blocks(t, w, n, -word_inverse(m[0]));
            EXPECT_LIMBS_EQ(t, expected, n + 1);
            EXPECT_EQ(room[0] + t[2 * n], (uint64_t)0xaaaa);
        }
    }
}

// First factors of n limbs, second ones below M, among them M - 1, and M among them 1, 3 and
// B^n - 1, for which the sum's top limb carries. Mutations: the carry above the top limb is lost;
// the product's top limb is not added to the multiple's; the result is not below M, or M is taken
// off where it is; limbs of a factor are read after the result was written.
TEST_EACH(LimbsRedc, Product, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    enum { FEW = LIMBS_REDC_FEW };
    gen g = gen_seed(8);
    for (size_t n = 1; n <= FEW; n++) {
        for (int shape = 0; shape < GEN_SHAPES * 200; shape++) {
            SCOPED_TRACE("n = %zu, shape %d", n, shape);
            uint64_t m[FEW], x[2][FEW], t[2 * FEW], r[FEW + 1], expected[FEW + 1];
            gen_limbs(&g, (gen_shape)(shape % GEN_SHAPES), m, n);
            m[0] |= 1;
            if (limbs_normalize(m, n) == 0 || (n == 1 && m[0] == 1)) m[0] = 3;
            for (int k = 0; k < 2; k++) {
                gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), x[k], n);
                if (k == 0 && gen_below(&g, 2) != 0) continue;
                const size_t mn = limbs_normalize(m, n);
                mpn_tdiv_qr(t, r, 0, x[k], (mp_size_t)n, m, (mp_size_t)mn);
                memset(x[k], 0, sizeof x[k]);
                memcpy(x[k], r, mn * sizeof *r);
                if (gen_below(&g, 4) == 0) limbs_sub_1(x[k], m, n, 1);
            }
            const uint64_t inverse = -word_inverse(m[0]);
            mpn_mul_n(t, x[0], x[1], (mp_size_t)n);
            expected_redc(expected, t, m, n, 64 * n);
            if (expected[n] != 0 || mpn_cmp(expected, m, (mp_size_t)n) >= 0) {
                mpn_sub_n(expected, expected, m, (mp_size_t)n);
            }
            r[n] = 0x77;
            ops->mul_redc(r, x[0], x[1], m, n, inverse);
            EXPECT_LIMBS_EQ(r, expected, n);
            EXPECT_EQ(r[n], (uint64_t)0x77);
            memcpy(r, x[0], n * sizeof *r);  // in place of either factor
            ops->mul_redc(r, r, x[1], m, n, inverse);
            EXPECT_LIMBS_EQ(r, expected, n);
            memcpy(r, x[1], n * sizeof *r);
            ops->mul_redc(r, x[0], r, m, n, inverse);
            EXPECT_LIMBS_EQ(r, expected, n);
            mpn_sqr(t, x[1], (mp_size_t)n);
            expected_redc(expected, t, m, n, 64 * n);
            if (expected[n] != 0 || mpn_cmp(expected, m, (mp_size_t)n) >= 0) {
                mpn_sub_n(expected, expected, m, (mp_size_t)n);
            }
            ops->mul_redc(x[1], x[1], x[1], m, n, inverse);
            EXPECT_LIMBS_EQ(x[1], expected, n);
        }
    }
}
