// schedule.cuh: the two functions by which device.cu runs each schedule of scan.h. Each schedule is
// instantiated for all operators in a .cu file of its own, so that they compile side by side.
#ifndef PRIMITIVES_SCAN_SCHEDULE_CUH_
#define PRIMITIVES_SCAN_SCHEDULE_CUH_

#include "primitives/scan/monoid.cuh"
#include "primitives/scan/scan.h"
#include "primitives/scan/tile.cuh"

struct ScanSchedule {
    // Both require a valid job. run also requires a workspace of that size, and a job with
    // elements.
    size_t (*workspace_bytes)(const scan_job *job);
    cudaError_t (*run)(const scan_job *job, void *out, const void *in, void *workspace,
                       cudaStream_t stream);
};

extern const ScanSchedule kScanLookBack, kScanKoggeStone, kScanLadnerFischer, kScanBrentKung,
    kScanHanCarlson, kScanThreeKernel, kScanMatrix;

// The schedule of a template S, where S<M> scans under M:
//   S<M>::Operator                                       M, or M with a circuit for its warps
//   S<M>::WorkspaceBytes(n, rows)                        more than 0
//   S<M>::Run(ScanData<Operator>, workspace, stream)
template <template <class> class S>
size_t ScanWorkspaceBytes(const scan_job *job) {
    size_t bytes = 0;
    WithMonoid(job->op, [&](auto m) { bytes = S<decltype(m)>::WorkspaceBytes(job->n, job->rows); });
    return bytes;
}

template <template <class> class S>
cudaError_t RunScan(const scan_job *job, void *out, const void *in, void *workspace,
                    cudaStream_t stream) {
    cudaError_t e = cudaSuccess;
    WithMonoid(job->op, [&](auto m) {
        using M = typename S<decltype(m)>::Operator;
        ScanData<M> d;
        d.in = (const typename M::Value *)in;
        d.out = (typename M::Value *)out;
        d.size = job->n * job->rows;
        d.n = job->n;
        d.exclusive = job->exclusive;
        d.vectors = (uintptr_t)in % 16 == 0 && (uintptr_t)out % 16 == 0;
        e = S<decltype(m)>::Run(d, workspace, stream);
    });
    return e;
}

template <template <class> class S>
constexpr ScanSchedule ScheduleOf() {
    return {ScanWorkspaceBytes<S>, RunScan<S>};
}

#endif  // PRIMITIVES_SCAN_SCHEDULE_CUH_
