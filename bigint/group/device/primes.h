// primes.h: a product on a member by the way `primes` (plan.h). Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_PRIMES_H_
#define BIGINT_GROUP_DEVICE_PRIMES_H_

#include "bigint/group/device/work.h"

typedef struct {
    member_work *w;
    unsigned char *recombining;  // zero at first
    // Both operands; planes of the product modulo one prime, two in turn, and of the other operand;
    // residues of the own coefficients modulo all primes.
    uint64_t *a, *b;
    double *x[2], *y, *residues;
    uint64_t *strip;  // afterwards: the own coefficients as limbs, those beyond them included
} primes_work;

// primes_lay lays its memory, as member_work_lay; what ends at *zeros has to be zero at first.
void primes_lay(primes_work *p, unsigned char *memory, uint64_t *used, uint64_t *zeros);
// primes_run: all members have agreed. Errors: EDEVICE, EPEER.
bigint_status primes_run(const primes_work *p);

#endif  // BIGINT_GROUP_DEVICE_PRIMES_H_
