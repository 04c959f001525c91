// rank.c: see rank.h.
#include "tests/bigint/mpi/rank.h"

#include <mpi.h>
#include <stdlib.h>

#include "bigint/mpi/exchange_mpi.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { OPEN_S = 60 };  // a busy machine may need long to bring all ranks here

static void end_mpi(void) { MPI_Finalize(); }

int rank_start(void) {
    int started = 0, level = 0, members = 0;
    MPI_Initialized(&started);
    if (!started) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        atexit(end_mpi);
    }
    MPI_Comm_size(MPI_COMM_WORLD, &members);
    return members;
}

member rank_open(double timeout_s, const bigint_ctx_options *options) {
    const int members = rank_start();
    const size_t bytes = (exchange_mpi_bytes((unsigned)members) + 63) / 64 * 64;
    void *const memory = aligned_alloc(64, bytes);
    exchange_mpi_refusal refusal;
    exchange *const x = exchange_mpi_open(memory, BIGINT_ENOMEM, MPI_COMM_WORLD, OPEN_S, &refusal);
    if (x == NULL) {
        ct_fail(__FILE__, __LINE__, 1, "no endpoint");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    x->timeout_s = timeout_s;
    return (member){x, fixture_ctx(options)};
}

void rank_close(member *m) {
    exchange_mpi_close(m->exchange);
    bigint_ctx_destroy(m->ctx);
    if (!m->exchange->lost) {
        free(m->exchange);
    }
}
