// jobs.c: see jobs.h.
#include "tests/longmul/mpi/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/cuda/runtime.h"
#include "tests/ctest/ctest.h"
#include "tests/longmul/mpi/ranks.h"
#include "tests/primitives/scan/monoid_fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { ARRAYS = 5, LARGEST_ELEMENT = 8 };

// here_of: members of a group in this process: those that have a stream.
static unsigned here_of(const longmul_group *g) {
    const unsigned members = longmul_group_members(g);
    unsigned m = longmul_group_first(g);
    while (m < members && longmul_group_stream(g, m) != NULL) {
        m++;
    }
    return m - longmul_group_first(g);
}

// enter: the device of a member here becomes current; the one before.
static int enter(const longmul_group *g, unsigned i) {
    int device = 0, previous = 0;
    EXPECT_EQ(cuda_stream_place(longmul_group_stream(g, longmul_group_first(g) + i), &device),
              RESULT_OK);
    EXPECT_EQ(cuda_enter(device, &previous), RESULT_OK);
    return previous;
}

static void *filled(size_t bytes, int byte) {
    void *const p = device_alloc(bytes + 1);
    EXPECT_TRUE(p != NULL && device_fill(p, byte, bytes + 1));
    return p;
}

static void fault_begin(const jobs_fault *f) {
    if (f != NULL) {
        device_faults(0, f->call);
    }
}

// fault_end: work before the failure may still be there, and memory is about to go.
static void fault_end(const longmul_group *g, jobs_fault *f) {
    if (f != NULL) {
        f->came = f->call > 0 && device_fault_came();
        device_faults(0, 0);
    }
    for (unsigned i = 0; i < here_of(g); i++) {
        EXPECT_EQ(cuda_stream_wait(longmul_group_stream(g, longmul_group_first(g) + i)), RESULT_OK);
    }
}

// --- Scans ---

static longmul_share scan_share_of(const longmul_group *g, unsigned networks, const scan_case *c,
                                   unsigned i) {
    return longmul_scan_group_share(c->op, c->n, c->rows, longmul_group_members(g), networks,
                                    longmul_group_first(g) + i);
}

// move_rows copies a share between the whole on the host and device memory.
static void move_rows(const scan_case *c, longmul_share s, char *whole, char *member, bool up) {
    const size_t size = monoid_bytes((monoid)c->op);
    for (uint64_t r = 0; r < s.rows && s.n > 0; r++) {
        char *const host = whole + ((s.first_row + r) * c->n + s.first) * size;
        char *const own = member + r * s.n * size;
        EXPECT_TRUE(up ? device_upload(own, host, s.n * size)
                       : device_download(host, own, s.n * size));
    }
}

static void draw_scan(const scan_case *c, void *x) {
    gen random = gen_seed(c->seed);
    monoid_random(&random, (monoid)c->op, x, c->n * c->rows);
}

longmul_status scan_run(longmul_group *g, unsigned networks, const scan_case *c, void *out) {
    const size_t size = monoid_bytes((monoid)c->op);
    void *to[MEMBERS_MOST], *workspace[MEMBERS_MOST];
    const void *from[MEMBERS_MOST];
    char *const x = malloc(c->n * c->rows * LARGEST_ELEMENT + 1);
    draw_scan(c, x);
    for (unsigned i = 0; i < here_of(g); i++) {
        const longmul_share s = scan_share_of(g, networks, c, i);
        const int previous = enter(g, i);
        char *const in = filled(s.n * s.rows * size, 0xA5);
        move_rows(c, s, x, in, true);
        from[i] = in;
        to[i] = filled(s.n * s.rows * size, 0x5A);
        workspace[i] = filled(
            longmul_scan_group_workspace_bytes(c->op, c->n, c->rows, longmul_group_members(g),
                                               networks, longmul_group_first(g) + i),
            0);
        cuda_leave(previous);
    }
    fault_begin(c->fault);
    longmul_status status =
        longmul_scan_group(g, networks, c->op, c->exclusive, to, from, c->n, c->rows, workspace);
    status = status == LONGMUL_OK ? longmul_group_wait(g) : status;
    fault_end(g, c->fault);
    for (unsigned i = 0; i < here_of(g); i++) {
        const int previous = enter(g, i);
        if (status == LONGMUL_OK) {
            move_rows(c, scan_share_of(g, networks, c, i), out, to[i], false);
        }
        device_free((void *)(uintptr_t)from[i]), device_free(to[i]), device_free(workspace[i]);
        cuda_leave(previous);
    }
    free(x);
    return status;
}

void scan_check(longmul_group *ranks, unsigned networks, const scan_case *c) {
    const unsigned members = longmul_group_members(ranks);
    SCOPED_TRACE("operator %d, exclusive %d, n = %zu, rows = %zu, %u members, %u networks", c->op,
                 c->exclusive, (size_t)c->n, (size_t)c->rows, members, networks);
    const size_t size = monoid_bytes((monoid)c->op), bytes = c->n * c->rows * size;
    char *const want = calloc(bytes + 1, 1), *const got = calloc(bytes + 1, 1);
    char *const serial = malloc(bytes + LARGEST_ELEMENT);
    longmul_group alone;
    ranks_alone(&alone, members);
    EXPECT_EQ(scan_run(&alone, networks, c, want), LONGMUL_OK);
    longmul_group_close(&alone);
    draw_scan(c, got);
    monoid_scan_serial((monoid)c->op, c->exclusive, serial, got, c->n, c->rows);
    EXPECT_EQ(monoid_first_difference((monoid)c->op, want, serial, c->n * c->rows), c->n * c->rows);
    EXPECT_EQ(scan_run(ranks, networks, c, got), LONGMUL_OK);
    for (unsigned i = 0; i < here_of(ranks); i++) {
        const longmul_share s = scan_share_of(ranks, networks, c, i);
        for (uint64_t r = 0; r < s.rows; r++) {
            const size_t at = ((s.first_row + r) * c->n + s.first) * size;
            EXPECT_EQ(memcmp(got + at, want + at, s.n * size), 0);
        }
    }
    free(want), free(got), free(serial);
}

// --- Tridiagonal systems ---

static longmul_solve_share solve_share_of(const longmul_group *g, unsigned networks,
                                          const solve_case *c, unsigned i) {
    return longmul_solve_group_share(c->is_double, c->n, c->batch, longmul_group_members(g),
                                     networks, longmul_group_first(g) + i);
}

static size_t width(const solve_case *c) { return c->is_double ? sizeof(double) : sizeof(float); }

// draw: the numbers of one array, between -1 and 1, on the diagonal up to 3.
static void draw(const solve_case *c, unsigned array, char *to) {
    gen random = gen_seed(c->seed + array);
    for (uint64_t i = 0; i < c->n * c->batch; i++) {
        const double v = (array == 1 ? 3 : 1) * ((double)(gen_u64(&random) >> 11) * 0x1p-52 - 1);
        const float single = (float)v;
        memcpy(to + i * width(c), c->is_double ? (const void *)&v : (const void *)&single,
               width(c));
    }
}

static void move_systems(const solve_case *c, longmul_solve_share s, char *whole, char *member,
                         bool up) {
    for (uint64_t k = 0; k < s.systems && s.n > 0; k++) {
        char *const host = whole + ((s.first_system + k) * c->n + s.first) * width(c);
        char *const own = member + k * s.n * width(c);
        EXPECT_TRUE(up ? device_upload(own, host, s.n * width(c))
                       : device_download(host, own, s.n * width(c)));
    }
}

// bring: a member's arrays, with the numbers of the whole.
static longmul_solve_member bring(const longmul_group *g, unsigned networks, const solve_case *c,
                                  unsigned i) {
    const longmul_solve_share s = solve_share_of(g, networks, c, i);
    char *const whole = malloc(c->n * c->batch * sizeof(double) + 1), *array[ARRAYS];
    for (unsigned k = 0; k < ARRAYS; k++) {
        array[k] = filled(s.n * s.systems * width(c), 0xA5);
        if (k < ARRAYS - 1) {
            draw(c, k, whole);
            move_systems(c, s, whole, array[k], true);
        }
    }
    free(whole);
    const size_t bytes =
        longmul_solve_group_workspace_bytes(c->is_double, c->n, c->batch, longmul_group_members(g),
                                            networks, longmul_group_first(g) + i);
    return (longmul_solve_member){array[0],
                                  array[1],
                                  array[2],
                                  array[3],
                                  array[4],
                                  c->status ? filled(sizeof(uint32_t) * s.systems, 0xA5) : NULL,
                                  c->residual ? filled(2 * sizeof(double) * s.systems, 0xA5) : NULL,
                                  filled(bytes, 0)};
}

static void drop(const longmul_solve_member *m) {
    const void *const all[] = {m->a, m->b, m->c, m->d, m->x, m->status, m->residual, m->workspace};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k] != NULL) {
            device_free((void *)(uintptr_t)all[k]);
        }
    }
}

longmul_status solve_run(longmul_group *g, unsigned networks, const solve_case *c, void *x,
                         solve_told *told) {
    longmul_solve_member member[MEMBERS_MOST];
    for (unsigned i = 0; i < here_of(g); i++) {
        const int previous = enter(g, i);
        member[i] = bring(g, networks, c, i);
        cuda_leave(previous);
    }
    fault_begin(c->fault);
    longmul_status status = longmul_solve_group(g, networks, c->is_double, c->n, c->batch, member);
    status = status == LONGMUL_OK ? longmul_group_wait(g) : status;
    fault_end(g, c->fault);
    for (unsigned i = 0; i < here_of(g); i++) {
        const longmul_solve_share s = solve_share_of(g, networks, c, i);
        const int previous = enter(g, i);
        if (status == LONGMUL_OK) {
            move_systems(c, s, x, member[i].x, false);
            EXPECT_TRUE(!c->status || device_download(told[i].status, member[i].status,
                                                      sizeof(uint32_t) * s.systems));
            EXPECT_TRUE(!c->residual || device_download(told[i].residual, member[i].residual,
                                                        2 * sizeof(double) * s.systems));
        }
        drop(&member[i]);
        cuda_leave(previous);
    }
    return status;
}

void solve_check(longmul_group *ranks, unsigned networks, const solve_case *c) {
    const unsigned members = longmul_group_members(ranks), first = longmul_group_first(ranks);
    SCOPED_TRACE("double %d, status %d, residual %d, n = %zu, batch = %zu, %u members, %u networks",
                 c->is_double, c->status, c->residual, (size_t)c->n, (size_t)c->batch, members,
                 networks);
    const size_t bytes = c->n * c->batch * width(c);
    char *const want = calloc(bytes + 1, 1), *const got = calloc(bytes + 1, 1);
    solve_told all[MEMBERS_MOST] = {{{0}, {0}}}, here[MEMBERS_MOST] = {{{0}, {0}}};
    longmul_group alone;
    ranks_alone(&alone, members);
    EXPECT_EQ(solve_run(&alone, networks, c, want, all), LONGMUL_OK);
    longmul_group_close(&alone);
    EXPECT_EQ(solve_run(ranks, networks, c, got, here), LONGMUL_OK);
    for (unsigned i = 0; i < here_of(ranks); i++) {
        const longmul_solve_share s = solve_share_of(ranks, networks, c, i);
        for (uint64_t k = 0; k < s.systems; k++) {
            const size_t at = ((s.first_system + k) * c->n + s.first) * width(c);
            EXPECT_EQ(memcmp(got + at, want + at, s.n * width(c)), 0);
        }
        EXPECT_EQ(memcmp(&here[i], &all[first + i], sizeof *here), 0);
        for (uint64_t k = 0; k < s.systems && c->residual; k++) {
            EXPECT_TRUE(here[i].residual[k] <= 3.01 * (c->is_double ? 0x1p-53 : 0x1p-24));
        }
    }
    free(want), free(got);
}
