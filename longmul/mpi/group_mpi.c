// group_mpi.c: longmul_group_open_mpi. Of liblongmul this uses exported functions alone, because it
// is linked into a library of its own.
#include "longmul/group_mpi.h"

#include <string.h>

#include "longmul/group_join.h"
#include "longmul/mpi/link_mpi.h"

longmul_status longmul_group_open_mpi(longmul_group *group, MPI_Comm comm, const int *devices,
                                      unsigned members, double timeout_s) {
    memset(group, 0, sizeof *group);
    result done;
    cuda_link *const link = link_mpi_open(comm, members, timeout_s, &done);
    if (link == NULL) {
        return done == RESULT_REFUSED ? LONGMUL_REFUSED : LONGMUL_PEER_ERROR;
    }
    return longmul_group_join(group, devices, link);
}
