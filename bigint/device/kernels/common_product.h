// common_product.h: a batch of products of up to 2^14 bits each by one common factor, on a device
// in one launch, by tensor cores: a warp for 16 products at a time. Internal to bigint/; plain C.
//
// The bytes of the batch form one matrix and the Toeplitz matrix of the common factor the other
// (primitives/tiles/toeplitz.cuh). Its fragments are made once for many products, and a lane has
// the columns of whole limbs without an exchange.
#ifndef BIGINT_DEVICE_KERNELS_COMMON_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_COMMON_PRODUCT_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// common_product_tiles: tiles of 16 limbs for products of factors of an and bn limbs, 1 to 8; 0 if
// they are too long.
unsigned common_product_tiles(uint64_t an, uint64_t bn);

// common_product enqueues the products `rows`, each of `tiles` tiles. Requires: no list; a or b is
// common to all (stride 0); each product fits, or an = 0 or bn = 0; the results overlap no operand.
// Cost: one launch; reads the operands and writes the results once. 16 products take 64 tiles^2 +
// 16 tiles products of 16 x 32 by 32 x 8 bytes, 64 tiles^2 of them useful if factors fill their
// tiles. A multiprocessor computes up to 16 x 16 products at a time, so the kernel needs some ten
// thousand products to be faster than tiled_product.
// RESULT_REFUSED: a requirement on `rows` or `tiles` is broken.
result common_product(const product_rows *rows, unsigned tiles, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_COMMON_PRODUCT_H_
