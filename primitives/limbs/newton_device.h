// newton_device.h: the linear passes of Newton's iteration for reciprocals and quotients on a
// device, one launch each: shift, complement, round and correct together. Plain C; the kernels are
// in newton_device.cu. B = 2^64. Rules as in device.h; nothing overlaps unless it says so.
//
// Carries go on only from one limb: one block, or in limbs_device_round each, reads limbs as far as
// they go. So times do not depend on values, except for long runs of zeros or ones.
#ifndef PRIMITIVES_LIMBS_NEWTON_DEVICE_H_
#define PRIMITIVES_LIMBS_NEWTON_DEVICE_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/limbs/ring_device.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// limbs_upper: {p, n} in two's complement. lift: NULL, or p is what a transform has left of a
// number that it tells, as before limbs_device_lift; lift->n + lift->low >= n. What is taken then
// differs by less than B^8, so only limbs from 16 on are used.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    const limbs_lift *lift;
} limbs_upper;

// limbs_device_residual enqueues {tp, tn} = floor(v B^(tn - v.n)) or the complement of that for v <
// 0: |v| B^(tn - v.n) is between t and t + 1. *t_sign = 1 for v < 0, else 0; the other way round if
// `flip`. tn, v.n >= 1; with a lift tn + 16 <= v.n.
result limbs_device_residual(uint64_t *tp, uint64_t tn, uint64_t *t_sign, limbs_upper v, bool flip,
                             cuda_stream stream);

// limbs_device_refine enqueues {rp, rn} = {hp, rn - l} B^l + f, or - f - 1 if *sign is not 0, for f
// = floor(v / 2^right) for the highest l + 1 limbs v of `of`, right < 64. The result is in this
// range. finished: a word that is 0, and is again afterwards. Requires: l < rn, l < of.n; with a
// lift l + 17 <= of.n.
result limbs_device_refine(uint64_t *rp, uint64_t rn, const uint64_t *hp, limbs_upper of,
                           uint64_t l, unsigned right, const uint64_t *sign, uint32_t *finished,
                           cuda_stream stream);

// limbs_device_round enqueues {rp, rn} = floor(({pp, rn + 1} + more) / B), which is in this range.
// rn >= 1.
result limbs_device_round(uint64_t *rp, uint64_t rn, const uint64_t *pp, uint64_t more,
                          cuda_stream stream);

// limbs_device_correct enqueues q = q - 1 where that is so, and the signs: *q_sign differs from 0
// where a's and d's differ, *r_sign = a's; both are left where they are NULL.
result limbs_device_correct(const limbs_quotient *quotient, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_LIMBS_NEWTON_DEVICE_H_
