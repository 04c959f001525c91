// common_matrix_stub.c: common_matrix.h where no CUDA toolkit was there to build it: refused.
#include "bigint/device/kernels/common_matrix.h"

unsigned common_matrix_tiles(uint64_t an, uint64_t bn) {
    (void)an, (void)bn;
    return 0;
}

result common_matrix(const product_rows *rows, unsigned tiles, cuda_stream stream) {
    (void)rows, (void)tiles, (void)stream;
    return RESULT_NO_DEVICE;
}
