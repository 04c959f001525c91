// product.h: short products on a device in one launch: one cluster of blocks computes
// digits, transforms, remaindering and carries of each product. Internal to bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_CLUSTER_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_CLUSTER_PRODUCT_H_

#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "fft/device/modular/convolution.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// cluster_product_blocks: the most blocks that a cluster of these kernels may have on the current
// device: 12, 6, 3, or 0 if there are no clusters. Cost: some queries to the driver.
unsigned cluster_product_blocks(void);

// cluster_product enqueues the products `rows`, each by its own cluster, and the sign of a single
// product, unless signs is NULL. plan: a whole one (fft_modular_whole) for operands at least as
// long as these; tables: of its shape. square: each b is its a, which is read once.
// Requires: for each product an, bn, rn >= 1, an + bn <= the plan's points. A single product's r
// may be its a or b, and the signs may be one word, because everything is read before anything is
// written; results of several products overlap no operand.
// Cost: one launch of 3 blocks a piece for each product; transforms of a piece at 3.6 operations on
// doubles a level and point, three of them, two for a square; reads each operand once a block and
// the tables of a piece, writes rn limbs; blocks exchange 24 bytes a coefficient.
// RESULT_REFUSED: the plan is not whole, the tables belong to another plan, there are more blocks
// than a grid has, or the products of a batch without a list are too long for the plan.
result cluster_product(const product_rows *rows, const recombine_signs *signs, bool square,
                       const fft_modular_plan *plan, const fft_modular_tables *tables,
                       cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_CLUSTER_PRODUCT_H_
