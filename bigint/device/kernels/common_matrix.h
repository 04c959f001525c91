// common_matrix.h: products of up to 2^14 bits each of a batch by one factor common to all, on a
// device in one launch, as a product of matrices by warpgroups: 64 products at a time. Internal to
// bigint/; plain C.
//
// As common_product.h, for longer factors and larger batches: both matrices are read from shared
// memory by the instructions themselves.
#ifndef BIGINT_DEVICE_KERNELS_COMMON_MATRIX_H_
#define BIGINT_DEVICE_KERNELS_COMMON_MATRIX_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// common_matrix_tiles: tiles of 16 limbs for products of factors of an and bn limbs, 1 to 16; 0:
// they are too long, or the present device does not have the instructions.
unsigned common_matrix_tiles(uint64_t an, uint64_t bn);

// common_matrix enqueues the products `rows`, each of so many tiles. Requires: no list; a or b is
// one for all (stride 0); each fits, or an = 0 or bn = 0; the results overlap no operand.
// Cost: one launch; reads the operands and writes the results once. 64 products take 4 tiles^2 +
// 4 tiles products of 64 x 32 by 32 x 128 bytes, 4 tiles^2 of them useful where factors fill their
// tiles.
// RESULT_REFUSED: a requirement of `rows` or `tiles` is broken.
result common_matrix(const product_rows *rows, unsigned tiles, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_COMMON_MATRIX_H_
