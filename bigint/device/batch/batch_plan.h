// batch_plan.h: the choice of the kernel for products of a batch on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_BATCH_PLAN_H_
#define BIGINT_DEVICE_BATCH_BATCH_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/product_rows.h"
#include "fft/device/modular/convolution.h"

// device_batch_way: how a product of a batch is computed: alone, as by bigint_mul, or in launches
// that it shares with all others of its way. size: the size that the kernel's header returns
// (short_product.h, tiled_product.h, block_product.h, common_product.h, common_matrix.h in
// kernels/; BATCH_WRAPPED: block_wrapped_lg); for clusters the logarithm of the points; for passes
// (passes.h) the class; 0 for products computed alone.
typedef enum {
    BATCH_ALONE,
    BATCH_SHORT,
    BATCH_TILED,
    BATCH_BLOCK,
    BATCH_WRAPPED,
    BATCH_COMMON,
    BATCH_MATRIX,
    BATCH_CLUSTER,
    BATCH_PASSES,
    BATCH_KINDS
} device_batch_kind;
enum { BATCH_SIZES = 37 };  // above all sizes
typedef struct {
    device_batch_kind kind;
    unsigned size;
} device_batch_way;
// device_batch_sharing: what a way may use: one factor common to several products, or that all are
// squares.
typedef enum { BATCH_SHARES_NOTHING, BATCH_SHARES_FACTOR, BATCH_OF_SQUARES } device_batch_sharing;
device_batch_sharing device_batch_shares(const product_rows *rows);
// device_batch_choose: the way of products of an by bn limbs in a batch of `count`, the same for
// all such products in a context. an = 0 or bn = 0: products that are 0.
device_batch_way device_batch_choose(const bigint_ctx *ctx, device_batch_sharing shares,
                                     uint64_t count, uint64_t an, uint64_t bn);
// device_batch_shape: the shape of clusters of 2^lg points. False if the device has none.
bool device_batch_shape(const bigint_ctx *ctx, unsigned lg, fft_modular_plan *plan);
// device_batch_passes: the shape of a class of products by passes, whose points are the limbs of
// both factors that it has room for. ring: of 1 or 2 pieces that products wrap around. False if
// there is no such class.
bool device_batch_passes(unsigned size, bool ring, fft_modular_plan *plan);
// device_batch_ring: whether `count` products of up to an by bn limbs modulo B^n - 1 are faster by
// transforms around the modulus than whole products: by blocks, or by passes around the n points of
// a class. Not with checks, which need whole products, and only with an engine that has such
// transforms.
bool device_batch_ring(const bigint_ctx *ctx, uint64_t count, uint64_t an, uint64_t bn, uint64_t n,
                       device_batch_way *way);

#endif  // BIGINT_DEVICE_BATCH_BATCH_PLAN_H_
