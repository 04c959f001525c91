// member_operand.h: an operand of a member program: the limbs of a group's integer that belong to
// the block of a number of another length. Internal to bigint/.
#ifndef BIGINT_GROUP_MEMBER_OPERAND_H_
#define BIGINT_GROUP_MEMBER_OPERAND_H_

#include "bigint/group/exchange/member.h"

typedef struct {
    const bigint *x;
    uint64_t n;         // of the number
    const uint64_t *p;  // the limbs of its block: x's, zeros above
    const uint64_t *own;
    uint64_t *fetched;  // room for them, if they are not all in x's own block
} member_operand;

// member_operand_take takes the memory, before the members agree. member_operand_fetch then sets p:
// a collective call, which exchanges limbs only if they are in other blocks.
bigint_status member_operand_take(member *m, const char *who, member_operand *o, const bigint *x,
                                  uint64_t n);
bigint_status member_operand_fetch(member *m, member_operand *o);

#endif  // BIGINT_GROUP_MEMBER_OPERAND_H_
