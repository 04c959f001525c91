// open_members.h: the door of transports that are libraries of their own (bigint/mpi): a group with
// any endpoints. Exported, but not part of the public interface: such a library comes from the same
// build. Defined in api/open.c.
#ifndef BIGINT_GROUP_OPEN_MEMBERS_H_
#define BIGINT_GROUP_OPEN_MEMBERS_H_

#include "bigint/group/group.h"

// bigint_device_open_members opens a group like this one, whose `local` members of this process are
// on places[0 .. local). name: of what carries blocks between members that are devices; NULL: what
// BIGINT_EXCHANGE says, or the usual one. The group owns like->user from then on, unless it failed
// without members: (*out)->group is NULL, or *out. Errors: as bigint_device_open_group.
BIGINT_API bigint_status bigint_device_open_members(bigint_device **out, const group_device *like,
                                                    const int *places, const char *backend,
                                                    const char *name);

#endif  // BIGINT_GROUP_OPEN_MEMBERS_H_
