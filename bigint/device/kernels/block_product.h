// block_product.h: batches of products of up to 2^18 bits on a device in one launch, in floating
// point: a block computes each product, from limbs to limbs. Internal to bigint/; plain C.
//
// A product is a right-angle convolution of balanced digits of 16 bits in doubles, exact by proof
// (docs/proofs/complex_fft.md, sections 4.7 and 6). A node of 1 to 8 points cuts it into pieces of
// 2^10 points. A warp transforms each piece, 32 points in each lane, with one exchange through
// shared memory (fft/device/complex/piece.cuh). A block computes several products in turn.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_BLOCK_PRODUCT_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// block_product_lg: the smallest kernel for products of an by bn limbs, as the logarithm of its
// points: 10 to 13; 0 if they are too long, or an = 0 or bn = 0. A kernel of 2^lg points takes
// factors of up to 2^(lg - 1) limbs together.
unsigned block_product_lg(uint64_t an, uint64_t bn);

// block_product enqueues the products `rows` with the kernel of 2^lg points. Requires: each fits
// it, an, bn >= 1. A single product's r may be its a or b, because everything is read before
// anything is written; results of several products overlap no operand.
// Cost: one launch; reads the operands and writes the results once. A product takes two forward
// transforms at 3 operations on doubles a level and point and one back at 3.6, roots and digits
// aside, all without their last level, 10 a point for products of residues (8.5 of squares), and 12
// bytes of shared memory a level. It takes one forward transform less if products are squares
// (product_rows_squares), or if an a or b common to all products (stride 0) was transformed before
// in the block.
// RESULT_REFUSED: there is no such kernel, or the products of a batch without a list are too long.
result block_product(const product_rows *rows, unsigned lg, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_PRODUCT_H_
