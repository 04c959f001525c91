// members.h: the contexts of a group's members, as part of the group's own. Internal to bigint/.
#ifndef BIGINT_API_MEMBERS_H_
#define BIGINT_API_MEMBERS_H_

#include "bigint/group/group.h"

// members_open gives a new context on a group its members, if so_far is OK in all processes of the
// group: it is called also where a context cannot be made, and members_absent where there is no
// memory for one, so that no other process waits for this one. Both return the status.
// What follows does nothing on other places.
bigint_status members_open(bigint_ctx *ctx, const group_device *device, bigint_status so_far);
bigint_status members_absent(const bigint_device *device, double timeout_s, bigint_status status);
void members_close(bigint_ctx *ctx);
void members_trim(bigint_ctx *ctx);
bigint_status members_sync(bigint_ctx *ctx);

#endif  // BIGINT_API_MEMBERS_H_
