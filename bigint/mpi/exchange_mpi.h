// exchange_mpi.h: exchanges between processes, by MPI. Internal to bigint/mpi.
#ifndef BIGINT_MPI_EXCHANGE_MPI_H_
#define BIGINT_MPI_EXCHANGE_MPI_H_

#include <mpi.h>

#include "bigint/group/exchange/exchange.h"

// exchange_mpi_running: whether MPI was initialised and is not finalised.
bool exchange_mpi_running(void);
// Bytes of the caller's memory (64-byte aligned) for the endpoint of one of `members` members: some
// kilobytes, and slots for messages: 4 MiB a member up to 32 MiB in all, and 64 KiB a member above
// 512. Only what messages use is touched.
size_t exchange_mpi_bytes(unsigned members);
// exchange_mpi_refusal: the first rank that came without memory, and why; rank -1: none did.
typedef struct {
    int rank;
    bigint_status status;
} exchange_mpi_refusal;

// exchange_mpi_open makes the endpoint of this rank of comm in memory: member i is rank i.
// Collective over comm, of which it makes duplicates. All calls on the endpoint are made by one
// thread, as MPI_THREAD_FUNNELED asks.
// memory NULL: this rank cannot take part because of so_far, which is not OK. It comes all the
// same, so that all ranks return NULL and know the first such rank. The memory of the others is
// then theirs again. It allocates 8 bytes, and waits without a timeout if there are none.
// NULL with refusal->rank -1: MPI failed, a rank does not come within timeout_s, or comm has more
// than EXCHANGE_MEMBERS_MAX ranks; the memory stays with MPI, which may still write to it.
exchange *exchange_mpi_open(void *memory, bigint_status so_far, MPI_Comm comm, double timeout_s,
                            exchange_mpi_refusal *refusal);
// exchange_mpi_close: collective, unless the endpoint is lost: then what MPI still has is left to
// it, because members that are gone cannot take part, and so is the memory, where messages may
// still come. Members meet first, and where one does not come, or is lost, all are lost. Otherwise
// the memory is the caller's again. NULL is allowed.
void exchange_mpi_close(exchange *x);

#endif  // BIGINT_MPI_EXCHANGE_MPI_H_
