// strips.h: limbs of a number on a device between a member's block and strips.
// Internal to bigint/. Results of copies that are enqueued; the device is current.
#ifndef BIGINT_GROUP_DEVICE_STRIPS_H_
#define BIGINT_GROUP_DEVICE_STRIPS_H_

#include "bigint/group/device/plan.h"
#include "bigint/group/exchange/block.h"

// device_strip_pack copies those limbs of a block that are in strip s to `packed`, one after the
// other; device_strip_unpack copies them back.
// At most three copies.
result device_strip_pack(const device_member_plan *plan, uint64_t s, uint64_t *packed,
                         const uint64_t *block, block_range range, cuda_stream stream);
result device_strip_unpack(const device_member_plan *plan, uint64_t s, uint64_t *block,
                           block_range range, const uint64_t *packed, cuda_stream stream);

// device_strip_overs copies what the rows of strip s have beyond it, DEVICE_MEMBER_OVER limbs of
// each of plan->rows rows one after the other, to their places in a block. At most three copies.
result device_strip_overs(const device_member_plan *plan, uint64_t s, uint64_t *block,
                          block_range range, const uint64_t *overs, cuda_stream stream);

#endif  // BIGINT_GROUP_DEVICE_STRIPS_H_
