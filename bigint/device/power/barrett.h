// barrett.h: products modulo one long number on a device, by its reciprocal. Internal to bigint/.
//
// M >= 2 has exactly `bits` bits. Residues are numbers below 2^(bits + 1) with a plus, congruent to
// what they stand for: no value is read, and no product waits for a correction.
#ifndef BIGINT_DEVICE_POWER_BARRETT_H_
#define BIGINT_DEVICE_POWER_BARRETT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/divide/kept.h"

// device_barrett: M prepared. B = 2^64.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    bigint m;          // M: the modulus's own limbs, which must stay
    uint64_t n, bits;  // of M: its exact length
    uint64_t low,
        above;  // limbs that estimates of quotients lose before and after the product by x
    bigint x;   // B^(low + above) / M, at most 6 2^63 too small
    device_kept by_x;
    bool wraps;  // remainders are found by a ring, in which M's transform is kept
    device_plan ring;
    double *m_planes;
    bigint product, estimate;  // on the way: they keep their memory
} device_barrett;

// device_barrett_open: enough for device_barrett_close even if it fails. Transforms lie in
// workspace, which the caller releases. Cost: a reciprocal of n + 2 limbs.
bigint_status device_barrett_open(device_barrett *s, bigint_ctx *ctx, const char *who,
                                  const bigint *modulus, uint64_t bits);
void device_barrett_close(device_barrett *s);
// device_barrett_bytes: the integers that this holds at a time, with those of the reciprocal.
uint64_t device_barrett_bytes(uint64_t n);
// device_barrett_mul enqueues r = a b modulo M for residues; r may be a or b, a may be b. The
// result is below M (1 + 2^-58), or the product itself.
// Cost: a product of n by n limbs, or a square; one by a kept number; half of one by M.
bigint_status device_barrett_mul(device_barrett *s, bigint *r, const bigint *a, const bigint *b);
// device_barrett_settle enqueues r = a or a - M, the least that is not negative, for a <= 2 M with
// a plus; r is not a. Cost: five launches.
bigint_status device_barrett_settle(device_barrett *s, bigint *r, const bigint *a);
// device_barrett_need: what device_barrett_open for n limbs needs, and keeps, and products.
void device_barrett_need(work_need *w, uint64_t n);

#endif  // BIGINT_DEVICE_POWER_BARRETT_H_
