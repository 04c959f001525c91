// series.h: estimates of a quotient on a device from a short reciprocal X of the divisor D, by
// products that need not wait for a longer one. A longer reciprocal is the quotient of a power of
// B. Internal to bigint/. B = 2^64.
//
// X D = 1 - e for a small e, so that A / D = A X (1 + e) (1 + e^2) (1 + e^4) ... Level 0 finds A X
// and e; each level after it multiplies by 1 + e and squares e, two products by one factor in the
// same launches. Newton's iteration needs two products for each such level, one after the other.
// Source: [Goldschmidt64]. Proof: docs/proofs/division.md, section 10.
#ifndef BIGINT_DEVICE_DIVIDE_SERIES_H_
#define BIGINT_DEVICE_DIVIDE_SERIES_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "primitives/limbs/device.h"

// device_series: of a quotient in limbs of which `f` count, two of them a fraction, from a
// reciprocal of k limbs of a divisor of which n limbs count. levels 0: there is none.
typedef struct {
    uint64_t f, k, n;
    unsigned levels;
} device_series;
enum { DEVICE_SERIES_FRACTION = 2 };

// device_series_plan: how b limbs of a quotient by a divisor of dn limbs are found, where that is
// faster than by a whole reciprocal. levels 0 otherwise, with a cap and with checks.
device_series device_series_plan(const bigint_ctx *ctx, uint64_t dn, uint64_t b);
// device_series_reciprocal: how a reciprocal of k limbs, k + 1 limbs of the quotient of B^(dn + k),
// is found from one of at most `first` limbs, or of as few as the most levels need.
device_series device_series_reciprocal(const bigint_ctx *ctx, uint64_t dn, uint64_t k,
                                       uint64_t first);
// device_series_limbs: of the memory that device_series_estimate needs, which begins on a line.
uint64_t device_series_limbs(const device_series *s);
// device_series_need: its workspace.
void device_series_need(work_need *w, const device_series *s);

// device_series_operands: {a} and the divisor {d} of dn limbs, both to be shifted left by `shift`
// bits, after which the divisor's top bit is set and a < d B^b; x: device_reciprocal's for its top
// k limbs. zeros: limbs above d's in memory that are 0.
typedef struct {
    limbs_device_number a, d, x;
    uint64_t zeros;
    unsigned shift;
} device_series_operands;
// device_series_estimate enqueues {*at, f + 1} = Q, in `room`: a / d B^2 - 25 < Q <= a / d B^2 + 5.
// Cost: four launches a level, and one to copy each operand that is shifted.
// Errors: as bigint_mul.
bigint_status device_series_estimate(bigint_ctx *ctx, const char *who, const device_series *s,
                                     const device_series_operands *x, uint64_t *room,
                                     const uint64_t **at);

#endif  // BIGINT_DEVICE_DIVIDE_SERIES_H_
