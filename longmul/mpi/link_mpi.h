// link_mpi.h: the link of a rank to the others, by the exchange of bigint/mpi. Internal to
// longmul/mpi, benchmarks and tests.
#ifndef LONGMUL_MPI_LINK_MPI_H_
#define LONGMUL_MPI_LINK_MPI_H_

#include <mpi.h>

#include "primitives/cuda/link.h"

// link_mpi_open makes the link of this rank, which has `members` members, to all ranks of comm.
// Collective; all calls are made by one thread. NULL, with the reason in *done: RESULT_REFUSED if
// MPI is not running, or, on all ranks, if one has no members or there are more than
// CUDA_GROUP_MOST; RESULT_NO_MEMORY, on all ranks, if one has none; RESULT_DEVICE_ERROR if MPI
// failed or a rank does not come within timeout_s.
cuda_link *link_mpi_open(MPI_Comm comm, unsigned members, double timeout_s, result *done);

#endif  // LONGMUL_MPI_LINK_MPI_H_
