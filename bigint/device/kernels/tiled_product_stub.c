// tiled_product_stub.c: tiled_product.h where no CUDA toolkit was there to build it: refused.
#include "bigint/device/kernels/tiled_product.h"

unsigned tiled_product_tiles(uint64_t an, uint64_t bn) {
    (void)an, (void)bn;
    return 0;
}

result tiled_product(const product_rows *rows, unsigned tiles, cuda_stream stream) {
    (void)rows, (void)tiles, (void)stream;
    return RESULT_NO_DEVICE;
}
