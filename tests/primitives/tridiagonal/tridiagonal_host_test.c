// tridiagonal_host_test.c: tridiagonal.h in host memory against a solve in many digits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/tridiagonal/tridiagonal.h"
#include "primitives/words/team.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/fixture.h"
#include "tests/support/gen.h"

enum { BATCH = 9 };

// a, b, c, d and x of BATCH systems in one block of doubles or floats.
typedef struct {
    tridiagonal_job job;
    system_rows systems[BATCH];
    size_t bytes, elements;
    char *array[5];
    uint32_t status[BATCH];
} host_case;

static void put(host_case *h, unsigned array, size_t at, double v) {
    const float f = (float)v;
    h->bytes == 4 ? memcpy(h->array[array] + 4 * at, &f, 4)
                  : memcpy(h->array[array] + 8 * at, &v, 8);
}

static double get(const host_case *h, unsigned array, size_t at) {
    float f = 0;
    double v = 0;
    h->bytes == 4 ? memcpy(&f, h->array[array] + 4 * at, 4)
                  : memcpy(&v, h->array[array] + 8 * at, 8);
    return h->bytes == 4 ? (double)f : v;
}

static size_t element(const host_case *h, size_t system, size_t row) {
    return (size_t)(system * h->job.system_stride + row * h->job.row_stride);
}

static void open_case(host_case *h, tridiagonal_type type, size_t n, bool interleaved,
                      matrix_kind kind, uint64_t seed) {
    h->job = (tridiagonal_job){type, n, BATCH, interleaved ? BATCH : 1, interleaved ? 1 : n + 3};
    h->bytes = type == TRIDIAGONAL_F32 ? 4 : 8;
    h->elements = BATCH * (n + 3);
    for (unsigned k = 0; k < 5; k++) {
        h->array[k] = calloc(h->elements, h->bytes);
    }
    gen g = gen_seed(seed);
    for (size_t s = 0; s < BATCH; s++) {
        system_rows *r = &h->systems[s];
        system_alloc(r, n);
        system_fill(r, kind, type, &g);
        for (size_t i = 0; i < n; i++) {
            put(h, 0, element(h, s, i), i > 0 ? r->a[i] : (double)NAN);
            put(h, 1, element(h, s, i), r->b[i]);
            put(h, 2, element(h, s, i), i + 1 < n ? r->c[i] : (double)NAN);
            put(h, 3, element(h, s, i), r->d[i]);
        }
    }
}

static void close_case(host_case *h) {
    for (unsigned k = 0; k < 5; k++) {
        free(h->array[k]);
    }
    for (size_t s = 0; s < BATCH; s++) {
        system_free(&h->systems[s]);
    }
}

static result run(host_case *h, tridiagonal_variant v, bool in_place, team *t) {
    const size_t bytes = tridiagonal_host_workspace_bytes(&h->job, v, team_size(t));
    char *workspace = malloc(bytes);
    const result r =
        tridiagonal_host(&h->job, v, h->array[0], h->array[1], h->array[2], h->array[3],
                         h->array[in_place ? 3 : 4], h->status, workspace, bytes, t);
    free(workspace);
    if (in_place) {
        memcpy(h->array[4], h->array[3], h->elements * h->bytes);
    }
    return r;
}

static double unit(const host_case *h) { return h->bytes == 4 ? 0x1p-24 : 0x1p-53; }

static void expect_solved(const host_case *h, tridiagonal_variant v) {
    double *x = malloc(h->job.n * sizeof *x);
    for (size_t s = 0; s < BATCH; s++) {
        for (size_t i = 0; i < h->job.n; i++) {
            x[i] = get(h, 4, element(h, s, i));
        }
        // A row takes part in two eliminations: 4 roundings each, growth at most 2 among scaled
        // rows (docs/proofs/tridiagonal.md, section 3). The default: the rounding of three
        // unknowns.
        const double bound = (v == TRIDIAGONAL_PARTITION_PIVOT ? 3.01 : 16) * unit(h);
        const double residual = system_residual(&h->systems[s], x);
        SCOPED_TRACE("n %zu system %zu residual %g", (size_t)h->job.n, s, residual);
        EXPECT_TRUE(residual <= bound);
        EXPECT_EQ(h->status[s], 0);
    }
    free(x);
}

// Catches pivots that are not the larger, strides that are mixed up, x written over d too early.
TEST(TridiagonalHost, EveryMatrix) {
    for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
        for (unsigned k = 0; k < MATRIX_KINDS; k++) {
            if (k == MATRIX_CLEMENT && type == TRIDIAGONAL_F32) {
                continue;  // its unknowns leave the range of float
            }
            SCOPED_TRACE("%s", matrix_name((matrix_kind)k));
            host_case h;
            open_case(&h, (tridiagonal_type)type, 512, k % 2, (matrix_kind)k, k);
            EXPECT_EQ(run(&h, TRIDIAGONAL_PARTITION_PLAIN, k % 3 == 0, NULL), RESULT_OK);
            expect_solved(&h, TRIDIAGONAL_PARTITION_PLAIN);
            close_case(&h);
        }
    }
}

// The error of system 0 is that of its rounding. Catches a step that is done in the short type.
TEST(TridiagonalHost, DefaultIsNearestOnEveryMatrix) {
    for (unsigned type = 0; type < TRIDIAGONAL_TYPES; type++) {
        for (unsigned k = 0; k < MATRIX_KINDS; k++) {
            // As in tridiagonal_device_test.c.
            if (type == TRIDIAGONAL_F32 ? k == MATRIX_CLEMENT || k == MATRIX_UPPER
                                        : k == MATRIX_DORR) {
                continue;
            }
            host_case h;
            open_case(&h, (tridiagonal_type)type, 512, k % 2, (matrix_kind)k, 100 + k);
            EXPECT_EQ(run(&h, TRIDIAGONAL_PARTITION_PIVOT, k % 3 == 0, NULL), RESULT_OK);
            expect_solved(&h, TRIDIAGONAL_PARTITION_PIVOT);
            double x[512];
            for (size_t i = 0; i < 512; i++) {
                x[i] = get(&h, 4, element(&h, 0, i));
            }
            EXPECT_TRUE(system_solve(&h.systems[0]));
            const double error = system_error(&h.systems[0], x);
            SCOPED_TRACE("%s error %g", matrix_name((matrix_kind)k), error);
            EXPECT_TRUE(error <= unit(&h));
            close_case(&h);
        }
    }
}

TEST(TridiagonalHost, EverySizeWithThreads) {
    static const size_t sizes[] = {1, 2, 3, 7, 8, 100, 1000};
    void *memory = aligned_alloc(64, (team_bytes(3) + 63) / 64 * 64);
    team *three = team_start(memory, 3);
    static const tridiagonal_variant variants[] = {TRIDIAGONAL_PARTITION_PLAIN, TRIDIAGONAL_THOMAS,
                                                   TRIDIAGONAL_PARTITION_PIVOT};
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const tridiagonal_variant v = variants[k];
            host_case h;
            open_case(&h, i % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, sizes[i / 2], i % 3 == 0,
                      v == TRIDIAGONAL_THOMAS ? MATRIX_WEAK : MATRIX_UNIFORM, i);
            EXPECT_EQ(run(&h, v, i % 4 == 1, three), RESULT_OK);
            expect_solved(&h, v);
            close_case(&h);
        }
    }
    team_stop(three);
    free(memory);
}

// Catches a singular system that passes, one that spoils its neighbours, infinity divided away.
TEST(TridiagonalHost, SingularAndNotFinite) {
    static const double values[] = {0, (double)NAN, (double)INFINITY};
    for (unsigned i = 0; i < 6; i++) {
        const unsigned k = i / 2;
        host_case h;
        open_case(&h, k % 2 ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32, 20, k == 1, MATRIX_UNIFORM, k);
        put(&h, 0, element(&h, 4, 7), values[k]);
        put(&h, 1, element(&h, 4, 7), values[k]);
        put(&h, 2, element(&h, 4, 7), values[k]);
        EXPECT_EQ(
            run(&h, i % 2 ? TRIDIAGONAL_PARTITION_PIVOT : TRIDIAGONAL_PARTITION_PLAIN, false, NULL),
            RESULT_SINGULAR);
        for (unsigned s = 0; s < BATCH; s++) {
            EXPECT_EQ(h.status[s], s == 4 ? 1 : 0);
        }
        close_case(&h);
    }
}

// Catches variants that the host has not, and too little memory.
TEST(TridiagonalHost, RefusesWhatItCannotDo) {
    const tridiagonal_job job = {TRIDIAGONAL_F32, 10, 1, 1, 10};
    EXPECT_EQ(tridiagonal_host_workspace_bytes(&job, TRIDIAGONAL_CYCLIC, 1), 0);
    float x[10] = {0};
    EXPECT_EQ(tridiagonal_host(&job, TRIDIAGONAL_THOMAS, x, x, x, x, x, NULL, x, 8, NULL),
              RESULT_REFUSED);
}
