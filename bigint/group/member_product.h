// member_product.h: the member program of a product of two numbers in blocks, on members of the
// host. Internal to bigint/.
#ifndef BIGINT_GROUP_MEMBER_PRODUCT_H_
#define BIGINT_GROUP_MEMBER_PRODUCT_H_

#include "bigint/group/member_columns.h"

// member_job: one product. All members come with the same lengths, `square` and plan.
typedef struct {
    bigint_limb *rp;  // the member's block of an + bn limbs; it may be that of an operand
    const bigint_limb *ap, *bp;  // its blocks of the operands (exchange/block.h)
    uint64_t an, bn;             // limbs of all blocks together, any numbers
    bool square;                 // b is a
    const member_plan *plan;     // to be used, for these lengths; NULL: it is made here
    bigint_status so_far;        // not OK: this member failed before, with its context's text
    member_clock *clock;         // NULL: nobody asks
} member_job;

// member_multiply: r = a b. Collective. All members return the same status, and their contexts'
// texts name the member that failed and its cause. Nothing is written before all members have
// agreed that they have plans and memory. Later only two errors can happen, which leave r
// undefined: EPEER, which members may return that others left with OK, and ECHECK where contexts
// check products.
// Cost: of way columns three forward transforms, one after the other, on 1 / members of the points;
//       bytes by member_sent_bytes, 16 to each member for the agreement and 32 for a check
bigint_status member_multiply(member *m, const member_job *job);

// member_workspace_bytes: an upper bound on the workspace and tables that a member, whose context
// is ctx, holds for a product by this plan, with any aliasing and operands in any blocks. Errors:
// as mul_plan_make.
bigint_status member_workspace_bytes(bigint_ctx *ctx, const member_plan *plan, unsigned number,
                                     uint64_t *bytes);

#endif  // BIGINT_GROUP_MEMBER_PRODUCT_H_
