// columns.h: a product on a member by the way `columns` (plan.h). Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_COLUMNS_H_
#define BIGINT_GROUP_DEVICE_COLUMNS_H_

#include "bigint/group/device/work.h"
#include "fft/device/modular/share.h"

// RECOMBINES: launches that follow each other take turns with the workspace. SHARES: at a time one
// is computed, one comes and one leaves.
enum { RECOMBINES = 2, SHARES = 3 };

// columns_work: strips of planes are [strip][part][column], strips of limbs [strip][row][limb].
typedef struct {
    member_work *w;
    unsigned char *recombining[RECOMBINES];  // zero at first
    unsigned char *tables;                   // of an inner pass
    fft_modular_tables inner[2];
    uint64_t *packed;  // blocks of operands; in the place of:
    double *planes;    // of all primes: the strips'
    // While there are shares: theirs of both operands, the other operand's strips, limbs. In turn
    // only x[0] and limbs; y is elsewhere for a while.
    double *x[SHARES], *y[2], *y_strips[2];
    uint64_t *a_limbs, *b_limbs;
    // Afterwards: rows of limbs; main limbs and the limbs beyond, of own strips and received.
    uint64_t *rows, *main, *over, *mains, *overs;
} columns_work;

// columns_lay, columns_run: as primes_lay and primes_run; columns_begin: before the members agree.
void columns_lay(columns_work *c, unsigned char *memory, uint64_t *used, uint64_t *zeros);
bigint_status columns_begin(columns_work *c);
bigint_status columns_run(const columns_work *c);

#endif  // BIGINT_GROUP_DEVICE_COLUMNS_H_
