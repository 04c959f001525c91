// short_product_stub.c: short_product.h where no CUDA toolkit was there to build it: refused.
#include "bigint/device/kernels/short_product.h"

unsigned short_product_limbs(uint64_t an, uint64_t bn, bool squares) {
    (void)an, (void)bn, (void)squares;
    return 0;
}

result short_product(const product_rows *rows, unsigned limbs, cuda_stream stream) {
    (void)rows, (void)limbs, (void)stream;
    return RESULT_NO_DEVICE;
}
