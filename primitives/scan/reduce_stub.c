// reduce_stub.c: the device side of reduce.h in a build without a CUDA toolkit: nothing is valid.
#include "primitives/scan/reduce.h"

size_t reduce_workspace_bytes(const reduce_job *job) {
    (void)job;
    return 0;
}

result reduce_device(const reduce_job *job, void *out, const void *in, void *workspace,
                     size_t bytes, cuda_stream stream) {
    (void)job, (void)out, (void)in, (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}
