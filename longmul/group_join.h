// group_join.h: the door of libraries that join processes (longmul/mpi). Exported, but not part of
// the public interface: such a library comes from the same build. Defined in group.c.
#ifndef LONGMUL_GROUP_JOIN_H_
#define LONGMUL_GROUP_JOIN_H_

#include "longmul/group.h"
#include "primitives/cuda/link.h"

// longmul_group_join opens this process's members of a group, on devices[..] of its machine. The
// group owns the link, also if it failed. Collective. Errors: as longmul_group_open, the first of
// all processes; LONGMUL_PEER_ERROR.
LONGMUL_API longmul_status longmul_group_join(longmul_group *group, const int *devices,
                                              cuda_link *link);

#endif  // LONGMUL_GROUP_JOIN_H_
