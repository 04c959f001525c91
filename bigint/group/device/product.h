// product.h: the member program of a product of two numbers in blocks, on members that are devices
// of one process. Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_PRODUCT_H_
#define BIGINT_GROUP_DEVICE_PRODUCT_H_

#include "bigint/group/device/exchange.h"
#include "bigint/group/device/plan.h"
#include "bigint/group/exchange/member.h"

// device_member_job: one product of magnitudes. All members come with the same plan.
typedef struct {
    uint64_t *rp;  // the member's block of an + bn limbs; it may be that of an operand
    const uint64_t *ap,
        *bp;  // its blocks of the operands (exchange/block.h), 8-byte aligned; bp is not read
              // in a square
    const device_member_plan *plan;
    bigint_status so_far;  // not OK: this member failed before, with its context's text
} device_member_job;

// device_member_bytes: device memory that a member takes beside its blocks, without the tables.
uint64_t device_member_bytes(const device_member_plan *plan);

// device_member_multiply: r = a b. Collective, on a thread for each member; the member's context is
// on its device, its exchange is one of host memory, and x its endpoint over that. All members
// return the same status unless it is EPEER or EDEVICE. Until all have agreed that they have memory
// nothing is written; later only these two can happen, and r is undefined then.
// Cost: on 1 / members of the points three transforms; device_member_sent_bytes over peer copies;
//       it waits for the device once, before the carry between blocks is known
bigint_status device_member_multiply(member *m, device_exchange *x, const device_member_job *job);

#endif  // BIGINT_GROUP_DEVICE_PRODUCT_H_
