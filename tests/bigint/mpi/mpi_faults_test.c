// mpi_faults_test.c: one of the ranks of an MPI job fails, at every site of every rank.
#include <mpi.h>

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
