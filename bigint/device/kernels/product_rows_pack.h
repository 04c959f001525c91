// product_rows_pack.h: the factors of a ragged batch side by side, all of one length. Internal to
// bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_PACK_H_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_PACK_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// product_rows_pack enqueues {to + i (an + bn), an} = a and {to + i (an + bn) + an, bn} = b of each
// product i < rows->count, zero-padded.
// Requires: no factor is longer than an, bn limbs.
// Cost: one launch; reads the factors, writes an + bn limbs a product.
// RESULT_REFUSED: more than 65535 products, or more than 2^31 limbs of one.
result product_rows_pack(const product_rows *rows, uint64_t *to, uint64_t an, uint64_t bn,
                         cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_PACK_H_
