// launch.cuh: how a host starts a kernel, on a device or in the emulation. Includes device.cuh only.
// Each launch returns its own error and leaves none behind for calls that come later.
//
//   Launch(kernel, grid, block, shared_bytes, stream, arguments...)
//   LaunchCooperative(the same)    with all blocks resident at once, or an error
//   LaunchEarly(the same)          blocks may start while the kernel before them in the stream
//                                  ends: each thread calls WaitForKernelBefore() before it touches
//                                  memory. Half a microsecond less from launch to launch
//   DeviceAttribute(attribute, &value)
//                                  what the present device has
//   ResidentBlocks(kernel, block, shared_bytes, &blocks)
//                                  how many blocks a cooperative launch may have
#ifndef PRIMITIVES_LAUNCH_CUH_
#define PRIMITIVES_LAUNCH_CUH_

#include "primitives/device.cuh"

inline cudaError_t DeviceAttribute(cudaDeviceAttr attribute, int *value) {
    int device = 0;
    const cudaError_t e = cudaGetDevice(&device);
    return e == cudaSuccess ? cudaDeviceGetAttribute(value, attribute, device) : e;
}

#if defined(__CUDACC__)

template <class... P, class... A>
cudaError_t LaunchWith(const cudaLaunchAttribute *attribute, void (*kernel)(P...), dim3 grid,
                       dim3 block, size_t shared_bytes, cudaStream_t stream, A... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    cudaLaunchAttribute one;
    if (attribute != nullptr) {
        one = *attribute;
        config.attrs = &one;
        config.numAttrs = 1;
    }
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <class K, class... A>
cudaError_t Launch(K kernel, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                   A... arguments) {
    return LaunchWith(nullptr, kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K, class... A>
cudaError_t LaunchCooperative(K kernel, unsigned grid, unsigned block, size_t shared_bytes,
                              cudaStream_t stream, A... arguments) {
    cudaLaunchAttribute together;
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    return LaunchWith(&together, kernel, grid, block, shared_bytes, stream, arguments...);
}

// Devices before compute capability 9.0 have no early start.
template <class K, class... A>
cudaError_t LaunchEarly(K kernel, unsigned grid, unsigned block, size_t shared_bytes,
                        cudaStream_t stream, A... arguments) {
    int major = 0;
    const cudaError_t e = DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major);
    if (e != cudaSuccess) {
        return e;
    }
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    return LaunchWith(major >= 9 ? &early : nullptr, kernel, grid, block, shared_bytes, stream,
                      arguments...);
}

// ResidentBlocks asks the driver how many blocks of so many threads and dynamic shared bytes the
// present device runs at once: at least 1, or an error. Some hundred nanoseconds, so it is asked
// where a cooperative launch follows, and its answer is kept nowhere.
template <class K>
cudaError_t ResidentBlocks(K kernel, unsigned block, size_t shared_bytes, unsigned *blocks) {
    int multiprocessors = 0, each = 0;
    cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e == cudaSuccess) {
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)block, shared_bytes);
    }
    *blocks = (unsigned)multiprocessors * (unsigned)each;
    return e == cudaSuccess && *blocks == 0 ? cudaErrorCooperativeLaunchTooLarge : e;
}

#else

template <class K, class... A>
cudaError_t LaunchWith(bool early, K kernel, dim3 grid, dim3 block, size_t shared_bytes,
                       cudaStream_t stream, A... arguments) {
    return emulation::Enqueue(stream, [=] {
        emulation::LaunchKernel(
            grid, block, shared_bytes, [&] { kernel(arguments...); }, early);
    });
}

template <class K, class... A>
cudaError_t Launch(K kernel, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                   A... arguments) {
    return LaunchWith(false, kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K, class... A>
cudaError_t LaunchEarly(K kernel, unsigned grid, unsigned block, size_t shared_bytes,
                        cudaStream_t stream, A... arguments) {
    return LaunchWith(true, kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K, class... A>
cudaError_t LaunchCooperative(K kernel, unsigned grid, unsigned block, size_t shared_bytes,
                              cudaStream_t stream, A... arguments) {
    if (grid > emulation::Resident(block)) {
        return cudaErrorCooperativeLaunchTooLarge;
    }
    return Launch(kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K>
cudaError_t ResidentBlocks(K, unsigned block, size_t, unsigned *blocks) {
    *blocks = (unsigned)emulation::Resident(block);
    return cudaSuccess;
}

#endif

#endif  // PRIMITIVES_LAUNCH_CUH_
