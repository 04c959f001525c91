// blocks.cu: see blocks.h.
#include "bench/studies/blocks.h"

#include "bench/studies/barrier.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kMostShared = 32 << 10;

DEVICE unsigned Multiprocessor() {
#if defined(__CUDACC__)
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
#else
    return 0;
#endif
}

// The dynamic shared memory is there to take up room. One block that finds others missing is enough
// for all to give up, each in its own time.
__global__ void MeetKernel(GridBarrier barrier, uint32_t polls, uint32_t *gave_up) {
    if (!barrier.Wait(1, polls) && threadIdx.x == 0) {
        atomicAdd(gave_up, 1u);
    }
}

__global__ void OrderKernel(uint32_t rounds, uint32_t *started, uint32_t *place,
                            uint32_t *counter) {
    if (threadIdx.x != 0) {
        return;
    }
    started[blockIdx.x] = atomicAdd(counter, 1u);
    place[blockIdx.x] = Multiprocessor();
    for (uint32_t i = 0; i < rounds; i++) {
        LoadRelaxed(counter);
    }
}

result Done(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

bool Valid(blocks_shape shape, uint32_t grid) {
    return shape.threads > 0 && shape.threads <= 1024 && shape.shared <= kMostShared && grid > 0;
}

#if defined(__CUDACC__)
cudaError_t Describe(residency_device *device, residency_kernel *kernel) {
    cudaFuncAttributes f;
    cudaDeviceProp d;
    cudaError_t e = cudaFuncGetAttributes(&f, MeetKernel);
    if (e == cudaSuccess) {
        e = cudaGetDeviceProperties(&d, 0);
    }
    if (e == cudaSuccess) {
        *device = {(uint32_t)d.multiProcessorCount,
                   (uint32_t)d.maxBlocksPerMultiProcessor,
                   (uint32_t)d.maxThreadsPerMultiProcessor / 32,
                   (uint32_t)d.regsPerMultiprocessor,
                   256,
                   4,
                   (uint32_t)d.sharedMemPerMultiprocessor,
                   128,
                   (uint32_t)d.reservedSharedMemPerBlock};
        kernel->registers = (uint32_t)f.numRegs;
        kernel->shared += (uint32_t)f.sharedSizeBytes;
    }
    return e;
}
#else
// The emulation counts threads and blocks only: one multiprocessor of 8192 threads and 256 blocks.
cudaError_t Describe(residency_device *device, residency_kernel *kernel) {
    *device = {1, 256, 256, 0, 1, 1, 0, 1, 0};
    kernel->shared = 0;
    return cudaSuccess;
}
#endif

}  // namespace

result blocks_resident(blocks_shape shape, residency_device *device, residency_kernel *kernel,
                       uint32_t *driver) {
    if (!Valid(shape, 1)) {
        return RESULT_REFUSED;
    }
    *kernel = {shape.threads, 0, shape.shared};
    const cudaError_t e = Describe(device, kernel);
    return Done(e != cudaSuccess ? e
                                 : ResidentBlocks(MeetKernel, shape.threads, shape.shared, driver));
}

result blocks_meet(blocks_shape shape, uint32_t grid, uint32_t polls, uint32_t *gave_up,
                   void *workspace, cuda_stream stream) {
    if (!Valid(shape, grid) || polls == 0) {
        return RESULT_REFUSED;
    }
    cudaError_t e = cudaMemsetAsync(workspace, 0, GridBarrier::Bytes(grid), stream);
    if (e == cudaSuccess) {
        e = cudaMemsetAsync(gave_up, 0, sizeof *gave_up, stream);
    }
    return Done(e != cudaSuccess ? e
                                 : Launch(MeetKernel, grid, shape.threads, shape.shared, stream,
                                          GridBarrier::In(workspace, grid), polls, gave_up));
}

result blocks_order(blocks_shape shape, uint32_t grid, uint32_t rounds, uint32_t *started,
                    uint32_t *place, uint32_t *counter, cuda_stream stream) {
    return !Valid(shape, grid) ? RESULT_REFUSED
                               : Done(Launch(OrderKernel, grid, shape.threads, shape.shared, stream,
                                             rounds, started, place, counter));
}
