// tridiagonal_stub.c: the device side of tridiagonal.h in a build without a CUDA toolkit.
#include "primitives/tridiagonal/tridiagonal.h"

result tridiagonal_device(const tridiagonal_plan *plan, const void *a, const void *b, const void *c,
                          const void *d, void *x, uint32_t *status, void *workspace, size_t bytes,
                          cuda_stream stream) {
    (void)plan, (void)a, (void)b, (void)c, (void)d, (void)x, (void)status, (void)workspace;
    (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}
