// passes.h: passes over a matrix of words as a product by transforms makes them (columns, rows,
// columns back): each reads and writes every word once and needs all of the pass before. Plain C;
// includes steps.h.
#ifndef BENCH_STUDIES_PASSES_H_
#define BENCH_STUDIES_PASSES_H_

#include <stdbool.h>

#include "bench/studies/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PASSES_LG_LEAST = 10, PASSES_LG_MOST = 30, PASSES_STEPS_MOST = 64 };

// A pass writes the transposed matrix, every word x as 3 x + its number of pass + 1, modulo 2^64.
// 2^lg words in 2^(lg / 2) rows before the first pass. Every other pass goes from y to x.
typedef struct {
    uint64_t *x, *y;  // device memory of 2^lg words each; the input is in x
    unsigned lg, steps;
    steps_way way;
    bool by_tiles;  // a tile waits for the tile that it reads, not for the whole pass
    void *workspace;
} passes_job;

// passes_workspace_bytes: see passes_run; 0 if the job is not valid.
size_t passes_workspace_bytes(const passes_job *job);
// passes_run enqueues the passes. The result is in y if steps is odd, else in x. workspace: device
// memory of that size, zero before its first use and after use by another job. RESULT_REFUSED: the
// job is not valid. Takes launches and workspace as steps.h says.
result passes_run(const passes_job *job, cuda_stream stream);
// passes_word: what word i becomes of input word x(i) = i: for checks. i counts in the result.
uint64_t passes_word(const passes_job *job, uint64_t i);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_PASSES_H_
