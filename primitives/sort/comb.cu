// comb.cu: the variant of sort.h that sorts each row in shared memory, one launch: BMCS by
// network.cuh, rows packed into blocks by rows.cuh.
#include "primitives/sort/rows.cuh"

cudaError_t SortByComb(const SortCall &call) {
    return WithSortTypes(call.job, [&](auto types) {
        using T = decltype(types);
        SortRows<typename T::Key, typename T::Value> rows = {};
        rows.d = SortDataOf<typename T::Key, typename T::Value>(call);
        rows.n = call.job->n;
        rows.tiles = call.job->rows;
        rows.tiles_of_row = 1;
        rows.log_tile = SortLog(call.plan->tile);
        return RunSortRows<typename T::Value, typename T::Key, false>(rows, call.stream);
    });
}
