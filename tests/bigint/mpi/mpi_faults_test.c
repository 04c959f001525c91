// mpi_faults_test.c: one of the ranks of an MPI job fails, at every site of every rank.
#define _DEFAULT_SOURCE  // usleep
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bigint/mpi/exchange_mpi.h"
#include "tests/bigint/group/faults.h"
#include "tests/bigint/mpi/rank.h"
#include "tests/ctest/ctest.h"

// share: every rank learns how the product ended on the others.
static void share(fault *f, unsigned rank) {
    int reached = f->reached, status = (int)f->status[rank], all[FAULT_MEMBERS];
    double seconds = f->seconds[rank];
    MPI_Bcast(&reached, 1, MPI_INT, (int)f->member, MPI_COMM_WORLD);
    MPI_Allgather(&status, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&seconds, 1, MPI_DOUBLE, f->seconds, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    f->reached = reached != 0;
    for (int i = 0; i < rank_start(); i++) {
        f->status[i] = (bigint_status)all[i];
    }
}

static bool strike(fault_kind kind, unsigned who, uint64_t site) {
    int rank;
    rank_start();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fault f = {.kind = kind, .member = who, .site = site};
    const bigint_ctx_options options = fault_options(&f, (unsigned)rank);
    member m = rank_open(fault_timeout_s(kind), &options);
    fault_product(&m, &f);
    share(&f, (unsigned)rank);
    fault_expect(&f, m.exchange->members);
    rank_close(&m);
    return f.reached;
}

static void every_site(fault_kind kind, unsigned most) {
    for (unsigned i = 0; i < (unsigned)rank_start(); i++) {
        for (uint64_t site = 1; site <= most && strike(kind, i, site); site++) {
        }
    }
}

// Mutations: a rank that finds no memory returns before the agreement; one that gives up and tells
// nobody; messages of a lost endpoint that reach a new one.
TEST(MpiFaults, Allocations) { every_site(FAULT_ALLOCATION, 100); }
TEST(MpiFaults, GiveUp) { every_site(FAULT_GIVE_UP, 100); }
TEST(MpiFaults, Hang) {
    const unsigned last = (unsigned)rank_start() - 1;
    if (last > 0) {
        EXPECT_TRUE(strike(FAULT_HANG, 0, 1));
        EXPECT_TRUE(strike(FAULT_HANG, last, 2));
    }
}
TEST(MpiFaults, Corrupt) { every_site(FAULT_CORRUPT, 3); }

// MPI's function, counted: MPI calls its own ones by other names.
static int freed;
int MPI_Comm_free(MPI_Comm *comm) {
    freed++;
    return PMPI_Comm_free(comm);
}

// One rank has no memory for its endpoint. Mutations: a rank that does not come to the others,
// which wait for it for ever; memory that is left to MPI all the same.
TEST(MpiFaults, EndpointWithoutMemory) {
    const int ranks = rank_start();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *const memory = aligned_alloc(64, (exchange_mpi_bytes((unsigned)ranks) + 63) / 64 * 64);
    ASSERT_TRUE(memory != NULL);
    for (int who = 0; who < ranks; who++) {
        exchange_mpi_refusal refusal;
        EXPECT_TRUE(exchange_mpi_open(rank == who ? NULL : memory, BIGINT_ENOMEM, MPI_COMM_WORLD, 0,
                                      &refusal) == NULL);
        EXPECT_EQ(refusal.rank, who);
        EXPECT_EQ(refusal.status, BIGINT_ENOMEM);
    }
    free(memory);
}

// The last rank comes late, and the others, which have no memory, do not wait for it. Mutation:
// they do, since MPI still has what they meet by.
TEST(MpiFaults, WithoutMemoryNoOneWaits) {
    enum { LATE_S = 3 };
    const int ranks = rank_start();
    int rank;
    MPI_Comm comm;  // stays: MPI may still have the meeting
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const bool late = ranks > 1 && rank == ranks - 1;
    exchange_mpi_refusal refusal;
    if (late) {
        sleep(LATE_S);
    }
    EXPECT_TRUE(exchange_mpi_open(NULL, BIGINT_ENOMEM, comm, late ? 0 : 0.1, &refusal) == NULL);
    EXPECT_EQ(refusal.rank, late || ranks == 1 ? 0 : -1);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Rank 1 gives up after the last call of the others, who do not know when they close. Mutation:
// communicators that are freed by some ranks alone, which may wait for the others.
TEST(MpiFaults, ClosedApart) {
    const int ranks = rank_start();
    char all[FAULT_MEMBERS];
    for (int broken = 0; broken < 2; broken++) {
        member m = rank_open(20, NULL);
        exchange *const x = m.exchange;
        const bool lost = broken == 1 && ranks > 1;
        EXPECT_EQ(exchange_all_gather(x, all, &(char){1}, 1), BIGINT_OK);
        MPI_Barrier(MPI_COMM_WORLD);
        if (lost && x->member == 1) {
            exchange_give_up(x, BIGINT_EDEVICE, "struck by the test");
        }
        freed = 0;
        rank_close(&m);
        EXPECT_EQ(freed, lost ? 0 : 2);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// meet_late: all ranks together, some time after each other, while MPI works.
static void meet_late(void) {
    for (int i = 0; i < 300; i++) {
        int there;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// Rank 1 begins to send a long block to rank 0, gives up at once, and lets MPI go on later.
// Mutation: messages that come to the caller's block, which MPI then writes to after the call has
// failed and the caller has other things there.
TEST(MpiFaults, Abandoned) {
    enum { BYTES = 24 << 20, OTHER = 0x5a };
    const int ranks = rank_start();
    if (ranks == 1) {
        SKIP("one rank");
    }
    member m = rank_open(20, NULL);
    exchange *const x = m.exchange;
    unsigned char *const block = malloc(BYTES), all[FAULT_MEMBERS];
    exchange_block send[FAULT_MEMBERS] = {{0}}, receive[FAULT_MEMBERS] = {{0}};
    ASSERT_TRUE(block != NULL);
    memset(block, 1, BYTES);
    if (x->member == 0) {
        receive[1] = exchange_bytes(block, BYTES);
    } else if (x->member == 1) {
        send[0] = exchange_bytes(block, BYTES);
        usleep(300 * 1000);  // rank 0 waits by now
        x->timeout_s = 1e-9;
    }
    const bigint_status status = exchange_all_to_all(x, send, receive);
    EXPECT_EQ(status, x->member < 2 ? BIGINT_EPEER : BIGINT_OK);
    memset(block, OTHER, BYTES);
    EXPECT_EQ(exchange_all_gather(x, all, block, 1), BIGINT_EPEER);
    meet_late();
    for (uint64_t i = 0; i < BYTES; i++) {
        ASSERT_EQ(block[i], OTHER);
    }
    free(block);
    rank_close(&m);
    MPI_Barrier(MPI_COMM_WORLD);
}
