// tridiagonal_device_test.c: the algorithms of tridiagonal.h on a device, or under the kernel
// emulation, against a solve in long double with row interchanges, by residual and by error.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "primitives/tridiagonal.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal_fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Systems on the host and on the device, and what came back.
typedef struct {
    tridiagonal_plan plan;
    size_t elements;          // of each array
    system_rows *systems;     // of the batch
    char *host[5];            // a, b, c, d, x as they lie in memory
    char *device[5];
    uint32_t *status, *device_status;
    char *workspace;
    size_t workspace_bytes;
} solve;

static const double gap = -7;  // what stands between systems and in x

static size_t width(const solve *s) { return s->plan.job.type == TRIDIAGONAL_F32 ? 4 : 8; }

static double unit(const solve *s) { return width(s) == 4 ? 0x1p-24 : 0x1p-53; }

static void put(solve *s, unsigned array, size_t at, double v) {
    if (width(s) == 4) {
        ((float *)s->host[array])[at] = (float)v;
    } else {
        ((double *)s->host[array])[at] = v;
    }
}

static double get(const solve *s, unsigned array, size_t at) {
    return width(s) == 4 ? (double)((const float *)s->host[array])[at]
                         : ((const double *)s->host[array])[at];
}

static size_t element(const solve *s, size_t system, size_t row) {
    const tridiagonal_job *job = &s->plan.job;
    return (size_t)(system * job->system_stride + row * job->row_stride);
}

// The arrays as the systems say; what the algorithms must not read is NaN.
static void lay_out(solve *s) {
    const tridiagonal_job *job = &s->plan.job;
    for (size_t i = 0; i < s->elements; i++) {
        for (unsigned k = 0; k < 4; k++) {
            put(s, k, i, (double)NAN);
        }
        put(s, 4, i, gap);
    }
    for (size_t k = 0; k < job->batch; k++) {
        const system_rows *r = &s->systems[k];
        for (size_t i = 0; i < job->n; i++) {
            const size_t at = element(s, k, i);
            put(s, 0, at, i > 0 ? r->a[i] : (double)NAN);
            put(s, 1, at, r->b[i]);
            put(s, 2, at, i + 1 < job->n ? r->c[i] : (double)NAN);
            put(s, 3, at, r->d[i]);
        }
    }
}

// Systems of one kind, or of all kinds that are regular, one after the other. n, batch >= 1.
static void open_solve(solve *s, const tridiagonal_plan *plan, matrix_kind kind, uint64_t seed) {
    const tridiagonal_job *job = &plan->job;
    s->plan = *plan;
    s->elements =
        (size_t)((job->batch - 1) * job->system_stride + (job->n - 1) * job->row_stride + 1);
    s->systems = calloc(job->batch, sizeof *s->systems);
    gen g = gen_seed(seed);
    for (size_t k = 0; k < job->batch; k++) {
        matrix_kind own = kind == MATRIX_KINDS ? (matrix_kind)(k % MATRIX_KINDS) : kind;
        own = matrix_singular(own, job->n) ? MATRIX_UNIFORM : own;
        system_alloc(&s->systems[k], job->n);
        system_fill(&s->systems[k], own, job->type, &g);
        system_solve(&s->systems[k]);
    }
    for (unsigned k = 0; k < 5; k++) {
        s->host[k] = malloc(s->elements * width(s));
        s->device[k] = device_alloc(s->elements * width(s));
    }
    s->status = malloc(job->batch * sizeof *s->status);
    s->device_status = device_alloc(job->batch * sizeof *s->status);
    s->workspace_bytes = tridiagonal_workspace_bytes(plan);
    s->workspace = device_alloc(s->workspace_bytes);
    device_fill(s->workspace, 0, 64 << 10);  // the rest of it as it is
    lay_out(s);
}

static void close_solve(solve *s) {
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        system_free(&s->systems[k]);
    }
    free(s->systems);
    for (unsigned k = 0; k < 5; k++) {
        free(s->host[k]);
        device_free(s->device[k]);
    }
    free(s->status);
    device_free(s->device_status);
    device_free(s->workspace);
}

// x in an array of its own, or in d's.
static void run_solve(solve *s, bool in_place) {
    for (unsigned k = 0; k < 5; k++) {
        EXPECT_TRUE(device_upload(s->device[k], s->host[k], s->elements * width(s)));
    }
    EXPECT_TRUE(device_fill(s->device_status, 0xA5, s->plan.job.batch * sizeof *s->status));
    char *const x = in_place ? s->device[3] : s->device[4];
    EXPECT_EQ(tridiagonal_device(&s->plan, s->device[0], s->device[1], s->device[2], s->device[3], x,
                                 s->device_status, s->workspace, s->workspace_bytes, NULL),
              RESULT_OK);
    EXPECT_TRUE(device_download(s->host[4], x, s->elements * width(s)));
    EXPECT_TRUE(
        device_download(s->status, s->device_status, s->plan.job.batch * sizeof *s->status));
}

// The unknowns of a system, to be freed.
static double *unknowns(const solve *s, size_t system) {
    double *x = malloc(s->plan.job.n * sizeof *x);
    for (size_t i = 0; i < s->plan.job.n; i++) {
        x[i] = get(s, 4, element(s, system, i));
    }
    return x;
}

static double worst_residual(const solve *s) {
    double worst = 0;
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        double *x = unknowns(s, k);
        worst = fmax(worst, system_residual(&s->systems[k], x));
        free(x);
    }
    return worst;
}

static double worst_error(const solve *s) {
    double worst = 0;
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        double *x = unknowns(s, k);
        worst = fmax(worst, system_error(&s->systems[k], x));
        free(x);
    }
    return worst;
}

// The bound of docs/proofs/tridiagonal.md, section 3, for a growth of at most 4: a row takes part
// in as many eliminations as a thread has rows, and twice as many as the tree has levels.
static double residual_bound(const solve *s) {
    return 4 * 4 * (s->plan.rows_each + 2 * (log2((double)s->plan.job.n) + 1)) * unit(s);
}

static void expect_status(const solve *s, uint32_t want) {
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        if (s->status[k] != want) {
            EXPECT_EQ(s->status[k], want);
            return;
        }
    }
}

// Everything that is not an element of a system is as it was.
static void expect_gaps(const solve *s) {
    char *own = calloc(s->elements, 1);
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        for (size_t i = 0; i < s->plan.job.n; i++) {
            own[element(s, k, i)] = 1;
        }
    }
    size_t touched = 0;
    for (size_t i = 0; i < s->elements; i++) {
        touched += !own[i] && get(s, 4, i) != gap ? 1 : 0;
    }
    EXPECT_EQ(touched, 0);
    free(own);
}

static void check_residual(const tridiagonal_plan *plan, matrix_kind kind, uint64_t seed) {
    char text[256];
    tridiagonal_plan_text(plan, text, sizeof text);
    SCOPED_TRACE("%s", text);
    solve s;
    open_solve(&s, plan, kind, seed);
    run_solve(&s, false);
    expect_status(&s, 0);
    EXPECT_TRUE(worst_residual(&s) <= residual_bound(&s));
    expect_gaps(&s);
    close_solve(&s);
}

// row_gap: elements between neighbours within a system, strided; interleaved: between systems' rows.
static tridiagonal_job job_of(tridiagonal_type type, size_t n, size_t batch, bool interleaved,
                              size_t extra) {
    return (tridiagonal_job){type, n, batch, interleaved ? batch + extra : 1,
                             interleaved ? 1 : n + extra};
}

static tridiagonal_plan plan_of(tridiagonal_variant v, tridiagonal_job job) {
    tridiagonal_plan plan = {0};
    EXPECT_TRUE(tridiagonal_make_plan(&plan, &job, v));
    return plan;
}

// partition-pivot with a shape of the caller's.
static tridiagonal_plan shaped(tridiagonal_job job, unsigned rows_each, unsigned lanes,
                               unsigned systems) {
    tridiagonal_plan plan = plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
    plan.rows_each = rows_each;
    plan.lanes = lanes;
    plan.systems = systems;
    plan.tiles = (job.n - 1) / ((uint64_t)rows_each * lanes) + 1;
    plan.cluster = false;
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
            const tridiagonal_job job = job_of((tridiagonal_type)type, 512, 2, false, 0);
            tridiagonal_plan plan = shaped(job, 8, 64, 1);
            check_residual(&plan, (matrix_kind)k, 11 * k + type);
            if (type == TRIDIAGONAL_F32) {
                plan = shaped(job, 16, 32, 2);
                check_residual(&plan, (matrix_kind)k, 13 * k);
            }
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
                    job_of((tridiagonal_type)type, n, batch, layout == 1, i % 3);
                const tridiagonal_plan plan = plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
                check_residual(&plan, MATRIX_UNIFORM, 100 + i);
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
        const tridiagonal_job job =
            job_of(i % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, tiles[i] * 1024 - i, 1, false, 0);
        const tridiagonal_plan plan = shaped(job, 8, 128, 1);
        EXPECT_EQ(plan.tiles, tiles[i]);
        solve s;
        open_solve(&s, &plan, MATRIX_UNIFORM, i);
        for (unsigned again = 0; again < 2; again++) {
            run_solve(&s, again == 1);
            expect_status(&s, 0);
            EXPECT_TRUE(worst_residual(&s) <= residual_bound(&s));
        }
        close_solve(&s);
    }
}

// Systems of a cluster each. Catches a span that goes to the wrong block, borders of another block,
// a block that goes on before all spans are there (with random orders).
TEST(Tridiagonal, OneClusterEach) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned cluster = 2; cluster <= 8; cluster *= 2) {
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
            device_order(type == 0 ? 0 : cluster);
            const size_t n = cluster * 64 * 8 - (cluster == 4 ? 600 : 1);
            const tridiagonal_job job = job_of((tridiagonal_type)type, n, 3, cluster == 2, 0);
            tridiagonal_plan plan = plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
            plan.rows_each = 8;
            plan.lanes = 64;
            plan.systems = 1;
            plan.tiles = cluster;
            plan.cluster = true;
            EXPECT_TRUE(tridiagonal_valid(&plan));
            check_residual(&plan, MATRIX_UNIFORM, cluster);
        }
    }
    device_order(0);
}

static bool redundant(unsigned v) {
    return v == TRIDIAGONAL_RR_KOGGE_STONE || v == TRIDIAGONAL_RR_LADNER;
}

// Catches a missing barrier, and a block that takes itself for a group's last.
TEST(Tridiagonal, EveryOrderOfThreadsAndBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (uint64_t seed = 1; seed <= 8; seed++) {
        device_order(seed);
        const tridiagonal_job job = job_of(TRIDIAGONAL_F32, 5000, 3, seed % 2, 0);
        const tridiagonal_plan plan = shaped(job, 8, 128, 1);
        check_residual(&plan, MATRIX_UNIFORM, seed);
        for (unsigned v = 1; v < TRIDIAGONAL_VARIANTS; v++) {
            const tridiagonal_job small = job_of(TRIDIAGONAL_F32, 300, 2, seed % 2, 0);
            const tridiagonal_plan other = plan_of((tridiagonal_variant)v, small);
            solve s;
            open_solve(&s, &other, redundant(v) ? MATRIX_LAPLACE : MATRIX_STRONG, seed);
            run_solve(&s, false);
            SCOPED_TRACE("%s", tridiagonal_variant_name((tridiagonal_variant)v));
            EXPECT_TRUE(worst_error(&s) < 1e-3);
            close_solve(&s);
        }
    }
    device_order(0);
}

static const tridiagonal_variant without_pivots[] = {
    TRIDIAGONAL_THOMAS, TRIDIAGONAL_CYCLIC, TRIDIAGONAL_PARALLEL_CYCLIC, TRIDIAGONAL_WANG_MOU,
    TRIDIAGONAL_TREE};

// Elimination without interchanges of a matrix that is dominant by rows grows no coefficient beyond
// twice the largest, whatever the order of its columns, so that the bound above holds for all these
// algorithms with log2 n steps of two eliminations (thomas: one). Catches a wrong neighbour,
// padding that is not neutral, a step too few.
TEST(Tridiagonal, DominantMatricesByEveryVariant) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 128, 129, 511, 1000, 1024};
    for (size_t v = 0; v < sizeof without_pivots / sizeof without_pivots[0]; v++) {
        SCOPED_TRACE("%s", tridiagonal_variant_name(without_pivots[v]));
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const tridiagonal_job job =
                job_of(i % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, sizes[i],
                       sizes[i] > 100 ? 2 : 67, i % 3 == 1, i % 2);
            SCOPED_TRACE("n = %zu", sizes[i]);
            const tridiagonal_plan plan = plan_of(without_pivots[v], job);
            solve s;
            open_solve(&s, &plan, i % 2 ? MATRIX_STRONG : MATRIX_WEAK, i);
            run_solve(&s, i % 4 == 3);
            expect_status(&s, 0);
            EXPECT_TRUE(worst_residual(&s) <= residual_bound(&s));
            if (i % 4 != 3) {
                expect_gaps(&s);
            }
            close_solve(&s);
        }
    }
}

// The same where a system is more than one block's, at the limits of each. Catches triads and slices
// that are taken from the wrong block.
TEST(Tridiagonal, LongSystemsByEveryVariant) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        tridiagonal_variant variant;
        size_t n, gpu_n;
    } cases[] = {{TRIDIAGONAL_CYCLIC, 2047, 2048},
                 {TRIDIAGONAL_WANG_MOU, 1025, 1 << 19},
                 {TRIDIAGONAL_WANG_MOU, 3000, 200001},
                 {TRIDIAGONAL_TREE, 3001, 1 << 21},
                 {TRIDIAGONAL_TREE, 2049, (1 << 20) + 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
            const size_t n = device_emulated() ? cases[i].n : cases[i].gpu_n;
            const tridiagonal_job job = job_of((tridiagonal_type)type, n, 2, i % 2 == 1, 0);
            const tridiagonal_plan plan = plan_of(cases[i].variant, job);
            check_residual(&plan, MATRIX_STRONG, i);
        }
    }
}

// tree-partitioning with longer slices, the papers' stable form. Catches a slice length that is
// taken for granted.
TEST(Tridiagonal, SlicesOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned lanes = 32; lanes <= 1024; lanes *= 2) {
        const tridiagonal_job job = job_of(TRIDIAGONAL_F32, 3000, 1, false, 0);
        tridiagonal_plan plan = plan_of(TRIDIAGONAL_TREE, job);
        plan.lanes = lanes;
        plan.tiles = (job.n - 1) / (2 * lanes) + 1;
        EXPECT_TRUE(tridiagonal_valid(&plan));
        check_residual(&plan, MATRIX_WEAK, lanes);
    }
}

// What the header says of redundant reduction: right where coefficients do not fall off, lost where
// a matrix is strongly dominant, which every other algorithm finds easy. Catches a wrong node or
// circuit in the first half; the second half would catch a header that warns without need.
TEST(Tridiagonal, RedundantReductionLosesDominantMatrices) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const tridiagonal_variant circuits[] = {TRIDIAGONAL_RR_KOGGE_STONE,
                                                   TRIDIAGONAL_RR_LADNER};
    for (unsigned v = 0; v < 2; v++) {
        static const size_t sizes[] = {1, 2, 3, 5, 31, 64, 65, 300, 512};
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const tridiagonal_job job = job_of(TRIDIAGONAL_F64, sizes[i], 3, i % 2, 0);
            const tridiagonal_plan plan = plan_of(circuits[v], job);
            SCOPED_TRACE("%s n = %zu", tridiagonal_variant_name(circuits[v]), sizes[i]);
            solve s;
            open_solve(&s, &plan, MATRIX_LAPLACE, i);
            run_solve(&s, false);
            expect_status(&s, 0);
            EXPECT_TRUE(worst_error(&s) < 1e-9);  // the condition number is below n^2 / 2
            close_solve(&s);
        }
        const tridiagonal_job job = job_of(TRIDIAGONAL_F32, 64, 1, false, 0);
        const tridiagonal_plan plan = plan_of(circuits[v], job);
        const tridiagonal_plan safe = plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
        solve s;
        open_solve(&s, &plan, MATRIX_STRONG, 5);
        run_solve(&s, false);
        EXPECT_TRUE(s.status[0] == 1 || worst_error(&s) > 0.1);
        close_solve(&s);
        open_solve(&s, &safe, MATRIX_STRONG, 5);
        run_solve(&s, false);
        EXPECT_TRUE(worst_error(&s) < 1e-6);
        close_solve(&s);
    }
}

static size_t not_finite(const solve *s, size_t system) {
    size_t count = 0;
    for (size_t i = 0; i < s->plan.job.n; i++) {
        count += isfinite(get(s, 4, element(s, system, i))) ? 0 : 1;
    }
    return count;
}

// Spoils system 1 of three; the others are solved, and it is told.
static void check_spoilt(const tridiagonal_plan *plan, unsigned array, size_t row, double value) {
    solve s;
    open_solve(&s, plan, MATRIX_UNIFORM, 3);
    SCOPED_TRACE("array %u row %zu value %g", array, row, value);
    if (array < 4) {
        put(&s, array, element(&s, 1, row), value);
    } else {  // a column of zeros
        put(&s, 1, element(&s, 1, row), 0);
        if (row > 0) {
            put(&s, 2, element(&s, 1, row - 1), 0);
        }
        if (row + 1 < plan->job.n) {
            put(&s, 0, element(&s, 1, row + 1), 0);
        }
    }
    run_solve(&s, false);
    EXPECT_EQ(s.status[0], 0);
    EXPECT_EQ(s.status[1], 1);
    EXPECT_EQ(s.status[2], 0);
    EXPECT_TRUE(not_finite(&s, 1) > 0);
    EXPECT_EQ(not_finite(&s, 0) + not_finite(&s, 2), 0);
    close_solve(&s);
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
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            const size_t n = sizes[k];
            const tridiagonal_job job = job_of((tridiagonal_type)type, n, 3, k % 2, 0);
            const tridiagonal_plan plan = n > 1000 ? shaped(job, 8, 128, 1)
                                                   : plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
            const size_t rows[] = {0, n / 3, n / 2, n - 1};
            for (unsigned i = 0; i < 4; i++) {
                for (unsigned array = 0; array < 4; array++) {
                    const size_t row = array == 0 && rows[i] == 0          ? 1
                                       : array == 2 && rows[i] == n - 1 ? 0
                                                                        : rows[i];
                    check_spoilt(&plan, array, row, i % 2 ? (double)NAN : (double)INFINITY);
                }
                check_spoilt(&plan, 4, rows[i], 0);
            }
        }
    }
}

// Catches a job taken on with too little memory, unknown names, sizes beyond a variant's, and plans
// that were changed into what cannot run.
TEST(Tridiagonal, RefusesWhatItCannotDo) {
    tridiagonal_plan plan;
    tridiagonal_job job = job_of(TRIDIAGONAL_F32, 1 << 13, 1, false, 0);
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_CYCLIC));
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_PARALLEL_CYCLIC));
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_VARIANTS));
    job.type = TRIDIAGONAL_TYPES;
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_PARTITION_PIVOT));
    job = job_of(TRIDIAGONAL_F32, UINT64_C(1) << 20, UINT64_C(1) << 20, false, 0);
    EXPECT_FALSE(tridiagonal_make_plan(&plan, &job, TRIDIAGONAL_PARTITION_PIVOT));
    job = job_of(TRIDIAGONAL_F64, 100000, 1, false, 0);
    plan = plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
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
    plan.cluster = true;  // of 49 blocks
    EXPECT_FALSE(tridiagonal_valid(&plan));
    if (device_ready()) {
        EXPECT_EQ(tridiagonal_device(&good, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 100, NULL),
                  RESULT_REFUSED);
        job = job_of(TRIDIAGONAL_F64, 5, 0, true, 1);
        plan = plan_of(TRIDIAGONAL_PARTITION_PIVOT, job);
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
        for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
            const size_t batch = v == TRIDIAGONAL_PARTITION_PIVOT ? 1000000 : 100000;
            const tridiagonal_job job = job_of(TRIDIAGONAL_F32, 6, batch, layout == 1, 0);
            const tridiagonal_plan plan = plan_of((tridiagonal_variant)v, job);
            solve s;
            open_solve(&s, &plan, redundant(v) ? MATRIX_LAPLACE : MATRIX_STRONG, v);
            run_solve(&s, false);
            SCOPED_TRACE("%s", tridiagonal_variant_name((tridiagonal_variant)v));
            expect_status(&s, 0);
            EXPECT_TRUE(worst_error(&s) < 1e-3);
            close_solve(&s);
        }
    }
    const tridiagonal_job job = job_of(TRIDIAGONAL_F32, 1100, 20000, false, 0);
    const tridiagonal_plan plan = shaped(job, 8, 128, 1);
    check_residual(&plan, MATRIX_STRONG, 1);
}
