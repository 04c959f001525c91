// naive.h: the papers' reductions of tridiagonal systems without the steps that make
// them fast: a launch for each step, rows in device memory, nothing kept in registers or shared
// memory. Plain C. For the benchmark and its test only.
#ifndef BENCH_TRIDIAGONAL_NAIVE_H_
#define BENCH_TRIDIAGONAL_NAIVE_H_

#include <stdbool.h>
#include <stddef.h>

#include "primitives/tridiagonal/tridiagonal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    tridiagonal_job job;  // strided, no rows between systems, n batch < 2^31
    const void *a, *b, *c, *d;
    void *x;  // may be d
    void *workspace;
    size_t workspace_bytes;
} naive_tridiagonal_job;

typedef struct {
    const char *name;  // as in records
    // Workspace bytes of a job.
    size_t (*bytes)(const tridiagonal_job *job);
    // Enqueues x = the solutions of a naive_tridiagonal_job; false if its workspace is too small,
    // its systems too long or a launch failed. No rows are interchanged.
    bool (*enqueue)(void *job, cuda_stream stream);
    uint64_t longest[TRIDIAGONAL_TYPES];  // rows of a system
    bool redundant;                       // a shooting method: see tridiagonal.h
} naive_tridiagonal;

// naive_tridiagonals[0..NAIVE_TRIDIAGONALS), words of device memory a row, for n = 2^k:
//   naive-cyclic-reduction           2 k + 2 launches, 31 words: 8 to copy the rows, 16 up, 7 down
//   naive-parallel-cyclic-reduction  k + 2 launches, 16 k + 11 words
//   naive-redundant-reduction        k + 3 launches, 24 k + 29 words; Ladner and Fischer's circuit
enum { NAIVE_TRIDIAGONALS = 3 };
extern const naive_tridiagonal naive_tridiagonals[NAIVE_TRIDIAGONALS];

#ifdef __cplusplus
}
#endif

#endif  // BENCH_TRIDIAGONAL_NAIVE_H_
