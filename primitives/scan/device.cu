// device.cu: scan.h on a device: which schedule does a job. Each schedule has a .cu file of its
// own.
#include "primitives/scan/scan.h"

#include "primitives/scan/schedule.cuh"

namespace {

constexpr uint64_t kMaxSize = UINT64_C(1) << 34;

// NULL: no such variant.
const ScanSchedule *ScheduleFor(scan_variant v) {
    switch (v) {
        case SCAN_LOOK_BACK:
            return &kScanLookBack;
        case SCAN_KOGGE_STONE:
            return &kScanKoggeStone;
        case SCAN_LADNER_FISCHER:
            return &kScanLadnerFischer;
        case SCAN_BRENT_KUNG:
            return &kScanBrentKung;
        case SCAN_HAN_CARLSON:
            return &kScanHanCarlson;
        case SCAN_THREE_KERNEL:
            return &kScanThreeKernel;
        case SCAN_TILE:
            return &kScanMatrix;
        default:
            return nullptr;
    }
}

}  // namespace

bool scan_valid(const scan_job *job) {
    if ((unsigned)job->op >= MONOID_KINDS || ScheduleFor(job->variant) == nullptr) {
        return false;
    }
    return job->n == 0 || job->rows <= kMaxSize / job->n;
}

size_t scan_workspace_bytes(const scan_job *job) {
    return scan_valid(job) ? ScheduleFor(job->variant)->workspace_bytes(job) : 0;
}

result scan_device(const scan_job *job, void *out, const void *in, void *workspace, size_t bytes,
                   cuda_stream stream) {
    const size_t needed = scan_workspace_bytes(job);
    if (needed == 0 || bytes < needed) {
        return RESULT_REFUSED;
    }
    if (job->n * job->rows == 0) {
        return RESULT_OK;
    }
    const ScanSchedule *schedule = ScheduleFor(job->variant);
    return schedule->run(job, out, in, workspace, stream) == cudaSuccess ? RESULT_OK
                                                                         : RESULT_DEVICE_ERROR;
}
