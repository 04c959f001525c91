// device_stub.c: device.h in a build without a CUDA toolkit: nothing is valid there.
#include "carry/device.h"

bool carry_device_valid(const carry_job *job) {
    (void)job;
    return false;
}

uint64_t carry_device_extra(const carry_job *job) {
    (void)job;
    return 0;
}

size_t carry_device_workspace_bytes(const carry_job *job) {
    (void)job;
    return 0;
}

result carry_device(const carry_job *job, uint64_t *r, uint64_t *carry_out, const void *c,
                    void *workspace, size_t bytes, device_stream stream) {
    (void)job, (void)r, (void)carry_out, (void)c, (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}
