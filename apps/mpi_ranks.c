// mpi_ranks.c: see mpi_ranks.h.
#include "apps/mpi_ranks.h"

#include <err.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/place.h"
#include "apps/program.h"
#include "bigint/mpi/exchange_mpi.h"

void mpi_silence(bool silent) {
    static int saved[2] = {-1, -1};
    for (int i = 0; i < 2; i++) {
        const int fd = STDOUT_FILENO + i;
        if (silent) {
            const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
            saved[i] = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
            dup2(nowhere, fd);
            close(nowhere);
        } else if (saved[i] >= 0) {
            dup2(saved[i], fd);
            close(saved[i]);
            saved[i] = -1;
        }
    }
}

// finish: all ranks end together.
static _Noreturn void finish(mpi_ranks *ranks, bigint_status status, const char *text) {
    const exchange *const x = ranks->exchange;
    const int code = place_exit_code(status);
    if (x->lost) {
        if (ranks->rank == (x->failure.member == 0 ? 1 : 0)) {
            warnx("rank %u of %u: %s", x->failure.member, ranks->count, x->failure.cause);
        }
        MPI_Abort(MPI_COMM_WORLD, code);
        _exit(code);
    }
    if (ranks->rank == 0) {
        warnx("%s", text);
    }
    MPI_Finalize();
    exit(code);
}

void mpi_agree(mpi_ranks *ranks, bigint_status status, const char *text, uint64_t key) {
    const exchange *const x = ranks->exchange;
    status = exchange_agree(ranks->exchange, status, text, key);
    if (status != BIGINT_OK) {
        char all[EXCHANGE_CAUSE + 64];
        snprintf(all, sizeof all, "rank %u of %u: %s", x->failure.member, ranks->count,
                 x->failure.cause);
        finish(ranks, status, ranks->count == 1 ? x->failure.cause : all);
    }
}

void mpi_must(mpi_ranks *ranks, bigint_status status, const char *text) {
    if (status != BIGINT_OK) {
        finish(ranks, status, text);
    }
}

void *mpi_memory(mpi_ranks *ranks, uint64_t bytes, const char *what) {
    char text[96];
    void *const p = calloc(bytes > 0 ? bytes : 1, 1);
    snprintf(text, sizeof text, "no memory for %s, %llu bytes", what, (unsigned long long)bytes);
    mpi_agree(ranks, p == NULL ? BIGINT_ENOMEM : BIGINT_OK, text, 0);
    return p;
}

// all_values: what each rank has.
static void all_values(mpi_ranks *ranks, uint64_t *all, uint64_t value) {
    mpi_must(ranks, exchange_all_gather(ranks->exchange, all, &value, sizeof value), "");
}

uint64_t mpi_from_first(mpi_ranks *ranks, uint64_t value) {
    uint64_t all[EXCHANGE_MEMBERS_MAX];
    all_values(ranks, all, value);
    return all[0];
}

uint64_t mpi_most(mpi_ranks *ranks, uint64_t value) {
    uint64_t all[EXCHANGE_MEMBERS_MAX];
    all_values(ranks, all, value);
    for (unsigned i = 0; i < ranks->count; i++) {
        value = all[i] > value ? all[i] : value;
    }
    return value;
}

void mpi_start(mpi_ranks *ranks, double timeout_s) {
    int level, count, rank, here;
    MPI_Comm machine;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        errx(EXIT_IO, "MPI does not start");
    }
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    const size_t bytes = (exchange_mpi_bytes((unsigned)count) + 63) / 64 * 64;
    void *const memory = aligned_alloc(64, bytes);
    exchange *const x =
        memory == NULL ? NULL : exchange_mpi_open(memory, MPI_COMM_WORLD, timeout_s);
    if (x == NULL) {
        warnx("no exchange between %d ranks: MPI or memory failed, or they are more than %d", count,
              EXCHANGE_MEMBERS_MAX);
        MPI_Abort(MPI_COMM_WORLD, EXIT_IO);
    }
    *ranks = (mpi_ranks){(unsigned)count, (unsigned)rank, (unsigned)here, x};
}

void mpi_end(mpi_ranks *ranks) {
    exchange_mpi_close(ranks->exchange);
    free(ranks->exchange);
    MPI_Finalize();
}
