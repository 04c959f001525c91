// cluster_product.h: short products on a device in one launch: digits, transforms, remaindering and
// carries by one cluster of blocks. Internal to bigint/; plain C.
#ifndef BIGINT_CLUSTER_PRODUCT_H_
#define BIGINT_CLUSTER_PRODUCT_H_

#include "bigint/recombine_device.h"
#include "fft/modular.h"
#include "primitives/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// cluster_product_blocks: how many blocks a cluster of these kernels may have on the present
// device: 12, 6, 3, or 0 where there are none. Cost: some questions to the driver.
unsigned cluster_product_blocks(void);

// cluster_product enqueues {rp, rn} = a b, and the sign. plan: a whole one (fft_modular_whole) for
// operands no shorter than these, tables: of its shape. square: b is a, which is not read again.
// Requires: words_n >= 1, the value is below 2^(64 rn), 1 <= rn <= a.words_n + b.words_n. rp may be
// a's or b's words, and the signs may be one word: all is read before anything is written.
// Cost: one launch of 3 blocks a piece; transforms of a piece at 3.6 operations on doubles a level
// and point, three of them, two for a square; reads each operand once a block, the tables of a
// piece, writes rn limbs; 24 bytes a coefficient go from block to block.
// RESULT_REFUSED: the plan is not whole or too short, or the tables are another's.
result cluster_product(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                       fft_modular_operand a, fft_modular_operand b, bool square,
                       const fft_modular_plan *plan, const fft_modular_tables *tables,
                       device_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_CLUSTER_PRODUCT_H_
