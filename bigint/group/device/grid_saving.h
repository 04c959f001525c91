// grid_saving.h: a product on a member of one prime group that has little memory: by thirds, or in
// turn (plan.h). Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_GRID_SAVING_H_
#define BIGINT_GROUP_DEVICE_GRID_SAVING_H_

#include "bigint/group/device/grid.h"

// grid_saving_lay lays the shares and the operands' strips, as member_work_lay; returns what is
// used. grid_saving_run: the residues of the product modulo all primes, from the operands' strips.
uint64_t grid_saving_lay(grid_work *c, unsigned char *memory, uint64_t used);
bigint_status grid_saving_run(const grid_work *c);

#endif  // BIGINT_GROUP_DEVICE_GRID_SAVING_H_
