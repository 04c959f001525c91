// cluster_product.h: short products on a device in one launch: digits, transforms, remaindering and
// carries by one cluster of blocks for each. Internal to bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_CLUSTER_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_CLUSTER_PRODUCT_H_

#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "fft/device/modular/convolution.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// cluster_product_blocks: how many blocks a cluster of these kernels may have on the present
// device: 12, 6, 3, or 0 where there are none. Cost: some questions to the driver.
unsigned cluster_product_blocks(void);

// cluster_product enqueues the products `rows`, each by a cluster of its own, and the sign of the
// one product, unless signs is NULL. plan: a whole one (fft_modular_whole) for operands no shorter
// than these, tables: of its shape. square: each b is its a, which is not read again.
// Requires: of each product an, bn, rn >= 1, an + bn <= the plan's points. One product's r may be
// its a or b, and the signs may be one word: all is read before anything is written; results of
// several are apart from all operands.
// Cost: one launch of 3 blocks a piece for each product; transforms of a piece at 3.6 operations on
// doubles a level and point, three of them, two for a square; reads each operand once a block, the
// tables of a piece, writes rn limbs; 24 bytes a coefficient go from block to block.
// RESULT_REFUSED: the plan is not whole, the tables are another's, there are more blocks than a
// grid has, or, of a batch that is no list, the products are too long for the plan.
result cluster_product(const product_rows *rows, const recombine_signs *signs, bool square,
                       const fft_modular_plan *plan, const fft_modular_tables *tables,
                       cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_CLUSTER_PRODUCT_H_
