// tridiagonal_kept_test.c: both forms of partition-pivot of tridiagonal.h with joints kept, on a
// device, or under the kernel emulation, by residuals.
#include <math.h>
#include <stdlib.h>

#include "primitives/tridiagonal/tridiagonal.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/solve.h"
#include "tests/support/device.h"

static const tridiagonal_variant partitions[] = {TRIDIAGONAL_PARTITION_PLAIN,
                                                 TRIDIAGONAL_PARTITION_PIVOT};
enum { PARTITIONS = 2 };

// Rows of a tile: half as many where numbers are pairs of doubles.
static size_t tile_rows(tridiagonal_variant v, tridiagonal_type t) {
    return v == TRIDIAGONAL_PARTITION_PIVOT && t == TRIDIAGONAL_F64 ? 512 : 1024;
}

// A form of partition-pivot with joints kept.
static tridiagonal_plan kept(tridiagonal_variant v, tridiagonal_job job) {
    tridiagonal_plan plan = solve_plan(v, job);
    plan.rows_each = (unsigned)tile_rows(v, job.type) / 32;
    plan.lanes = 32;
    plan.systems = 1;
    plan.tiles = (job.n - 1) / tile_rows(v, job.type) + 1;
    plan.together = TRIDIAGONAL_KEPT;
    EXPECT_TRUE(tridiagonal_valid(&plan));
    return plan;
}

// Catches a group of tiles that is not full, a border of another tile or group, the last border
// left out, rows staged in the wrong place or from beyond the end, a(0) or c(n-1) that is read, and
// memory of one system that is another's.
TEST(TridiagonalKept, Tiles) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        size_t tiles, batch;
    } cases[] = {{2, 3}, {3, 1}, {31, 2}, {32, 1}, {33, 2}, {257, 1}, {300, 1}};
    for (size_t i = 0; i < PARTITIONS * sizeof cases / sizeof cases[0]; i++) {
        const size_t tiles = cases[i / PARTITIONS].tiles;
        if (tiles > 33 && getenv("LONGMUL_SMALL") != NULL) {
            break;  // a sanitizer asks for small sizes
        }
        const tridiagonal_variant v = partitions[i % PARTITIONS];
        const tridiagonal_type type = i / PARTITIONS % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32;
        // Some are short of whole lanes and vectors, which hides what happens at the end; the
        // second system of some stands at an odd address.
        const size_t n = tiles * tile_rows(v, type) - (i % 3 == 2 ? 1 + 20 * i : 0);
        device_order(i % 4 < 2 ? 0 : i);
        const tridiagonal_job job = solve_job(type, n, cases[i / PARTITIONS].batch, false, i % 4);
        const tridiagonal_plan plan = kept(v, job);
        EXPECT_EQ(plan.tiles, tiles);
        SCOPED_TRACE("case %zu", i);
        solve_twice(&plan, i);
        solve_twice(&plan, i + 1);
    }
    device_order(0);
}

// Catches a pivot that the last launch chooses otherwise than the first, and rows between known
// ends that are solved without those at the ends, where they are singular by themselves. By the
// default, residuals are the rounding of three unknowns: catches what is known of one that is
// rounded to the short type, or that stands in another's place.
TEST(TridiagonalKept, EveryMatrix) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
            // Their unknowns leave the range of the type.
            if (k == MATRIX_CLEMENT ||
                (type == TRIDIAGONAL_F32 && (k == MATRIX_DIAGONAL_ZERO || k == MATRIX_UPPER))) {
                continue;
            }
            SCOPED_TRACE("%s", matrix_name((matrix_kind)k));
            const tridiagonal_job job = solve_job((tridiagonal_type)type, 2500, 1, false, 0);
            for (unsigned v = 0; v < PARTITIONS; v++) {
                const tridiagonal_plan plan = kept(partitions[v], job);
                solve_check(&plan, (matrix_kind)k, 19 * k + type);
            }
        }
    }
}

// Catches a threshold on the wrong side of a size.
TEST(TridiagonalKept, Thresholds) {
    static const struct {
        tridiagonal_variant variant;
        tridiagonal_type type;
        size_t n, batch;
        bool interleaved, kept;
    } cases[] = {
        {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_F64, 1 << 19, 1, false, true},
        {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_F32, (1 << 20) - 1, 1, false, false},
        {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_F32, 1 << 13, 128, false, true},
        {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_F32, 1 << 13, 127, false, false},
        {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_F32, (1 << 13) - 1, 9999, false, false},
        {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_F64, 1 << 16, 16, true, false},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F32, 1 << 19, 1, false, true},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F64, (1 << 18) - 1, 1, false, false},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F64, 1 << 12, 64, false, true},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F64, (1 << 12) - 1, 65, false, false},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F32, 1 << 11, 1 << 11, false, true},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F32, 1 << 11, (1 << 11) - 1, false, false},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F64, 1 << 10, 1 << 11, false, true},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F64, (1 << 10) - 1, 9999, false, false},
        {TRIDIAGONAL_PARTITION_PIVOT, TRIDIAGONAL_F64, 1 << 16, 16, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tridiagonal_plan plan = solve_plan(
            cases[i].variant,
            solve_job(cases[i].type, cases[i].n, cases[i].batch, cases[i].interleaved, 0));
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(plan.together == TRIDIAGONAL_KEPT, cases[i].kept);
    }
}

// Catches a workspace without joints, borders or groups, and shapes that no kernel has.
TEST(TridiagonalKept, Plans) {
    const size_t n = UINT64_C(1) << 20;
    const tridiagonal_job job = solve_job(TRIDIAGONAL_F32, n, 1, false, 0);
    const tridiagonal_plan plan = solve_plan(TRIDIAGONAL_PARTITION_PLAIN, job);
    EXPECT_EQ(plan.together, TRIDIAGONAL_KEPT);
    EXPECT_EQ(plan.tiles, 1024);
    // 11 values a lane, a tile and a group, two for each border and for the system's ends.
    EXPECT_EQ(tridiagonal_workspace_bytes(&plan),
              (64 << 10) + 4 * (11 * (32 * 1024 + 1024 + 4) + 2 * 1025 + 2));
    // The default's numbers are twice as large, and pairs of doubles have half the rows a thread.
    const tridiagonal_plan wide = solve_plan(TRIDIAGONAL_PARTITION_PIVOT, job);
    EXPECT_EQ(wide.tiles, 1024);
    EXPECT_EQ(tridiagonal_workspace_bytes(&wide) - (64 << 10),
              2 * (tridiagonal_workspace_bytes(&plan) - (64 << 10)));
    const tridiagonal_plan pairs =
        solve_plan(TRIDIAGONAL_PARTITION_PIVOT, solve_job(TRIDIAGONAL_F64, n, 1, false, 0));
    EXPECT_EQ(pairs.rows_each, 16);
    EXPECT_EQ(pairs.tiles, 2048);
    tridiagonal_plan wrong = plan;
    wrong.rows_each = 16;
    wrong.tiles = 2048;
    EXPECT_FALSE(tridiagonal_valid(&wrong));
    wrong = plan;
    wrong.lanes = 64;
    wrong.tiles = 512;
    EXPECT_FALSE(tridiagonal_valid(&wrong));
    wrong = plan;
    wrong.job.row_stride = 2;
    EXPECT_FALSE(tridiagonal_valid(&wrong));
}

// Catches a status of the wrong system, one that is cleared after it was set, and NaN that does not
// come from a tile to the ends and back to all others.
TEST(TridiagonalKept, SingularAndNotFinite) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
        for (unsigned k = 0; k < 15 * PARTITIONS; k++) {
            const tridiagonal_job job = solve_job((tridiagonal_type)type, 2100, 3, false, 0);
            const tridiagonal_plan plan = kept(partitions[k / 15], job);
            const unsigned row = 3 + k / 5 % 3 * 699;
            solve_spoilt(&plan, k % 5, row, row % 2 ? (double)NAN : (double)INFINITY);
        }
    }
}
