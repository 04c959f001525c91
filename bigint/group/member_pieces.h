// member_pieces.h: the last step of a product on a group: from each member's pieces to blocks, with
// the carries between them. Internal to bigint/.
#ifndef BIGINT_GROUP_MEMBER_PIECES_H_
#define BIGINT_GROUP_MEMBER_PIECES_H_

#include "bigint/group/exchange/member.h"
#include "bigint/group/member_plan.h"

// member_pieces_limbs: limbs of the member's own pieces, one after the other with main + over limbs
// each; of workspace for member_join.
uint64_t member_pieces_limbs(const member_plan *plan, unsigned m);
uint64_t member_join_limbs(const member_plan *plan, unsigned m);

// member_join: rp = the member's block of the product whose pieces the members have. Collective.
// blocks: 2 * members, workspace. Errors: EPEER; rp is then undefined.
bigint_status member_join(const member *m, const member_plan *plan, uint64_t *rp,
                          const uint64_t *pieces, exchange_block *blocks, uint64_t *ws);

#endif  // BIGINT_GROUP_MEMBER_PIECES_H_
