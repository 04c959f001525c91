// columns.h: a product on a member by the way `columns` (plan.h). Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_COLUMNS_H_
#define BIGINT_GROUP_DEVICE_COLUMNS_H_

#include "bigint/group/device/work.h"

// RECOMBINES: launches that follow each other take turns with the workspace. SHARES: at a time one
// is computed, one comes and one leaves.
enum { RECOMBINES = 2, SHARES = 3 };

typedef struct {
    member_work *w;
    unsigned char *recombining[RECOMBINES];  // zero at first
    double *planes;                          // of all primes: the strip's
    // While there are shares: theirs of both operands, the other operand's strip, limbs.
    double *x[SHARES], *y[2], *y_strip[2];
    uint64_t *a_limbs, *b_limbs, *packed;
    // Afterwards: rows of limbs; main limbs and the limbs beyond, of own strips and received.
    uint64_t *rows, *main, *over, *mains, *overs;
} columns_work;

// columns_lay, columns_run: as primes_lay and primes_run.
void columns_lay(columns_work *c, unsigned char *memory, uint64_t *used, uint64_t *zeros);
bigint_status columns_run(const columns_work *c);

#endif  // BIGINT_GROUP_DEVICE_COLUMNS_H_
