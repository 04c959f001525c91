// cub.cu: cub.h over CUB.
#include "bench/primitives/cub.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>

namespace {

struct RowOf {
    uint32_t n;
    __host__ __device__ uint32_t operator()(uint32_t i) const { return i / n; }
};

struct StartOf {
    uint64_t n;
    __host__ __device__ int64_t operator()(int64_t row) const { return row * (int64_t)n; }
};

}  // namespace

bool cub_scan(void *job, cuda_stream stream) {
    cub_job *j = (cub_job *)job;
    const uint64_t size = j->n * j->rows;
    if (j->rows == 1) {
        return cub::DeviceScan::InclusiveSum(j->workspace, j->workspace_bytes, j->in, j->out,
                                             (int64_t)size, stream) == cudaSuccess;
    }
    const auto rows = thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0),
                                                      RowOf{(uint32_t)j->n});
    return cub::DeviceScan::InclusiveSumByKey(j->workspace, j->workspace_bytes, rows, j->in, j->out,
                                              (int64_t)size, ::cuda::std::equal_to<>{},
                                              stream) == cudaSuccess;
}

bool cub_reduce(void *job, cuda_stream stream) {
    cub_job *j = (cub_job *)job;
    if (j->rows == 1) {
        return cub::DeviceReduce::Sum(j->workspace, j->workspace_bytes, j->in, j->out,
                                      (int64_t)j->n, stream) == cudaSuccess;
    }
    const auto starts =
        thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), StartOf{j->n});
    return cub::DeviceSegmentedReduce::Sum(j->workspace, j->workspace_bytes, j->in, j->out,
                                           (int64_t)j->rows, starts, starts + 1,
                                           stream) == cudaSuccess;
}
