// failures_test.c: exchanges of many pieces; ranks whose devices fail, at every site, and a rank
// that hangs.
#define _DEFAULT_SOURCE  // usleep
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "longmul/group_mpi.h"
#include "longmul/mpi/link_mpi.h"
#include "primitives/cuda/group.h"
#include "tests/ctest/ctest.h"
#include "tests/longmul/mpi/jobs.h"
#include "tests/longmul/mpi/ranks.h"
#include "tests/support/device.h"

static unsigned char byte_of(unsigned member, uint64_t i) {
    return (unsigned char)(member * 37 + i * 7 + i / 251);
}

// gather: an exchange of slots of so many bytes in networks of `each` members, of which members
// want the first `taken`; checks what came and what must stay.
static void gather(cuda_group *g, unsigned each, uint64_t bytes, unsigned taken) {
    const uint64_t room = each * bytes + 1;
    unsigned char *const host = malloc(room);
    cuda_slots x = {.each = each};
    for (unsigned m = 0; m < g->members; m++) {
        x.member[m].bytes = bytes;
        x.member[m].taken = taken;
    }
    for (unsigned m = g->first; m < g->first + g->here; m++) {
        memset(host, 0xA5, room);
        for (uint64_t i = 0; i < bytes; i++) {
            host[m % each * bytes + i] = byte_of(m, i);
        }
        x.member[m].area = device_alloc(room);
        EXPECT_TRUE(device_upload(x.member[m].area, host, room));
    }
    EXPECT_EQ(cuda_group_gather(g, &x, RESULT_OK), RESULT_OK);
    EXPECT_EQ(cuda_group_settle(g, &x), RESULT_OK);
    EXPECT_EQ(cuda_group_wait(g), RESULT_OK);
    for (unsigned m = g->first; m < g->first + g->here; m++) {
        uint64_t wrong = 0;
        EXPECT_TRUE(device_download(host, x.member[m].area, room));
        for (unsigned k = 0; k < each; k++) {
            const unsigned from = m - m % each + k;
            const bool there = from == m || k < taken;
            for (uint64_t i = 0; i < bytes; i++) {
                wrong += host[k * bytes + i] != (there ? byte_of(from, i) : 0xA5);
            }
        }
        EXPECT_EQ(wrong, 0);
        device_free(x.member[m].area);
    }
    free(host);
}

// Mutations: pieces that begin at the wrong place, a last piece that is too long, a piece that is
// written to the stage before it has left; members of other ranks at the wrong place of the stage.
TEST(Link, Pieces) {
    static const uint64_t bytes[] = {0, 1, 255, 4096, (3 << 19) + 3};
    const int places[2] = {0};
    ranks_start();
    const unsigned here = 1 + ranks_own() % 2;
    result done;
    cuda_link *const link = link_mpi_open(MPI_COMM_WORLD, here, 60, &done);
    ASSERT_TRUE(link != NULL);
    cuda_group g;
    ASSERT_EQ(cuda_group_join(&g, places, link), RESULT_OK);
    for (unsigned each = 1; each <= g.members; each++) {
        for (size_t i = 0; g.members % each == 0 && i < sizeof bytes / sizeof *bytes; i++) {
            for (unsigned taken = 0; taken <= each; taken += each > 2 ? 2 : 1) {
                SCOPED_TRACE("networks of %u members, %zu bytes, %u taken", each, (size_t)bytes[i],
                             taken);
                gather(&g, each, bytes[i], taken);
            }
        }
    }
    cuda_group_close(&g);
}

// strike: a scan or a solve in which a runtime call of one rank fails; whether it came to that. All
// ranks get the same status, and the group works on.
static bool strike(longmul_group *g, bool scan, unsigned who, uint64_t call) {
    jobs_fault fault = {ranks_own() == who ? call : 0, false};
    const scan_case scans = {
        .op = LONGMUL_SUM_U64, .n = 40, .rows = 2, .seed = call, .fault = &fault};
    const solve_case systems = {.is_double = 1,
                                .status = 1,
                                .residual = 1,
                                .n = 600,
                                .batch = 1,
                                .seed = call,
                                .fault = &fault};
    uint64_t *const out = calloc(600, sizeof *out);
    solve_told told[MEMBERS_MOST];
    const longmul_status status =
        scan ? scan_run(g, 1, &scans, out) : solve_run(g, 1, &systems, out, told);
    const bool came = ranks_any(fault.came);
    EXPECT_TRUE(ranks_all_equal((int)status));
    EXPECT_EQ(status, came ? LONGMUL_DEVICE_ERROR : LONGMUL_OK);
    if (came) {
        char rank[16];
        snprintf(rank, sizeof rank, "rank %u", who);
        EXPECT_TRUE(strstr(longmul_group_error(g), rank) != NULL);
    }
    free(out);
    return came;
}

// Mutations: a rank that fails and does not come to the exchange, or that tells nobody; one that
// goes on after another has failed; a group that is lost because of it.
TEST(Ranks, RuntimeCalls) {
    longmul_group g;
    ASSERT_EQ(ranks_open(&g, (ranks_members){1, 2}, 60), LONGMUL_OK);
    for (unsigned scan = 0; scan < 2 && device_faults(0, 0); scan++) {
        for (unsigned who = 0; who < ranks_start(); who++) {
            bool came = true;
            for (uint64_t call = 1; came && call < 400; call += ranks_start()) {
                SCOPED_TRACE("call %u of rank %u, %s", (unsigned)call, who,
                             scan ? "scan" : "solve");
                came = strike(&g, scan != 0, who, call);
            }
            EXPECT_FALSE(came);
        }
    }
    const solve_case c = {.status = 1, .n = 3000, .batch = 3};
    solve_check(&g, 1, &c);
    longmul_group_close(&g);
}

// A rank without memory for its part of the exchange, or whose device fails. Mutations: an opened
// group on other ranks; memory that stays.
TEST(Ranks, Opening) {
    const int place = 0;
    unsigned heeded = 0, unheeded = 0;  // a device that is left does not tell whether it failed
    for (unsigned who = 0; who < ranks_start() && device_faults(0, 0); who++) {
        for (uint64_t call = 0; call < 8; call++) {
            SCOPED_TRACE("call %u of rank %u", (unsigned)call, who);
            longmul_group g;
            const bool here = ranks_own() == who;
            const int64_t live = device_live();
            device_faults(here && call == 0, here ? call : 0);
            const longmul_status status = longmul_group_open_mpi(&g, MPI_COMM_WORLD, &place, 1, 60);
            const bool came = ranks_any(here && device_fault_came());
            device_faults(0, 0);
            EXPECT_TRUE(ranks_all_equal((int)status));
            EXPECT_TRUE(came || status == LONGMUL_OK);
            heeded += came && status != LONGMUL_OK;
            unheeded += came && status == LONGMUL_OK;
            longmul_group_close(&g);
            EXPECT_EQ(device_live(), live);
        }
        EXPECT_TRUE(unheeded <= who + 1 && heeded >= 5 * (who + 1));
    }
}

// A rank comes too late: all ranks get to know, in time, and of which one; a new group works.
// Mutations: a message that is waited for without end; a lost group that is used again.
TEST(Ranks, Hang) {
    const scan_case c = {.op = LONGMUL_SUM_U32, .n = 100, .rows = 2};
    uint32_t out[200];
    longmul_group g;
    if (ranks_start() > 1) {
        ASSERT_EQ(ranks_open(&g, (ranks_members){1, 1}, 1), LONGMUL_OK);
        EXPECT_EQ(scan_run(&g, 1, &c, out), LONGMUL_OK);
        if (ranks_own() == 1) {
            usleep(2500 * 1000);
        }
        EXPECT_EQ(scan_run(&g, 1, &c, out), LONGMUL_PEER_ERROR);
        EXPECT_TRUE(strstr(longmul_group_error(&g), "rank 1") != NULL);
        EXPECT_EQ(longmul_group_wait(&g), LONGMUL_PEER_ERROR);
        longmul_group_close(&g);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ASSERT_EQ(ranks_open(&g, (ranks_members){1, 1}, 60), LONGMUL_OK);
    scan_check(&g, 1, &c);
    longmul_group_close(&g);
}
