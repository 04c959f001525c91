// mpi_ranks.h: a program on the ranks of an MPI job: how it starts, agrees and ends. May include
// place.h for exit codes, and bigint.h.
//
// All calls but mpi_silence are collective. If one fails, on whatever rank, rank 0 prints why and
// all ranks exit with the same code. If a rank is gone, every other one prints, and the job is
// aborted.
#ifndef APPS_MPI_RANKS_H_
#define APPS_MPI_RANKS_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"

// mpi_ranks: the job.
typedef struct {
    unsigned count, rank;
    unsigned here, number_here;  // ranks on this machine, and this one among them
    bigint_ctx *ctx;             // on the group of all ranks; NULL until mpi_open
} mpi_ranks;

// mpi_silence: standard error and output of this process go nowhere, or are as before.
void mpi_silence(bool silent);

// mpi_start starts MPI; mpi_open makes the context, `at` and transport as for
// bigint_device_open_mpi. mpi_end ends both.
void mpi_start(mpi_ranks *ranks);
void mpi_open(mpi_ranks *ranks, int at, const char *transport, const bigint_ctx_options *options);
void mpi_end(mpi_ranks *ranks);

// mpi_agree ends the program unless all ranks come with OK. mpi_must does so after a call on the
// group, which gave all ranks the same status. For errors of files: BIGINT_EDEVICE.
void mpi_agree(mpi_ranks *ranks, bigint_status status, const char *text);
void mpi_must(mpi_ranks *ranks, bigint_status status);
// mpi_memory: zeros, for each rank what it asks for.
void *mpi_memory(mpi_ranks *ranks, uint64_t bytes, const char *what);
// mpi_from_first: the value that rank 0 has. mpi_most: the largest one.
uint64_t mpi_from_first(uint64_t value);
uint64_t mpi_most(uint64_t value);

#endif  // APPS_MPI_RANKS_H_
