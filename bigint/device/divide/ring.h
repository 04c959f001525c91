// ring.h: products modulo B^n - 1 and B^n + 1 on a device, B = 2^64, by a transform of n limbs,
// around which all coefficients wrap. Internal to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_RING_H_
#define BIGINT_DEVICE_DIVIDE_RING_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/recombine_device.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "fft/device/modular/ring_plan.h"
#include "primitives/limbs/ring_device.h"

// device_ring_plan: the plan of a product of an by bn limbs modulo B^n - 1, or B^n + 1 if `plus`,
// least <= n <= most. prepared: the operand of bn limbs is prepared. False if there is none that
// keeps to the cap, for other engines than the modular transform, and with checks, which need whole
// products.
bool device_ring_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                      uint64_t least, uint64_t most, bool plus, bool square, bool prepared);
// device_ring_whole: the same for n limbs alone, in one launch of a cluster; for
// device_ring_residue.
bool device_ring_whole(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                       uint64_t n, bool plus, bool square);
static inline uint64_t device_ring_limbs(const device_plan *plan) {
    return fft_modular_ring_limbs(&plan->modular);
}
// device_ring_pays: whether the ring's transforms are an eighth shorter than the transforms of the
// whole product, and the product needs more than one launch.
bool device_ring_pays(const bigint_ctx *ctx, const device_plan *ring);

// device_ring_adds: whether the launch that makes limbs of a product can add a number.
static inline bool device_ring_adds(const device_plan *plan) {
    return plan->modular.digit_bits == (plan->modular.primes == FFT_PRIMES_USED ? 64 : 128);
}
// device_ring_kept: the transform of a product's second factor, device_planes_bytes of memory,
// kept for others. whole: all of it, as device_fill_planes leaves it. Else the first product makes
// its columns there (made: it has), and each product makes its rows again, which saves two
// launches.
typedef struct {
    double *planes;
    bool whole, made;
} device_ring_kept;

// device_ring_multiply enqueues {rp, n + LIMBS_RING_OVER} = a b, or its negative, in two's
// complement, reduced modulo B^n -+ 1 to a magnitude below B^(n + 3), between device_begin and
// device_end for the ring's plan. a and b have their signs on the device, or both have none. rp is
// aligned to 16 bytes and may be a.p or b.p. kept: b's transform if the plan is for a prepared
// operand, else NULL. more: NULL, or what is added, where device_ring_adds: up to 2^16 n limbs; the
// magnitude is below B^(n + 5) then.
result device_ring_multiply(const device_work *run, uint64_t *rp, limbs_device_number a,
                            limbs_device_number b, bool negative, device_ring_kept *kept,
                            const recombine_more *more);

// device_ring_spread spreads the launches of a ring's plan over branches, as a product's are, where
// memory suffices. One call enqueues them once the same operands came before.
void device_ring_spread(const bigint_ctx *ctx, device_plan *plan);
// device_ring_residue enqueues {rp, n}, modulo B^n + 1 {rp, n + 1}, = the residue of a b, with
// *sign = 0, for such a plan. rp has room for n + LIMBS_RING_OVER limbs, or for the residue by a
// plan of one launch; the rest as for device_ring_multiply.
result device_ring_residue(const device_work *run, uint64_t *rp, uint64_t *sign,
                           limbs_device_number a, limbs_device_number b);

#endif  // BIGINT_DEVICE_DIVIDE_RING_H_
