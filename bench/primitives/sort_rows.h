// sort_rows.h: the papers' sorts of short rows without the steps that make comb fast: keys of
// uint32_t, rows one after another, every exchange through shared memory. Plain C. For the
// benchmark and its test only.
#ifndef BENCH_PRIMITIVES_SORT_ROWS_H_
#define BENCH_PRIMITIVES_SORT_ROWS_H_

#include <stdbool.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// n keys of a row, log = log2 n. Each form reads and writes every key once in one launch.
//
//   form             rows of a block  compared at once  barriers
//   bs-naive         1                pairs             1 + log (log + 1) / 2
//   bs-r4            1                four keys         1 + about log^2 / 4
//   bplg-bms-naive   512 / n, or 1    pairs             1 + log (log + 1) / 2
//
// bs-naive, bplg-bms-naive: Batcher's bitonic sort, runs alternately up and down. bs-r4: both runs
// up (primitives/sort/network.cuh), two stages for each exchange, first of four neighbours: comb
// without shuffles, and with 4 keys a thread.
typedef enum { SORT_ROWS_NAIVE, SORT_ROWS_R4, SORT_ROWS_SEVERAL, SORT_ROWS_FORMS } sort_rows_form;

static const char *const sort_rows_names[SORT_ROWS_FORMS] = {"bs-naive", "bs-r4", "bplg-bms-naive"};

typedef struct {
    const uint32_t *in;
    uint32_t *out;     // may be in
    uint64_t n, rows;  // n: a power of two, 4 .. 4096, of bs-naive 2048; rows < 2^31
    sort_rows_form form;
} sort_rows_job;

// sort_rows_enqueue enqueues a sort_rows_job; false if it is outside of these bounds or the launch
// failed.
bool sort_rows_enqueue(void *job, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_PRIMITIVES_SORT_ROWS_H_
