// ring_plan.h: plans of products modulo B^n - 1, B = 2^64: a cyclic convolution of 1, 2 or 4 pieces
// that every coefficient may wrap around. The steps are convolution.h's.
#ifndef FFT_DEVICE_MODULAR_RING_PLAN_H_
#define FFT_DEVICE_MODULAR_RING_PLAN_H_

#include "fft/device/modular/convolution.h"

// fft_modular_plan_ring: the plan with the fewest points, counted once for each prime, for operands
// of an, bn >= 1 limbs modulo B^n - 1, where n is least or more, and no more than `most`. Operands
// may be a few limbs longer than n. plan->wrapped is 0: coefficients stay where they wrapped to, so
// that all points are one. primes, clusters: as of fft_modular_plan_limbs. False if there is none.
bool fft_modular_plan_ring(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t least,
                           uint64_t most, unsigned primes, bool clusters);
// fft_modular_ring_limbs: n of such a plan.
static inline uint64_t fft_modular_ring_limbs(const fft_modular_plan *plan) {
    return fft_modular_points(plan) / 64 * plan->digit_bits;
}

#endif  // FFT_DEVICE_MODULAR_RING_PLAN_H_
