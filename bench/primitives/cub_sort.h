// cub_sort.h: the rivals of sort, NVIDIA's CUB. Plain C.
#ifndef BENCH_PRIMITIVES_CUB_SORT_H_
#define BENCH_PRIMITIVES_CUB_SORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Unsigned keys of 4 or 8 bytes, and values of 0, 4 or 8 (8 only beside keys of 8, 4 only beside
// keys of 4). offsets: of `rows` segments in device memory, for cub_segmented_sort.
typedef struct {
    const void *keys_in;
    void *keys_out;
    const void *values_in;
    void *values_out;
    unsigned key_bytes, value_bytes;
    uint64_t n, rows;  // elements in all
    const uint64_t *offsets;
    void *workspace;
    size_t workspace_bytes;
} cub_sort_job;

// Each finds the workspace it needs when called with workspace NULL: then nothing is enqueued, and
// workspace_bytes is set.
bool cub_radix_sort(void *job, cuda_stream stream);
bool cub_merge_sort(void *job, cuda_stream stream);
bool cub_segmented_sort(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_CUB_SORT_H_
