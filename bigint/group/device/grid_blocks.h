// grid_blocks.h: the blocks of exchanges in which residues travel over a grid. Internal to
// bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_GRID_BLOCKS_H_
#define BIGINT_GROUP_DEVICE_GRID_BLOCKS_H_

#include "bigint/group/device/grid.h"

// grid_turn: the blocks of one exchange in the prime group, in sets from `set` on, a set for each
// strip that a member may have: from the own columns of all parts to all columns of the own parts,
// or back; none where `none`, because the group has no such round. Returns the next set.
unsigned grid_turn(const grid_work *c, unsigned set, bool none, double *share, double *strips,
                   bool back);

// grid_deal: the blocks of one exchange in the column group, sets likewise: rows of the own strips,
// or of the whole plane, which have become residues in round `round`, go to those who join them.
unsigned grid_deal(const grid_work *c, unsigned set, unsigned round, const double *plane);

#endif  // BIGINT_GROUP_DEVICE_GRID_BLOCKS_H_
