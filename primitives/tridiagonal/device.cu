// device.cu: tridiagonal.h on a device: which algorithm does a plan.
#include "primitives/tridiagonal/tridiagonal.h"

#include "primitives/tridiagonal/kernels.cuh"

namespace {

const TridiagonalAlgorithm &AlgorithmOf(const tridiagonal_plan &plan) {
    const bool kept = plan.together == TRIDIAGONAL_KEPT;
    switch (plan.variant) {
        case TRIDIAGONAL_PARTITION_PLAIN:
            return kept ? kTridiagonalKept : kTridiagonalPartition;
        case TRIDIAGONAL_THOMAS:
            return kTridiagonalThomas;
        case TRIDIAGONAL_CYCLIC:
            return kTridiagonalCyclic;
        case TRIDIAGONAL_PARALLEL_CYCLIC:
            return kTridiagonalParallelCyclic;
        case TRIDIAGONAL_RR_KOGGE_STONE:
            return kTridiagonalKoggeStone;
        case TRIDIAGONAL_RR_LADNER:
            return kTridiagonalLadner;
        case TRIDIAGONAL_WANG_MOU:
            return kTridiagonalWangMou;
        case TRIDIAGONAL_TREE:
        case TRIDIAGONAL_TREE_STABLE:
            return kTridiagonalTree;
        default:
            return kept ? kTridiagonalKeptTwofold : kTridiagonalPartitionTwofold;
    }
}

template <class T>
TridiagonalData<T> DataOf(const tridiagonal_job &job, const void *a, const void *b, const void *c,
                          const void *d, void *x, uint32_t *status) {
    return {(const T *)a, (const T *)b, (const T *)c, (const T *)d,   (T *)x,
            status,       job.n,        job.batch,    job.row_stride, job.system_stride};
}

}  // namespace

result tridiagonal_device(const tridiagonal_plan *plan, const void *a, const void *b, const void *c,
                          const void *d, void *x, uint32_t *status, void *workspace, size_t bytes,
                          cuda_stream stream) {
    const size_t needed = tridiagonal_workspace_bytes(plan);
    if (needed == 0 || bytes < needed) {
        return RESULT_REFUSED;
    }
    if (plan->job.batch == 0) {
        return RESULT_OK;
    }
    cudaError_t e = cudaSuccess;
    if (plan->job.n == 0) {
        if (status != nullptr) {
            e = cudaMemsetAsync(status, 0, plan->job.batch * sizeof(uint32_t), stream);
        }
    } else if (plan->job.type == TRIDIAGONAL_F32) {
        e = AlgorithmOf(*plan).f32(*plan, DataOf<float>(plan->job, a, b, c, d, x, status),
                                   workspace, stream);
    } else {
        e = AlgorithmOf(*plan).f64(*plan, DataOf<double>(plan->job, a, b, c, d, x, status),
                                   workspace, stream);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
