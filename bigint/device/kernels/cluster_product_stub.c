// cluster_product_stub.c: cluster_product.h where no CUDA toolkit was there to build it: refused.
#include "bigint/device/kernels/cluster_product.h"

unsigned cluster_product_blocks(void) { return 0; }

result cluster_product(const product_rows *rows, const recombine_signs *signs, bool square,
                       const fft_modular_plan *plan, const fft_modular_tables *tables,
                       cuda_stream stream) {
    (void)rows, (void)signs, (void)square, (void)plan, (void)tables, (void)stream;
    return RESULT_NO_DEVICE;
}
