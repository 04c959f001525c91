// group_fixture.c: memory, systems and checks of group_fixture.h.
#include "tests/primitives/tridiagonal/group_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

enum { ARRAYS = 5 };

static size_t width(const group_fixture *f) { return f->job.type == TRIDIAGONAL_F32 ? 4 : 8; }

static double unit(const group_fixture *f) { return width(f) == 4 ? 0x1p-24 : 0x1p-53; }

static tridiagonal_share share_of(const group_fixture *f, unsigned m) {
    return tridiagonal_group_share(&f->job, f->g.members, f->networks, m);
}

static void *allocate(const group_fixture *f, unsigned m, size_t bytes, int byte) {
    void *p = NULL;
    EXPECT_EQ(cuda_allocate(&p, bytes + 1, f->g.member[m].stream), RESULT_OK);
    EXPECT_EQ(cuda_set(p, byte, bytes + 1, f->g.member[m].stream), RESULT_OK);
    return p;
}

// A member's array on its device: 0 a, 1 b, 2 c, 3 d, 4 x.
static void **array_of(group_fixture *f, unsigned m, unsigned array) {
    tridiagonal_arrays *const r = &f->member[m].rows;
    void **const arrays[ARRAYS] = {(void **)&r->a, (void **)&r->b, (void **)&r->c, (void **)&r->d,
                                   &r->x};
    return arrays[array];
}

void group_setup(group_fixture *f, const tridiagonal_systems *job, matrix_kind kind,
                 unsigned members, unsigned networks, unsigned devices, uint64_t seed) {
    int places[GROUP_MOST] = {0};
    for (unsigned m = 0; m < members; m++) {
        places[m] = (int)(m % devices);
    }
    *f = (group_fixture){.job = *job, .networks = networks};
    ASSERT_EQ(cuda_group_open(&f->g, places, members), RESULT_OK);
    for (unsigned m = 0; m < members; m++) {
        const tridiagonal_share s = share_of(f, m);
        const size_t bytes = tridiagonal_group_workspace_bytes(job, members, networks, m);
        ASSERT_TRUE(bytes > 0);
        ASSERT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        for (unsigned k = 0; k < ARRAYS; k++) {
            *array_of(f, m, k) = allocate(f, m, s.n * s.systems * width(f), 0xA5);
        }
        f->member[m].status = allocate(f, m, s.systems * sizeof(uint32_t), 0xA5);
        f->member[m].residual = allocate(f, m, 2 * s.systems * sizeof(double), 0xA5);
        f->member[m].workspace = allocate(f, m, bytes, 0);
        cuda_group_leave(&f->g);
    }
    f->systems = calloc(job->batch + 1, sizeof *f->systems);
    f->x = calloc(job->n * job->batch + 1, sizeof *f->x);
    f->status = calloc(members * job->batch + 1, sizeof *f->status);
    f->residual = calloc(2 * members * job->batch + 1, sizeof *f->residual);
    gen g = gen_seed(seed);
    for (size_t k = 0; k < job->batch && job->n > 0; k++) {
        ASSERT_TRUE(system_alloc(&f->systems[k], job->n));
        system_fill(&f->systems[k], kind, job->type, &g);
    }
}

void group_teardown(group_fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        for (unsigned k = 0; k < ARRAYS; k++) {
            cuda_release(*array_of(f, m, k), f->g.member[m].stream);
        }
        cuda_release(f->member[m].status, f->g.member[m].stream);
        cuda_release(f->member[m].residual, f->g.member[m].stream);
        cuda_release(f->member[m].workspace, f->g.member[m].stream);
        cuda_group_leave(&f->g);
    }
    for (size_t k = 0; k < f->job.batch && f->job.n > 0; k++) {
        system_free(&f->systems[k]);
    }
    cuda_group_close(&f->g);
    free(f->systems), free(f->x), free(f->status), free(f->residual);
}

static void put(const group_fixture *f, void *to, size_t at, double v) {
    if (width(f) == 4) {
        ((float *)to)[at] = (float)v;
    } else {
        ((double *)to)[at] = v;
    }
}

static double get(const group_fixture *f, const void *from, size_t at) {
    return width(f) == 4 ? (double)((const float *)from)[at] : ((const double *)from)[at];
}

// The systems to the members. What must not be read is NaN: a(0) and c(n-1) of whole systems.
void group_upload(group_fixture *f) {
    const uint64_t n = f->job.n;
    for (unsigned m = 0; m < f->g.members; m++) {
        const tridiagonal_share s = share_of(f, m);
        char *const packed = malloc(s.n * s.systems * width(f) + 1);
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        for (unsigned k = 0; k < 4; k++) {
            for (uint64_t i = 0; i < s.n * s.systems; i++) {
                const system_rows *const r = &f->systems[s.first_system + i / s.n];
                const uint64_t row = s.first + i % s.n;
                const bool outside = (k == 0 && row == 0) || (k == 2 && row + 1 == n);
                const double *const from[] = {r->a, r->b, r->c, r->d};
                put(f, packed, i, outside ? (double)NAN : from[k][row]);
            }
            EXPECT_EQ(cuda_copy(*array_of(f, m, k), packed, s.n * s.systems * width(f),
                                f->g.member[m].stream),
                      RESULT_OK);
            EXPECT_EQ(cuda_stream_wait(f->g.member[m].stream), RESULT_OK);
        }
        cuda_group_leave(&f->g);
        free(packed);
    }
}

void group_download(group_fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        const tridiagonal_share s = share_of(f, m);
        const cuda_stream stream = f->g.member[m].stream;
        const uint64_t place = m * f->job.batch;
        char *const packed = malloc(s.n * s.systems * width(f) + 1);
        EXPECT_EQ(cuda_group_enter(&f->g, m), RESULT_OK);
        EXPECT_EQ(cuda_copy(packed, f->member[m].rows.x, s.n * s.systems * width(f), stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_copy(f->status + place, f->member[m].status, 4 * s.systems, stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_copy(f->residual + 2 * place, f->member[m].residual, 16 * s.systems, stream),
                  RESULT_OK);
        EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
        cuda_group_leave(&f->g);
        for (uint64_t i = 0; i < s.n * s.systems; i++) {
            f->x[(s.first_system + i / s.n) * f->job.n + s.first + i % s.n] = get(f, packed, i);
        }
        free(packed);
    }
}

void group_run(group_fixture *f) {
    group_upload(f);
    EXPECT_EQ(tridiagonal_group(&f->job, &f->g, f->networks, f->member), RESULT_OK);
    group_download(f);
}

// The bound of docs/proofs/tridiagonal.md, section 3, for the rows of a thread and the tree.
double group_bound(const group_fixture *f) {
    const double rows = 32 + 2 * (log2((double)f->job.n + 1) + 4);
    return (f->job.variant == TRIDIAGONAL_PARTITION_PIVOT ? 3.01 : 16 * rows) * unit(f);
}

// What every member tells of its systems: the status, the true residual and the largest unknown.
void group_expect_reports(const group_fixture *f) {
    for (unsigned m = 0; m < f->g.members; m++) {
        const tridiagonal_share s = share_of(f, m);
        for (uint64_t k = 0; k < s.systems; k++) {
            const uint64_t system = s.first_system + k;
            const double *const x = f->x + system * f->job.n;
            const double *const told = f->residual + 2 * m * f->job.batch;
            double most = 0;
            for (uint64_t i = 0; i < f->job.n; i++) {
                most = fmax(most, fabs(x[i]));
            }
            const double true_one = f->job.n == 0 ? 0 : system_residual(&f->systems[system], x);
            EXPECT_EQ(f->status[m * f->job.batch + k], 0);
            EXPECT_TRUE(true_one <= group_bound(f));
            EXPECT_TRUE(told[s.systems + k] == most);
            EXPECT_TRUE(fabs(told[k] - true_one) <= 1e-3 * unit(f));
        }
    }
}

// By the host's elimination, from the first row to the last: two units, and 2^-20 of one of the
// largest unknown for what both round differently.
static void expect_host(const group_fixture *f) {
    const tridiagonal_job one = {f->job.type, f->job.n, 1, 1, f->job.n};
    const size_t n = f->job.n;
    const size_t bytes = tridiagonal_host_workspace_bytes(&one, TRIDIAGONAL_PARTITION_PIVOT, 1);
    char *const workspace = malloc(bytes + 8), *const rows = malloc(5 * n * width(f));
    for (size_t k = 0; k < f->job.batch; k++) {
        const system_rows *const s = &f->systems[k];
        const double *const from[] = {s->a, s->b, s->c, s->d};
        void *array[ARRAYS];
        double most = 0, worst = 0;
        for (unsigned i = 0; i < ARRAYS; i++) {
            array[i] = rows + i * n * width(f);
            for (size_t j = 0; j < n && i < 4; j++) {
                put(f, array[i], j, from[i][j]);
            }
        }
        EXPECT_EQ(tridiagonal_host(&one, TRIDIAGONAL_PARTITION_PIVOT, array[0], array[1], array[2],
                                   array[3], array[4], NULL, workspace, bytes, NULL),
                  RESULT_OK);
        for (size_t i = 0; i < n; i++) {
            most = fmax(most, fabs(get(f, array[4], i)));
        }
        for (size_t i = 0; i < n; i++) {
            const double want = get(f, array[4], i);
            const double near = unit(f) * (2 * fabs(want) + 0x1p-20 * most);
            worst = fmax(worst, fabs(f->x[k * n + i] - want) - near);
        }
        EXPECT_TRUE(worst <= 0);
    }
    free(workspace), free(rows);
}

void group_check(const tridiagonal_systems *job, matrix_kind kind, unsigned members,
                 unsigned networks, unsigned devices, uint64_t seed) {
    SCOPED_TRACE("%s %s %s n = %zu, batch = %zu, %u members, %u networks, %u devices, seed %zu",
                 tridiagonal_variant_name(job->variant),
                 job->type == TRIDIAGONAL_F32 ? "f32" : "f64", matrix_name(kind), (size_t)job->n,
                 (size_t)job->batch, members, networks, devices, (size_t)seed);
    group_fixture f;
    group_setup(&f, job, kind, members, networks, devices, seed);
    group_run(&f);
    group_expect_reports(&f);
    if (kind == MATRIX_STRONG && job->variant == TRIDIAGONAL_PARTITION_PIVOT && job->n > 0) {
        expect_host(&f);
    }
    group_teardown(&f);
}
