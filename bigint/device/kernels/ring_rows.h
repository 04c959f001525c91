// ring_rows.h: the last step of a batch of products modulo B^n - 1, B = 2^64, by transforms of n
// points. Internal to bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_RING_ROWS_H_
#define BIGINT_DEVICE_KERNELS_RING_ROWS_H_

#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/recombine_device.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// ring_rows enqueues {r, rn} of each item = the residue of V modulo B^n - 1, zero-padded. V is the
// sum of n = residues->count coefficients times B^i, and recombine_rows has left V mod B^n in {r,
// n}. Each product's residues begin `stride` doubles after the previous one's. The factors of
// `rows` are not read.
// Requires: three primes, coefficients from 0 to n B^2, RING_ROWS_LEAST <= n <= 2^32, rn >= n.
// Cost: one launch of a block for each product, which reads and writes a few limbs, or all limbs
// where a carry goes through all of them; writes the padding.
// RESULT_REFUSED: another ring, 2^31 products or more.
enum { RING_ROWS_LEAST = 4 };
result ring_rows(const product_rows *rows, const recombine_residues *residues, uint64_t stride,
                 cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_RING_ROWS_H_
