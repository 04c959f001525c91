// recombine_device_stub.c: recombine_device.h where no CUDA toolkit was there to build it: refused.
#include "bigint/device/kernels/recombine_device.h"

size_t recombine_device_bytes(uint64_t rn) {
    (void)rn;
    return 0;
}

result recombine_device(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                        const recombine_residues *residues, void *workspace, size_t bytes,
                        cuda_stream stream) {
    (void)rp, (void)rn, (void)signs, (void)residues, (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}

result recombine_device_reals(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                              const recombine_reals *reals, void *workspace, size_t bytes,
                              cuda_stream stream) {
    (void)rp, (void)rn, (void)signs, (void)reals, (void)workspace, (void)bytes, (void)stream;
    return RESULT_NO_DEVICE;
}

result recombine_device_sign(const recombine_signs *signs, cuda_stream stream) {
    (void)signs, (void)stream;
    return RESULT_NO_DEVICE;
}
