// product_rows_sum.h: sums and differences of pairs of numbers, many in two launches. Internal to
// bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_SUM_H_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_SUM_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// product_rows_signs: one word for each item, in device memory; not 0: the number is negative.
// a, b: NULL: none is. r: 1 where the sum is below 0, else 0; NULL: not wanted.
typedef struct {
    const uint64_t *a, *b;
    uint64_t *r;
} product_rows_signs;

// product_rows_sum_bytes: workspace for `count` sums of up to rn limbs.
uint64_t product_rows_sum_bytes(uint64_t count, uint64_t rn);

// product_rows_sum enqueues {r, rn} = |a + b| of each item, zero-padded, with these signs. an and
// bn are the lengths of a and b here, longest: the most limbs of any r.
// Requires: rn > an, bn; that much workspace, 4-byte aligned; results overlap nothing.
// Cost: two launches; reads a and b twice, writes r once. A block looks for the carry into its 1024
// limbs below them, as far as limbs pass a carry on.
// RESULT_REFUSED: 2^31 blocks or more.
result product_rows_sum(const product_rows *rows, const product_rows_signs *signs, uint64_t longest,
                        void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_SUM_H_
