// block_product_stub.c: block_product.h where no CUDA toolkit was there to build it: refused.
#include "bigint/device/kernels/block_product.h"

unsigned block_product_lg(uint64_t an, uint64_t bn) {
    (void)an, (void)bn;
    return 0;
}

result block_product(const product_rows *rows, unsigned lg, cuda_stream stream) {
    (void)rows, (void)lg, (void)stream;
    return RESULT_NO_DEVICE;
}
