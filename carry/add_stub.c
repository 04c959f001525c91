// add_stub.c: add.h in a build without a CUDA toolkit.
#include "carry/add.h"

uint64_t carry_add_workspace_bytes(uint64_t rn) { return (void)rn, 0; }

result carry_add(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                 limbs_device_number b, bool subtract, void *workspace, uint64_t bytes,
                 device_stream stream) {
    (void)rp, (void)rn, (void)r_sign, (void)a, (void)b, (void)subtract;
    (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}
