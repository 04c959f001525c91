// cub_segment.h: the rival of reductions that find the best segment: CUB with the same operator.
// Plain C; includes monoid_examples.h.
#ifndef BENCH_PRIMITIVES_CUB_SEGMENT_H_
#define BENCH_PRIMITIVES_CUB_SEGMENT_H_

#include <stdbool.h>

#include "tests/primitives/scan/monoid_examples.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int32_t *in;
    example_segment *out;  // one
    uint64_t n;
    void *workspace;
    size_t workspace_bytes;
} cub_segment_job;

// As in cub.h: with workspace NULL it only sets workspace_bytes. CUB's reduction takes operators
// that commute only, and this one does not. So it is CUB's scan, of which the last value alone is
// stored: like a reduction it reads each element once.
bool cub_segment(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_CUB_SEGMENT_H_
