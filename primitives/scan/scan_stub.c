// scan_stub.c: the device side of scan.h in a build without a CUDA toolkit: nothing is valid there.
#include "primitives/scan/scan.h"

bool scan_valid(const scan_job *job) {
    (void)job;
    return false;
}

size_t scan_workspace_bytes(const scan_job *job) {
    (void)job;
    return 0;
}

result scan_device(const scan_job *job, void *out, const void *in, void *workspace, size_t bytes,
                   cuda_stream stream) {
    (void)job, (void)out, (void)in, (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}
