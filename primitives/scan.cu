// scan.cu: scan.h on a device: which kernel does a job, and the memory it needs. The only file that
// instantiates the scan kernels.
#include "primitives/scan.h"

#include "primitives/monoid.cuh"
#include "primitives/scan_look_back.cuh"

namespace {

constexpr uint64_t kMaxSize = UINT64_C(1) << 34;

template <class M>
using Streaming = ScanLookBack<M>;

bool Aligned(const void *p) { return (uintptr_t)p % 16 == 0; }

}  // namespace

bool scan_valid(const scan_job *job) {
    if ((unsigned)job->op >= MONOID_KINDS || job->variant != SCAN_LOOK_BACK) {
        return false;
    }
    return job->n == 0 || job->rows <= kMaxSize / job->n;
}

size_t scan_workspace_bytes(const scan_job *job) {
    size_t bytes = 0;
    if (scan_valid(job)) {
        WithMonoid(job->op, [&](auto m) {
            bytes = Streaming<decltype(m)>::WorkspaceBytes(job->n * job->rows);
        });
    }
    return bytes;
}

result scan_workspace_clear(void *workspace, size_t bytes, device_stream stream) {
    return cudaMemsetAsync(workspace, 0, bytes, stream) == cudaSuccess ? RESULT_OK
                                                                       : RESULT_DEVICE_ERROR;
}

result scan_device(const scan_job *job, void *out, const void *in, void *workspace, size_t bytes,
                   device_stream stream) {
    const size_t needed = scan_workspace_bytes(job);
    if (needed == 0 || bytes < needed) {
        return RESULT_REFUSED;
    }
    if (job->n * job->rows == 0) {
        return RESULT_OK;
    }
    cudaError_t e = cudaSuccess;
    WithMonoid(job->op, [&](auto m) {
        using M = decltype(m);
        ScanData<M> d;
        d.in = (const typename M::Value *)in;
        d.out = (typename M::Value *)out;
        d.size = job->n * job->rows;
        d.n = job->n;
        d.exclusive = job->exclusive;
        d.vectors = Aligned(in) && Aligned(out);
        e = Streaming<M>::Run(d, workspace, stream);
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
