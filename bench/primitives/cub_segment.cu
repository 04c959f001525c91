// cub_segment.cu: cub_segment.h over CUB.
#include "bench/primitives/cub_segment.h"

#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include "tests/primitives/scan/monoid_examples.cuh"

namespace {

struct Segment {
    __host__ __device__ example_segment operator()(int32_t x) const { return BestSegment::Of(x); }
};

struct Join {
    __host__ __device__ example_segment operator()(const example_segment &y,
                                                   const example_segment &z) const {
        return BestSegment::Combine(y, z);
    }
};

struct KeepLast {
    example_segment *out;
    int64_t last;
    __host__ __device__ void operator()(int64_t i, const example_segment &x) const {
        if (i == last) {
            *out = x;
        }
    }
};

}  // namespace

bool cub_segment(void *job, cuda_stream stream) {
    cub_segment_job *j = (cub_segment_job *)job;
    const auto in = thrust::make_transform_iterator(j->in, Segment());
    const auto out = thrust::make_tabulate_output_iterator(KeepLast{j->out, (int64_t)j->n - 1});
    return cub::DeviceScan::InclusiveScan(j->workspace, j->workspace_bytes, in, out, Join(),
                                          (int64_t)j->n, stream) == cudaSuccess;
}
