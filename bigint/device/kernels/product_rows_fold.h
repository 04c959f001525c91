// product_rows_fold.h: residues modulo 2^bits - 1 and 2^bits + 1 of many numbers in one or two
// launches. Internal to bigint/; plain C.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_FOLD_H_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_FOLD_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// product_rows_folding: number i is {from + i row, row}, modulo 2^bits - 1, or 2^bits + 1 if
// `plus`; bits >= 1.
typedef struct {
    const uint64_t *from;
    uint64_t row, bits;
    bool plus;
} product_rows_folding;

// product_rows_fold_bytes: workspace for `count` numbers.
uint64_t product_rows_fold_bytes(uint64_t count, uint64_t bits);

// product_rows_fold enqueues {r, rn} of each item = the residue of its number, zero-padded. The
// factors of `rows` are not read.
// Requires: 1 <= row <= 2 (bits / 64 + 1); rn is enough for a residue; that much workspace, 4-byte
// aligned; results overlap nothing that is read.
// Cost: one launch, two for moduli of more than 1024 limbs; reads each number once for a launch and
// writes r once. A block finds the carry into its 1024 limbs below them, as far as limbs pass a
// carry on. A thread computes a residue of up to 16 limbs, a warp one of up to 128.
// RESULT_REFUSED: 2^31 blocks or more.
result product_rows_fold(const product_rows *rows, const product_rows_folding *folding,
                         void *workspace, cuda_stream stream);

// product_rows_fold_one enqueues the same of one number with a sign: {r, rn} = its residue, where
// *sign is not 0 that of its negative, and *r_sign = 0. r_sign is not the word `sign`.
result product_rows_fold_one(uint64_t *r, uint64_t rn, uint64_t *r_sign, const uint64_t *sign,
                             const product_rows_folding *folding, void *workspace,
                             cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_FOLD_H_
