// grid.h: a product on a member of a grid (plan.h). Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_GRID_H_
#define BIGINT_GROUP_DEVICE_GRID_H_

#include "bigint/group/device/work.h"
#include "fft/device/modular/share.h"

// RECOMBINES: launches that follow each other take turns with the workspace. SHARES: at a time one
// is computed, one comes and one leaves. SPLITS: operands' strips leave while the next ones are
// split. BACKS: the product's strips come, become residues, and leave to be joined.
enum { RECOMBINES = 2, SHARES = 3, SPLITS = 2, BACKS = 2 };

// grid_work: strips of planes are [strip][part][column], strips of limbs [strip][row][limb].
typedef struct {
    member_work *w;
    unsigned char *recombining[RECOMBINES];  // zero at first
    unsigned char *tables;                   // of an inner pass
    fft_modular_tables inner[2];
    double *residues;  // modulo all primes, of what the member joins
    // While there are transforms: shares of both operands, or with one column group whole planes;
    // the operands' strips, and the product's, which are the residues unless those are dealt out;
    // limbs. In turn only x[0] and limbs; y is elsewhere for a while.
    double *x[SHARES], *y[2], *x_strips[SPLITS], *y_strips[SPLITS], *back[BACKS];
    uint64_t *a_limbs, *b_limbs;
    // Afterwards: rows of limbs, the limbs beyond of own strips and of all, and a workspace to add
    // them.
    uint64_t *rows, *over, *overs;
    void *adding;
} grid_work;

// grid_lay lays its memory, as member_work_lay; what ends at *zeros has to be zero at first.
void grid_lay(grid_work *c, unsigned char *memory, uint64_t *used, uint64_t *zeros);
// grid_begin: before the members agree. grid_run: when they have. Errors: EDEVICE, EPEER.
bigint_status grid_begin(grid_work *c);
bigint_status grid_run(const grid_work *c);

// grid_plane: doubles of the residues modulo one prime. grid_strips: a member's strips, as a number
// of kernels.
uint64_t grid_plane(const device_member_plan *plan);
static inline unsigned grid_strips(const device_member_plan *plan, unsigned m) {
    return (unsigned)device_member_strips(plan, m).count;
}

#endif  // BIGINT_GROUP_DEVICE_GRID_H_
