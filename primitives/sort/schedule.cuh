// schedule.cuh: the function by which device.cu runs each variant of sort.h, and the types and
// orders that the variants share. Each function is in a .cu file of its own, so that they compile
// side by side.
#ifndef PRIMITIVES_SORT_SCHEDULE_CUH_
#define PRIMITIVES_SORT_SCHEDULE_CUH_

#include "primitives/cuda/launch.cuh"
#include "primitives/sort/item.cuh"
#include "primitives/sort/shape.h"

// A job that is valid for the plan, with at least one element.
struct SortCall {
    const sort_job *job;
    const sort_plan *plan;
    const sort_arrays *arrays;
    char *workspace;
    cudaStream_t stream;
};

cudaError_t SortByBitonic(const SortCall &call);
cudaError_t SortByComb(const SortCall &call);
cudaError_t SortByMultiwayMerge(const SortCall &call);
cudaError_t SortByRadix(const SortCall &call);

// What a kernel reads and writes.
template <class K, class V>
struct SortData {
    const K *keys_in;
    K *keys_out;
    const V *values_in;
    V *values_out;
    SortOrder<K> in, out;  // how keys are mapped as they are read, and mapped back as written
};

// From the caller's input to its output, keys mapped and mapped back.
template <class K, class V>
SortData<K, V> SortDataOf(const SortCall &c) {
    const SortOrder<K> order = SortOrderOf<K>(c.job->key);
    return {(const K *)c.arrays->keys_in,
            (K *)c.arrays->keys_out,
            (const V *)c.arrays->values_in,
            (V *)c.arrays->values_out,
            order,
            order};
}

template <class K, class V>
struct SortTypes {
    using Key = K;
    using Value = V;
};

template <class K, class F>
cudaError_t WithSortValue(unsigned value_bytes, F f) {
    switch (value_bytes) {
        case 0:
            return f(SortTypes<K, NoValue>());
        case 4:
            return f(SortTypes<K, uint32_t>());
        default:
            return f(SortTypes<K, uint64_t>());
    }
}

// WithSortTypes returns f(SortTypes<K, V>()) for the job's types.
template <class F>
cudaError_t WithSortTypes(const sort_job *job, F f) {
    return SortKeyBytes(job->key) == 4 ? WithSortValue<uint32_t>(job->value_bytes, f)
                                       : WithSortValue<uint64_t>(job->value_bytes, f);
}

#endif  // PRIMITIVES_SORT_SCHEDULE_CUH_
