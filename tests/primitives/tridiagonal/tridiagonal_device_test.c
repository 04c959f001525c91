// tridiagonal_device_test.c: partition-pivot of tridiagonal.h and its plain form on a device, or
// under the kernel emulation, against a solve in many digits with row interchanges.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/tridiagonal/tridiagonal.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/solve.h"
#include "tests/support/device.h"

// Whether a sanitizer asks for small sizes.
static bool small(void) { return getenv("LONGMUL_SMALL") != NULL; }

static const tridiagonal_variant partitions[] = {TRIDIAGONAL_PARTITION_PLAIN,
                                                 TRIDIAGONAL_PARTITION_PIVOT};
enum { PARTITIONS = 2 };

// A partition with a shape of the caller's.
static tridiagonal_plan shaped(tridiagonal_variant v, tridiagonal_job job, unsigned rows_each,
                               unsigned lanes, unsigned systems) {
    tridiagonal_plan plan = solve_plan(v, job);
    plan.rows_each = rows_each;
    plan.lanes = lanes;
    plan.systems = systems;
    plan.tiles = (job.n - 1) / ((uint64_t)rows_each * lanes) + 1;
    plan.together = TRIDIAGONAL_APART;
    EXPECT_TRUE(tridiagonal_valid(&plan));
    return plan;
}

// Catches a pivot that is not the largest of all rows that know the unknown, in a thread's rows and
// in both columns of a join: the matrices with small or zero diagonals break down or lose digits.
TEST(Tridiagonal, EveryMatrixOfThePapers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
        // clement's unknowns leave the range of float.
        for (unsigned k = 0; k < MATRIX_KINDS; k++) {
            if (k == MATRIX_CLEMENT && type == TRIDIAGONAL_F32) {
                continue;
            }
            SCOPED_TRACE("%s", matrix_name((matrix_kind)k));
            const tridiagonal_job job = solve_job((tridiagonal_type)type, 512, 2, false, 0);
            tridiagonal_plan plan = shaped(TRIDIAGONAL_PARTITION_PLAIN, job, 8, 64, 1);
            solve_check(&plan, (matrix_kind)k, 11 * k + type);
            if (type == TRIDIAGONAL_F32) {
                plan = shaped(TRIDIAGONAL_PARTITION_PLAIN, job, 16, 32, 2);
                solve_check(&plan, (matrix_kind)k, 13 * k);
            }
        }
    }
}

// What the default promises: the error of an unknown is its own rounding, half a unit in the last
// place, although condition numbers reach 1 / unit. Catches a default that computes in the plain
// type, a low part that is dropped or has the wrong sign in any operation, numbers that are stored
// in the short type on the way: the errors are then as large as the plain form's.
TEST(Tridiagonal, DefaultIsNearestOnEveryMatrix) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
        for (unsigned k = 0; k < MATRIX_KINDS; k++) {
            // Unknowns of the two leave the range of float; dorr's condition number is 1e41, unless
            // it is rounded to float.
            if (type == TRIDIAGONAL_F32 ? k == MATRIX_CLEMENT || k == MATRIX_UPPER
                                        : k == MATRIX_DORR) {
                continue;
            }
            const tridiagonal_job job = solve_job((tridiagonal_type)type, 512, 2, false, 0);
            const tridiagonal_plan plan = solve_plan(TRIDIAGONAL_PARTITION_PIVOT, job);
            solve s;
            solve_open(&s, &plan, (matrix_kind)k, 11 * k + type);
            solve_run(&s, false);
            solve_expect_status(&s, 0);
            const double error = solve_error(&s);
            SCOPED_TRACE("%s error %g", matrix_name((matrix_kind)k), error);
            EXPECT_TRUE(error <= (type == TRIDIAGONAL_F32 ? 0x1p-24 : 0x1p-53));
            solve_close(&s);
        }
    }
}

// Catches a tile, thread or tree level that is off by one, padding that is not neutral, a(0) or
// c(n-1) that is read, and stores between systems.
TEST(Tridiagonal, EverySizeAndLayout) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[] = {1,   2,   3,   4,   5,    7,    8,    9,    15,   16,
                                   17,  31,  32,  33,  63,   64,   65,   127,  128,  129,
                                   255, 256, 257, 511, 1000, 1023, 1024, 1025, 2049, 4097};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i];
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
            for (unsigned layout = 0; layout < 2; layout++) {
                const size_t batch = n > 300 ? 2 : n % 2 ? 5 : 67;
                const tridiagonal_job job =
                    solve_job((tridiagonal_type)type, n, batch, layout == 1, i % 3);
                for (unsigned v = 0; v < PARTITIONS; v++) {
                    const tridiagonal_plan plan = solve_plan(partitions[v], job);
                    solve_check(&plan, MATRIX_UNIFORM, 100 + i);
                }
            }
        }
    }
}

// Catches a group of tiles that is not full, a level of groups that is skipped, a border that goes
// to the wrong side on the way down, a counter that is not reset: the workspace serves both solves.
TEST(Tridiagonal, TilesInGroupsOfGroups) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t tiles[] = {2, 3, 127, 128, 129, 131, 257};
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        const size_t padding = i % 3 == 2 ? i : 0;  // hides what happens at the end
        const tridiagonal_job job = solve_job(i % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32,
                                              tiles[i] * 1024 - padding, 1, false, 0);
        for (unsigned v = 0; v < PARTITIONS; v++) {
            const tridiagonal_plan plan = shaped(partitions[v], job, 8, 128, 1);
            EXPECT_EQ(plan.tiles, tiles[i]);
            solve_twice(&plan, i);
            solve_twice(&plan, i + 1);
        }
    }
}

// Systems whose blocks run together. Catches a span that goes to the wrong block, borders of
// another block, a block that goes on before all spans are there (with random orders), counters
// that are not ready for the next solve.
TEST(Tridiagonal, BlocksThatRunTogether) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        tridiagonal_together together;
        unsigned tiles;
        size_t batch;
    } cases[] = {{TRIDIAGONAL_CLUSTER, 2, 3}, {TRIDIAGONAL_CLUSTER, 4, 3},
                 {TRIDIAGONAL_CLUSTER, 8, 3}, {TRIDIAGONAL_GRID, 2, 1},
                 {TRIDIAGONAL_GRID, 3, 1},    {TRIDIAGONAL_GRID, 11, 1},
                 {TRIDIAGONAL_GRID, 16, 1}};
    for (size_t i = 0; i < 4 * sizeof cases / sizeof cases[0]; i += small() ? 3 : 1) {
        const unsigned tiles = cases[i / 4].tiles;
        const bool interleaved = i % 4 == 2;
        device_order(i % 2 == 0 ? 0 : i);
        const tridiagonal_job job =
            solve_job(i % 4 < 2 ? TRIDIAGONAL_F32 : TRIDIAGONAL_F64, tiles * 32 * 8 - 7 * (i % 3),
                      cases[i / 4].batch, interleaved, 0);
        for (unsigned v = 0; v < PARTITIONS; v++) {
            tridiagonal_plan plan = solve_plan(partitions[v], job);
            plan.rows_each = 8;
            plan.lanes = 32;
            plan.systems = 1;
            plan.tiles = tiles;
            plan.together = cases[i / 4].together;
            EXPECT_TRUE(tridiagonal_valid(&plan));
            SCOPED_TRACE("case %zu, %s", i, tridiagonal_variant_name(partitions[v]));
            solve_twice(&plan, i);
            solve_twice(&plan, i + 1);
        }
    }
    device_order(0);
}

// The library's own choice for one system of every length, where tiles come together in every way.
// Catches a plan that no kernel runs.
TEST(Tridiagonal, OneSystemOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (size_t n = 1 << 11; n <= (device_emulated() || small() ? 1 << 15 : 1 << 22); n *= 2) {
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
            const tridiagonal_job job = solve_job((tridiagonal_type)type, n + type, 1, false, 0);
            for (unsigned v = 0; v < PARTITIONS; v++) {
                const tridiagonal_plan plan = solve_plan(partitions[v], job);
                solve_check(&plan, MATRIX_UNIFORM, n);
            }
        }
    }
}

// Catches a missing barrier, and a block that takes itself for a group's last.
TEST(Tridiagonal, EveryOrderOfThreadsAndBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (uint64_t seed = 1; seed <= 8; seed++) {
        device_order(seed);
        const tridiagonal_job job = solve_job(TRIDIAGONAL_F32, 5000, 5, seed % 2, 0);
        const tridiagonal_plan plan = shaped(partitions[seed / 2 % 2], job, 8, 128, 1);
        solve_check(&plan, MATRIX_UNIFORM, seed);
    }
    device_order(0);
}

// Catches infinity that is divided away (1 / inf = 0), NaN that loses every comparison and is not
// carried on, a zero pivot that is divided by in silence, a status of the wrong system, a status
// that is cleared after it was set.
TEST(Tridiagonal, SingularAndNotFinite) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
        static const size_t sizes[] = {2, 5, 40, 1030};
        for (size_t k = 0; k < PARTITIONS * (sizeof sizes / sizeof sizes[0]); k++) {
            const size_t n = sizes[k / PARTITIONS];
            const tridiagonal_variant v = partitions[k % PARTITIONS];
            const tridiagonal_job job =
                solve_job((tridiagonal_type)type, n, 3, k / PARTITIONS % 2, 0);
            const tridiagonal_plan plan = n > 1000 ? shaped(v, job, 8, 128, 1) : solve_plan(v, job);
            const size_t rows[] = {0, n / 3, n / 2, n - 1};
            for (unsigned r = 0; r < 4; r++) {
                for (unsigned array = 0; array < 4; array++) {
                    const size_t row = array == 0 && rows[r] == 0       ? 1
                                       : array == 2 && rows[r] == n - 1 ? 0
                                                                        : rows[r];
                    solve_spoilt(&plan, array, row, r % 2 ? (double)NAN : (double)INFINITY);
                }
                solve_spoilt(&plan, 4, rows[r], 0);
            }
        }
    }
}

// Catches a job taken on with too little memory, unknown or exchanged names, sizes beyond a
// variant's, and plans that were changed into what cannot run.
TEST(Tridiagonal, RefusesWhatItCannotDo) {
    tridiagonal_plan plan;
    tridiagonal_job job = solve_job(TRIDIAGONAL_F32, 1 << 13, 1, false, 0);
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_CYCLIC));
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_PARALLEL_CYCLIC));
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_VARIANTS));
    EXPECT_TRUE(strcmp(tridiagonal_variant_name(TRIDIAGONAL_PARTITION_PIVOT), "partition-pivot") ==
                0);
    EXPECT_TRUE(strcmp(tridiagonal_variant_name(TRIDIAGONAL_PARTITION_PLAIN),
                       "partition-pivot-plain") == 0);
    job.type = TRIDIAGONAL_TYPES;
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_PARTITION_PLAIN));
    job = solve_job(TRIDIAGONAL_F32, UINT64_C(1) << 20, UINT64_C(1) << 20, false, 0);
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_PARTITION_PLAIN));
    job = solve_job(TRIDIAGONAL_F64, 100000, 1, false, 0);
    plan = solve_plan(TRIDIAGONAL_PARTITION_PLAIN, job);
    EXPECT_TRUE(tridiagonal_workspace_bytes(&plan) > 0);
    const tridiagonal_plan good = plan;
    plan.tiles--;
    EXPECT_FALSE(tridiagonal_valid(&plan));
    plan = good;
    plan.lanes = 96;
    EXPECT_FALSE(tridiagonal_valid(&plan));
    plan = good;
    plan.rows_each = 16;  // more registers than there are, for double
    EXPECT_FALSE(tridiagonal_valid(&plan));
    plan = good;
    plan.together = TRIDIAGONAL_CLUSTER;  // of 98 blocks
    EXPECT_FALSE(tridiagonal_valid(&plan));
    plan = solve_plan(TRIDIAGONAL_PARTITION_PIVOT, job);
    plan.lanes = 512;  // more registers than there are, for pairs of doubles
    plan.tiles = (job.n - 1) / (8 * 512) + 1;
    plan.together = TRIDIAGONAL_APART;
    EXPECT_FALSE(tridiagonal_valid(&plan));
    plan.job.type = TRIDIAGONAL_F32;
    EXPECT_TRUE(tridiagonal_valid(&plan));
    if (device_ready()) {
        EXPECT_EQ(tridiagonal_device(&good, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 100, NULL),
                  RESULT_REFUSED);
        job = solve_job(TRIDIAGONAL_F64, 5, 0, true, 1);
        plan = solve_plan(TRIDIAGONAL_PARTITION_PLAIN, job);
        EXPECT_EQ(tridiagonal_device(&plan, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                     tridiagonal_workspace_bytes(&plan), NULL),
                  RESULT_OK);
    }
}

// A million systems, and plans of several launches for thousands: more counters than the workspace
// keeps at zero. Catches grids that are too small and counters that are not cleared.
TEST(Tridiagonal, ManySystems) {
    if (!device_ready() || device_emulated()) {
        SKIP("no device");
    }
    for (unsigned layout = 0; layout < 2; layout++) {
        const tridiagonal_job job =
            solve_job(TRIDIAGONAL_F32, 6, small() ? 1000 : 1000000, layout == 1, 0);
        const tridiagonal_plan plan = solve_plan(partitions[layout], job);
        solve_check(&plan, MATRIX_STRONG, layout);
    }
    const tridiagonal_job job = solve_job(TRIDIAGONAL_F32, 1100, small() ? 20 : 20000, false, 0);
    const tridiagonal_plan plan = shaped(TRIDIAGONAL_PARTITION_PLAIN, job, 8, 128, 1);
    solve_check(&plan, MATRIX_STRONG, 1);
}
