// group_calls.h: what groups need for calls: a member's context and the group's own together.
// Internal to bigint/plan.
#ifndef BIGINT_PLAN_GROUP_CALLS_H_
#define BIGINT_PLAN_GROUP_CALLS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// group_call_by_members: whether the members compute this call by products, and sums with them.
bool group_call_by_members(const bigint_ctx *ctx, const bigint_call *c);
// *bytes = what a group needs
//   members   where that is so
//   dealt     where members share the items, no one more than all of them: their contexts, on
//             devices with copies of a span at a time, and for sums the group's own
//   host      where the host computes, which needs *n, and members send and fetch numbers.
bigint_status group_call_members_bytes(work_need *n, const bigint_call *c, uint64_t *bytes);
bigint_status group_call_dealt_bytes(work_need *n, const bigint_call *c, uint64_t *bytes);
bigint_status group_call_host_bytes(work_need *n, const bigint_call *c, uint64_t *bytes);

#endif  // BIGINT_PLAN_GROUP_CALLS_H_
