// limbs_mul_test.c: every table of multiplying operations against GMP.
#include <gmp.h>

#include "tests/ctest/ctest.h"
#include "tests/primitives/limbs/tables.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

enum { N = 50 };  // beyond three turns of the unrolled loops

// Mutations: the carries out of a column are dropped, or kept for the column after the next; a
// column of the upper half begins one limb too low; a row is left out, or its top limb; the top bit
// of a double is lost; the square in the middle of an even column is doubled too; the limb that is
// returned is another one.
TEST_EACH(LimbsMul, Few, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    gen g = gen_seed(3);
    for (size_t n = 1; n <= LIMBS_SQUARES_UNROLLED; n++) {
        for (int shape = 0; shape < 64 * GEN_SHAPES; shape++) {
            enum { MOST = LIMBS_SQUARES_UNROLLED };
            uint64_t a[MOST], b[MOST], r[2 * MOST + 1], expected[2 * MOST];
            SCOPED_TRACE("%zu limbs, shape %d", n, shape);
            gen_limbs(&g, (gen_shape)(shape % GEN_SHAPES), a, n);
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, n);
            r[2 * n] = 0x77;
            if (n <= LIMBS_FEW) {
                mpn_mul_n(expected, a, b, (mp_size_t)n);
                EXPECT_EQ(ops->mul_few[n](r, a, b), expected[2 * n - 1]);
                EXPECT_LIMBS_EQ(r, expected, 2 * n);
            }
            if (n <= LIMBS_FEW || ops->table == LIMBS_PORTABLE) {
                mpn_sqr(expected, a, (mp_size_t)n);
                EXPECT_EQ(ops->sqr_few[n](r, a), expected[2 * n - 1]);
                EXPECT_LIMBS_EQ(r, expected, 2 * n);
            }
            EXPECT_EQ(r[2 * n], (uint64_t)0x77);
        }
    }
}

// Catches: carries between limbs, at the entry into the unrolled loop (every length modulo 16), in
// the top limb; writing outside the row.
TEST_EACH(LimbsMul, Rows, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    gen g = gen_seed(1);
    for (size_t n = 0; n <= N; n++) {
        for (int shape = 0; shape < GEN_SHAPES * 4; shape++) {
            SCOPED_TRACE("n = %zu, shape %d", n, shape);
            uint64_t a[N] = {0}, r[N + 2], old[N], expected[N + 1] = {0};
            const uint64_t b = shape % 4 == 0   ? UINT64_MAX
                               : shape % 4 == 1 ? gen_u64(&g)
                               : shape % 4 == 2 ? 0
                                                : UINT64_C(1) << 63;
            if (n > 0) {
                gen_limbs(&g, (gen_shape)(shape / 4), a, n);
                gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), old, n);
                expected[n] = mpn_mul_1(expected, a, (mp_size_t)n, b);
            }
            r[n + 1] = 0x77;
            r[n] = ops->mul_1(r, a, n, b);
            EXPECT_LIMBS_EQ(r, expected, n + 1);

            if (n > 0) {
                memcpy(expected, old, n * sizeof *old);
                expected[n] = mpn_addmul_1(expected, a, (mp_size_t)n, b);
            }
            memcpy(r, old, n * sizeof *old);
            r[n] = ops->addmul_1(r, a, n, b);
            EXPECT_LIMBS_EQ(r, expected, n + 1);
            EXPECT_EQ(ops->submul_1(r, a, n, b), expected[n]);  // and back again
            EXPECT_LIMBS_EQ(r, old, n);

            memcpy(r + 1, a, n * sizeof *a);  // downwards over itself
            EXPECT_EQ(ops->mul_1(r, r + 1, n, b),
                      n > 0 ? mpn_mul_1(expected, a, (mp_size_t)n, b) : 0);
            EXPECT_LIMBS_EQ(r, expected, n);
            memcpy(r, a, n * sizeof *a);
            r[n] = ops->addmul_1(r, r, n, b);
            if (n > 0) memcpy(expected, a, n * sizeof *a);
            if (n > 0) expected[n] = mpn_addmul_1(expected, a, (mp_size_t)n, b);
            EXPECT_LIMBS_EQ(r, expected, n + 1);
        }
    }
}

// Catches: a row started or ended at the wrong limb, a carry lost in the last row, an over- or
// underwritten end.
TEST_EACH(LimbsMul, ProductsOfAllShapes, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    gen g = gen_seed(2);
    for (size_t an = 1; an <= N; an++) {
        for (size_t bn = 1; bn <= an; bn++) {
            SCOPED_TRACE("an = %zu, bn = %zu", an, bn);
            uint64_t a[N], b[N], room[2 * N + 2];
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
            gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, bn);
            uint64_t *const r = room + 1;
            room[0] = r[an + bn] = 0x5555;
            ops->mul(r, a, an, b, bn);
            ASSERT_PRODUCT(r, a, an, b, bn);
            EXPECT_EQ(room[0] + r[an + bn], (uint64_t)0xaaaa);
        }
    }
    for (size_t n = 1; n <= N; n++) {  // the largest sums
        uint64_t a[N], r[2 * N];
        memset(a, 0xff, sizeof a);
        ops->mul(r, a, n, a, n);
        ASSERT_PRODUCT(r, a, n, a, n);
    }
}

// Sizes beyond registers, tiles and pieces, with operands that make every carry.
// Catches: a tile at the wrong place, a piece's carry lost, a vector's carry not handed on, sums of
// halves too wide for a lane.
TEST_EACH(LimbsMul, LongProducts, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    enum { LONG = 400 };
    gen g = gen_seed(4);
    static uint64_t a[LONG], b[LONG], room[2 * LONG + 2];
    uint64_t *const r = room + 1;
    for (int round = 0; round < 600; round++) {
        const size_t an = gen_size(&g, N, round % 4 == 0 ? LONG : 140);
        const size_t bn = round % 3 == 0 ? an : 1 + (size_t)gen_below(&g, an);
        const gen_shape sa = round % 5 == 0 ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES);
        const gen_shape sb = round % 7 == 0 ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES);
        SCOPED_TRACE("an = %zu, bn = %zu, %s, %s", an, bn, gen_shape_name(sa), gen_shape_name(sb));
        gen_limbs(&g, sa, a, an);
        gen_limbs(&g, sb, b, bn);
        room[0] = r[an + bn] = 0x5555;
        ops->mul(r, a, an, b, bn);
        ASSERT_PRODUCT(r, a, an, b, bn);
        ASSERT_EQ(room[0] + r[an + bn], (uint64_t)0xaaaa);
        r[2 * an] = 0x5555;
        ops->sqr(r, a, an);
        ASSERT_PRODUCT(r, a, an, a, an);
        ASSERT_EQ(r[2 * an], (uint64_t)0x5555);
    }
}

// Mutations of the triangle in registers: it is entered a row too late (13 to 16 limbs); a limb
// goes into its neighbour's register; limbs of the rows before are not added (from 9 limbs on). Of
// blocks of digits (48 limbs and more): a block's square is doubled, too; the vector above a block
// is read with the block's digits below it; the last block has a digit more or less; the digits
// above the last vector are not reached. Catches: a missing diagonal, a doubling that loses the bit
// between limbs, n = 1 and 2 (no or one triangle row).
TEST_EACH(LimbsMul, Squares, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    enum { MOST = LIMBS_TILED_MAX + 2 };
    gen g = gen_seed(3);
    for (size_t n = 1; n <= MOST; n++) {
        for (int shape = 0; shape < GEN_SHAPES * (n <= N ? 3 : 1); shape++) {
            SCOPED_TRACE("n = %zu, shape %d", n, shape);
            uint64_t a[MOST], room[2 * MOST + 2], *const r = room + 1;
            gen_limbs(&g, (gen_shape)(shape % GEN_SHAPES), a, n);
            room[0] = r[2 * n] = 0x5555;
            ops->sqr(r, a, n);
            ASSERT_PRODUCT(r, a, n, a, n);
            EXPECT_EQ(room[0] + r[2 * n], (uint64_t)0xaaaa);
        }
    }
}

// Catches: a table chosen without its instructions, or not chosen with them.
TEST(LimbsMul, TableFollowsTheFeatures) {
    const cpu_features none = {0};
    EXPECT_TRUE(limbs_ops_for(none) == &limbs_ops_portable);
    cpu_features f = cpu_detect();
    if (!f.adx) return;
    if (f.ifma) EXPECT_TRUE(limbs_ops_for(f) == limbs_ops_ifma());
    f.ifma = false;
    EXPECT_TRUE(limbs_ops_for(f) == limbs_ops_adx());
}

// The convolution in tiles: every pair of short lengths, and long ones up to the longest; all ones
// make the largest columns. Catches: digits at a limb's edge, a tile's digits beyond an operand's
// end, the last column's carry, writing outside the product.
TEST_EACH(LimbsMul, Tiled, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    enum { MOST = LIMBS_TILED_MAX };
    gen g = gen_seed(7);
    for (size_t round = 0; round < 1500; round++) {
        const size_t an =
            round < 900 ? 1 + round % 30 : MOST - gen_below(&g, 5) * gen_below(&g, 25);
        const size_t bn = round < 900 ? 1 + round / 30 % an : 1 + gen_below(&g, an);
        uint64_t a[MOST], b[MOST], r[2 * MOST + 1], expected[2 * MOST];
        gen_limbs(&g, round % 3 == 0 ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
        gen_limbs(&g, round % 3 == 0 ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES), b, bn);
        SCOPED_TRACE("%zu by %zu limbs", an, bn);
        mpn_mul(expected, a, (mp_size_t)an, b, (mp_size_t)bn);
        r[an + bn] = 0x77;
        ops->tiled(r, a, an, b, bn);
        EXPECT_LIMBS_EQ(r, expected, an + bn);
        EXPECT_EQ(r[an + bn], (uint64_t)0x77);
        if (an == bn) {
            mpn_sqr(expected, a, (mp_size_t)an);
            ops->tiled(r, a, an, a, an);
            EXPECT_LIMBS_EQ(r, expected, 2 * an);
        }
    }
}

// expect_lanes: eight products of an by bn limbs of any shapes, all ones in every third round, with
// the workspace that the header names. Numbers 3 and 6 share a factor.
static void expect_lanes(const limbs_ops *ops, gen *g, size_t an, size_t bn, int round) {
    enum { MOST = LIMBS_LANES_MAX, MARK = 0x77 };
    static uint64_t a[LIMBS_LANES][MOST], b[LIMBS_LANES][MOST], r[LIMBS_LANES][2 * MOST + 1];
    static _Alignas(64) uint64_t ws[1 << 15];
    const uint64_t *ap[LIMBS_LANES], *bp[LIMBS_LANES];
    uint64_t *rp[LIMBS_LANES];
    const size_t words = limbs_lanes_words(an, bn);
    SCOPED_TRACE("%zu by %zu limbs, round %d", an, bn, round);
    ASSERT_TRUE(words < sizeof ws / sizeof *ws);
    for (size_t k = 0; k < LIMBS_LANES; k++) {
        gen_limbs(g, round % 3 == 0 ? GEN_ONES : (gen_shape)gen_below(g, GEN_SHAPES), a[k], an);
        gen_limbs(g, round % 3 == 0 ? GEN_ONES : (gen_shape)gen_below(g, GEN_SHAPES), b[k], bn);
        ap[k] = a[k], bp[k] = b[k], rp[k] = r[k];
        r[k][an + bn] = MARK;
    }
    ap[6] = a[3];
    ws[words] = MARK;
    ops->mul_lanes(rp, ap, an, bp, bn, ws);
    EXPECT_EQ(ws[words], (uint64_t)MARK);
    for (size_t k = 0; k < LIMBS_LANES; k++) {
        ASSERT_PRODUCT(r[k], ap[k], an, bp[k], bn);
        ASSERT_EQ(r[k][an + bn], (uint64_t)MARK);
    }
}

// Mutations: two numbers change places; a number's last limbs are read, or written, as a whole
// block; a carry between digits, or out of the highest one, is lost; Karatsuba's odd block is
// left out; the columns of a long product are not settled.
TEST_EACH(LimbsMul, Lanes, table_case, tables, table_label) {
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL || ops->mul_lanes == NULL) SKIP("not on this processor");
    gen g = gen_seed(9);
    for (size_t n = 1; n <= LIMBS_LANES_MAX; n++) {
        for (int round = 0; round < 6; round++) expect_lanes(ops, &g, n, n, round);
        expect_lanes(ops, &g, LIMBS_LANES_MAX, n, 0);
    }
    for (int round = 0; round < 1000; round++) {
        const size_t most = round % 2 == 0 ? 20 : LIMBS_LANES_MAX;
        expect_lanes(ops, &g, 1 + gen_below(&g, most), 1 + gen_below(&g, most), round);
    }
}

// Mutations: the limbs behind the last whole vector are left out, a sum of bytes overflows, a mask
// of the portable sum is shifted, a limb is left out of the few of a fold.
TEST_EACH(LimbsMul, Count, table_case, tables, table_label) {
    enum { MOST = 300 };
    const limbs_ops *ops = table_named(p->name);
    if (ops == NULL) SKIP("not on this processor");
    gen g = gen_seed(5);
    for (size_t n = 0; n <= MOST; n += n < 40 ? 1 : 13) {
        for (int shape = 0; shape < GEN_SHAPES; shape++) {
            uint64_t a[MOST + 13], b[MOST + 13];
            gen_limbs(&g, (gen_shape)shape, a, n + 1);
            gen_limbs(&g, GEN_UNIFORM, b, n + 1);
            EXPECT_EQ(ops->count->ones(a, n), n == 0 ? 0 : mpn_popcount(a, (mp_size_t)n));
            EXPECT_EQ(ops->count->fold(a, n) % UINT64_MAX,
                      n == 0 ? 0 : mpn_mod_1(a, (mp_size_t)n, UINT64_MAX));
            EXPECT_EQ(ops->count->differences(a, b, n),
                      n == 0 ? 0 : mpn_hamdist(a, b, (mp_size_t)n));
            limbs_com(b, a, n);
            EXPECT_EQ(ops->count->differences(a, b, n), 64 * n);
        }
    }
}
