// member_strips.h: the first step of a transform dealt out: from blocks of an operand's limbs to
// strips. Internal to bigint/.
#ifndef BIGINT_GROUP_MEMBER_STRIPS_H_
#define BIGINT_GROUP_MEMBER_STRIPS_H_

#include "bigint/group/exchange/member.h"
#include "bigint/group/member_plan.h"

// member_operand_rows: rows of the transform that an operand of n limbs reaches into.
uint64_t member_operand_rows(const member_plan *plan, uint64_t n);
// member_strip_limbs: limbs of m's strip of an operand of n limbs, unit by unit: unit u of the
// member's has rows digit_bits limbs at u rows digit_bits, row after row, zeros above the operand.
uint64_t member_strip_limbs(const member_plan *plan, unsigned m, uint64_t n);
// Limbs of workspace for member_deal.
uint64_t member_deal_limbs(const member_plan *plan, unsigned m, uint64_t n);

// member_deal: strip = the member's strip of the operand of n limbs whose block it has at block.
// Collective. blocks: 2 * members, workspace. Errors: EPEER.
bigint_status member_deal(const member *m, const member_plan *plan, uint64_t *strip,
                          const uint64_t *block, uint64_t n, exchange_block *blocks, uint64_t *ws);

#endif  // BIGINT_GROUP_MEMBER_STRIPS_H_
