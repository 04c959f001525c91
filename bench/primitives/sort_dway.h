// sort_dway.h: the d-way merge sort of [Koike15, 6.4] as it is described, d to be swept: a warp
// merges d runs through a tree of buffers of 64 keys in shared memory, whose nodes refill each
// other by bitonic merges. d = 2 over runs of 32 keys is GPU-Warpsort [Koike15, 6.2.2]. Keys of
// uint32_t, one array. Plain C. For the benchmark and its test only.
//
// Where it differs from the source: every pass cuts its output into equal tiles by selection among
// the d runs, so that all warps work in all passes; the source merges whole columns first and parts
// runs by sampled separators once there are fewer runs than groups.
//
// A warp has one chain of merges, log2 d levels of 10 shuffles for 32 keys, where merge paths give
// each thread of multiway-merge a merge of its own: so this is expected to lose to it.
#ifndef BENCH_PRIMITIVES_SORT_DWAY_H_
#define BENCH_PRIMITIVES_SORT_DWAY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *in;
    uint32_t *out;             // not in
    uint64_t n;                // a power of two, 2^lg_run .. 2^31
    unsigned lg_ways, lg_run;  // d = 2^lg_ways, 1 .. 8; first runs, sorted by comb, 5 .. 13
    void *workspace;
    size_t workspace_bytes;
} sort_dway_job;

// AGPU counts (b = 32 words a transfer, M words of shared memory a multiprocessor, P passes):
// I/O 2 (P + 1) n / b + O(d) a tile, time O((n / p) log b log n), multiplicity M / (2 b d).
typedef struct {
    unsigned passes;  // P = log_d(n / run), rounded up
    uint64_t bytes;   // read and written in device memory, what a tile reads too much included
    size_t workspace_bytes;  // 0: the job is not valid
} sort_dway_costs;
sort_dway_costs sort_dway_cost(const sort_dway_job *job);

// sort_dway_enqueue enqueues a sort_dway_job: 1 + 2 P launches; false if it is not valid, its
// workspace is too small or a launch failed.
bool sort_dway_enqueue(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_SORT_DWAY_H_
