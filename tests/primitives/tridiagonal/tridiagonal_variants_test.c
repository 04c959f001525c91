// tridiagonal_variants_test.c: the papers' algorithms of tridiagonal.h on a device, or under the
// kernel emulation, against a solve in long double.
#include <stdlib.h>

#include "primitives/tridiagonal/tridiagonal.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/solve.h"
#include "tests/support/device.h"

static bool redundant(unsigned v) {
    return v == TRIDIAGONAL_RR_KOGGE_STONE || v == TRIDIAGONAL_RR_LADNER;
}

static const tridiagonal_variant without_pivots[] = {
    TRIDIAGONAL_THOMAS,   TRIDIAGONAL_CYCLIC, TRIDIAGONAL_PARALLEL_CYCLIC,
    TRIDIAGONAL_WANG_MOU, TRIDIAGONAL_TREE,   TRIDIAGONAL_TREE_STABLE};

// Elimination without interchanges of a matrix that is dominant by rows grows no coefficient beyond
// twice the largest, whatever the order of its columns, so that solve_bound holds for all these
// algorithms with log2 n steps of two eliminations (thomas: one). Catches a wrong neighbour,
// padding that is not neutral, a step too few.
TEST(TridiagonalVariants, DominantMatricesByEveryVariant) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 128, 129, 511, 1000, 1024};
    for (size_t v = 0; v < sizeof without_pivots / sizeof without_pivots[0]; v++) {
        SCOPED_TRACE("%s", tridiagonal_variant_name(without_pivots[v]));
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const tridiagonal_job job =
                solve_job(i % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, sizes[i],
                          sizes[i] > 100 ? 2 : 67, i % 3 == 1, i % 2);
            SCOPED_TRACE("n = %zu", sizes[i]);
            const tridiagonal_plan plan = solve_plan(without_pivots[v], job);
            solve s;
            solve_open(&s, &plan, i % 2 ? MATRIX_STRONG : MATRIX_WEAK, i);
            solve_run(&s, i % 4 == 3);
            solve_expect_status(&s, 0);
            EXPECT_TRUE(solve_residual(&s) <= solve_bound(&s));
            if (i % 4 != 3) {
                solve_expect_gaps(&s);
            }
            solve_close(&s);
        }
    }
}

// The same where a system is more than one block's, at the limits of each. Catches triads and
// slices that are taken from the wrong block.
TEST(TridiagonalVariants, LongSystemsByEveryVariant) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        tridiagonal_variant variant;
        size_t n, gpu_n;
    } cases[] = {{TRIDIAGONAL_CYCLIC, 2047, 2048},        {TRIDIAGONAL_WANG_MOU, 1025, 1 << 19},
                 {TRIDIAGONAL_WANG_MOU, 3000, 200001},    {TRIDIAGONAL_TREE, 3001, 1 << 21},
                 {TRIDIAGONAL_TREE, 2049, (1 << 20) + 1}, {TRIDIAGONAL_TREE_STABLE, 4097, 1 << 21}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
            const bool small = device_emulated() || getenv("LONGMUL_SMALL") != NULL;
            const size_t n = small ? cases[i].n : cases[i].gpu_n;
            const tridiagonal_job job = solve_job((tridiagonal_type)type, n, 2, i % 2 == 1, 0);
            const tridiagonal_plan plan = solve_plan(cases[i].variant, job);
            solve_check(&plan, MATRIX_STRONG, i);
        }
    }
}

// tree-partitioning with longer slices, the papers' stable form. Catches a slice length that is
// taken for granted.
TEST(TridiagonalVariants, SlicesOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned lanes = 32; lanes <= 1024; lanes *= 2) {
        const tridiagonal_job job = solve_job(TRIDIAGONAL_F32, 3000, 1, false, 0);
        tridiagonal_plan plan = solve_plan(TRIDIAGONAL_TREE, job);
        plan.lanes = lanes;
        plan.tiles = (job.n - 1) / (2 * lanes) + 1;
        EXPECT_TRUE(tridiagonal_valid(&plan));
        solve_check(&plan, lanes == 64 ? MATRIX_WEAK : MATRIX_LAPLACE, lanes);
    }
}

// What the header says of redundant reduction: right where coefficients do not fall off, lost where
// a matrix is strongly dominant, which every other algorithm finds easy. Catches a wrong node or
// circuit in the first half; the second half would catch a header that warns without need.
TEST(TridiagonalVariants, RedundantReductionLosesDominantMatrices) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const tridiagonal_variant circuits[] = {TRIDIAGONAL_RR_KOGGE_STONE,
                                                   TRIDIAGONAL_RR_LADNER};
    for (unsigned v = 0; v < 2; v++) {
        static const size_t sizes[] = {1, 2, 3, 5, 31, 64, 65, 300, 512};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const tridiagonal_job job = solve_job(TRIDIAGONAL_F64, sizes[i], 3, i % 2, 0);
            const tridiagonal_plan plan = solve_plan(circuits[v], job);
            SCOPED_TRACE("%s n = %zu", tridiagonal_variant_name(circuits[v]), sizes[i]);
            solve s;
            // Symmetric ones hide mistakes that cancel; others are lost soon.
            solve_open(&s, &plan, sizes[i] < 8 ? MATRIX_UNIFORM : MATRIX_LAPLACE, i);
            solve_run(&s, false);
            solve_expect_status(&s, 0);
            EXPECT_TRUE(solve_error(&s) < 1e-9);  // the condition number is below n^2 / 2
            solve_close(&s);
        }
        const tridiagonal_job job = solve_job(TRIDIAGONAL_F32, 64, 1, false, 0);
        const tridiagonal_plan plan = solve_plan(circuits[v], job);
        const tridiagonal_plan safe = solve_plan(TRIDIAGONAL_PARTITION_PIVOT, job);
        solve s;
        solve_open(&s, &plan, MATRIX_STRONG, 5);
        solve_run(&s, false);
        EXPECT_TRUE(s.status[0] == 1 || solve_error(&s) > 0.1);
        solve_close(&s);
        solve_open(&s, &safe, MATRIX_STRONG, 5);
        solve_run(&s, false);
        EXPECT_TRUE(solve_error(&s) < 0x1p-24);
        solve_close(&s);
    }
}

// Catches a missing barrier.
TEST(TridiagonalVariants, EveryOrderOfThreadsAndBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (uint64_t seed = 1; seed <= 8; seed++) {
        device_order(seed);
        for (unsigned v = 1; v < TRIDIAGONAL_VARIANTS; v++) {
            const tridiagonal_job small = solve_job(TRIDIAGONAL_F32, 300, 2, seed % 2, 0);
            const tridiagonal_plan other = solve_plan((tridiagonal_variant)v, small);
            solve s;
            solve_open(&s, &other, redundant(v) ? MATRIX_LAPLACE : MATRIX_STRONG, seed);
            solve_run(&s, false);
            SCOPED_TRACE("%s", tridiagonal_variant_name((tridiagonal_variant)v));
            EXPECT_TRUE(solve_error(&s) < 1e-3);
            solve_close(&s);
        }
    }
    device_order(0);
}

// Catches grids that are too small.
TEST(TridiagonalVariants, ManySystems) {
    if (!device_ready() || device_emulated()) {
        SKIP("no device");
    }
    for (unsigned v = 1; v < TRIDIAGONAL_VARIANTS; v++) {
        const tridiagonal_job job = solve_job(TRIDIAGONAL_F32, 6, 100000, v % 2, 0);
        const tridiagonal_plan plan = solve_plan((tridiagonal_variant)v, job);
        solve s;
        solve_open(&s, &plan, redundant(v) ? MATRIX_LAPLACE : MATRIX_STRONG, v);
        solve_run(&s, false);
        SCOPED_TRACE("%s", tridiagonal_variant_name((tridiagonal_variant)v));
        solve_expect_status(&s, 0);
        EXPECT_TRUE(solve_residual(&s) < 1e-4);
        solve_close(&s);
    }
}
