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
#include "bigint/bigint_mpi.h"

enum { TEXT = 512 };

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
static _Noreturn void finish(const mpi_ranks *ranks, bigint_status status, const char *text) {
    const int code = place_exit_code(status);
    if (status == BIGINT_EPEER) {
        warnx("rank %u of %u: %s", ranks->rank, ranks->count, text);
        MPI_Abort(MPI_COMM_WORLD, code);
        _exit(code);
    }
    if (ranks->rank == 0) {
        warnx("%s", text);
    }
    MPI_Finalize();
    exit(code);
}

void mpi_agree(mpi_ranks *ranks, bigint_status status, const char *text) {
    int failed = (int)(status == BIGINT_OK ? ranks->count : ranks->rank), code = (int)status;
    char cause[TEXT], all[TEXT + 32];
    snprintf(cause, sizeof cause, "%s", text);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if ((unsigned)failed < ranks->count) {
        MPI_Bcast(&code, 1, MPI_INT, failed, MPI_COMM_WORLD);
        MPI_Bcast(cause, sizeof cause, MPI_CHAR, failed, MPI_COMM_WORLD);
        snprintf(all, sizeof all, "rank %d of %u: %s", failed, ranks->count, cause);
        finish(ranks, (bigint_status)code, ranks->count == 1 ? cause : all);
    }
}

void mpi_must(mpi_ranks *ranks, bigint_status status) {
    if (status != BIGINT_OK) {
        finish(ranks, status, bigint_ctx_error(ranks->ctx));
    }
}

void *mpi_memory(mpi_ranks *ranks, uint64_t bytes, const char *what) {
    char text[TEXT];
    void *const p = calloc(bytes > 0 ? bytes : 1, 1);
    snprintf(text, sizeof text, "no memory for %s, %llu bytes", what, (unsigned long long)bytes);
    mpi_agree(ranks, p == NULL ? BIGINT_ENOMEM : BIGINT_OK, text);
    return p;
}

uint64_t mpi_from_first(uint64_t value) {
    MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return value;
}

uint64_t mpi_most(uint64_t value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

void mpi_start(mpi_ranks *ranks) {
    int level, count, rank, here, number_here;
    MPI_Comm machine;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        errx(EXIT_IO, "MPI does not start");
    }
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_rank(machine, &number_here);
    MPI_Comm_free(&machine);
    *ranks = (mpi_ranks){.count = (unsigned)count,
                         .rank = (unsigned)rank,
                         .here = (unsigned)here,
                         .number_here = (unsigned)number_here};
}

void mpi_open(mpi_ranks *ranks, int at, const char *transport, const bigint_ctx_options *options) {
    bigint_device *device;
    bigint_status status = bigint_device_open_mpi(&device, MPI_COMM_WORLD, at, transport);
    if (status != BIGINT_OK) {
        finish(ranks, status, bigint_device_error(device));
    }
    status = bigint_ctx_create(&ranks->ctx, device, options);
    mpi_agree(ranks, status, ranks->ctx == NULL ? "no memory" : bigint_ctx_error(ranks->ctx));
    bigint_device_close(device);
}

void mpi_end(mpi_ranks *ranks) {
    bigint_ctx_destroy(ranks->ctx);
    MPI_Finalize();
}
