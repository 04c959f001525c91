// reduce.cu: reduce.h on a device, for all operators.
#include "primitives/scan/reduce.h"

#include "primitives/scan/monoid.cuh"
#include "primitives/scan/reduce.cuh"

namespace {

constexpr uint64_t kMaxSize = UINT64_C(1) << 34;

bool Valid(const reduce_job *job) {
    return (unsigned)job->op < MONOID_KINDS && (job->n == 0 || job->rows <= kMaxSize / job->n) &&
           job->rows < (UINT64_C(1) << 31);
}

}  // namespace

size_t reduce_workspace_bytes(const reduce_job *job) {
    return Valid(job) ? Reduction<Sum<uint64_t>>::WorkspaceBytes() : 0;
}

result reduce_device(const reduce_job *job, void *out, const void *in, void *workspace,
                     size_t bytes, cuda_stream stream) {
    if (!Valid(job) || bytes < reduce_workspace_bytes(job)) {
        return RESULT_REFUSED;
    }
    if (job->rows == 0) {
        return RESULT_OK;
    }
    cudaError_t e = cudaSuccess;
    WithMonoid(job->op, [&](auto m) {
        using M = decltype(m);
        using Value = typename M::Value;
        e = Reduction<M>::Run((Value *)out, (const Value *)in, job->n, job->rows, workspace,
                              stream);
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
