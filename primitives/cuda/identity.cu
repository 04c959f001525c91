// identity.cu: see identity.h. Includes launch.cuh.
#include "primitives/cuda/identity.h"

#include <cstring>

#include "primitives/cuda/launch.cuh"

#if !defined(__CUDACC__)
#include <unistd.h>
#endif

result cuda_identity(int ordinal, unsigned char id[CUDA_IDENTITY_BYTES]) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
#if defined(__CUDACC__)
    static_assert(sizeof properties.uuid == CUDA_IDENTITY_BYTES, "a UUID");
    memcpy(id, &properties.uuid, CUDA_IDENTITY_BYTES);
#else
    const long own[2] = {(long)getpid(), (long)ordinal};
    static_assert(sizeof own == CUDA_IDENTITY_BYTES, "a process and an ordinal");
    memcpy(id, own, CUDA_IDENTITY_BYTES);
#endif
    return RESULT_OK;
}
