// group_devices_plan.h: the plan of a product on members that are devices. Internal to bigint/.
#ifndef BIGINT_GROUP_GROUP_DEVICES_PLAN_H_
#define BIGINT_GROUP_GROUP_DEVICES_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/group/device/plan.h"

// group_devices_plan: the plan of a product of an >= bn >= 1 limbs on these devices, after
// group_devices_ready. The last one is kept.
// Errors: ERANGE and ENOMEM, for more points or memory than they have, with the numbers
bigint_status group_devices_plan(bigint_ctx *ctx, const char *who, device_member_plan *plan,
                                 uint64_t an, uint64_t bn, bool square);

#endif  // BIGINT_GROUP_GROUP_DEVICES_PLAN_H_
