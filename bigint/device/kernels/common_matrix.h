// common_matrix.h: a batch of products of up to 2^14 bits each by one common factor, on a device in
// one launch, as a product of matrices by warpgroups: 64 products at a time. Internal to bigint/;
// plain C.
//
// It does the same as common_product.h for longer factors and larger batches. The tensor core
// instructions read both matrices directly from shared memory.
#ifndef BIGINT_DEVICE_KERNELS_COMMON_MATRIX_H_
#define BIGINT_DEVICE_KERNELS_COMMON_MATRIX_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// common_matrix_tiles: tiles of 16 limbs for products of factors of an and bn limbs, 1 to 16; 0 if
// they are too long, or the current device does not have the instructions.
unsigned common_matrix_tiles(uint64_t an, uint64_t bn);

// common_matrix enqueues the products `rows`, each of `tiles` tiles. Requires: no list; a or b is
// common to all (stride 0); each product fits, or an = 0 or bn = 0; the results overlap no operand.
// Cost: one launch; reads the operands and writes the results once. 64 products take 4 tiles^2 + 4
// tiles products of 64 x 32 by 32 x 128 bytes, 4 tiles^2 of them useful if factors fill their
// tiles.
// RESULT_REFUSED: a requirement on `rows` or `tiles` is broken.
result common_matrix(const product_rows *rows, unsigned tiles, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_COMMON_MATRIX_H_
