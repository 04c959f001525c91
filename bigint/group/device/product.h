// product.h: the member program of a product of two numbers in blocks, on members that are devices.
// Internal to bigint/.
#ifndef BIGINT_GROUP_DEVICE_PRODUCT_H_
#define BIGINT_GROUP_DEVICE_PRODUCT_H_

#include "bigint/group/device/exchange.h"
#include "bigint/group/device/plan.h"
#include "bigint/group/exchange/member.h"

// device_member_operand: the lowest n limbs of a number, which is in the blocks of a number of
// `blocks` >= n limbs; p: of the member's block, in device memory, 8-byte aligned.
typedef struct {
    const uint64_t *p;
    uint64_t n, blocks;
} device_member_operand;

// device_member_clock: seconds of one product on a member by phases: transforms, exchanges with the
// waits for others, and what makes limbs and blocks of residues. A product that is timed waits for
// the device between them, so that nothing runs side by side.
typedef enum {
    DEVICE_PHASE_TRANSFORM,
    DEVICE_PHASE_EXCHANGE,
    DEVICE_PHASE_JOIN,
    DEVICE_PHASES
} device_member_phase;
typedef struct {
    double seconds[DEVICE_PHASES], last;
} device_member_clock;
const char *device_member_phase_name(device_member_phase phase);

// device_member_job: one product of magnitudes. All members come with the same plan and lengths.
typedef struct {
    uint64_t *rp;  // the member's block of an + bn limbs, with room for one more, aligned to 16
                   // bytes; it may be that of an operand
    device_member_operand a, b;  // the plan's; b.p is not read in a square
    const device_member_plan *plan;
    bigint_status so_far;        // not OK: this member failed before, with its context's text
    device_member_clock *clock;  // NULL: nobody asks
} device_member_job;

// device_member_bytes: device memory that a member takes beside its blocks, without the tables. Of
// `alone` member 0, without what one device takes by itself.
uint64_t device_member_bytes(const device_member_plan *plan);

// device_member_multiply: r = a b. Collective, on a thread for each member; the member's context is
// on its device, its exchange is one of host memory, and x its endpoint over that. All members
// return the same status unless it is EPEER or EDEVICE. Until all have agreed that they have memory
// nothing is written; later only these two can happen, and r is undefined then.
// Cost: of grids on 1 / members of the points three transforms; of all device_member_sent_bytes
//       (cost.h). Grids wait for the device once or twice, before the carry between blocks is known
bigint_status device_member_multiply(member *m, device_exchange *x, const device_member_job *job);

#endif  // BIGINT_GROUP_DEVICE_PRODUCT_H_
