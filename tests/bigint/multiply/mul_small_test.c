// mul_small_test.c: products below the transform, every algorithm on every table, against GMP.
#include "bigint/multiply/small.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/tune.h"
#include "primitives/limbs/adx.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

typedef struct {
    const char *name;
    mul_small_algorithm algorithm;
    const limbs_ops *ops;
} algorithm_case;
static const algorithm_case cases[] = {
    {"best", MUL_SMALL_BEST, NULL},
    {"schoolbook", MUL_SMALL_SCHOOLBOOK, NULL},
    {"karatsuba", MUL_SMALL_KARATSUBA, NULL},
    {"toom3", MUL_SMALL_TOOM3, NULL},
    {"best_portable", MUL_SMALL_BEST, &limbs_ops_portable},
    {"best_adx", MUL_SMALL_BEST, NULL},
};

static void label(char *buf, size_t cap, const algorithm_case *p) {
    snprintf(buf, cap, "%s", p->name);
}

static const uint64_t GUARD = UINT64_C(0x5555555555555555);

// One product, with guards around the result and after the workspace.
static void check(gen *g, const algorithm_case *p, size_t an, size_t bn, gen_shape sa, gen_shape sb,
                  int square) {
    SCOPED_TRACE("an = %zu %s, bn = %zu %s, square %d", an, gen_shape_name(sa), bn,
                 gen_shape_name(sb), square);
    static cpu_features features;  // asked for once: under a hypervisor it takes long
    if (!features.adx) features = cpu_detect();
    cpu_features use = features;
    if (strcmp(p->name, "best_adx") == 0) use.ifma = false;
    const limbs_ops *ops = p->ops != NULL ? p->ops : limbs_ops_for(use);
    const size_t ws_n = mul_small_workspace_limbs(an, bn);
    uint64_t *const a = malloc((2 * (an + bn) + 2 + ws_n + 1) * sizeof *a);
    uint64_t *const b = square ? a : a + an, *const r = a + an + bn + 1,
                    *const ws = r + an + bn + 1;
    r[-1] = r[an + bn] = ws[ws_n] = GUARD;
    gen_limbs(g, sa, a, an);
    if (!square) gen_limbs(g, sb, b, bn);
    if (square) {
        sqr_small(ops, p->algorithm, r, a, an, ws);
    } else {
        mul_small(ops, p->algorithm, r, a, an, b, bn, ws);
    }
    EXPECT_PRODUCT(r, a, an, b, bn);
    EXPECT_EQ(r[-1], GUARD);
    EXPECT_EQ(r[an + bn], GUARD);
    EXPECT_EQ(ws[ws_n], GUARD);
    free(a);
}

static void check_random_shapes(gen *g, const algorithm_case *p, size_t an, size_t bn) {
    check(g, p, an, bn, (gen_shape)gen_below(g, GEN_SHAPES), (gen_shape)gen_below(g, GEN_SHAPES),
          0);
}

// Catches: a split at the wrong limb, odd lengths, a top piece of one limb, a sign of a difference
// ignored, a carry between the pieces, workspace too small.
TEST_EACH(MulSmall, AllSmallShapes, algorithm_case, cases, label) {
    gen g = gen_seed(1);
    for (size_t an = 1; an <= 48; an++) {
        for (size_t bn = 1; bn <= an; bn++) check_random_shapes(&g, p, an, bn);
    }
}

// Catches: carries that only maximal operands make; equal halves (a zero difference).
TEST_EACH(MulSmall, ExtremeOperands, algorithm_case, cases, label) {
    gen g = gen_seed(2);
    for (size_t n = 1; n <= 300; n += 1 + n / 7) {
        for (int shape = 0; shape < GEN_SHAPES; shape++) {
            check(&g, p, n, n, (gen_shape)shape, GEN_ONES, 0);
            check(&g, p, n, (n + 2) / 3, GEN_ONES, (gen_shape)shape, 0);
            check(&g, p, n, n, (gen_shape)shape, GEN_ZERO, 1);
        }
    }
}

// Catches: a comparison with a threshold off by one that leads to a shape which the algorithm does
// not allow.
TEST_EACH(MulSmall, AroundTheThresholds, algorithm_case, cases, label) {
    static const size_t thresholds[] = {
        MUL_KARATSUBA_PORTABLE_THRESHOLD, SQR_KARATSUBA_PORTABLE_THRESHOLD,
        MUL_TOOM3_PORTABLE_THRESHOLD,     SQR_TOOM3_PORTABLE_THRESHOLD,
        MUL_KARATSUBA_ADX_THRESHOLD,      SQR_KARATSUBA_ADX_THRESHOLD,
        MUL_TOOM3_ADX_THRESHOLD,          SQR_TOOM3_ADX_THRESHOLD,
        MUL_KARATSUBA_IFMA_THRESHOLD,     SQR_KARATSUBA_IFMA_THRESHOLD};
    gen g = gen_seed(3);
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
        for (size_t n = thresholds[i] - 1; n <= thresholds[i] + 1; n++) {
            check(&g, p, n, n, GEN_UNIFORM, GEN_ZERO, 1);
            for (size_t an = n; an <= 3 * n; an += 1 + an / 16) check_random_shapes(&g, p, an, n);
            check_random_shapes(&g, p, 2 * n, n);
            check_random_shapes(&g, p, 2 * n + 1, n);
        }
    }
}

// Catches: pieces of a long operand joined at the wrong place; a last piece shorter than the other
// operand.
TEST_EACH(MulSmall, LongByShort, algorithm_case, cases, label) {
    gen g = gen_seed(4);
    for (int round = 0; round < 60; round++) {
        const size_t an = 1000 + (size_t)gen_below(&g, 3000), bn = gen_size(&g, 1, 200);
        check_random_shapes(&g, p, an, bn);
    }
    for (size_t an = 1023; an <= 1026; an++) check_random_shapes(&g, p, an, 1);
    check(&g, p, 2048, 30, GEN_ONES, GEN_ONES, 0);
    check(&g, p, 1100, 1100, GEN_ONES, GEN_ZERO, 1);
}

// Catches: anything else.
TEST_EACH(MulSmall, RandomSizes, algorithm_case, cases, label) {
    gen g = gen_seed(5);
    for (int round = 0; round < 400; round++) {
        const size_t an = gen_size(&g, 1, 1500), bn = 1 + (size_t)gen_below(&g, an);
        check_random_shapes(&g, p, an, round % 3 == 0 ? an : bn);
        if (round % 5 == 0) check(&g, p, an, an, GEN_UNIFORM, GEN_ZERO, 1);
    }
}

// The same limbs as both operands take the square's road also through mul_small.
// Catches: a square taken for a product of different lengths.
TEST(MulSmallSquare, EqualPointersOfDifferentLengths) {
    enum { N = 90 };
    gen g = gen_seed(6);
    uint64_t a[N], r[2 * N], *ws = malloc(mul_small_workspace_limbs(N, N) * sizeof *ws);
    gen_limbs(&g, GEN_RUNS, a, N);
    for (size_t bn = 1; bn <= N; bn++) {
        mul_small(limbs_ops_for(cpu_detect()), MUL_SMALL_BEST, r, a, N, a, bn, ws);
        EXPECT_PRODUCT(r, a, N, a, bn);
    }
    free(ws);
}
