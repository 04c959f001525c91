// longmul_test.c: the public functions of longmul/*.h against loops.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "longmul/group.h"
#include "longmul/scan.h"
#include "longmul/sort.h"
#include "longmul/tridiagonal.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { N = 3000, ROWS = 4, ALL = N * ROWS };

// Device memory of a test: two arrays in, two out, a workspace.
typedef struct {
    char *in[2], *out[2], *workspace;
} memory;

static bool setup(memory *m, size_t bytes) {
    for (unsigned i = 0; i < 2; i++) {
        m->in[i] = device_alloc(8 * ALL);
        m->out[i] = device_alloc(8 * ALL);
    }
    m->workspace = device_alloc(bytes + 8);
    return m->in[0] != NULL && m->in[1] != NULL && m->out[0] != NULL && m->out[1] != NULL &&
           m->workspace != NULL && device_fill(m->workspace, 0, bytes + 8);
}

static void teardown(memory *m) {
    for (unsigned i = 0; i < 2; i++) {
        device_free(m->in[i]);
        device_free(m->out[i]);
    }
    device_free(m->workspace);
}

// Catches exclusive taken for inclusive, n and rows exchanged, and an operator of another number.
TEST(Longmul, ScanAndReduce) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const size_t bytes = longmul_scan_workspace_bytes(LONGMUL_MAX_U32, N, ROWS);
    const size_t reduce_bytes = longmul_reduce_workspace_bytes(LONGMUL_MAX_U32, N, ROWS);
    memory m;
    ASSERT_TRUE(bytes > 0 && reduce_bytes > 0 && setup(&m, bytes + reduce_bytes));
    gen g = gen_seed(1);
    uint32_t *x = malloc(4 * ALL), *want = malloc(4 * ALL), *got = malloc(4 * ALL);
    for (size_t i = 0; i < ALL; i++) {
        x[i] = (uint32_t)gen_u64(&g) >> gen_below(&g, 32);
    }
    ASSERT_TRUE(device_upload(m.in[0], x, 4 * ALL));
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        uint32_t most = 0;
        for (size_t i = 0; i < ALL; i++) {
            most = i % N == 0 ? 0 : most;
            const uint32_t with = x[i] > most ? x[i] : most;
            want[i] = exclusive ? most : with;
            most = with;
        }
        EXPECT_EQ(longmul_scan(LONGMUL_MAX_U32, exclusive, m.out[0], m.in[0], N, ROWS, m.workspace,
                               bytes, NULL),
                  LONGMUL_OK);
        EXPECT_TRUE(device_download(got, m.out[0], 4 * ALL));
        EXPECT_EQ(memcmp(got, want, 4 * ALL), 0);
    }
    EXPECT_TRUE(device_fill(m.workspace, 0, reduce_bytes));
    EXPECT_EQ(longmul_reduce(LONGMUL_MAX_U32, m.out[0], m.in[0], N, ROWS, m.workspace, reduce_bytes,
                             NULL),
              LONGMUL_OK);
    EXPECT_TRUE(device_download(got, m.out[0], 4 * ROWS));
    for (size_t r = 0; r < ROWS; r++) {
        const uint32_t last = x[r * N + N - 1], before = want[r * N + N - 1];
        EXPECT_EQ(got[r], last > before ? last : before);
    }
    EXPECT_EQ(
        longmul_scan(LONGMUL_MAX_U32, 0, m.out[0], m.in[0], N, ROWS, m.workspace, bytes - 1, NULL),
        LONGMUL_REFUSED);
    EXPECT_EQ(longmul_scan_workspace_bytes(LONGMUL_OPERATORS, 1, 1), 0);
    EXPECT_EQ(longmul_reduce_workspace_bytes(LONGMUL_OPERATORS, 1, 1), 0);
    free(x);
    free(want);
    free(got);
    teardown(&m);
}

// Catches members or networks exchanged, and shares that leave out elements.
TEST(Longmul, ScanOverAGroup) {
    enum { MEMBERS = 4, NETWORKS = 2 };
    if (!device_ready()) {
        SKIP("no device");
    }
    const int devices[MEMBERS] = {0};
    longmul_group group;
    ASSERT_EQ(longmul_group_open(&group, devices, MEMBERS), LONGMUL_OK);
    void *in[MEMBERS], *out[MEMBERS], *workspace[MEMBERS];
    uint32_t *const x = malloc(4 * ALL), *const got = malloc(4 * ALL);
    uint64_t elements = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        x[i] = i * i + 1;
    }
    for (unsigned m = 0; m < MEMBERS; m++) {
        const longmul_share s =
            longmul_scan_group_share(LONGMUL_SUM_U32, N, ROWS, MEMBERS, NETWORKS, m);
        const size_t bytes =
            longmul_scan_group_workspace_bytes(LONGMUL_SUM_U32, N, ROWS, MEMBERS, NETWORKS, m);
        elements += s.n * s.rows;
        in[m] = device_alloc(4 * s.n * s.rows);
        out[m] = device_alloc(4 * s.n * s.rows);
        workspace[m] = device_alloc(bytes);
        EXPECT_TRUE(bytes > 0 && device_fill(workspace[m], 0, bytes));
        EXPECT_TRUE(longmul_group_stream(&group, m) != NULL);
        for (uint64_t r = 0; r < s.rows; r++) {
            EXPECT_TRUE(device_upload((uint32_t *)in[m] + r * s.n,
                                      x + (s.first_row + r) * N + s.first, 4 * s.n));
        }
    }
    EXPECT_EQ(elements, ALL);
    EXPECT_EQ(longmul_scan_group(&group, NETWORKS, LONGMUL_SUM_U32, 0, out, (const void *const *)in,
                                 N, ROWS, workspace),
              LONGMUL_OK);
    EXPECT_EQ(longmul_group_wait(&group), LONGMUL_OK);
    for (unsigned m = 0; m < MEMBERS; m++) {
        const longmul_share s =
            longmul_scan_group_share(LONGMUL_SUM_U32, N, ROWS, MEMBERS, NETWORKS, m);
        for (uint64_t r = 0; r < s.rows; r++) {
            EXPECT_TRUE(device_download(got + (s.first_row + r) * N + s.first,
                                        (uint32_t *)out[m] + r * s.n, 4 * s.n));
        }
        device_free(in[m]), device_free(out[m]), device_free(workspace[m]);
    }
    for (uint32_t i = 0, sum = 0; i < ALL; i++) {
        sum = i % N == 0 ? x[i] : sum + x[i];
        EXPECT_EQ(got[i], sum);
    }
    EXPECT_EQ(longmul_scan_group_workspace_bytes(LONGMUL_SUM_U32, N, ROWS, MEMBERS, 3, 0), 0);
    longmul_group_close(&group);
    free(x);
    free(got);
}

enum { SOLVE_MEMBERS = 4, SOLVE_NETWORKS = 2, SOLVE_LENGTH = 1000, SOLVE_BATCH = 3 };

static longmul_solve_share solve_share(unsigned m) {
    return longmul_solve_group_share(1, SOLVE_LENGTH, SOLVE_BATCH, SOLVE_MEMBERS, SOLVE_NETWORKS,
                                     m);
}

// solve_open: member m's share of systems whose solutions are ones.
static longmul_solve_member solve_open(unsigned m) {
    enum { ARRAYS = 5 };
    const longmul_solve_share s = solve_share(m);
    const size_t bytes = longmul_solve_group_workspace_bytes(1, SOLVE_LENGTH, SOLVE_BATCH,
                                                             SOLVE_MEMBERS, SOLVE_NETWORKS, m);
    const size_t size = s.n * s.systems;
    double *const host = malloc(8 * size + 8);
    void *array[ARRAYS];
    for (unsigned k = 0; k < ARRAYS; k++) {
        array[k] = device_alloc(8 * size);
        for (size_t at = 0; at < size; at++) {
            const uint64_t i = s.first + at % s.n;
            const double row[] = {-1, 5, -2, 2 + (i == 0) + 2 * (i + 1 == SOLVE_LENGTH), NAN};
            host[at] = row[k];
        }
        EXPECT_TRUE(array[k] != NULL && device_upload(array[k], host, 8 * size));
    }
    free(host);
    const longmul_solve_member member = {array[0],
                                         array[1],
                                         array[2],
                                         array[3],
                                         array[4],
                                         device_alloc(4 * s.systems),
                                         device_alloc(16 * s.systems),
                                         device_alloc(bytes)};
    EXPECT_TRUE(bytes > 0 && device_fill(member.workspace, 0, bytes));
    return member;
}

static void solve_close(const longmul_solve_member *member) {
    device_free((void *)(uintptr_t)member->a), device_free((void *)(uintptr_t)member->b);
    device_free((void *)(uintptr_t)member->c), device_free((void *)(uintptr_t)member->d);
    device_free(member->x), device_free(member->status);
    device_free(member->residual), device_free(member->workspace);
}

// solve_expect: member m has ones, status 0 and the residuals of ones.
static void solve_expect(unsigned m, const longmul_solve_member *member) {
    const longmul_solve_share s = solve_share(m);
    const size_t size = s.n * s.systems;
    double *const x = malloc(8 * size + 8), residual[2 * SOLVE_BATCH];
    uint32_t status[SOLVE_BATCH];
    EXPECT_TRUE(device_download(x, member->x, 8 * size) &&
                device_download(status, member->status, 4 * s.systems) &&
                device_download(residual, member->residual, 16 * s.systems));
    for (size_t i = 0; i < size; i++) {
        EXPECT_TRUE(fabs(x[i] - 1) < 1e-15);
    }
    for (uint64_t k = 0; k < s.systems; k++) {
        EXPECT_EQ(status[k], 0);
        EXPECT_TRUE(residual[k] <= 0x1p-50 && fabs(residual[s.systems + k] - 1) < 1e-15);
    }
    free(x);
}

// Two networks of two members each, and three systems of ones. Catches members taken for networks,
// arrays exchanged, a share or status of another member, and a workspace of another size.
TEST(Longmul, SolveGroup) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int devices[SOLVE_MEMBERS] = {0};
    longmul_group group;
    ASSERT_EQ(longmul_group_open(&group, devices, SOLVE_MEMBERS), LONGMUL_OK);
    longmul_solve_member member[SOLVE_MEMBERS];
    uint64_t rows = 0;
    for (unsigned m = 0; m < SOLVE_MEMBERS; m++) {
        member[m] = solve_open(m);
        rows += solve_share(m).n * solve_share(m).systems;
    }
    EXPECT_EQ(rows, SOLVE_LENGTH * SOLVE_BATCH);
    EXPECT_EQ(longmul_solve_group(&group, SOLVE_NETWORKS, 1, SOLVE_LENGTH, SOLVE_BATCH, member),
              LONGMUL_OK);
    EXPECT_EQ(longmul_group_wait(&group), LONGMUL_OK);
    for (unsigned m = 0; m < SOLVE_MEMBERS; m++) {
        solve_expect(m, &member[m]);
    }
    EXPECT_EQ(
        longmul_solve_group_workspace_bytes(1, SOLVE_LENGTH, SOLVE_BATCH, SOLVE_MEMBERS, 3, 0), 0);
    EXPECT_EQ(longmul_solve_group(&group, 3, 1, SOLVE_LENGTH, SOLVE_BATCH, member),
              LONGMUL_REFUSED);
    for (unsigned m = 0; m < SOLVE_MEMBERS; m++) {
        solve_close(&member[m]);
    }
    longmul_group_close(&group);
}

static int compare(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// Catches keys and values exchanged, inputs for outputs, and the key's type mistaken.
TEST(Longmul, Sort) {
    if (!device_ready()) {
        SKIP("no device");
    }
    memory m;
    ASSERT_TRUE(setup(&m, longmul_sort_workspace_bytes(LONGMUL_I32, 4, ALL, 1)));
    gen g = gen_seed(2);
    int32_t *x = malloc(4 * ALL), *keys = malloc(4 * ALL);
    uint32_t *values = malloc(4 * ALL);
    for (unsigned whole = 0; whole < 2; whole++) {
        const uint64_t n = whole ? ALL : N, rows = ALL / n;
        const size_t bytes = longmul_sort_workspace_bytes(LONGMUL_I32, 4, n, rows);
        for (uint32_t i = 0; i < ALL; i++) {
            x[i] = (int32_t)gen_u64(&g);
            values[i] = i;
        }
        ASSERT_TRUE(device_upload(m.in[0], x, 4 * ALL) && device_upload(m.in[1], values, 4 * ALL));
        EXPECT_EQ(longmul_sort(LONGMUL_I32, 4, m.out[0], m.out[1], m.in[0], m.in[1], n, rows,
                               m.workspace, bytes, NULL),
                  LONGMUL_OK);
        EXPECT_TRUE(device_download(keys, m.out[0], 4 * ALL) &&
                    device_download(values, m.out[1], 4 * ALL));
        for (uint64_t i = 0; i < ALL; i++) {
            ASSERT_TRUE(values[i] < ALL && values[i] / n == i / n);
            EXPECT_EQ(keys[i], x[values[i]]);
        }
        for (uint64_t r = 0; r < rows; r++) {
            qsort(x + r * n, n, 4, compare);
        }
        EXPECT_EQ(memcmp(keys, x, 4 * ALL), 0);
    }
    EXPECT_EQ(longmul_sort(LONGMUL_KEYS, 0, m.out[0], NULL, m.in[0], NULL, N, 1, NULL, 0, NULL),
              LONGMUL_REFUSED);
    EXPECT_EQ(longmul_sort(LONGMUL_I32, 3, m.out[0], NULL, m.in[0], NULL, N, 1, NULL, 0, NULL),
              LONGMUL_REFUSED);
    free(x);
    free(keys);
    free(values);
    teardown(&m);
}

// -1 4 -1 with the right-hand sides of x = 1, then one system that is singular. Catches a, b and c
// in another order, strides exchanged, a status or a residual that is not passed on, and residuals
// of right-hand sides that the solution has overwritten.
TEST(Longmul, Solve) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const longmul_systems systems = {1, 500, 3, 1, 500};
    const size_t size = systems.n * systems.batch;
    const size_t bytes = longmul_solve_workspace_bytes(&systems);
    double *host = malloc(8 * size);
    uint32_t status[3] = {7, 7, 7}, *flags = device_alloc(sizeof status);
    char *array[5], *workspace = device_alloc(bytes);
    ASSERT_TRUE(bytes > 0 && workspace != NULL && device_fill(workspace, 0, bytes));
    for (unsigned k = 0; k < 5; k++) {
        array[k] = device_alloc(8 * size);
        for (size_t at = 0; at < size; at++) {
            const size_t i = at % 500;
            const double sum = 4 - (i > 0) - (i < 499);
            const double rows[] = {-1, at / 500 == 2 ? 0 : 4, at / 500 == 2 ? 0 : -1, sum, NAN};
            host[at] = at / 500 == 2 && k == 0 ? 0 : rows[k];
        }
        ASSERT_TRUE(device_upload(array[k], host, 8 * size));
    }
    double *const residual = device_alloc(6 * sizeof *residual), got[6];
    EXPECT_EQ(longmul_solve(&systems, array[4], array[0], array[1], array[2], array[3], flags,
                            residual, workspace, bytes, NULL),
              LONGMUL_OK);
    EXPECT_TRUE(device_download(got, residual, sizeof got));
    EXPECT_TRUE(got[0] <= 0x1p-50 && got[1] <= 0x1p-50 && got[2] > 0.1);
    EXPECT_TRUE(fabs(got[3] - 1) < 1e-15 && fabs(got[4] - 1) < 1e-15);
    EXPECT_EQ(longmul_solve(&systems, array[3], array[0], array[1], array[2], array[3], flags,
                            residual, workspace, bytes, NULL),
              LONGMUL_REFUSED);
    EXPECT_TRUE(device_download(host, array[4], 8 * size) &&
                device_download(status, flags, sizeof status));
    EXPECT_EQ(status[0], 0);
    EXPECT_EQ(status[1], 0);
    EXPECT_EQ(status[2], 1);
    for (size_t i = 0; i < 1000; i++) {
        EXPECT_TRUE(fabs(host[i] - 1) < 1e-15);
    }
    const longmul_systems bad = {0, 10, 1, 0, 10};
    EXPECT_EQ(longmul_solve_workspace_bytes(&bad), 0);
    EXPECT_EQ(longmul_solve(&bad, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL),
              LONGMUL_REFUSED);
    for (unsigned k = 0; k < 5; k++) {
        device_free(array[k]);
    }
    device_free(flags);
    device_free(residual);
    device_free(workspace);
    free(host);
}
