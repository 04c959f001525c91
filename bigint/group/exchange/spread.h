// spread.h: which limbs of a number each member has or wants, and their exchange. Internal to
// bigint/.
#ifndef BIGINT_GROUP_EXCHANGE_SPREAD_H_
#define BIGINT_GROUP_EXCHANGE_SPREAD_H_

#include "bigint/group/exchange/block.h"
#include "bigint/group/exchange/member.h"

// spread: limbs at positions. A number of n limbs, whose limb 0 is at position `at`, is in blocks;
// blocks that are not empty go on for `more` limbs. Or, where every > 0, members whose number is a
// multiple of `every` have it whole, and the others nothing of it.
typedef struct {
    uint64_t n, at, more;
    unsigned every;
} spread;

// spread_of: the positions of a member.
block_range spread_of(const spread *s, unsigned members, unsigned number);

// member_fetch: {to, count} = the limbs at this member's positions in `want`, from the members that
// have them: own is this member's part of `have`, which is in blocks and has no `more`. Positions
// that nobody has become 0. A collective call; `to` overlaps nothing. host memory.
bigint_status member_fetch(member *m, uint64_t *to, const spread *want, const uint64_t *own,
                           const spread *have);

#endif  // BIGINT_GROUP_EXCHANGE_SPREAD_H_
