// ring.h: short products modulo B^n - 1 and B^n + 1 on a device in one launch, by one cluster of
// blocks whose transforms have n points. Internal to bigint/; plain C. B = 2^64.
#ifndef BIGINT_DEVICE_KERNELS_CLUSTER_RING_H_
#define BIGINT_DEVICE_KERNELS_CLUSTER_RING_H_

#include "fft/device/modular/convolution.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// cluster_ring_product: {r, n}, {r, n + 1} modulo B^n + 1, = the residue of a b, n a plan's points,
// and *sign = 0, for a = {a, an} and b = {b, bn} with these signs. r, sign may be a's or b's.
typedef struct {
    uint64_t *r, *sign;
    const uint64_t *a, *b;
    uint64_t an, bn;
    const uint64_t *a_sign, *b_sign;
} cluster_ring_product;

// cluster_ring enqueues it by a plan of fft_modular_plan_ring_whole; tables: of its shape. square:
// b is a, which is read once.
// Requires: an, bn >= 1, at most the plan's digits.
// Cost: as cluster_product, of a product of n limbs.
// RESULT_REFUSED: another plan or other tables, or operands that are too long.
result cluster_ring(const cluster_ring_product *product, bool square, const fft_modular_plan *plan,
                    const fft_modular_tables *tables, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_CLUSTER_RING_H_
