// product_rows_pack.cu: product_rows_pack.h. Includes product_rows.cuh.
#include "bigint/device/kernels/product_rows_pack.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kThreads = 256, kEach = 4;  // limbs of a thread

struct PackJob {
    product_rows rows;
    uint64_t *to;
    unsigned an, all;  // limbs of a row: of its first factor, of both
};

// Grid: x limbs of a row, y products.
__global__ void __launch_bounds__(kThreads) PackKernel(const __grid_constant__ PackJob job) {
    WaitForKernelBefore();
    const product_item item = ProductItem(job.rows, blockIdx.y);
    uint64_t *const to = job.to + (uint64_t)blockIdx.y * job.all;
    const unsigned first = blockIdx.x * (kThreads * kEach) + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const uint64_t at = first + k * kThreads;
        if (at < job.an) {
            to[at] = at < item.an ? item.a[at] : 0;
        } else if (at < job.all) {
            to[at] = at - job.an < item.bn ? item.b[at - job.an] : 0;
        }
    }
}

}  // namespace

result product_rows_pack(const product_rows *rows, uint64_t *to, uint64_t an, uint64_t bn,
                         cuda_stream stream) {
    constexpr uint64_t kMostRows = 65535, kMostLimbs = UINT64_C(1) << 31;
    if (rows->count > kMostRows || an > kMostLimbs || bn > kMostLimbs || an + bn > kMostLimbs) {
        return RESULT_REFUSED;
    }
    const PackJob job = {*rows, to, (unsigned)an, (unsigned)(an + bn)};
    const dim3 grid((unsigned)word_ceil_div(an + bn, (uint64_t)kThreads * kEach),
                    (unsigned)rows->count);
    const cudaError_t e = rows->count == 0 || an + bn == 0
                              ? cudaSuccess
                              : LaunchEarly(PackKernel, grid, kThreads, 0, stream, job);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
