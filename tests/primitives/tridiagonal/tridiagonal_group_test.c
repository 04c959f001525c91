// tridiagonal_group_test.c: tridiagonal systems over a group of members, on one device or several,
// against one thread of the host and by residuals in many digits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/tridiagonal/group.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/tridiagonal/group_fixture.h"
#include "tests/support/device.h"

static const tridiagonal_variant partitions[] = {TRIDIAGONAL_PARTITION_PIVOT,
                                                 TRIDIAGONAL_PARTITION_PLAIN};

// Rows that members do not divide, fewer rows or systems than members, no rows, no systems, and
// portions of one tile and of several. Catches a(0) of a portion that is not read, c(n-1) of the
// last one that is, portions that overlap, spans taken in another order or of one member too few, a
// member without rows that is counted, and a status or residual of a member's own rows alone.
TEST(TridiagonalGroup, EveryGroup) {
    static const uint64_t shapes[][2] = {{1, 1},    {2, 3},    {100, 2}, {1023, 1},
                                         {1024, 2}, {1025, 3}, {700, 9}, {4097, 2},
                                         {8192, 1}, {9000, 1}, {0, 3},   {300, 0}};
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    unsigned number = 0;
    for (unsigned members = 1; members <= GROUP_MOST; members++) {
        for (unsigned networks = 1; networks <= members; networks++) {
            for (size_t i = 0; members % networks == 0 && i < sizeof shapes / sizeof *shapes; i++) {
                number++;
                device_order(number % 3 == 0 ? number : 0);
                const tridiagonal_systems job = {(tridiagonal_type)(number % TRIDIAGONAL_TYPES),
                                                 partitions[number / 2 % 2], shapes[i][0],
                                                 shapes[i][1]};
                group_check(&job, number % 5 == 0 ? MATRIX_UNIFORM : MATRIX_STRONG, members,
                            networks, 1, number);
            }
        }
    }
    device_order(0);
}

// Catches pivots that are sought among a member's own rows alone.
TEST(TridiagonalGroup, EveryMatrix) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    for (unsigned k = 0; k < MATRIX_KINDS; k++) {
        for (unsigned number = 0; number < 2 * TRIDIAGONAL_TYPES; number++) {
            const tridiagonal_type type = (tridiagonal_type)(number % TRIDIAGONAL_TYPES);
            // Their unknowns leave the range of the type.
            if (k == MATRIX_CLEMENT ||
                (type == TRIDIAGONAL_F32 && (k == MATRIX_DIAGONAL_ZERO || k == MATRIX_UPPER))) {
                continue;
            }
            const tridiagonal_systems job = {type, partitions[number / 2], 2500, 1};
            group_check(&job, (matrix_kind)k, 3, 1, 1, 19 * k + number);
        }
    }
}

// Rows that exchange pairs of unknowns across the members' borders: a portion has rows that know
// unknowns of its neighbour alone, and is singular by itself. Catches members that solve for the
// inside of their portions first, and spans whose end rows take no part in pivoting.
TEST(TridiagonalGroup, PortionsSingularByThemselves) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    for (unsigned number = 0; number < 2 * TRIDIAGONAL_TYPES; number++) {
        const tridiagonal_systems job = {(tridiagonal_type)(number % TRIDIAGONAL_TYPES),
                                         partitions[number / 2], 4096, 1};
        group_fixture f;
        group_setup(&f, &job, MATRIX_UNIFORM, 4, 1, 1, number);
        system_rows *const s = &f.systems[0];
        for (size_t i = 0; i < job.n; i++) {  // 1 | 0 1 / 1 0 | 0 1 / 1 0 | .. | 1
            const bool alone = i == 0 || i + 1 == job.n;
            s->a[i] = !alone && i % 2 == 0;
            s->b[i] = alone;
            s->c[i] = !alone && i % 2 == 1;
        }
        group_run(&f);
        group_expect_reports(&f);
        EXPECT_TRUE(f.x[1024] == s->d[1023] && f.x[1023] == s->d[1024]);
        group_teardown(&f);
    }
}

// Catches a span of a portion whose tiles are of several groups, which are joined in memory.
TEST(TridiagonalGroup, LongPortions) {
    if (!device_ready() || !device_several(1) || getenv("LONGMUL_SMALL") != NULL) {
        SKIP("no device, or a sanitizer that asks for small sizes");
    }
    const tridiagonal_systems job = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PIVOT, 2 * 512 * 257,
                                     1};
    group_check(&job, MATRIX_STRONG, 2, 1, 1, 5);
}

// Members on devices of their own, or several on each. Catches memory of another device that a
// kernel touches, and copies that name the wrong device.
TEST(TridiagonalGroup, SeveralDevices) {
    if (!device_ready() || !device_several(2)) {
        SKIP("no second device");
    }
    for (unsigned devices = 2; devices <= GROUP_MOST && device_several((int)devices);
         devices *= 2) {
        for (unsigned members = devices; members <= GROUP_MOST; members *= 2) {
            for (unsigned networks = 1; networks <= members; networks *= 2) {
                const tridiagonal_systems one = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PIVOT, 5000,
                                                 1};
                const tridiagonal_systems many = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PLAIN,
                                                  1500, 3};
                device_order(devices + members + networks);
                group_check(&one, MATRIX_STRONG, members, networks, devices, members);
                group_check(&many, MATRIX_STRONG, members, networks, devices, networks);
            }
        }
    }
    device_order(0);
    EXPECT_TRUE(device_several(1));
}

// Catches members that do not find the same unknowns at a border, or an order of the members'
// launches that changes bits.
TEST(TridiagonalGroup, TheSameBits) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const tridiagonal_systems job = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PLAIN, 5000, 2};
    group_fixture f;
    group_setup(&f, &job, MATRIX_LAPLACE, 5, 1, 1, 3);
    group_run(&f);
    double *const first = malloc(job.n * job.batch * sizeof *first);
    memcpy(first, f.x, job.n * job.batch * sizeof *first);
    for (uint64_t order = 1; order < 8; order++) {
        device_order(order);
        group_run(&f);
        EXPECT_EQ(memcmp(first, f.x, job.n * job.batch * sizeof *first), 0);
    }
    device_order(0);
    free(first);
    group_teardown(&f);
}

// Two calls one right after the other, the second in d's place and for the solution of the first,
// without statuses, whose exchange would keep spans in order. Catches spans that are written again
// before all members have fetched them.
TEST(TridiagonalGroup, CallsFollowOneAnother) {
    enum { MEMBERS = 4 };
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const tridiagonal_systems job = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PIVOT, 512 * MEMBERS,
                                     1};
    for (uint64_t seed = 0; seed < 16; seed++) {
        device_order(seed);
        group_fixture f;
        group_setup(&f, &job, MATRIX_STRONG, MEMBERS, 1, 1, seed);
        group_upload(&f);
        tridiagonal_member calls[2][MEMBERS];
        for (unsigned m = 0; m < MEMBERS; m++) {
            calls[0][m] = f.member[m];
            calls[0][m].status = NULL;
            calls[0][m].residual = NULL;
            calls[1][m] = calls[0][m];
            calls[1][m].rows.d = calls[1][m].rows.x;
        }
        EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, calls[0]), RESULT_OK);
        EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, calls[1]), RESULT_OK);
        group_download(&f);
        system_rows *const s = &f.systems[0];
        double *const again = malloc(job.n * sizeof *again);
        memcpy(again, f.x, job.n * sizeof *again);
        group_run(&f);
        memcpy(s->d, f.x, job.n * sizeof *s->d);
        EXPECT_TRUE(system_residual(s, again) <= group_bound(&f));
        group_teardown(&f);
        free(again);
    }
    device_order(0);
}

// A column of zeros, and an unknown beyond the range, in one member's rows of system 1. Catches a
// status that only that member tells, or tells of all systems.
TEST(TridiagonalGroup, StatusOfWholeSystems) {
    enum { MEMBERS = 3, BATCH = 3, ROW = 1500 };
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    for (unsigned zeros = 0; zeros < 2; zeros++) {
        const tridiagonal_systems job = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PIVOT, 3000, BATCH};
        group_fixture f;
        group_setup(&f, &job, MATRIX_STRONG, MEMBERS, 1, 1, zeros);
        system_rows *const s = &f.systems[1];
        s->c[ROW - 1] = s->a[ROW + 1] = 0;
        s->b[ROW] = 0;
        if (!zeros) {
            s->a[ROW] = s->c[ROW] = 0;
            s->b[ROW] = 0x1p-100;
            s->d[ROW] = 0x1p100;
        }
        group_run(&f);
        for (unsigned m = 0; m < MEMBERS; m++) {
            for (unsigned k = 0; k < BATCH; k++) {
                EXPECT_EQ(f.status[m * BATCH + k], k == 1);
                EXPECT_EQ(isinf(f.residual[2 * m * BATCH + k]) != 0, k == 1);
            }
        }
        EXPECT_TRUE(zeros || isfinite(f.x[job.n]));  // of member 0's rows
        group_teardown(&f);
    }
}

// Catches networks that do not divide the members, variants without pivots of systems that are
// split, members that ask for different things, and residuals where d is overwritten.
TEST(TridiagonalGroup, RefusesWhatItCannotDo) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    tridiagonal_systems job = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PIVOT, 3000, 4};
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 3, 0), 0);
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 0, 0), 0);
    EXPECT_TRUE(tridiagonal_group_workspace_bytes(&job, 4, 2, 0) > 0);
    job.variant = TRIDIAGONAL_THOMAS;
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 2, 0), 0);
    EXPECT_TRUE(tridiagonal_group_workspace_bytes(&job, 4, 4, 0) > 0);
    job.n = (UINT64_C(1) << 40) + 1;
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 4, 0), 0);
    job = (tridiagonal_systems){TRIDIAGONAL_TYPES, TRIDIAGONAL_PARTITION_PIVOT, 3000, 4};
    EXPECT_EQ(tridiagonal_group_workspace_bytes(&job, 4, 2, 0), 0);
    job.type = TRIDIAGONAL_F32;
    group_fixture f;
    group_setup(&f, &job, MATRIX_STRONG, 2, 1, 1, 1);
    tridiagonal_member wrong[2] = {f.member[0], f.member[1]};
    wrong[1].status = NULL;
    EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, wrong), RESULT_REFUSED);
    wrong[1] = f.member[1];
    wrong[1].rows.x = (void *)(uintptr_t)wrong[1].rows.d;
    EXPECT_EQ(tridiagonal_group(&job, &f.g, 1, wrong), RESULT_REFUSED);
    EXPECT_EQ(tridiagonal_group(&job, &f.g, 3, f.member), RESULT_REFUSED);
    group_teardown(&f);
}

// Any variant on whole systems, 10 numbers for each other member's portions. Catches a variant
// that is replaced, and bytes that count the member's own span.
TEST(TridiagonalGroup, CountsWhatIsSent) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const tridiagonal_systems dealt = {TRIDIAGONAL_F64, TRIDIAGONAL_THOMAS, 77, 10};
    group_check(&dealt, MATRIX_STRONG, 4, 4, 1, 1);
    EXPECT_EQ(tridiagonal_group_sent_bytes(&dealt, 4, 4, 0), 0);
    const tridiagonal_systems split = {TRIDIAGONAL_F64, TRIDIAGONAL_PARTITION_PIVOT, 8 * 512, 10};
    EXPECT_EQ(tridiagonal_group_sent_bytes(&split, 8, 1, 3), 7 * 10 * 160);
    EXPECT_EQ(tridiagonal_group_sent_bytes(&split, 8, 2, 3), 3 * 5 * 160);
    const tridiagonal_systems small = {TRIDIAGONAL_F32, TRIDIAGONAL_PARTITION_PLAIN, 1500, 1};
    EXPECT_EQ(tridiagonal_group_sent_bytes(&small, 8, 1, 1), 40);
    EXPECT_EQ(tridiagonal_group_sent_bytes(&small, 8, 1, 2), 0);
}
