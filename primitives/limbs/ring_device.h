// ring_device.h: the last steps of arithmetic modulo 2^bits - 1 and 2^bits + 1 on a device: from
// what a transform leaves to the residue, or to an integer of which more is known. Plain C; the
// kernels are in ring_device.cu. B = 2^64. Rules as in device.h.
//
// One block does all but one launch. It reads limbs only as far as carries go, so its time does not
// depend on the length, except of numbers with long runs of zeros or ones.
#ifndef PRIMITIVES_LIMBS_RING_DEVICE_H_
#define PRIMITIVES_LIMBS_RING_DEVICE_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// LIMBS_RING_OVER: limbs above a ring's that a number in two's complement has. LIMBS_RING_LOW:
// lowest limbs of a difference that limbs_device_lift computes by itself. LIMBS_RING_LEAST: limbs
// of a ring.
enum { LIMBS_RING_OVER = 6, LIMBS_RING_LOW = 8, LIMBS_RING_LEAST = 16 };

// limbs_device_settle enqueues {p, n} = the residue of v modulo B^n - 1, or {p, n + 1} modulo
// B^n + 1 if `plus`: v is {p, n + LIMBS_RING_OVER} in two's complement, |v| < B^(n + 5), n >=
// LIMBS_RING_LEAST. The limbs above the residue are not changed. Cost: one launch.
// RESULT_REFUSED: another ring.
result limbs_device_settle(uint64_t *p, uint64_t n, bool plus, cuda_stream stream);

// limbs_lift: r = c - a b, of which a transform has told r modulo B^n - 1. c is {c, cn} + B^one_at,
// without the power if one_at is UINT64_MAX. The transform's number may lack this power.
typedef struct {
    uint64_t n;
    const uint64_t *a, *b, *c;
    uint64_t an, bn, cn, one_at;
    unsigned low;  // 1 .. LIMBS_RING_LOW
} limbs_lift;
// limbs_device_lift enqueues {p, n + low} = |r| and *r_sign, where r is congruent to {p, n +
// LIMBS_RING_OVER} in two's complement, of magnitude below B^(n + 5), and to B^one_at more if there
// is such a power. 0 has a plus. c, a and b are not overlapped; one_at >= low.
// Requires: |r| < B^(n + low) / 4, n >= LIMBS_RING_LEAST. {p} has room for n + LIMBS_RING_LOW + 1
// limbs. Cost: two launches; where r is negative its limbs are read and written once.
result limbs_device_lift(uint64_t *p, uint64_t *r_sign, const limbs_lift *lift, cuda_stream stream);
// limbs_quotient: a quotient {q, qn} that is one too large where the word at `less` is not 0; signs
// of quotient, remainder, dividend and divisor. q NULL: no quotient is wanted. r_sign and a_sign
// may be one word, as may q_sign and any.
typedef struct {
    uint64_t *q, qn, *q_sign, *r_sign;
    const uint64_t *less, *a_sign, *d_sign;
} limbs_quotient;

// limbs_device_lift_words enqueues {p, n + low} = r in two's complement, and *negative = 1 for r <
// 0, else 0; then, unless `quotient` is NULL, what limbs_device_correct (newton_device.h) does,
// where its word is *negative. The quotient may be a or b. Requires the same. Cost: the first of
// these launches.
result limbs_device_lift_words(uint64_t *p, uint64_t *negative, const limbs_lift *lift,
                               const limbs_quotient *quotient, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_LIMBS_RING_DEVICE_H_
