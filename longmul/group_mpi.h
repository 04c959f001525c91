// group_mpi.h: groups over the processes of an MPI job, on one machine or several. group.h says how
// groups work. Programs link liblongmul_mpi, liblongmul and MPI, in this order.
#ifndef LONGMUL_GROUP_MPI_H_
#define LONGMUL_GROUP_MPI_H_

#include <mpi.h>

#include "longmul/group.h"

#ifdef __cplusplus
extern "C" {
#endif

// longmul_group_open_mpi opens the group of all ranks of comm: rank i has `members` members, one or
// several, behind those of rank i - 1, on devices[0 .. members) of its machine, repeats allowed.
// LONGMUL_MEMBERS_MAX in all. Networks (group.h) whose members are all of one rank exchange between
// devices; others by MPI, through host memory, so MPI need not know of devices.
//
// Collective, as every other call on the group is, longmul_group_close too; comm itself is only
// duplicated. MPI was initialised with MPI_THREAD_FUNNELED at least, calls are made by the thread
// that did it, and groups are closed before MPI_Finalize.
// Close the group even if this fails. Errors, the same for all ranks: LONGMUL_REFUSED if MPI is
// not running, a rank has no members, or there are too many; those of longmul_group_open of
// whichever rank; LONGMUL_PEER_ERROR if a rank has no memory for its messages. A call in which a
// rank does not come within timeout_s (0: for ever) returns LONGMUL_PEER_ERROR, here and later; a
// new group works if all ranks make it. When a rank dies, mpirun ends the job.
LONGMUL_API longmul_status longmul_group_open_mpi(longmul_group *group, MPI_Comm comm,
                                                  const int *devices, unsigned members,
                                                  double timeout_s);

#ifdef __cplusplus
}
#endif

#endif  // LONGMUL_GROUP_MPI_H_
