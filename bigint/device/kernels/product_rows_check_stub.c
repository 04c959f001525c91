// product_rows_check_stub.c: product_rows_check.h where no CUDA toolkit was there to build it.
#include "bigint/device/kernels/product_rows_check.h"

result product_rows_check(limbs_residue_report *report, const product_rows *rows,
                          const limbs_modulus *m, void *workspace, cuda_stream stream) {
    (void)report, (void)rows, (void)m, (void)workspace, (void)stream;
    return RESULT_NO_DEVICE;
}
