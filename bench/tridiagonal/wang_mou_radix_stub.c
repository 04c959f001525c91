// wang_mou_radix_stub.c: wang_mou_radix.h in a build without a CUDA toolkit: nothing runs.
#include "bench/tridiagonal/wang_mou_radix.h"

static size_t bytes(const tridiagonal_job *job) { return (void)job, 0; }
static bool enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }

const naive_tridiagonal wang_mou_radices[WANG_MOU_RADICES] = {
    {"ms-id-ts-2", bytes, enqueue, {0, 0}, false},
    {"ms-id-ts-4", bytes, enqueue, {0, 0}, false},
    {"ms-id-ts-8", bytes, enqueue, {0, 0}, false}};
