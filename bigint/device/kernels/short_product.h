// short_product.h: batches of products of up to 1024 bits on a device in one launch: a thread for
// each product. Internal to bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_SHORT_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_SHORT_PRODUCT_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// short_product_limbs: the smallest kernel for products of an by bn limbs, as the limbs of its
// factors: 1, 2, 4, 8, 12 or 16, only for squares (product_rows_squares) 24 or 32; 0 if they are
// too long.
unsigned short_product_limbs(uint64_t an, uint64_t bn, bool squares);

// short_product enqueues the products `rows` with the kernel for factors of `limbs` limbs.
// Requires: each fits it, or an = 0 or bn = 0. The results overlap no operand, but a single
// product's r may be its a or b.
// Cost: one launch; reads the operands and writes the results once. A product of n limbs takes 4
// n^2 products of half words with carry and 2 n^2 additions; a square, if each b is its a, 2 n^2 +
// n and n^2.
// RESULT_REFUSED: there is no kernel for `limbs` limbs, or there are more than 2^37 products.
result short_product(const product_rows *rows, unsigned limbs, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_SHORT_PRODUCT_H_
