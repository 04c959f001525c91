// member_check.h: the self-check of a product in blocks: residues modulo a prime that member 0
// drew. Internal to bigint/.
#ifndef BIGINT_GROUP_MEMBER_CHECK_H_
#define BIGINT_GROUP_MEMBER_CHECK_H_

#include "bigint/group/exchange/block.h"
#include "bigint/group/exchange/member.h"

// member_check: the residues of both operands, all blocks together.
typedef struct {
    uint64_t modulus, a, b;
} member_check;

// member_check_operands: before the product, of which an operand may be overwritten. Collective.
// Errors: EPEER.
bigint_status member_check_operands(const member *m, member_check *check, const uint64_t *ap,
                                    uint64_t an, const uint64_t *bp, uint64_t bn);
// member_check_product: *right = whether the product passes, the same for all members. Collective.
// Cost: one read of the block. Errors: EPEER.
bigint_status member_check_product(const member *m, const member_check *check, const uint64_t *rp,
                                   uint64_t rn, bool *right);

#endif  // BIGINT_GROUP_MEMBER_CHECK_H_
