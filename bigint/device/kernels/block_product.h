// block_product.h: batches of products of up to 2^19 bits, and of products modulo 2^n - 1, on a
// device in one launch, in floating point: a block computes each product, from limbs to limbs.
// Internal to bigint/; plain C.
//
// A product is a right-angle convolution of balanced digits of 16 bits in doubles, exact by proof
// (docs/proofs/complex_fft.md, sections 4.7 and 6). A node of 1 to 8 points cuts it into pieces of
// 2^10 points. A warp transforms each piece, 32 points in each lane, with one exchange through
// shared memory (fft/device/complex/piece.cuh). A block computes several products in turn. Products
// of more than 2^13 points are made modulo two rings of half the length, one after the other, as a
// block's shared memory holds one ring's pieces; the first one's points wait in workspace.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_PRODUCT_H_
#define BIGINT_DEVICE_KERNELS_BLOCK_PRODUCT_H_

#include <stddef.h>
#include <stdint.h>

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// block_product_lg: the smallest kernel for products of an by bn limbs, as the logarithm of its
// points: 10 to 14; 0 if they are too long, or an = 0 or bn = 0. A kernel of 2^lg points takes
// factors of up to 2^(lg - 1) limbs together.
unsigned block_product_lg(uint64_t an, uint64_t bn);

// block_product_bytes: workspace for `count` products by the kernel of 2^lg points: 0 up to
// BLOCK_PRODUCT_LG_RING, above, of two rings, 128 KiB for each product that may run at once, as
// many as a device's multiprocessors, but BLOCK_PRODUCT_TOGETHER or fewer.
enum { BLOCK_PRODUCT_LG_RING = 13, BLOCK_PRODUCT_TOGETHER = 160 };
static inline size_t block_product_bytes(unsigned lg, uint64_t count) {
    const uint64_t most = BLOCK_PRODUCT_TOGETHER, blocks = count < most ? count : most;
    return lg <= BLOCK_PRODUCT_LG_RING ? 0 : (size_t)blocks * 16 << BLOCK_PRODUCT_LG_RING;
}

// block_product enqueues the products `rows` with the kernel of 2^lg points. Requires: each fits
// it, an, bn >= 1; `bytes` of 16-byte aligned workspace: with less than block_product_bytes fewer
// products run at once. A single product's r may be its a or b, because everything is read before
// anything is written; results of several products overlap no operand.
// Cost: one launch; reads the operands and writes the results once. A product takes two forward
// transforms at 3 operations on doubles a level and point and one back at 3.6, roots and digits
// aside, all without their last level, 10 a point for products of residues (8.5 of squares), and 12
// bytes of shared memory a level. It takes one forward transform less if products are squares
// (product_rows_squares), or if an a or b common to all products (stride 0) was transformed before
// in the block, which one of two rings is not. Two rings cut the digits twice, and write and read
// 16 bytes of workspace for each point of the first one.
// RESULT_REFUSED: there is no such kernel, no workspace for one product, or the products of a batch
// without a list are too long.
result block_product(const product_rows *rows, unsigned lg, void *workspace, size_t bytes,
                     cuda_stream stream);

// block_wrapped_lg: the kernel for products modulo B^n - 1, B = 2^64, of factors of up to n limbs,
// as the logarithm of its points: 13 or 14, for n = 2^11 or 2^12; 0 for any other n.
unsigned block_wrapped_lg(uint64_t n);

// block_wrapped enqueues the products modulo B^n - 1, each 0 <= r < B^n - 1, with zeros above.
// Requires: lg = block_wrapped_lg(n); an, bn <= n <= rn; workspace and results as of block_product,
// of a kernel of 2^lg points.
// Cost: one launch; reads the operands, of two rings twice, and writes the results once. Points are
// digits of both factors, so there is one transform forward and one back, as of a square.
// RESULT_REFUSED: there is no such kernel, no workspace for one product, or the numbers of a batch
// without a list have other lengths.
result block_wrapped(const product_rows *rows, unsigned lg, void *workspace, size_t bytes,
                     cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_PRODUCT_H_
