// group_devices.h: products, sums, comparisons and shifts on members that are devices, of this
// process or of several.
// Internal to bigint/.
#ifndef BIGINT_GROUP_GROUP_DEVICES_H_
#define BIGINT_GROUP_GROUP_DEVICES_H_

#include "bigint/core/context.h"

struct group;

// group_devices_ready: *ready: whether they run on the members' devices: all members are devices.
// Collective. The first call finds out, and makes what carries their blocks.
// Errors: EDEVICE, EPEER, ENOMEM; ENOBACKEND: the carrier that was asked for has no way between
// these devices.
bigint_status group_devices_ready(bigint_ctx *ctx, const char *who, bool *ready);
// group_devices_mul: {r, an + bn limbs} = |a| |b|, of the lowest an >= bn >= 1 limbs of each. r has
// a table, and its sign and length are the caller's.
bigint_status group_devices_mul(bigint_ctx *ctx, const char *who, const bigint *r, const bigint *a,
                                uint64_t an, const bigint *b, uint64_t bn);
// group_devices_sum: {r, n} = |a| + |b|, or ||a| - |b|| if `opposite`; *order as of
// device_member_sum. n is enough for the result and both operands; neither is 0 for sure.
bigint_status group_devices_sum(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t n,
                                const bigint *a, const bigint *b, bool opposite, int *order);
// group_devices_cmp: *order = -1, 0, 1 as |a| <, =, > |b|, of the lowest an and bn >= 1 limbs.
bigint_status group_devices_cmp(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t an,
                                const bigint *b, uint64_t bn, int *order);
// group_devices_shift: {r, n} = |a| 2^bits, or |a| / 2^bits rounded down if `right`; n is enough.
bigint_status group_devices_shift(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t n,
                                  const bigint *a, uint64_t bits, bool right);
// group_devices_close: before the members' contexts are closed.
void group_devices_close(struct group *g);

#endif  // BIGINT_GROUP_GROUP_DEVICES_H_
