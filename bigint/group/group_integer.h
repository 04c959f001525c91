// group_integer.h: integers of a group: their blocks, values, copies. Internal to bigint/.
//
// An integer on BIGINT_GROUP: d_ points to group_limbs, in host memory. n_ is the announced length:
// the blocks are those of a number of n_ limbs, whose top limbs may be zero. n_ = 0 is the value 0,
// with or without a table. sign_ is -1 or 1, for the value 0 any.
#ifndef BIGINT_GROUP_GROUP_INTEGER_H_
#define BIGINT_GROUP_GROUP_INTEGER_H_

#include "bigint/core/place.h"
#include "bigint/group/exchange/block.h"
#include "bigint/group/exchange/member.h"

typedef struct {
    unsigned members, first, local;  // as the group's
    uint64_t bits;                   // |x| < 2^bits; exact after shifts, and after sums and
                                     // products of members of which not all are devices
    bigint blocks[];                 // of the members of this process
} group_limbs;

static inline group_limbs *group_limbs_of(const bigint *x) { return (group_limbs *)(void *)x->d_; }
static inline uint64_t group_bits(const bigint *x) {
    return x->n_ == 0 ? 0 : group_limbs_of(x)->bits;
}
// group_limbs_used: the length without the top limbs that are known to be zero.
static inline uint64_t group_limbs_used(const bigint *x) { return (group_bits(x) + 63) / 64; }

// group_table gives r a table, if it has none, and keeps its value. Errors: ENOMEM.
bigint_status group_table(bigint_ctx *ctx, const char *who, bigint *r);
// group_settle: r becomes the number whose blocks, of a number of n limbs, have been written.
void group_settle(bigint *r, uint64_t n, uint64_t bits, int sign);

// In member programs, for the member's own block: group_block: its limbs in a number of n.
// group_block_integer: x's block as an integer on the member's place (member_block.h); x has a
// table.
// group_room, group_read, group_keep, group_blank: as member_block.h, for the block of a number of
// n limbs, and of x's own n_.
block_range group_block(const member *m, uint64_t n);
bigint *group_block_integer(const member *m, const bigint *x);
uint64_t *group_room(member *m, const char *who, const bigint *r, uint64_t n,
                     bigint_status *status);
const uint64_t *group_read(member *m, const char *who, const bigint *x, bigint_status *status);
bigint_status group_keep(member *m, const char *who, const bigint *r, uint64_t n,
                         const uint64_t *p);
bigint_status group_blank(member *m, const char *who, const bigint *r, uint64_t n);
// group_most: *bits = the most that any member comes with. A collective call.
bigint_status group_most(member *m, uint64_t *bits, uint64_t own);
// group_top_bits: *bits = the length in bits of the number of n limbs whose block here is p. A
// collective call.
bigint_status group_top_bits(member *m, uint64_t *bits, const uint64_t *p, uint64_t n);

// The calls of place.h, for contexts on a group.
extern const place_calls group_calls;

#endif  // BIGINT_GROUP_GROUP_INTEGER_H_
