// cub_skeletons.h: the rival of the skeletons: CUB with the same operators. Plain C; includes
// skeleton_examples.h.
#ifndef BENCH_PRIMITIVES_CUB_SKELETONS_H_
#define BENCH_PRIMITIVES_CUB_SKELETONS_H_

#include <stdbool.h>

#include "tests/primitives/scan/skeleton_examples.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    skeleton_operator op;  // scans: any but segment; reductions: argmax, which alone commutes
    const void *in;
    void *out;
    uint64_t *count;  // of a selection
    uint64_t n;
    void *workspace;
    size_t workspace_bytes;
} cub_skeleton_job;

// As in cub.h: with workspace NULL they only set workspace_bytes. cub_skeleton_select: the odd
// words.
bool cub_skeleton_scan(void *job, cuda_stream stream);
bool cub_skeleton_reduce(void *job, cuda_stream stream);
bool cub_skeleton_select(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_CUB_SKELETONS_H_
