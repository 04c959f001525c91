// cub_skeletons.cu: cub_skeletons.h over CUB.
#include "bench/primitives/cub_skeletons.h"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "tests/primitives/scan/skeleton_examples.cuh"

namespace {

template <class M>
struct Functor {
    using Value = typename M::Value;
    __host__ __device__ Value operator()(const Value &a, const Value &b) const {
        return M::Combine(a, b);
    }
};

template <class M>
bool Scan(cub_skeleton_job *j, cudaStream_t stream) {
    using Value = typename M::Value;
    return cub::DeviceScan::InclusiveScan(j->workspace, j->workspace_bytes, (const Value *)j->in,
                                          (Value *)j->out, Functor<M>(), (int64_t)j->n,
                                          stream) == cudaSuccess;
}

}  // namespace

bool cub_skeleton_scan(void *job, cuda_stream stream) {
    cub_skeleton_job *j = (cub_skeleton_job *)job;
    switch (j->op) {
        case SKELETON_ARGMAX:
            return Scan<Argmax>(j, stream);
        case SKELETON_AFFINE:
            return Scan<Affine>(j, stream);
        case SKELETON_CARRY:
            return Scan<Carry>(j, stream);
        case SKELETON_MATRIX:
            return Scan<Matrix>(j, stream);
        default:
            return false;
    }
}

bool cub_skeleton_reduce(void *job, cuda_stream stream) {
    cub_skeleton_job *j = (cub_skeleton_job *)job;
    return cub::DeviceReduce::Reduce(j->workspace, j->workspace_bytes,
                                     (const skeleton_place *)j->in, (skeleton_place *)j->out,
                                     (int64_t)j->n, Functor<Argmax>(), Argmax::Identity(),
                                     stream) == cudaSuccess;
}

bool cub_skeleton_select(void *job, cuda_stream stream) {
    cub_skeleton_job *j = (cub_skeleton_job *)job;
    return cub::DeviceSelect::If(j->workspace, j->workspace_bytes, (const uint32_t *)j->in,
                                 (uint32_t *)j->out, j->count, (int64_t)j->n, IsOdd(),
                                 stream) == cudaSuccess;
}
