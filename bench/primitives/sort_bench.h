// sort_bench.h: what the parts of sort_bench share. Plain C; includes record.h, timing.h and
// sort.h.
#ifndef BENCH_PRIMITIVES_SORT_BENCH_H_
#define BENCH_PRIMITIVES_SORT_BENCH_H_

#include <stdbool.h>
#include <stdint.h>

#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "primitives/sort/sort.h"

typedef struct {
    char *in, *out, *rival_out;  // keys, and values behind them
    char *workspace, *rival_workspace;
    uint64_t *offsets;
} buffers;

#define WORKSPACE_ROOM ((size_t)9 << 28)  // 2.25 GiB

// One line of the table: a sort of b->in into b->out.
typedef struct {
    const char *topic, *variant;
    const sort_job *job;
    bool (*enqueue)(void *, cuda_stream);
    void *self;
    bool (*rival)(void *, cuda_stream);  // of cub_sort.h
    uint64_t traffic;                    // bytes that it moves, for the predicted time
    unsigned launches;
    bool stable;       // values are compared with the rival's too
    bool chosen;       // the library's choice
    const char *more;  // further fields of the record, a comma before each; NULL: none
    const char *note;  // NULL: none
} sort_line;

// sort_bench_measure times a line, compares its output with the rival's, prints and records it;
// ends the program if it is wrong.
void sort_bench_measure(const device_run *run, const buffers *b, const sort_line *line);
// sort_bench_rows tells the rival where the rows of a job begin.
void sort_bench_rows(const buffers *b, const sort_job *job);
void sort_bench_fail(const char *what, const sort_job *job);

// A sort of ours; sort_bench_ours enqueues it.
typedef struct {
    sort_job job;
    sort_plan plan;
    sort_arrays arrays;
    void *workspace;
} sort_ours;
bool sort_bench_ours(void *self, cuda_stream stream);
// sort_bench_arrays: where the job's keys, and its values behind them, lie.
sort_arrays sort_bench_arrays(const buffers *b, const sort_job *job);

// The part of sort_merge.c: the multiway merge in every shape against CUB's merge sort.
void sort_bench_merge(const device_run *run, const buffers *b);

// The parts of sort_papers.c.
void sort_bench_naive(const device_run *run, const buffers *b);
void sort_bench_dway(const device_run *run, const buffers *b);

#endif  // BENCH_PRIMITIVES_SORT_BENCH_H_
