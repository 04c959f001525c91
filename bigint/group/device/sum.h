// sum.h: the member program of a sum or a difference of two numbers in blocks, on members that are
// devices of one process. Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_SUM_H_
#define BIGINT_GROUP_DEVICE_SUM_H_

#include "bigint/group/device/product.h"

// device_member_terms: r = |a| + |b|, or ||a| - |b|| if `opposite`. All members come with the same
// lengths.
typedef struct {
    uint64_t *rp;  // the member's block of n limbs, with room for one more; it may be an operand's
    device_member_operand a, b;
    uint64_t n;  // enough for the result, and at least a.n and b.n
    bool opposite;
    bool only_order;       // nothing is written but *order; `opposite` is set, too
    bigint_status so_far;  // as in device_member_job
} device_member_terms;

// device_member_sum: *order = -1, 0, 1 as |a| <, =, > |b| if `opposite`, else 1. Collective, fails
// as device_member_multiply.
// Cost: operands whose blocks are not those of n limbs are exchanged first; reads and writes
//       each limb about once, of a difference twice; waits for the device once to three times
bigint_status device_member_sum(member *m, device_exchange *x, const char *who,
                                const device_member_terms *terms, int *order);

#endif  // BIGINT_GROUP_DEVICE_SUM_H_
