// launch.cuh: how a host starts kernels, on a device or in the emulation. Includes device.cuh only.
// Each launch returns its own error and leaves none for later calls.
//
//   Launch(kernel, grid, block, shared_bytes, stream, arguments...)
//   LaunchCooperative(the same)    with all blocks resident at once, or an error
//   LaunchEarly(the same)          blocks may start while the kernel before them in the stream
//                                  ends: each thread calls WaitForKernelBefore() before it touches
//                                  memory. Half a microsecond less from launch to launch; more if
//                                  the kernel before calls LetKernelAfterBegin()
//   LaunchCluster(kernel, grid, block, cluster, shared_bytes, stream, arguments...)
//                                  blocks that follow each other in x, `cluster` of them, form one
//                                  cluster; grid.x is a multiple of that, or an error. More than 8
//                                  need AllowCluster. An error before compute capability 9.0
//   LaunchClusterEarly(the same)   both at once
//   DeviceAttribute(attribute, &value)
//                                  what the present device has
//   ResidentBlocks(kernel, block, shared_bytes, &blocks)
//                                  how many blocks a cooperative launch may have
//   AllowShared(kernel, bytes)     lets a kernel have that many bytes of dynamic shared memory: it
//                                  must ask beyond 48 KiB of dynamic and static together
//   AllowCluster(kernel, cluster)  lets a kernel have clusters of that many blocks, which it must
//                                  ask for beyond 8
//   ResidentClusters(kernel, block, cluster, shared_bytes)
//                                  how many such clusters the present device runs at once, 0 where
//                                  they are too large; from compute capability 9.0 on
//   kMaxGridX                      how many blocks any launch may have in x
#ifndef PRIMITIVES_CUDA_LAUNCH_CUH_
#define PRIMITIVES_CUDA_LAUNCH_CUH_

#include "primitives/cuda/device.cuh"

constexpr uint64_t kMaxGridX = ((uint64_t)1 << 31) - 1;

inline cudaError_t DeviceAttribute(cudaDeviceAttr attribute, int *value) {
    int device = 0;
    const cudaError_t e = cudaGetDevice(&device);
    return e == cudaSuccess ? cudaDeviceGetAttribute(value, attribute, device) : e;
}

template <class K>
cudaError_t AllowShared(K kernel, size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

constexpr unsigned kPortableCluster = 8;
template <class K>
cudaError_t AllowCluster(K kernel, unsigned cluster) {
    return cluster <= kPortableCluster
               ? cudaSuccess
               : cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
}

// In what a launch differs from the plain one. cluster: blocks in each, or 0 for no clusters.
struct LaunchKind {
    bool cooperative, early;
    unsigned cluster;
};

inline bool WholeClusters(dim3 grid, unsigned cluster) {
    return cluster > 0 && grid.x % cluster == 0;
}

#if defined(__CUDACC__)

// Devices before compute capability 9.0 have no early start, so the attribute is not set there.
template <class... P, class... A>
cudaError_t LaunchWith(LaunchKind kind, void (*kernel)(P...), dim3 grid, dim3 block,
                       size_t shared_bytes, cudaStream_t stream, A... arguments) {
    int major = 0;
    if (kind.early || kind.cluster > 0) {
        const cudaError_t e = DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major);
        if (e != cudaSuccess) {
            return e;
        }
    }
    if (kind.cluster > 0 && major < 9) {
        return cudaErrorNotSupported;
    }
    cudaLaunchAttribute attributes[3];
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    if (kind.cooperative) {
        cudaLaunchAttribute &together = attributes[config.numAttrs++];
        together.id = cudaLaunchAttributeCooperative;
        together.val.cooperative = 1;
    }
    if (kind.early && major >= 9) {
        cudaLaunchAttribute &early = attributes[config.numAttrs++];
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
    }
    if (kind.cluster > 0) {
        cudaLaunchAttribute &cluster = attributes[config.numAttrs++];
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {kind.cluster, 1, 1};
    }
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

// ResidentBlocks asks the driver how many blocks of that many threads and dynamic shared bytes the
// present device runs at once: at least 1, or an error. Takes a few hundred nanoseconds, so it is
// called before each cooperative launch and its answer is not cached.
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

template <class... P>
unsigned ResidentClusters(void (*kernel)(P...), unsigned block, unsigned cluster,
                          size_t shared_bytes) {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = cluster;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0;
    const cudaError_t e = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    if (e != cudaSuccess) {
        cudaGetLastError();  // clears the error: a cluster that is too large is not a failure
        return 0;
    }
    return (unsigned)clusters;
}

#else

template <class K, class... A>
cudaError_t LaunchWith(LaunchKind kind, K kernel, dim3 grid, dim3 block, size_t shared_bytes,
                       cudaStream_t stream, A... arguments) {
    if (kind.cooperative && grid.x > emulation::Resident(block.x)) {
        return cudaErrorCooperativeLaunchTooLarge;
    }
    const emulation::Shape shape = {grid, block, std::max(kind.cluster, 1u), shared_bytes,
                                    kind.early};
    return emulation::Enqueue(
        stream, [=] { emulation::LaunchKernel(shape, [&] { kernel(arguments...); }); });
}

template <class K>
cudaError_t ResidentBlocks(K, unsigned block, size_t, unsigned *blocks) {
    *blocks = (unsigned)emulation::Resident(block);
    return cudaSuccess;
}

template <class K>
unsigned ResidentClusters(K, unsigned block, unsigned cluster, size_t) {
    return (unsigned)emulation::Resident(block) / cluster;
}

#endif

template <class K, class... A>
cudaError_t Launch(K kernel, dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                   A... arguments) {
    return LaunchWith({false, false, 0}, kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K, class... A>
cudaError_t LaunchCooperative(K kernel, unsigned grid, unsigned block, size_t shared_bytes,
                              cudaStream_t stream, A... arguments) {
    return LaunchWith({true, false, 0}, kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K, class... A>
cudaError_t LaunchEarly(K kernel, dim3 grid, unsigned block, size_t shared_bytes,
                        cudaStream_t stream, A... arguments) {
    return LaunchWith({false, true, 0}, kernel, grid, block, shared_bytes, stream, arguments...);
}

template <class K, class... A>
cudaError_t LaunchCluster(K kernel, dim3 grid, dim3 block, unsigned cluster, size_t shared_bytes,
                          cudaStream_t stream, A... arguments) {
    return WholeClusters(grid, cluster) ? LaunchWith({false, false, cluster}, kernel, grid, block,
                                                     shared_bytes, stream, arguments...)
                                        : cudaErrorInvalidConfiguration;
}

template <class K, class... A>
cudaError_t LaunchClusterEarly(K kernel, dim3 grid, dim3 block, unsigned cluster,
                               size_t shared_bytes, cudaStream_t stream, A... arguments) {
    return WholeClusters(grid, cluster) ? LaunchWith({false, true, cluster}, kernel, grid, block,
                                                     shared_bytes, stream, arguments...)
                                        : cudaErrorInvalidConfiguration;
}

#endif  // PRIMITIVES_CUDA_LAUNCH_CUH_
