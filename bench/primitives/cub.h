// cub.h: the rival of scan and reduce, NVIDIA's CUB, on uint32_t sums. Plain C. CUB lives in this
// folder only.
#ifndef BENCH_PRIMITIVES_CUB_H_
#define BENCH_PRIMITIVES_CUB_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *in;
    uint32_t *out;
    uint64_t n, rows;  // one row: the plain scan and reduction; otherwise by rows
    void *workspace;
    size_t workspace_bytes;
} cub_job;

// The workspace each needs, found by calling with workspace NULL: then nothing is enqueued, and
// workspace_bytes is set. By rows, the scan is InclusiveSumByKey with the row's number computed as
// the key; the reduction is DeviceSegmentedReduce with computed offsets: no other way in CUB 3.0
// reads less memory.
bool cub_scan(void *job, cuda_stream stream);
bool cub_reduce(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_CUB_H_
