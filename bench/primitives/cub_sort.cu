// cub_sort.cu: cub_sort.h over CUB.
#include "bench/primitives/cub_sort.h"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

namespace {

template <class K, class V>
bool Radix(cub_sort_job *j, cudaStream_t stream) {
    const K *in = (const K *)j->keys_in;
    K *out = (K *)j->keys_out;
    const int64_t n = (int64_t)j->n;
    return (j->value_bytes == 0
                ? cub::DeviceRadixSort::SortKeys(j->workspace, j->workspace_bytes, in, out, n, 0,
                                                 8 * (int)sizeof(K), stream)
                : cub::DeviceRadixSort::SortPairs(j->workspace, j->workspace_bytes, in, out,
                                                  (const V *)j->values_in, (V *)j->values_out, n, 0,
                                                  8 * (int)sizeof(K), stream)) == cudaSuccess;
}

template <class K, class V>
bool Segmented(cub_sort_job *j, cudaStream_t stream) {
    const K *in = (const K *)j->keys_in;
    K *out = (K *)j->keys_out;
    const int64_t n = (int64_t)j->n, rows = (int64_t)j->rows;
    const uint64_t *begin = j->offsets, *end = begin + 1;
    return (j->value_bytes == 0
                ? cub::DeviceSegmentedSort::SortKeys(j->workspace, j->workspace_bytes, in, out, n,
                                                     rows, begin, end, stream)
                : cub::DeviceSegmentedSort::SortPairs(j->workspace, j->workspace_bytes, in, out,
                                                      (const V *)j->values_in, (V *)j->values_out,
                                                      n, rows, begin, end, stream)) == cudaSuccess;
}

template <class K, class V>
bool Merge(cub_sort_job *j, cudaStream_t stream) {
    const K *in = (const K *)j->keys_in;
    K *out = (K *)j->keys_out;
    const int64_t n = (int64_t)j->n;
    const ::cuda::std::less<> less{};
    return (j->value_bytes == 0 ? cub::DeviceMergeSort::SortKeysCopy(
                                      j->workspace, j->workspace_bytes, in, out, n, less, stream)
                                : cub::DeviceMergeSort::SortPairsCopy(
                                      j->workspace, j->workspace_bytes, in, (const V *)j->values_in,
                                      out, (V *)j->values_out, n, less, stream)) == cudaSuccess;
}

}  // namespace

bool cub_radix_sort(void *job, cuda_stream stream) {
    cub_sort_job *j = (cub_sort_job *)job;
    return j->key_bytes == 4 ? Radix<uint32_t, uint32_t>(j, stream)
                             : Radix<uint64_t, uint64_t>(j, stream);
}

bool cub_merge_sort(void *job, cuda_stream stream) {
    cub_sort_job *j = (cub_sort_job *)job;
    return j->key_bytes == 4 ? Merge<uint32_t, uint32_t>(j, stream)
                             : Merge<uint64_t, uint64_t>(j, stream);
}

bool cub_segmented_sort(void *job, cuda_stream stream) {
    cub_sort_job *j = (cub_sort_job *)job;
    return j->key_bytes == 4 ? Segmented<uint32_t, uint32_t>(j, stream)
                             : Segmented<uint64_t, uint64_t>(j, stream);
}
