// newton.h: a step of Newton's iteration for reciprocals on a device in one launch, by one
// cluster of blocks. Internal to bigint/; plain C. B = 2^64.
#ifndef BIGINT_DEVICE_KERNELS_CLUSTER_NEWTON_H_
#define BIGINT_DEVICE_KERNELS_CLUSTER_NEWTON_H_

#include <stdbool.h>
#include <stdint.h>

#include "fft/device/modular/convolution.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// CLUSTER_NEWTON_OVER: limbs that numbers of a step may be longer than its ring of N points.
enum { CLUSTER_NEWTON_OVER = 8 };

// cluster_newton_step: {to, k + 1} = X B^l + X T / B^(2 h - l) within 1, l = k - h, for X = {x, h +
// 1} and T = B^(n + h) - {e, n} X, |T| < 6 B^n, X <= 2 B^h + 2; T counts as T B^(k - n) for n < k.
// room: N limbs, aligned to 16 bytes. Nothing overlaps.
// Requires: 1 <= n <= k, l <= h - 1, n + 1 and 2 h + 1 at most N + CLUSTER_NEWTON_OVER.
typedef struct {
    uint64_t *to, *room;
    const uint64_t *x, *e;
    uint64_t k, h, n;
} cluster_newton_step;

// cluster_newton_plan: the shape for steps of k, h and n limbs with a cluster of up to `blocks`
// blocks (cluster_product_blocks). False: they are too long, or there is no such cluster.
bool cluster_newton_plan(fft_modular_plan *plan, uint64_t k, uint64_t h, uint64_t n,
                         unsigned blocks);
// cluster_newton enqueues this step by a plan of that shape. Cost: one launch of 3 blocks a piece;
// five transforms of a piece, of which X's serves both products; reads e and x once a block.
// RESULT_REFUSED: another shape, or lengths that are not allowed.
result cluster_newton(const cluster_newton_step *step, const fft_modular_plan *plan,
                      const fft_modular_tables *tables, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_CLUSTER_NEWTON_H_
