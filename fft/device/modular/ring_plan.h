// ring_plan.h: plans of products modulo B^n - 1, B = 2^64: a cyclic convolution of 1, 2 or 4 pieces
// that every coefficient may wrap around; and modulo B^n + 1: one piece, x^N + 1, where what wraps
// around counts negatively. The steps are convolution.h's.
#ifndef FFT_DEVICE_MODULAR_RING_PLAN_H_
#define FFT_DEVICE_MODULAR_RING_PLAN_H_

#include "fft/device/modular/convolution.h"

// fft_modular_plan_ring: the plan with the fewest points, counted once for each prime, for operands
// of an, bn >= 1 limbs modulo B^n - 1, or B^n + 1 if `plus`, where n is least or more, and no more
// than `most`. Operands may be a few limbs longer than n; those of n + 1 limbs are below 2 B^n if
// `plus`. plan->wrapped is 0: coefficients stay where they wrapped to, so that all points are one.
// primes, clusters: as of fft_modular_plan_limbs. False if there is none.
bool fft_modular_plan_ring(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t least,
                           uint64_t most, bool plus, unsigned primes, bool clusters);
// fft_modular_plan_ring_whole: the same for n limbs alone, by one launch of a cluster of up to
// `blocks` blocks, three for each piece. False: no such length, or no such cluster.
bool fft_modular_plan_ring_whole(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t n,
                                 bool plus, unsigned blocks);
// fft_modular_ring_limbs: n of such a plan.
static inline uint64_t fft_modular_ring_limbs(const fft_modular_plan *plan) {
    return fft_modular_points(plan) / 64 * plan->digit_bits;
}

#endif  // FFT_DEVICE_MODULAR_RING_PLAN_H_
