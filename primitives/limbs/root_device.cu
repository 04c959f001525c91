// root_device.cu: root_device.h. Includes launch.cuh.
#include "primitives/limbs/root_device.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/words/word.h"

namespace {

// {r, an + bn} = {a, an} {b, bn}.
template <unsigned kA, unsigned kB>
DEVICE void Multiply(uint64_t (&r)[kA + kB], const uint64_t (&a)[kA], const uint64_t (&b)[kB]) {
    for (unsigned i = 0; i < kA + kB; i++) {
        r[i] = 0;
    }
    for (unsigned i = 0; i < kA; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < kB; j++) {
            uint64_t high, bit = 0, low = word_mul(&high, a[i], b[j]);
            low = word_add(low, carry, &bit);
            carry = high + bit;
            bit = 0;
            r[i + j] = word_add(r[i + j], low, &bit);
            carry += bit;
        }
        r[i + kB] = carry;
    }
}

// Bit after bit from the top, which is B^2's second: the root is at most 2 B^2.
__global__ void ReciprocalRootKernel(uint64_t *p, const uint64_t *a) {
    WaitForKernelBefore();
    const uint64_t top[2] = {a[0], a[1]};
    uint64_t root[3] = {};
    for (unsigned bit = 130; bit-- > 0;) {
        uint64_t with[3] = {root[0], root[1], root[2]}, square[6], all[8];
        with[bit / 64] |= UINT64_C(1) << bit % 64;
        Multiply(square, with, with);
        Multiply(all, square, top);
        // At most B^6.
        const bool low = (all[0] | all[1] | all[2] | all[3] | all[4] | all[5]) == 0;
        if (all[7] == 0 && (all[6] == 0 || (all[6] == 1 && low))) {
            root[bit / 64] = with[bit / 64];
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        p[i] = root[i];
    }
}

}  // namespace

result limbs_device_reciprocal_root(uint64_t *p, const uint64_t *a, cuda_stream stream) {
    const cudaError_t error = LaunchEarly(ReciprocalRootKernel, 1, 1, 0, stream, p, a);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
