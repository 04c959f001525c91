// grid_steps.h: the steps of a product on a member of a grid: what it computes of a shared
// transform modulo one prime, which is enqueued, and the blocks in which residues travel. Internal
// to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_GRID_STEPS_H_
#define BIGINT_GROUP_DEVICE_GRID_STEPS_H_

#include "bigint/group/device/grid.h"

// grid_step: the member's step of share.h.
fft_modular_share_step grid_step(const grid_work *c, unsigned prime);

// grid_strips_bytes: of the strips of an operand of n limbs that a member has.
uint64_t grid_strips_bytes(const device_member_plan *plan, uint64_t n);

// grid_split: x = the parts of the strips {a, an} of an operand, and if y is not NULL, y = the
// parts of {b, bn}. grid_gather: strips of the product, from parts to residues of coefficients.
result grid_split(const grid_work *c, unsigned prime, double *x, const uint64_t *a, uint64_t an,
                  double *y, const uint64_t *b, uint64_t bn);
result grid_gather(const grid_work *c, unsigned prime, double *strips);

// grid_columns: columns of a share. grid_rows: x = the product of two shares that have had their
// columns, rows and inverse columns; y NULL: x x. grid_convolve: all of it.
result grid_columns(const grid_work *c, unsigned prime, double *x);
result grid_rows(const grid_work *c, unsigned prime, double *x, double *y);
result grid_convolve(const grid_work *c, unsigned prime, double *x, double *y);

// --- What travels ---
//
// grid_turn: the blocks of one exchange in the prime group, in sets from `set` on, a set for each
// strip that a member may have: from the own columns of all parts to all columns of the own parts,
// or back; none where `none`, because the group has no such round. Returns the next set.
unsigned grid_turn(const grid_work *c, unsigned set, bool none, double *share, double *strips,
                   bool back);

// grid_deal: the blocks of one exchange in the column group, sets likewise: rows of the own strips,
// or of the whole plane, which have become residues in round `round`, go to those who join them.
unsigned grid_deal(const grid_work *c, unsigned set, unsigned round, const double *plane);

#endif  // BIGINT_GROUP_DEVICE_GRID_STEPS_H_
