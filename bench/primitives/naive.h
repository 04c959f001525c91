// naive.h: slow scans to measure the papers' tuned ones against, on uint32_t sums. Each lacks one
// step of the library's schedules. Plain C. For the benchmark and its test only.
#ifndef BENCH_PRIMITIVES_NAIVE_H_
#define BENCH_PRIMITIVES_NAIVE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *in;
    uint32_t *out;  // not in
    uint64_t n;     // at most 2^32
    void *workspace;
    size_t workspace_bytes;
} naive_job;

typedef struct {
    const char *name;  // as in records
    // Workspace bytes of n elements.
    size_t (*bytes)(uint64_t n);
    // Enqueues the inclusive scan of a naive_job; false if its workspace is too small or a launch
    // failed.
    bool (*enqueue)(void *job, cuda_stream stream);
} naive_scan;

// naive_scans[0..NAIVE_SCANS):
//   naive-hillis-steele   Kogge-Stone's circuit over the elements themselves in device memory, one
//                         launch a level: log2 n launches, traffic 2 log2 n
//   naive-uncoalesced     the variant "tile" without its tile: every lane reads and writes its
//                         column of alpha neighbouring elements where they are
//   naive-bank-conflicts  the variant "tile" with alpha = 16: the lanes of a warp meet in two banks
enum { NAIVE_SCANS = 3 };
extern const naive_scan naive_scans[NAIVE_SCANS];

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_NAIVE_H_
