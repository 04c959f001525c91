// ranks_test.c: scans and tridiagonal systems over a group of the ranks of an MPI job, with one
// member or several on each, against a group of as many members in one process, bit by bit.
#include "tests/longmul/mpi/ranks.h"
#include <stdio.h>

#include "longmul/group.h"
#include "tests/ctest/ctest.h"
#include "tests/longmul/mpi/jobs.h"
#include "tests/support/device.h"

// One member each; networks with members of one rank, of several, and of one rank and a part of
// another; networks that no rank shares.
static const ranks_members cases[] = {{1, 1}, {1, 2}, {2, 2}};
static void label(char *buf, size_t cap, const ranks_members *c) {
    snprintf(buf, cap, "%uand%u", c->even, c->odd);
}

// Every operator. Lengths that members do not divide, fewer elements or rows than members, rows of
// several chunks. Mutations: the scan over members dropped; a slot shifted by one; totals of
// members behind taken too, or of another network; a piece that is sent before it is computed.
TEST_EACH(Ranks, Scan, ranks_members, cases, label) {
    static const uint64_t shapes[][2] = {{1, 1}, {3, 2}, {0, 2}, {777, 5}, {16, 8}, {2100, 2}};
    longmul_group g;
    ASSERT_EQ(ranks_open(&g, *p, 60), LONGMUL_OK);
    const unsigned members = longmul_group_members(&g);
    unsigned number = 0;
    for (unsigned networks = 1; networks <= members; networks++) {
        for (size_t i = 0; members % networks == 0 && i < sizeof shapes / sizeof *shapes; i++) {
            for (unsigned k = 0; k < (members > ranks_start() ? 1 : 2); k++, number++) {
                device_order(number % 3 == 0 ? number + 1 + ranks_own() : 0);
                const scan_case c = {.op = (longmul_operator)(number % LONGMUL_OPERATORS),
                                     .exclusive = number / LONGMUL_OPERATORS % 2 != 0,
                                     .n = shapes[i][0],
                                     .rows = shapes[i][1],
                                     .seed = number};
                scan_check(&g, networks, &c);
            }
        }
    }
    device_order(0);
    longmul_group_close(&g);
}

// Floats and doubles, with and without statuses and residuals; members without rows or systems.
// Mutations: spans in another order, or of one member too few; a member without rows that is
// counted; a status or a residual of a rank's own rows alone.
TEST_EACH(Ranks, Solve, ranks_members, cases, label) {
    static const uint64_t shapes[][2] = {{1, 1}, {100, 2}, {1025, 3}, {700, 9}, {2050, 1}, {0, 3}};
    longmul_group g;
    ASSERT_EQ(ranks_open(&g, *p, 60), LONGMUL_OK);
    const unsigned members = longmul_group_members(&g);
    unsigned number = 0;
    for (unsigned networks = 1; networks <= members; networks++) {
        for (size_t i = 0; members % networks == 0 && i < sizeof shapes / sizeof *shapes; i++) {
            device_order(++number % 3 == 0 ? number + ranks_own() : 0);
            const solve_case c = {.is_double = number % 2 == 0,
                                  .status = number / 2 % 2 == 0,
                                  .residual = number / 4 % 2 == 0,
                                  .n = shapes[i][0],
                                  .batch = shapes[i][1],
                                  .seed = number};
            solve_check(&g, networks, &c);
        }
    }
    device_order(0);
    longmul_group_close(&g);
}

// Ranks that come with different jobs, or ask for different things: all are refused, and the group
// works on. Mutations: a key without one of its numbers; a rank that is refused and tells nobody.
TEST(Ranks, DifferentCalls) {
    longmul_group g;
    uint32_t out[64];
    double x[64];
    solve_told told[MEMBERS_MOST];
    const bool differs = ranks_start() > 1 && ranks_own() == 1;
    const longmul_status want = ranks_start() > 1 ? LONGMUL_REFUSED : LONGMUL_OK;
    ASSERT_EQ(ranks_open(&g, (ranks_members){1, 1}, 60), LONGMUL_OK);
    const unsigned members = longmul_group_members(&g);
    for (unsigned k = 0; k < 5; k++) {
        SCOPED_TRACE("difference %u", k);
        scan_case c = {.op = LONGMUL_SUM_U32, .n = 8, .rows = 4};
        c.n += k == 0 && differs;
        c.rows += k == 1 && differs;
        c.op = k == 2 && differs ? LONGMUL_MAX_U32 : c.op;
        c.exclusive = k == 3 && differs;
        EXPECT_EQ(scan_run(&g, k == 4 && differs ? members : 1, &c, out), want);
    }
    for (unsigned k = 0; k < 4; k++) {
        SCOPED_TRACE("difference %u of systems", k);
        solve_case c = {.is_double = 1, .status = 1, .residual = 1, .n = 8, .batch = 4};
        c.batch -= k == 0 && differs;
        c.status = !(k == 1 && differs);
        c.residual = !(k == 2 && differs);
        EXPECT_EQ(solve_run(&g, k == 3 && differs ? members : 1, &c, x, told), want);
    }
    const bool several = ranks_start() > 1;
    EXPECT_EQ(longmul_group_error(&g)[0] != '\0', several);
    const scan_case good = {.op = LONGMUL_AFFINE_U32, .n = 100, .rows = 3};
    scan_check(&g, 1, &good);
    longmul_group_close(&g);
}

// Mutations: a rank without members, or more members than there may be, in a group that opens on
// other ranks.
TEST(Ranks, Refusals) {
    longmul_group g;
    EXPECT_EQ(ranks_open(&g, (ranks_members){0, 1}, 60), LONGMUL_REFUSED);
    longmul_group_close(&g);
    EXPECT_EQ(ranks_open(&g, (ranks_members){LONGMUL_MEMBERS_MAX + 1, 1}, 60), LONGMUL_REFUSED);
    longmul_group_close(&g);
    ASSERT_EQ(ranks_open(&g, (ranks_members){1, 1}, 60), LONGMUL_OK);
    const scan_case c = {.op = LONGMUL_SUM_U32, .n = 8, .rows = 4};
    uint32_t out[32];
    EXPECT_EQ(scan_run(&g, longmul_group_members(&g) + 1, &c, out), LONGMUL_REFUSED);
    EXPECT_EQ(scan_run(&g, 0, &c, out), LONGMUL_REFUSED);
    longmul_group_close(&g);
}
