// bigint_mpi.h: groups of processes, by MPI. Include bigint.h: bigint_group.h says how groups work.
// Programs link libbigint_mpi, libbigint and MPI, in this order.
#ifndef BIGINT_BIGINT_MPI_H_
#define BIGINT_BIGINT_MPI_H_

#include <mpi.h>

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_device_open_mpi opens the group of all ranks of comm: rank i is member i and works on
// `place`, BIGINT_HOST or a device of its own machine. Collective, as bigint_ctx_create on the
// group and every call on its contexts is; comm itself is only duplicated. MPI was initialised with
// MPI_THREAD_FUNNELED at least, contexts are used by the thread that did it, and devices and
// contexts are closed before MPI_Finalize.
// transport: what carries limbs between members that are devices: "mpi", messages by way of pinned
// memory; "nccl", where each rank has a device of its own; "nvshmem"; NULL: what BIGINT_EXCHANGE
// says, or "mpi". Libraries of the last two are loaded then. Between hosts it is MPI.
// Errors: as bigint_device_open, of whichever rank, the same for all ranks; ENOBACKEND also if MPI
// is not running or the transport is unknown. *out is then a device that only carries the text.
// Options of contexts: timeout_s ends a call in which a rank hangs with BIGINT_EPEER. The context
// is then of no more use, and a new one works if all ranks make it. When a rank dies, mpirun
// ends the job.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_device_open_mpi(bigint_device **out,
                                                                  MPI_Comm comm, int place,
                                                                  const char *transport);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_MPI_H_
