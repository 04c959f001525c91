// divisor.h: divisors on a device whose reciprocal is kept. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_DIVISOR_H_
#define BIGINT_DEVICE_DIVIDE_DIVISOR_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/divide/series.h"
#include "bigint/device/plan.h"

// device_divisor: a divisor d of exactly `bits` bits, n limbs, and what finds m limbs of a quotient
// at a time. Immutable once made. D = d 2^shift has its top bit set.
typedef struct {
    bigint d;
    uint64_t n, bits, m;  // m is even; 0: divisions take one launch, and nothing is kept
    unsigned shift;
    bool owns;             // d's limbs are its own, else the caller's
    bigint x;              // the reciprocal of D's top k limbs, as device_reciprocal leaves it
    uint64_t k;            // m + 1, or fewer where a series finds the quotient
    device_series series;  // levels 0: none
    // The transforms of d, for remainders by a ring, and of x, for estimates, and their plans. NULL
    // where they do not pay, and with a cap, which may leave no room for them.
    bool keeps_d, keeps_x;
    device_plan ring, estimates;
    double *d_planes, *x_planes;
} device_divisor;

// device_divisor_block: m, the limbs of a quotient of qn limbs that are found at a time by a
// divisor of n; 0: the division takes one launch.
uint64_t device_divisor_block(const bigint_ctx *ctx, uint64_t n, uint64_t qn);
// device_divisor_plan: what device_divisor_open decides, for d of `bits` bits: n, m and shift,
// which transforms are kept and their plans; no memory. device_divisor_need: what that needs beside
// s and what it points to.
device_divisor device_divisor_plan(const bigint_ctx *ctx, uint64_t bits, uint64_t qn, bool owns);
void device_divisor_need(work_need *w, const device_divisor *s);
// device_divisor_open enqueues *s of d, which is not 0 and has exactly `bits` bits, for quotients
// of qn limbs: shorter ones take no more. owns: it copies d, else d outlives it, and quotients have
// qn limbs where a series finds them. Cost: the reciprocal of some qn / 2 to qn limbs, at most
// max(n, 2^14), or of fewer for a series, and transforms of d and x if a quotient takes several
// blocks or if `owns`. Errors: as bigint_mul; *s is then empty.
bigint_status device_divisor_open(bigint_ctx *ctx, const char *who, device_divisor *s,
                                  const bigint *d, uint64_t bits, uint64_t qn, bool owns);
// device_divisor_close frees its memory in stream order.
void device_divisor_close(bigint_ctx *ctx, device_divisor *s);
// device_divide enqueues q = a / d rounded toward zero, r = a - q d; either may be NULL, and each
// may be a or d. q alone, by a long d, waits for a limb that tells whether the last remainder is
// needed. Errors: as bigint_mul; q and r then keep their values.
bigint_status device_divide(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const device_divisor *s);
// device_divisor_print: how a divisor of dn limbs is kept for quotients of qn, on one line, like
// snprintf.
int device_divisor_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t dn, uint64_t qn);
// device_divide_need: what it needs for a of an limbs.
void device_divide_need(work_need *w, const device_divisor *s, uint64_t an);

#endif  // BIGINT_DEVICE_DIVIDE_DIVISOR_H_
