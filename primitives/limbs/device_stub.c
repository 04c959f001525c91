// device_stub.c: device.h in a build without a CUDA toolkit.
#include "primitives/limbs/device.h"

result limbs_device_lshift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                           uint64_t bits, limbs_sign sign, cuda_stream stream) {
    (void)rp, (void)rn, (void)r_sign, (void)a, (void)bits, (void)sign, (void)stream;
    return RESULT_NO_DEVICE;
}

result limbs_device_rshift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                           uint64_t bits, limbs_sign sign, cuda_stream stream) {
    (void)rp, (void)rn, (void)r_sign, (void)a, (void)bits, (void)sign, (void)stream;
    return RESULT_NO_DEVICE;
}

result limbs_device_compare(limbs_device_order *out, limbs_device_number a, limbs_device_number b,
                            limbs_compare_purpose purpose, void *workspace, cuda_stream stream) {
    (void)out, (void)a, (void)b, (void)purpose, (void)workspace, (void)stream;
    return RESULT_NO_DEVICE;
}
