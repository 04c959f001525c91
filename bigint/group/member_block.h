// member_block.h: the block of an integer that a member holds, on whatever place the member is: the
// only file beside the products that knows. Internal to bigint/.
//
// A block is an integer on the member's place. On the host its limbs are all of the block, zeros on
// top included. On a device it may have fewer limbs, and the ones above are 0.
#ifndef BIGINT_GROUP_MEMBER_BLOCK_H_
#define BIGINT_GROUP_MEMBER_BLOCK_H_

#include "bigint/group/exchange/member.h"

// Programs on limbs in host memory: member_room and member_read come before the agreement, and in
// this order; member_keep comes last.
//
// member_room: host memory for the new limbs of a block, which keeps its value; on the host it is
// the block's own. NULL with the error recorded in *status.
uint64_t *member_room(member *m, const char *who, bigint *block, uint64_t count,
                      bigint_status *status);
// member_read: the `count` limbs of a block in host memory; from a device they are copied. NULL
// with the error recorded in *status, which is OK for count 0.
const uint64_t *member_read(member *m, const char *who, const bigint *block, uint64_t count,
                            bigint_status *status);
// member_keep: the block becomes {p, count}, where p is member_room's. Takes no memory.
bigint_status member_keep(member *m, const char *who, bigint *block, const uint64_t *p,
                          uint64_t count);
// member_blank: the block gets `count` limbs of any values, for others to write.
bigint_status member_blank(member *m, const char *who, bigint *block, uint64_t count);

#endif  // BIGINT_GROUP_MEMBER_BLOCK_H_
