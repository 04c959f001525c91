// column_limbs.h: limbs of the way `columns`: from blocks to strips, and from the residues of
// strips to blocks. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_COLUMN_LIMBS_H_
#define BIGINT_GROUP_DEVICE_COLUMN_LIMBS_H_

#include "bigint/group/device/columns.h"

// column_limbs_strip: limbs of a strip of an operand of n limbs: whole rows.
uint64_t column_limbs_strip(const device_member_plan *plan, uint64_t n);
// column_limbs_lay points what the limbs of the product need into memory, and returns the bytes:
// what can be where the planes are, and what cannot.
uint64_t column_limbs_lay_planes(columns_work *c, unsigned char *memory, uint64_t used);
uint64_t column_limbs_lay(columns_work *c, unsigned char *memory, uint64_t used);
// column_limbs_workspace: bytes of a workspace of recombination.
uint64_t column_limbs_workspace(const device_member_plan *plan);

// column_limbs_deal: strips = the own strips of an operand, one after the other, zeros above it.
// column_limbs_join: the product's block from the residues of strips. Collective.
// Errors: EDEVICE, EPEER.
bigint_status column_limbs_deal(const columns_work *c, uint64_t *strips,
                                const device_member_operand *a);
bigint_status column_limbs_join(const columns_work *c);

#endif  // BIGINT_GROUP_DEVICE_COLUMN_LIMBS_H_
