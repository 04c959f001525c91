// tiled_product.h: batches of products of up to 2^14 bits on a device in one launch, by tensor
// cores: a warp for each product. Internal to bigint/; plain C.
//
// A product is the convolution of its factors' bytes in tiles of 16 limbs
// (primitives/tiles/tiled_words.cuh). The lanes that hold the columns turn them into words with
// their carries. Source: the numbering of columns, which gives each lane whole words, is ours.
#ifndef BIGINT_DEVICE_KERNELS_TILED_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_TILED_PRODUCT_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// tiled_product_tiles: the smallest kernel for products of an by bn limbs, as its tiles: 1, 2, 3,
// 4, 6, 8, 12 or 16; 0 if they are too long. A kernel of t tiles takes factors of up to 16 t limbs.
unsigned tiled_product_tiles(uint64_t an, uint64_t bn);

// tiled_product enqueues the products `rows` with the kernel of `tiles` tiles. Requires: each fits
// it, or an = 0 or bn = 0. The results overlap no operand, but a single product's r may be its a or
// b.
// Cost: one launch; reads the operands and writes the results once. A product of t tiles takes 4
// t^2 + 5 t products of 16 x 32 by 32 x 8 bytes, 4 t^2 of them useful if factors fill it. A square
// of 6 tiles or more (b equals a in pointer and length) takes three products of t / 2 tiles.
// RESULT_REFUSED: no kernel has this many tiles, or there are more than 2^33 products.
result tiled_product(const product_rows *rows, unsigned tiles, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_TILED_PRODUCT_H_
