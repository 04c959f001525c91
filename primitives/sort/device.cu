// device.cu: sort.h on a device: refuses what no plan allows, and calls the plan's variant. Each
// variant has a .cu file of its own.
#include "primitives/sort/sort.h"

#include "primitives/sort/schedule.cuh"

namespace {

// Apart from the lanes that look for cuts, which are the caller's choice.
bool Same(const sort_plan &a, const sort_plan &b) {
    return a.tile == b.tile && a.threads == b.threads && a.log_ways == b.log_ways &&
           a.passes == b.passes && a.workspace_bytes == b.workspace_bytes;
}

// The job's plan of the same variant and, of merges, of the same shape.
bool Remake(const sort_job *job, const sort_plan &plan, sort_plan *made) {
    return plan.variant == SORT_MULTIWAY_MERGE
               ? sort_plan_merge(job, plan.threads, plan.log_ways > 0 ? plan.log_ways : 1, made)
               : sort_plan_make(job, plan.variant, made);
}

cudaError_t Run(const SortCall &call) {
    switch (call.plan->variant) {
        case SORT_BITONIC:
            return SortByBitonic(call);
        case SORT_COMB:
            return SortByComb(call);
        case SORT_MULTIWAY_MERGE:
            return SortByMultiwayMerge(call);
        default:
            return SortByRadix(call);
    }
}

}  // namespace

result sort_device(const sort_job *job, const sort_plan *plan, const sort_arrays *arrays,
                   void *workspace, size_t bytes, cuda_stream stream) {
    sort_plan made;
    if (!Remake(job, *plan, &made) || !Same(made, *plan) ||
        plan->log_ways + plan->log_probes > kSortMaxLogLanes || bytes < made.workspace_bytes) {
        return RESULT_REFUSED;
    }
    if (job->n == 0 || job->rows == 0) {
        return RESULT_OK;
    }
    const SortCall call = {job, plan, arrays, (char *)workspace, stream};
    return Run(call) == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
