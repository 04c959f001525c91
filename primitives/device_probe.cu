// device_probe.cu: device_probe.h over the CUDA runtime, which is linked statically and loads the
// driver only when asked. May include the CUDA runtime's headers.
#include "primitives/device_probe.h"

#include <cuda_runtime.h>

namespace {

// nvcc lists the architectures of this compilation in ascending order, 900 for sm_90. The newest
// one is compiled to PTX too, so any device at least as new as the first has code to run.
constexpr int kArchitectures[] = {__CUDA_ARCH_LIST__};
constexpr int kOldest = kArchitectures[0];

int Architecture(int device) {
    int major = 0;
    int minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        return 0;
    }
    return 100 * major + 10 * minor;
}

}  // namespace

size_t device_probe_count(void) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess) {
        return 0;
    }
    size_t usable = 0;
    for (int device = 0; device < devices; device++) {
        usable += Architecture(device) >= kOldest ? 1 : 0;
    }
    return usable;
}
