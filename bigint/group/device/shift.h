// shift.h: the member program of a shift of a number in blocks, on members that are devices of one
// process. Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_SHIFT_H_
#define BIGINT_GROUP_DEVICE_SHIFT_H_

#include "bigint/group/device/product.h"

// device_member_shifted: r = |a| 2^bits, or |a| / 2^bits rounded down if `right`, modulo 2^(64 n).
// All members come with the same lengths.
typedef struct {
    uint64_t *rp;  // the member's block of n limbs; it may be a's
    device_member_operand a;
    uint64_t n, bits;
    bool right;
    bigint_status so_far;  // as in device_member_job
} device_member_shifted;

// device_member_shift: collective, fails as device_member_multiply.
// Cost: limbs that come from another member's block are exchanged; writes each limb twice and reads
//       it once; does not wait for the device
bigint_status device_member_shift(member *m, device_exchange *x, const char *who,
                                  const device_member_shifted *terms);

#endif  // BIGINT_GROUP_DEVICE_SHIFT_H_
