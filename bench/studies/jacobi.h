// jacobi.h: Jacobi's iteration for dense systems with several right-hand sides, in single
// precision, and powers of a matrix modulo 2^32: what the papers' studies of barriers iterate.
// Plain C; includes steps.h.
#ifndef BENCH_STUDIES_JACOBI_H_
#define BENCH_STUDIES_JACOBI_H_

#include <stdbool.h>

#include "bench/studies/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JACOBI_STEPS_MOST = 256, JACOBI_SIDES_MOST = 16, JACOBI_ROWS_EACH_MOST = 8 };

// Each step makes of x the vector with x'_i = (b_i - sum over j of a_ij x_j) / a_ii + x_i, which is
// Jacobi's step without a special case for the diagonal.
typedef struct {
    const float *a;  // n columns of n
    const float *b;  // `sides` vectors of n, as x and y
    float *x, *y;    // the first guesses are in x
    unsigned n, sides, steps;
    unsigned rows_each;  // rows of a thread: 1, 2, 4 or 8
    steps_way way;
    void *workspace;
} jacobi_job;

// jacobi_workspace_bytes, jacobi_run: as those of passes.h. n is a multiple of 256 rows_each.
size_t jacobi_workspace_bytes(const jacobi_job *job);
result jacobi_run(const jacobi_job *job, cuda_stream stream);

// jacobi_kept does the same in one cooperative launch that keeps each block's part of a in shared
// memory from step to step, where the volatile form reads it again. For one right-hand side and
// rows_each 1. RESULT_REFUSED: the multiprocessors together cannot hold a. The workspace is that of
// STEPS_BARRIER.
result jacobi_kept(const jacobi_job *job, cuda_stream stream);

// Powers: each step multiplies by a from the right, x' = x a.
typedef struct {
    const uint32_t *a;  // n rows of n, as x and y
    uint32_t *x, *y;
    unsigned n, steps;  // n: a multiple of 32
    steps_way way;
    void *workspace;
} power_job;

size_t power_workspace_bytes(const power_job *job);
result power_run(const power_job *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_JACOBI_H_
