// member_product.h: the member program of a product of two numbers in blocks, on members of the
// host. Internal to bigint/.
#ifndef BIGINT_GROUP_MEMBER_PRODUCT_H_
#define BIGINT_GROUP_MEMBER_PRODUCT_H_

#include "bigint/group/member_columns.h"

// member_job: one product. All members come with the same lengths, `square` and plan.
typedef struct {
    bigint_limb *rp;  // the member's block of an + bn limbs; it may be that of an operand
    const bigint_limb *ap, *bp;  // its blocks of the operands (block.h)
    uint64_t an, bn;             // limbs of all blocks together, any numbers
    bool square;                 // b is a
    const member_plan *plan;     // to be used, for these lengths; NULL: it is made here
    bigint_status so_far;        // not OK: this member failed before, with its context's text
    member_clock *clock;         // NULL: nobody asks
} member_job;

// member_multiply: r = a b. Collective. All members return the same status unless it is EPEER or
// ECHECK; the context's text names the member that failed and its cause. Until all members have
// agreed that they have plans and memory nothing is written; later only EPEER can happen, and
// ECHECK where contexts check products. r is undefined after these two.
// Cost: of way columns three forward transforms, one after the other, on 1 / members of the points;
//       bytes by member_sent_bytes
bigint_status member_multiply(member *m, const member_job *job);

#endif  // BIGINT_GROUP_MEMBER_PRODUCT_H_
