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
// for each. Like limbs_residue_product it counts the wrong products in the report; the first of
// them stores its lengths there, the longer first. Workspace as there. Results overlap no operand.
// Cost: one launch, one read of the numbers, some 22 instructions a limb and 200 a product.
// Errors: RESULT_DEVICE_ERROR.
result product_rows_check(limbs_residue_report *report, const product_rows *rows,
                          const limbs_modulus *m, void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_CHECK_H_
