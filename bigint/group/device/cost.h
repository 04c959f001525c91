// cost.h: what a plan of one product over members takes: memory, bytes sent, time. Pure integers,
// so that all members come to the same. Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_COST_H_
#define BIGINT_GROUP_DEVICE_COST_H_

#include "bigint/group/device/plan.h"

// device_member_held_bytes: the most bytes that a member holds at a time: device_member_bytes, and
// its blocks of operands and product. For `alone` at least what member 0 holds.
uint64_t device_member_held_bytes(const device_member_plan *plan);

// device_member_sent_bytes: about how many bytes of residues and limbs a member sends to others in
// one product. For `alone` what member 0 sends.
uint64_t device_member_sent_bytes(const device_member_plan *plan);

// device_member_work: picoseconds of the transforms of the member that has most of them.
uint64_t device_member_work(const device_member_plan *plan);
// device_member_cost: picoseconds of the product, by the costs of transforms and by what carriers
// were measured to carry; to compare plans with.
uint64_t device_member_cost(const device_member_plan *plan, const device_member_choice *choice);

#endif  // BIGINT_GROUP_DEVICE_COST_H_
