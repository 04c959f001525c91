// product_rows_check.h: the check of many products on a device in one launch. Internal to bigint/;
// plain C.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CHECK_H_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CHECK_H_

#include "bigint/device/kernels/product_rows.h"
#include "primitives/residues/residue.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// product_rows_check enqueues the comparison of each {r, rn} with {a, an} {b, bn} modulo m, a warp
// for each. As limbs_residue_product does, it counts those that differ in the report, where the
// first of them leaves its lengths, the longer first; workspace as there. Results overlap no
// operand.
// Cost: one launch, one read of the numbers, some 22 instructions a limb and 200 a product.
// Errors: RESULT_DEVICE_ERROR.
result product_rows_check(limbs_residue_report *report, const product_rows *rows,
                          const limbs_modulus *m, void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CHECK_H_
