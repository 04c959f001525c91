// member_carry.h: carries from block to block of a number on a group. Internal to bigint/.
#ifndef BIGINT_GROUP_EXCHANGE_MEMBER_CARRY_H_
#define BIGINT_GROUP_EXCHANGE_MEMBER_CARRY_H_

#include <stdbool.h>

#include "bigint/group/exchange/exchange.h"

// member_carry_in: collective. generate: what this member's block carries out by itself, 0 or 1;
// propagate: whether it would carry out what is carried into it. An empty block generates 0 and
// propagates. *in = what is carried into this block from the blocks of the members below, *out =
// what the last block carries out. A borrow is the same.
// Cost: one exchange of MEMBER_CARRY_BYTES from each to each. Errors: EPEER.
enum { MEMBER_CARRY_BYTES = 8 };
bigint_status member_carry_in(exchange *x, uint64_t generate, bool propagate, uint64_t *in,
                              uint64_t *out);

#endif  // BIGINT_GROUP_EXCHANGE_MEMBER_CARRY_H_
