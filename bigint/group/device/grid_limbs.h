// grid_limbs.h: limbs of a grid: from blocks to strips, and from the residues of
// strips to blocks. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_GRID_LIMBS_H_
#define BIGINT_GROUP_DEVICE_GRID_LIMBS_H_

#include "bigint/group/device/grid.h"

// grid_limbs_strip: limbs of a strip of an operand of n limbs: whole rows.
uint64_t grid_limbs_strip(const device_member_plan *plan, uint64_t n);
// grid_limbs_lay points what the limbs of the product need into memory, and returns the bytes.
uint64_t grid_limbs_lay(grid_work *c, unsigned char *memory, uint64_t used);
// grid_limbs_workspace: bytes of a workspace of recombination.
uint64_t grid_limbs_workspace(const device_member_plan *plan);

// grid_limbs_deal begins the exchange after which strips = the own strips of an operand, one after
// the other, zeros above it; one at a time. grid_limbs_join: the product's block from the residues
// of strips. Collective. Errors: EDEVICE, EPEER.
bigint_status grid_limbs_deal(const grid_work *c, uint64_t *strips, const device_member_operand *a);
bigint_status grid_limbs_join(const grid_work *c);

#endif  // BIGINT_GROUP_DEVICE_GRID_LIMBS_H_
